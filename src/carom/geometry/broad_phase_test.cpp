// The pairs of bounds that overlap, against all pairs looked at one by one.

#include "carom/geometry/broad_phase.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "carom/math/counter_rng.hpp"

namespace carom {
namespace {

using Eigen::Vector3d;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::vector<std::pair<int, int>> brute_force(const std::vector<Bounds>& bounds, double margin) {
  std::vector<std::pair<int, int>> pairs;
  for (int i = 0; i < std::ssize(bounds); ++i)
    for (int j = i + 1; j < std::ssize(bounds); ++j)
      if ((bounds[i].low.array() - margin <= bounds[j].high.array() + margin).all() && (bounds[j].low.array() - margin <= bounds[i].high.array() + margin).all())
        pairs.emplace_back(i, j);
  return pairs;
}

Vector3d anywhere(CounterRng& rng, double width) { return {rng.uniform(-width, width), rng.uniform(-width, width), rng.uniform(-width, width)}; }

Bounds cube(const Vector3d& centre, double half) { return {centre.array() - half, centre.array() + half}; }

// `count` boxes of a scene; some scenes have more.
std::vector<Bounds> scene(int kind, int count, CounterRng& rng) {
  std::vector<Bounds> all;
  for (int i = 0; i < count; ++i) {
    switch (kind) {
      case 0: all.push_back(cube(anywhere(rng, 5), 0.5)); break;                                                  // equal
      case 1: all.push_back(cube(anywhere(rng, 5), rng.log_uniform(1e-3, 3))); break;                             // of all sizes
      case 2: all.push_back(cube(anywhere(rng, 5), i == count / 3 ? 6 : 0.05)); break;                            // a large one among small ones
      case 3: all.push_back(cube({rng.uniform(-20, 20), 1, 2}, 0.2)); break;                                      // in a row
      case 4: all.push_back(cube({1, 2, 3}, 0.5)); break;                                                         // at one place
      case 5: all.push_back(cube(Eigen::Vector3i(i % 7, i / 7 % 7, i / 49).cast<double>(), 0.5)); break;  // a lattice: neighbours touch
      case 6: all.push_back(cube(anywhere(rng, i % 10 == 0 ? 1e9 : 1), 0.2)); break;                              // some far away
      case 7: all.push_back({anywhere(rng, 5) - Vector3d(0, 0, 9), anywhere(rng, 5) + Vector3d(0, 0, 9)}); break;  // some inside out
      default:                                                                                                    // flat, and rods along each axis
        all.push_back(cube(anywhere(rng, 3), 0.1));
        all.back().low[i % 3] -= 4, all.back().high[(i + 1) % 3] = all.back().low[(i + 1) % 3];
    }
  }
  return all;
}

constexpr int kScenes = 9;

void expect_pairs(BroadPhase& broad, const std::vector<Bounds>& bounds, double margin, const std::string& where) {
  const auto pairs = broad.pairs(bounds, margin);
  EXPECT_EQ(std::vector(pairs.begin(), pairs.end()), brute_force(bounds, margin)) << where;
}

// Moving, jumping, with other numbers of shapes and other margins: one tree through all of it.
TEST(BroadPhase, FindsWhatBruteForceFinds) {
  BroadPhase broad;
  for (int run = 0; run < 4 * kScenes; ++run) {
    CounterRng rng(29, static_cast<std::uint64_t>(run));
    const int kind = run % kScenes, count = std::array{40, 150, 257, 64}[static_cast<std::size_t>(run / kScenes)];
    std::vector<Bounds> all = scene(kind, count, rng);
    for (int step = 0; step < 12; ++step) {
      for (Bounds& b : all) {
        const Vector3d move = kind == 5 ? Vector3d(0, 0, 1) : anywhere(rng, step % 5 == 4 ? 5 : 0.02);
        b = {b.low + move, b.high + move};
      }
      expect_pairs(broad, all, step % 3 == 0 ? 0 : 0.05 * step, "run " + std::to_string(run) + " step " + std::to_string(step));
    }
  }
}

TEST(BroadPhase, UnboundedShapesPairWithAll) {
  BroadPhase broad;
  for (int run = 0; run < 30; ++run) {
    CounterRng rng(30, static_cast<std::uint64_t>(run));
    std::vector<Bounds> all = scene(run % kScenes, 60, rng);
    for (int k = 0; k < run % 4; ++k) all[static_cast<std::size_t>(rng.uniform(0, 60))] = {Vector3d::Constant(-kInfinity), Vector3d::Constant(kInfinity)};
    // The same number of unbounded shapes as the time before, but others.
    for (int step = 0; step < 4; ++step) {
      expect_pairs(broad, all, 0.01, "run " + std::to_string(run));
      std::rotate(all.begin(), all.begin() + 7, all.end());
    }
  }
  // One that is unbounded along one axis alone counts as near everything.
  std::vector<Bounds> wall = {cube({0, 0, 0}, 1), cube({10, 0, 0}, 1), cube({20, 0, 0}, 1)};
  wall[1].low.y() = -kInfinity;
  const auto pairs = broad.pairs(wall, 0);
  EXPECT_EQ(std::vector(pairs.begin(), pairs.end()), (std::vector<std::pair<int, int>>{{0, 1}, {1, 2}}));
}

TEST(BroadPhase, FewShapes) {
  BroadPhase broad;
  CounterRng rng(31, 0);
  for (const int count : {0, 1, 2, 3, 4, 5, 8, 9, 1, 0, 17})
    for (const int kind : {0, 4}) expect_pairs(broad, scene(kind, count, rng), 1, std::to_string(count));
  const std::vector<Bounds> planes(3, {Vector3d::Constant(-kInfinity), Vector3d::Constant(kInfinity)});
  expect_pairs(broad, planes, 0, "planes");
}

// A large number with few pairs: what looks at all of the 5·10⁹ would not end here.
TEST(BroadPhase, AHundredThousandOfAllKinds) {
  CounterRng rng(32, 0);
  std::vector<Bounds> all;
  for (int i = 0; i < 100'000; ++i) all.push_back(cube(Eigen::Vector3i(i % 1000, i / 1000, 0).cast<double>(), 0.5 - 1e-3));  // a sheet: thin along one axis, and without pairs
  BroadPhase broad;
  EXPECT_TRUE(broad.pairs(all, 0).empty());
  all[77'777] = cube(all[77'777].low, 10'000);
  EXPECT_EQ(broad.pairs(all, 0).size(), 99'999u);
  std::swap(all.front(), all.back());
  for (int step = 0; step < 10; ++step) EXPECT_EQ(broad.pairs(all, 0).size(), 99'999u);
}

}  // namespace
}  // namespace carom
