#include "carom/geometry/hull.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "carom/core/error.hpp"
#include "support/random_shapes.hpp"

namespace carom {
namespace {

using Eigen::Vector3d;
using std::numbers::pi;
using support::random_points;

constexpr World kSpatial = World::spatial, kPlanar = World::planar;

// How far the farthest of the points stands out of a face [m].
double stands_out(const HullTopology& hull, const std::vector<Vector3d>& points) {
  double most = -1;
  for (const HullFace& f : hull.faces)
    for (const Vector3d& p : points) most = std::max(most, f.normal.dot(p) - f.offset);
  return most;
}

int euler(const HullTopology& h) {
  return static_cast<int>(h.vertices.size()) - static_cast<int>(h.edges.size()) + static_cast<int>(h.faces.size());
}

TEST(Hull, RandomPointsAreInside) {
  for (int run = 0; run < 200; ++run) {
    CounterRng rng(3, run);
    const auto points = random_points(rng, kSpatial, 4 + rng.below(300), 2);
    const Hull shape = convex_hull(points, kSpatial, "h");
    const HullTopology& hull = *shape.topology;
    EXPECT_LE(stands_out(hull, points), 1e-14);
    EXPECT_EQ(euler(hull), 2);
    for (const HullFace& f : hull.faces)
      for (int k = 0; k < f.count; ++k) EXPECT_NEAR(f.normal.dot(hull.vertices[hull.loops[f.first + k]]), f.offset, 1e-6);
    EXPECT_GT(hull.volume.volume, 0);
  }
}

TEST(Hull, PolygonOfRandomPoints) {
  for (int run = 0; run < 200; ++run) {
    CounterRng rng(4, run);
    const auto points = random_points(rng, kPlanar, 3 + rng.below(100), 2);
    const Hull shape = convex_hull(points, kPlanar, "h");
    const HullTopology& hull = *shape.topology;
    EXPECT_LE(stands_out(hull, points), 1e-11);
    EXPECT_EQ(hull.vertices.size(), hull.faces.size());
    EXPECT_GT(hull.volume.volume, 0);
  }
}

// A grid of points on the surface of a box, rotated, with the rounding of doubles or of an STL file's floats: six faces.
TEST(Hull, CoplanarTrianglesMerge) {
  for (int run = 0; run < 400; ++run) {
    CounterRng rng(5, run);
    const Placement pose = support::random_pose(rng, kSpatial, 1);
    std::vector<Vector3d> points;
    for (int i = 0; i <= 6; ++i)
      for (int j = 0; j <= 6; ++j)
        for (int k = 0; k <= 6; ++k) {
          Vector3d p = pose * Vector3d(i / 6.0 - 0.5, (j / 6.0 - 0.5) * 2, (k / 6.0 - 0.5) * 3);
          if (run % 2) p = p.cast<float>().cast<double>();
          points.push_back(p);
        }
    const Hull shape = convex_hull(points, kSpatial, "h");
    const HullTopology& hull = *shape.topology;
    EXPECT_EQ(hull.faces.size(), 6u) << run;
    EXPECT_EQ(hull.edges.size(), 12u) << run;
    EXPECT_EQ(hull.vertices.size(), 8u) << run;
    EXPECT_NEAR(hull.volume.volume, 6, 1e-5);
  }
}

TEST(Hull, ThousandsOfPointsOnASphere) {
  CounterRng rng(6, 0);
  std::vector<Vector3d> points;
  for (int i = 0; i < 3000; ++i) points.push_back(support::random_vector(rng).normalized());
  const Hull shape = convex_hull(points, kSpatial, "h");
    const HullTopology& hull = *shape.topology;
  EXPECT_EQ(hull.vertices.size(), 3000u);
  EXPECT_EQ(euler(hull), 2);
  EXPECT_NEAR(hull.volume.volume, 4.0 / 3 * pi, 0.02);
  EXPECT_NEAR(hull.volume.inertia(0, 0), 8.0 / 15 * pi, 0.02);
}

TEST(Hull, PrismHasTheVolumeOfItsPolygon) {
  const int n = 64;
  std::vector<Vector3d> points;
  for (int i = 0; i < n; ++i)
    for (const double z : {-0.5, 1.5}) points.emplace_back(2 * std::cos(2 * pi * i / n), 2 * std::sin(2 * pi * i / n), z);
  const Hull shape = convex_hull(points, kSpatial, "h");
    const HullTopology& hull = *shape.topology;
  EXPECT_EQ(hull.faces.size(), n + 2u);
  const double area = n / 2.0 * 4 * std::sin(2 * pi / n);
  EXPECT_NEAR(hull.volume.volume, 2 * area, 1e-12);
  EXPECT_NEAR((hull.volume.centroid - Vector3d(0, 0, 0.5)).norm(), 0, 1e-14);
  // A regular n-gon of circumradius R: ∫ r² dA = A R² (2 + cos 2π/n) / 6 · … = A R² (1 + 2 cos²(π/n)) / 6.
  const double c = std::cos(pi / n);
  EXPECT_NEAR(hull.volume.inertia(2, 2), 2 * area * 4 * (1 + 2 * c * c) / 6, 1e-11);
}

TEST(Hull, FlatAndBadSetsAreRefused) {
  const std::vector<Vector3d> flat = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0.3, 0.4, 0}};
  EXPECT_THROW(convex_hull(flat, kSpatial, "hull"), InputError);
  EXPECT_NO_THROW(convex_hull(flat, kPlanar, "hull"));
  EXPECT_THROW(convex_hull(std::vector<Vector3d>{{0, 0, 0}, {1, 1, 0}, {2, 2, 0}}, kPlanar, "hull"), InputError);
  EXPECT_THROW(convex_hull(std::vector<Vector3d>(5, Vector3d(1, 2, 3)), kSpatial, "hull"), InputError);
  EXPECT_THROW(convex_hull(std::vector<Vector3d>{}, kSpatial, "hull"), InputError);
  EXPECT_THROW(convex_hull(std::vector<Vector3d>{}, kPlanar, "hull"), InputError);
  std::vector<Vector3d> nan = flat;
  nan[1].z() = std::nan("");
  EXPECT_THROW(convex_hull(nan, kSpatial, "hull"), InputError);
  EXPECT_THROW(convex_hull(nan, kPlanar, "hull"), InputError);
}

}  // namespace
}  // namespace carom
