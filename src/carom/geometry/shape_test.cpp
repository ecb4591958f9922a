#include "carom/geometry/shape.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "carom/core/error.hpp"
#include "carom/geometry/material.hpp"
#include "support/random_shapes.hpp"

namespace carom {
namespace {

using Eigen::Vector3d;
using std::numbers::pi;

constexpr World kSpatial = World::spatial, kPlanar = World::planar;

std::string field_refused(const Shape& shape, World world) {
  try {
    validate(shape, world, "shape");
  } catch (const InputError& error) {
    return error.field();
  }
  return "";
}

TEST(Shape, BadShapesAreRefused) {
  EXPECT_EQ(field_refused(Sphere{0}, kSpatial), "shape.radius");
  EXPECT_EQ(field_refused(Sphere{std::nan("")}, kSpatial), "shape.radius");
  EXPECT_EQ(field_refused(Capsule{0, 1}, kSpatial), "shape.radius");
  EXPECT_EQ(field_refused(Capsule{0, 1}, kPlanar), "");
  EXPECT_EQ(field_refused(Capsule{-1, 1}, kPlanar), "shape.radius");
  EXPECT_EQ(field_refused(Capsule{1, 0}, kPlanar), "shape.half_length");
  EXPECT_EQ(field_refused(Box{{1, 1, 0}}, kSpatial), "shape.half[2]");
  EXPECT_EQ(field_refused(Box{{1, 1, 0}}, kPlanar), "");
  EXPECT_EQ(field_refused(Cylinder{1, 1}, kPlanar), "shape");
  EXPECT_EQ(field_refused(Cylinder{1, std::numeric_limits<double>::infinity()}, kSpatial), "shape.half_height");
  EXPECT_EQ(field_refused(Hull{}, kSpatial), "shape");
  EXPECT_EQ(field_refused(PointSet{}, kSpatial), "shape.points");
  EXPECT_EQ(field_refused(PointSet{{{0, 0, 1}}}, kPlanar), "shape.points[0]");
  const Hull triangle = convex_hull(std::vector<Vector3d>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, kPlanar, "h");
  EXPECT_EQ(field_refused(triangle, kPlanar), "");
  EXPECT_EQ(field_refused(triangle, kSpatial), "shape");
  EXPECT_EQ(name(Shape(triangle)), "hull");
}

// Volume and inertia of a shape by counting the cells of a grid that are inside it.
VolumeProperties counted(const Capsule& c, World world) {
  VolumeProperties sum;
  const double h = 0.01;
  const double top = c.half_length + c.radius;
  for (double x = -c.radius + h / 2; x < c.radius; x += h)
    for (double y = world == kPlanar ? 0 : -c.radius + h / 2; y < (world == kPlanar ? h : c.radius); y += h)
      for (double z = -top + h / 2; z < top; z += h) {
        const double over = std::max(0.0, std::abs(z) - c.half_length);
        if (x * x + y * y + over * over > c.radius * c.radius) continue;
        const double cell = world == kPlanar ? h * h : h * h * h;
        sum.volume += cell;
        sum.inertia(0, 0) += cell * (y * y + z * z);
        sum.inertia(2, 2) += cell * (world == kPlanar ? x * x + z * z : x * x + y * y);
      }
  return sum;
}

TEST(Shape, VolumesAndInertias) {
  const VolumeProperties ball = volume_properties(Sphere{2}, kSpatial), disc = volume_properties(Sphere{2}, kPlanar);
  EXPECT_NEAR(ball.volume, 32 * pi / 3, 1e-13);
  EXPECT_NEAR(ball.inertia(1, 1), 0.4 * ball.volume * 4, 1e-12);
  EXPECT_NEAR(disc.inertia(2, 2), pi * 4 * 2, 1e-13);
  EXPECT_EQ(disc.inertia(0, 0), 0);
  for (const World world : {kPlanar, kSpatial}) {
    const Capsule c{0.5, 0.7};
    const VolumeProperties exact = volume_properties(c, world), grid = counted(c, world);
    EXPECT_NEAR(exact.volume, grid.volume, 2e-3 * exact.volume);
    EXPECT_NEAR(exact.inertia(0, 0), world == kPlanar ? 0 : grid.inertia(0, 0), 2e-3);
    EXPECT_NEAR(exact.inertia(2, 2), grid.inertia(2, 2), 2e-3);
  }
  const VolumeProperties box = volume_properties(Box{{1, 2, 3}}, kSpatial);
  std::vector<Vector3d> corners;
  for (int i = 0; i < 8; ++i) corners.emplace_back(i & 1 ? 1 : -1, i & 2 ? 2 : -2, i & 4 ? 3 : -3);
  const VolumeProperties hull = volume_properties(convex_hull(corners, kSpatial, "h"), kSpatial);
  EXPECT_NEAR(box.volume, 48, 1e-13);
  EXPECT_NEAR(hull.volume, 48, 1e-12);
  EXPECT_NEAR((hull.inertia - box.inertia).norm(), 0, 1e-10);
  EXPECT_NEAR(hull.centroid.norm(), 0, 1e-14);
  const VolumeProperties cylinder = volume_properties(Cylinder{0.5, 2}, kSpatial);
  EXPECT_NEAR(cylinder.inertia(2, 2), cylinder.volume * 0.125, 1e-13);
  EXPECT_NEAR(cylinder.inertia(0, 0), cylinder.volume * (0.25 / 4 + 16.0 / 12), 1e-12);
  EXPECT_EQ(volume_properties(HalfSpace{}, kSpatial).volume, 0);
}

// A ball that touches a shape from far outside in any direction is inside bounds and reach grown by its radius, and touches them.
TEST(Shape, BoundsAndReachHoldTheShapeTightly) {
  for (const World world : {kPlanar, kSpatial})
    for (int kind = 1; kind < 7; ++kind) {
      if (world == kPlanar && kind == 4) continue;
      for (int run = 0; run < 50; ++run) {
        CounterRng rng(23, run, kind);
        const Shape shape = support::random_shape(rng, world, kind);
        const Placement pose = support::random_pose(rng, world, 1);
        const Bounds box = bounds(shape, world, pose);
        for (int axis = 0; axis < (world == kPlanar ? 2 : 3); ++axis) {
          // A half-space whose border is the bound touches the shape.
          Placement wall;
          const Vector3d n = Vector3d::Unit(axis), up = world == kPlanar ? Vector3d::UnitY() : Vector3d::UnitZ();
          wall.rotation = Eigen::Quaterniond::FromTwoVectors(up, n).toRotationMatrix();
          wall.translation = box.low[axis] * n;
          EXPECT_NEAR(distance(world, shape, pose, HalfSpace{}, wall), 0, 1e-13) << name(shape);
        }
        const Vector3d about = support::random_vector(rng, world);
        const Vector3d centre = pose * about;
        const double r = reach(shape, world, about);
        // No point of the shape is farther: seen as a ball of that reach, the bounds fit in.
        EXPECT_LE((box.high - centre).maxCoeff(), r + 1e-12);
        EXPECT_LE((centre - box.low).maxCoeff(), r + 1e-12);
      }
    }
  EXPECT_EQ(reach(HalfSpace{}, kSpatial, Vector3d::Zero()), std::numeric_limits<double>::infinity());
  EXPECT_NEAR(reach(Box{{1, 2, 2}}, kSpatial, Vector3d::Zero()), 3, 1e-15);
  EXPECT_NEAR(reach(Cylinder{3, 4}, kSpatial, Vector3d::Zero()), 5, 1e-15);
  EXPECT_NEAR(reach(Capsule{1, 2}, kSpatial, Vector3d(0, 0, 2)), 5, 1e-15);
}

TEST(Material, PairsCombine) {
  const std::vector<Material> materials = {{.name = "steel", .mu_s = 0.4, .mu_d = 0.3, .e = 0.8, .stiffness = 3},
                                           {.name = "rubber", .mu_s = 0.9, .mu_d = 0.9, .e = 0.5, .stiffness = 1}};
  const Material both = combine(materials, {}, {}, 0, 1), back = combine(materials, {}, {}, 1, 0);
  EXPECT_DOUBLE_EQ(both.mu_s, 0.6);
  EXPECT_DOUBLE_EQ(both.mu_d, std::sqrt(0.27));
  EXPECT_EQ(both.e, 0.5);
  EXPECT_DOUBLE_EQ(both.stiffness, 1.5);
  EXPECT_EQ(back.mu_s, both.mu_s);
  EXPECT_EQ(combine(materials, {}, {}, 1, 1).name, "rubber");
  const Material given{.name = "special", .mu_s = 0.1};
  EXPECT_EQ(combine(materials, {{1, 0, given}}, {}, 0, 1).name, "special");
  const CombinationRule greatest{Combination::maximum, Combination::product};
  EXPECT_EQ(combine(materials, {}, greatest, 0, 1).mu_s, 0.9);
  EXPECT_DOUBLE_EQ(combine(materials, {}, greatest, 0, 1).e, 0.4);
  EXPECT_EQ(name(Combination::average), "average");
}

}  // namespace
}  // namespace carom
