#pragma once
// Shapes and poses drawn at random, for the tests of geometry.

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "carom/geometry/gap.hpp"
#include "carom/geometry/shape.hpp"
#include "carom/math/counter_rng.hpp"

namespace carom::support {

inline Eigen::Vector3d random_vector(CounterRng& rng, World world = World::spatial) {
  const double x = rng.normal(), y = rng.normal(), z = rng.normal();
  return {x, y, world == World::planar ? 0 : z};
}

inline Eigen::Matrix3d random_rotation(CounterRng& rng, World world) {
  if (world == World::planar)
    return Eigen::AngleAxisd(rng.uniform(-std::numbers::pi, std::numbers::pi), Eigen::Vector3d::UnitZ()).toRotationMatrix();
  const double w = rng.normal(), x = rng.normal(), y = rng.normal(), z = rng.normal();
  return Eigen::Quaterniond(w, x, y, z).normalized().toRotationMatrix();
}

inline Placement random_pose(CounterRng& rng, World world, double spread) {
  Placement pose;
  pose.rotation = random_rotation(rng, world);
  pose.translation = spread * random_vector(rng, world);
  return pose;
}

inline std::vector<Eigen::Vector3d> random_points(CounterRng& rng, World world, int n, double spread) {
  std::vector<Eigen::Vector3d> points;
  for (int i = 0; i < n; ++i) points.push_back(spread * random_vector(rng, world));
  return points;
}

// A shape of the given index in Shape, about `size` large.
inline Shape random_shape(CounterRng& rng, World world, int kind, double size = 1) {
  const auto length = [&] { return size * rng.uniform(0.3, 1.0); };
  const double p = length(), q = length(), r = length();
  switch (kind) {
    case 0: return HalfSpace{};
    case 1: return Sphere{p};
    case 2: return Capsule{p / 2, q};
    case 3: return Box{{p, q, r}};
    case 4: return Cylinder{p, q};
    case 5: return convex_hull(random_points(rng, world, 5 + rng.below(20), size / 2), world, "hull");
    default: return PointSet{random_points(rng, world, 1 + rng.below(6), size)};
  }
}

// Two kinds of random_shape() in one world, as a parameter of tests.
struct ShapePair {
  World world;
  int a, b;
};

// Every pair that may touch, in both orders or in one.
inline std::vector<ShapePair> shape_pairs(bool both_orders) {
  std::vector<ShapePair> pairs;
  for (const World world : {World::planar, World::spatial})
    for (int a = 0; a < 7; ++a)
      for (int b = both_orders ? 0 : a; b < 7; ++b) {
        const bool nothing = (a == 0 && b == 0) || (a == 6 && b == 6);
        const bool has_cylinder = a == 4 || b == 4;
        if (!nothing && !(world == World::planar && has_cylinder)) pairs.push_back({world, a, b});
      }
  return pairs;
}

inline std::string pair_name(const ::testing::TestParamInfo<ShapePair>& pair) {
  static const std::array<std::string, 7> names = {"plane", "ball", "capsule", "box", "cylinder", "hull", "feet"};
  return (pair.param.world == World::planar ? "planar_" : "") + names[static_cast<std::size_t>(pair.param.a)] + "_" + names[static_cast<std::size_t>(pair.param.b)];
}

}  // namespace carom::support
