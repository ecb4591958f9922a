// What every pair of shapes promises, at random poses: the distance is proved by two parallel planes, witness points stand where
// they should, the order of the bodies and the frame of the world do not matter.

#include <gtest/gtest.h>

#include <algorithm>

#include "carom/geometry/axes.hpp"
#include "carom/geometry/gap.hpp"
#include "carom/geometry/polytope.hpp"
#include "support/random_shapes.hpp"

namespace carom {
namespace {

using Eigen::Vector3d;
using support::random_pose;
using support::random_shape;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The greatest n · x over the shape in the world; from its definition, with no code in common with the gaps.
double support_height(World world, const Shape& shape, const Placement& pose, const Vector3d& n) {
  const Vector3d m = pose.rotation.transpose() * n;
  const double origin = n.dot(pose.translation);
  const auto polytope = [&](const Polytope& p) {
    double most = -kInfinity;
    for (int i = 0; i < p.vertex_count(); ++i) most = std::max(most, m.dot(p.vertex(i)));
    return origin + most;
  };
  if (const auto* s = std::get_if<Sphere>(&shape)) return origin + s->radius;
  if (const auto* c = std::get_if<Capsule>(&shape)) return origin + c->radius + c->half_length * std::abs(m.dot(capsule_axis(world)));
  if (const auto* c = std::get_if<Cylinder>(&shape)) return origin + c->radius * m.head<2>().norm() + c->half_height * std::abs(m.z());
  if (const auto* b = std::get_if<Box>(&shape)) return polytope(Polytope(*b, world));
  if (const auto* h = std::get_if<Hull>(&shape)) return polytope(Polytope(*h));
  if (std::holds_alternative<HalfSpace>(shape)) return (m - half_space_normal(world)).norm() < 1e-12 ? origin : kInfinity;
  return kInfinity;
}

class EveryPair : public testing::TestWithParam<support::ShapePair> {
 protected:
  struct Drawn {
    Shape a, b;
    Placement pose_a, pose_b;
  };
  Drawn draw(int run) const {
    const auto [world, kind_a, kind_b] = GetParam();
    CounterRng rng(11, run, kind_a * 10 + kind_b);
    Shape a = random_shape(rng, world, kind_a), b = random_shape(rng, world, kind_b);
    const Placement pose_a = random_pose(rng, world, 0.3), pose_b = random_pose(rng, world, 1.5);
    return {std::move(a), std::move(b), pose_a, pose_b};
  }
  std::vector<Gap> found(const Shape& a, const Placement& pose_a, const Shape& b, const Placement& pose_b, double range) const {
    std::vector<Gap> out;
    gaps(GetParam().world, a, pose_a, b, pose_b, range, out);
    return out;
  }
};

// For disjoint convex bodies: a gap d with normal n is their distance if and only if the planes across n that touch them are d
// apart.
TEST_P(EveryPair, DistanceIsProvedByTwoPlanes) {
  const auto [world, kind_a, kind_b] = GetParam();
  if (kind_a == 6 || kind_b == 6) return;
  int proved = 0;
  for (int run = 0; run < 4000; ++run) {
    const auto [a, b, pose_a, pose_b] = draw(run);
    const auto all = found(a, pose_a, b, pose_b, kInfinity);
    ASSERT_FALSE(all.empty());
    const Gap& least = *std::min_element(all.begin(), all.end(), [](const Gap& g, const Gap& h) { return g.distance < h.distance; });
    if (least.distance <= 0) continue;
    const double between = -support_height(world, a, pose_a, -least.normal) - support_height(world, b, pose_b, least.normal);
    ASSERT_NEAR(between, least.distance, 2e-13) << "run " << run << " feature " << least.feature;
    ++proved;
  }
  EXPECT_GT(proved, 200);
}

// Bodies on their way past each other, looked at again and again: what a look leaves to the next changes no gap and bounds the distance.
TEST_P(EveryPair, MemoryChangesNoGap) {
  const World world = GetParam().world;
  const double range = 0.05;
  int near = 0, parted = 0;
  for (int run = 0; run < 300; ++run) {
    auto [a, b, pose_a, pose_b] = draw(run);
    CounterRng rng(12, run, 0);
    const Vector3d way = random_pose(rng, world, 0.02).translation;
    const double turn = rng.uniform(-0.02, 0.02);
    PairMemory memory;
    std::vector<Gap> with;
    for (int k = 0; k < 60; ++k) {
      pose_b.translation += way;
      pose_b.rotation = pose_b.rotation * Eigen::AngleAxisd(turn, Vector3d::UnitZ()).toRotationMatrix();
      const double least = distance(world, a, pose_a, b, pose_b);
      if (least < 0) break;  // where bodies overlap, which features count as passed through is a matter of bounds
      const auto without = found(a, pose_a, b, pose_b, range);
      with.clear();
      gaps(world, a, pose_a, b, pose_b, range, with, &memory);
      ASSERT_EQ(with.size(), without.size()) << "run " << run << " step " << k;
      for (std::size_t i = 0; i < with.size(); ++i) {
        ASSERT_EQ(with[i].feature, without[i].feature);
        ASSERT_EQ(with[i].distance, without[i].distance);
        ASSERT_EQ(with[i].normal, without[i].normal);
      }
      ASSERT_LE(memory.apart, least + 1e-12) << "run " << run << " step " << k;
      ++(with.empty() ? parted : near);
    }
  }
  EXPECT_GT(near, 20);
  EXPECT_GT(parted, 100);
}

TEST_P(EveryPair, WitnessesNormalsAndIdsAreConsistent) {
  const auto world = GetParam().world;
  for (int run = 0; run < 1000; ++run) {
    const auto [a, b, pose_a, pose_b] = draw(run);
    int last = -1;
    for (const Gap& g : found(a, pose_a, b, pose_b, kInfinity)) {
      ASSERT_GT(g.feature, last) << "run " << run;
      last = g.feature;
      ASSERT_NEAR(g.normal.norm(), 1, 1e-13);
      ASSERT_NEAR((g.point_a - g.point_b - g.distance * g.normal).norm(), 0, 1e-12) << "run " << run << " feature " << g.feature;
      for (const Eigen::Matrix3d& K : {g.curvature_a, g.curvature_b}) {
        ASSERT_LE((K * g.normal).norm(), 1e-12 * (1 + K.norm()));
        ASSERT_LE((K - K.transpose()).norm(), 1e-12 * (1 + K.norm()));
      }
      if (world == World::planar) {
        ASSERT_EQ(g.point_a.z(), 0);
        ASSERT_EQ(g.normal.z(), 0);
        ASSERT_EQ(g.curvature_a.col(2).norm() + g.curvature_b.col(2).norm(), 0);
      }
    }
  }
}

TEST_P(EveryPair, RangeOnlyLeavesOut) {
  for (int run = 0; run < 1000; ++run) {
    const auto [a, b, pose_a, pose_b] = draw(run);
    const double range = 0.05 + 0.3 * (run % 4);
    const auto all = found(a, pose_a, b, pose_b, 1e9), near = found(a, pose_a, b, pose_b, range);
    double least = kInfinity, least_near = kInfinity;
    for (const Gap& g : all) least = std::min(least, g.distance);
    for (const Gap& g : near) {
      EXPECT_LE(g.distance, range);
      least_near = std::min(least_near, g.distance);
    }
    if (least <= range) {
      ASSERT_NEAR(least_near, least, 1e-13) << "run " << run;
    }
  }
}

TEST_P(EveryPair, SwapMirrors) {
  const auto [world, kind_a, kind_b] = GetParam();
  const bool same_kind = kind_a == kind_b;  // then the ids of the two bodies' own features change places
  for (int run = 0; run < 500; ++run) {
    const auto [a, b, pose_a, pose_b] = draw(run);
    const auto there = found(a, pose_a, b, pose_b, 2), back = found(b, pose_b, a, pose_a, 2);
    ASSERT_EQ(there.size(), back.size()) << "run " << run;
    for (const Gap& g : there) {
      const auto h = std::find_if(back.begin(), back.end(), [&](const Gap& other) {
        return (same_kind || other.feature == g.feature) && (other.point_a - g.point_b).norm() < 1e-10 &&
               (other.point_b - g.point_a).norm() < 1e-10;
      });
      ASSERT_NE(h, back.end()) << "run " << run << " feature " << g.feature << " distance " << g.distance;
      EXPECT_NEAR(h->distance, g.distance, 1e-13);
      EXPECT_LE((h->normal + g.normal).norm(), 1e-10);
      EXPECT_LE((h->curvature_a - g.curvature_b).norm(), 1e-9 * (1 + g.curvature_b.norm()));
      EXPECT_EQ(h->vertex_a, g.vertex_b);
    }
  }
}

TEST_P(EveryPair, MovingTheWorldMovesTheGaps) {
  const auto world = GetParam().world;
  int compared = 0;
  for (int run = 0; run < 2000; ++run) {
    const auto [a, b, pose_a, pose_b] = draw(run);
    CounterRng rng(13, run);
    const Placement motion = random_pose(rng, world, 2);
    const auto here = found(a, pose_a, b, pose_b, 2), moved = found(a, motion * pose_a, b, motion * pose_b, 2);
    // Deep inside a cylinder cap and side can be equally near, and rounding decides.
    if (std::any_of(here.begin(), here.end(), [](const Gap& g) { return g.distance < -0.05; })) continue;
    ++compared;
    ASSERT_EQ(here.size(), moved.size()) << "run " << run;
    for (std::size_t k = 0; k < here.size(); ++k) {
      ASSERT_EQ(here[k].feature, moved[k].feature);
      ASSERT_NEAR(here[k].distance, moved[k].distance, 1e-12) << "run " << run;
      ASSERT_LE((moved[k].point_a - motion * here[k].point_a).norm(), 1e-7) << "run " << run << " feature " << here[k].feature;
      ASSERT_LE((moved[k].normal - motion.rotation * here[k].normal).norm(), 1e-7);
    }
  }
  EXPECT_GT(compared, 50);
}

INSTANTIATE_TEST_SUITE_P(Shapes, EveryPair, testing::ValuesIn(support::shape_pairs(true)), support::pair_name);

// Of hulls every pair of edges is looked at that is within bounds; of boxes only those that their directions and sides do not rule out.
TEST(GapsOfBoxes, AreThoseOfTheHullsOfTheirCorners) {
  const auto hull_of = [](const Box& box) {
    std::vector<Vector3d> corners;
    for (int i = 0; i < 8; ++i) corners.push_back(box.half.cwiseProduct(Vector3d(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1)));
    return convex_hull(corners, World::spatial, "box");
  };
  const auto ascending = [](const Gap& g, const Gap& h) { return g.distance < h.distance; };
  CounterRng rng(17, 0);
  std::size_t corners = 0, edges = 0;
  for (int run = 0; run < 3000; ++run) {
    const Box a = std::get<Box>(random_shape(rng, World::spatial, 3)), b = std::get<Box>(random_shape(rng, World::spatial, 3));
    const double tilt = std::pow(10.0, rng.uniform(-3, 0.5));
    const Placement pose_a = random_pose(rng, World::spatial, 0.3);
    Placement pose_b = random_pose(rng, World::spatial, 0);
    // On each other's faces along some axis, nearly aligned or not.
    const auto axis = static_cast<Eigen::Index>(rng.below(3));
    Vector3d turn = support::random_vector(rng);
    turn *= tilt / turn.norm();
    pose_b.rotation = pose_a.rotation * Eigen::AngleAxisd(tilt, turn.normalized()).toRotationMatrix();
    Vector3d between = 0.3 * support::random_vector(rng);
    between[axis] = a.half[axis] + b.half[axis] + tilt * rng.uniform(-0.1, 0.5);
    pose_b.translation = pose_a * between;
    const double range = rng.uniform(0, 0.2);
    std::vector<Gap> of_boxes, of_hulls;
    gaps(World::spatial, a, pose_a, b, pose_b, range, of_boxes);
    gaps(World::spatial, hull_of(a), pose_a, hull_of(b), pose_b, range, of_hulls);
    ASSERT_EQ(of_boxes.size(), of_hulls.size()) << "run " << run;
    std::sort(of_boxes.begin(), of_boxes.end(), ascending), std::sort(of_hulls.begin(), of_hulls.end(), ascending);
    for (std::size_t i = 0; i < of_boxes.size(); ++i) {
      ASSERT_NEAR(of_boxes[i].distance, of_hulls[i].distance, 1e-12) << "run " << run;
      ASSERT_NEAR((of_boxes[i].normal - of_hulls[i].normal).norm(), 0, 1e-10) << "run " << run;  // turned by rounding over the sine of edges 1e-3 apart
      (of_boxes[i].feature >= 2'000'000 ? edges : corners) += 1;
    }
  }
  EXPECT_GT(corners, 2000u);
  EXPECT_GT(edges, 1000u);
}

}  // namespace
}  // namespace carom
