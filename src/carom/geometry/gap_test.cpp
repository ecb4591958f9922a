// Gaps at poses where the answer is known in closed form.

#include "carom/geometry/gap.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "carom/geometry/shape.hpp"
#include "carom/math/counter_rng.hpp"

namespace carom {
namespace {

using Eigen::AngleAxisd;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using std::numbers::pi;

constexpr World kSpatial = World::spatial, kPlanar = World::planar;

Placement at(double x, double y, double z) { return {Matrix3d::Identity(), Vector3d(x, y, z)}; }
Placement at(const Vector3d& x, double angle, const Vector3d& axis) { return {AngleAxisd(angle, axis.normalized()).toRotationMatrix(), x}; }

std::vector<Gap> found(World world, const Shape& a, const Placement& pose_a, const Shape& b, const Placement& pose_b, double range = 1e9) {
  std::vector<Gap> out;
  gaps(world, a, pose_a, b, pose_b, range, out);
  return out;
}

const Gap* feature(const std::vector<Gap>& all, int id) {
  const auto it = std::find_if(all.begin(), all.end(), [&](const Gap& g) { return g.feature == id; });
  return it == all.end() ? nullptr : &*it;
}

int touching(const std::vector<Gap>& all, double slack = 1e-12) {
  return static_cast<int>(std::count_if(all.begin(), all.end(), [&](const Gap& g) { return std::abs(g.distance) <= slack; }));
}

TEST(Gap, BallOnSlope) {
  const Placement slope = at({1, 2, 3}, 0.4, Vector3d::UnitX());
  const auto all = found(kSpatial, Sphere{0.5}, at(1, 2, 4), HalfSpace{}, slope);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_NEAR(all[0].distance, std::cos(0.4) - 0.5, 1e-15);
  EXPECT_NEAR((all[0].normal - Vector3d(0, -std::sin(0.4), std::cos(0.4))).norm(), 0, 1e-15);
  EXPECT_NEAR(all[0].curvature_a.trace(), 2 / 0.5, 1e-12);
  EXPECT_EQ(all[0].curvature_b.norm(), 0);
}

TEST(Gap, PlanarDiscAndSegmentOnTheGround) {
  const auto disc = found(kPlanar, Sphere{0.5}, at(3, 2, 0), HalfSpace{}, {});
  ASSERT_EQ(disc.size(), 1u);
  EXPECT_EQ(disc[0].distance, 1.5);
  EXPECT_NEAR((disc[0].curvature_a - Vector3d(2, 0, 0).asDiagonal().toDenseMatrix()).norm(), 0, 1e-15);
  const auto rod = found(kPlanar, Capsule{0, 1}, at({0, 1, 0}, 0.3, Vector3d::UnitZ()), HalfSpace{}, {});
  ASSERT_EQ(rod.size(), 2u);
  EXPECT_NEAR(rod[0].distance, 1 - std::sin(0.3), 1e-15);
  EXPECT_NEAR(rod[1].distance, 1 + std::sin(0.3), 1e-15);
  EXPECT_TRUE(rod[0].vertex_a);
}

TEST(Gap, BoxOnTheGroundHasItsCorners) {
  const auto all = found(kSpatial, Box{{1, 2, 3}}, at(0, 0, 3), HalfSpace{}, {});
  ASSERT_EQ(all.size(), 8u);
  EXPECT_EQ(touching(all), 4);
  for (const Gap& g : all) EXPECT_TRUE(g.vertex_a);
}

TEST(Gap, BallNearFaceEdgeAndCornerOfABox) {
  const Box box{{1, 1, 1}};
  const auto near = [&](double x, double y, double z) { return found(kSpatial, Sphere{0.25}, at(x, y, z), box, {}).at(0); };
  const Gap face = near(0.2, 0.3, 2), edge = near(0.2, 2, 2), corner = near(2, 2, 2);
  EXPECT_NEAR(face.distance, 0.75, 1e-15);
  EXPECT_EQ(face.curvature_b.norm(), 0);
  EXPECT_NEAR(edge.distance, std::sqrt(2) - 0.25, 1e-15);
  EXPECT_NEAR(edge.curvature_b.trace(), kSharp, 1e-3);
  EXPECT_NEAR((edge.curvature_b * Vector3d::UnitX()).norm(), 0, 1e-3);
  EXPECT_NEAR(corner.distance, std::sqrt(3) - 0.25, 1e-15);
  EXPECT_TRUE(corner.vertex_b);
  EXPECT_NEAR(near(0, 0, 0.9).distance, -0.1 - 0.25, 1e-15);
}

TEST(Gap, CapsulesCrossedParallelAndEndToEnd) {
  const Capsule c{0.1, 1};
  const auto crossed = found(kSpatial, c, at({0, 0, 1}, pi / 2, Vector3d::UnitY()), c, at({0, 0, 0}, pi / 2, Vector3d::UnitX()), 0.9);
  ASSERT_EQ(crossed.size(), 1u);
  EXPECT_EQ(crossed[0].feature, 4);
  EXPECT_NEAR(crossed[0].distance, 0.8, 1e-15);
  const auto beside = found(kSpatial, c, at(1, 0, 0.5), c, {}, 1);
  EXPECT_EQ(beside.size(), 2u);  // the end of each over the middle of the other
  for (const Gap& g : beside) EXPECT_NEAR(g.distance, 0.8, 1e-15);
  const auto stacked = found(kSpatial, c, at(0, 0, 3), c, {}, 1);
  ASSERT_EQ(stacked.size(), 1u);
  EXPECT_NEAR(stacked[0].distance, 0.8, 1e-15);
}

TEST(Gap, StackedBoxesTouchAtEveryCornerAndCrossing) {
  const Box box{{1, 1, 1}};
  for (const double left : {0.0, 1e-9, -1e-9, -1e-6})
    for (const double shift : {0.0, 1e-13, -1e-13, 0.3}) {
      const auto all = found(kSpatial, box, at(shift, 0, 2 + left), box, {}, 1e-3);
      for (const Gap& g : all) {
        EXPECT_NEAR(g.distance, left, 1e-15) << left << " " << shift << " " << g.feature;
        EXPECT_NEAR(g.normal.z(), 1, 1e-12) << left << " " << shift << " " << g.feature;
      }
      EXPECT_EQ(all.size(), 4u) << left << " " << shift;
    }
  // Turned by 45° no corner is over the other's face: the eight crossings of the edges carry.
  const auto turned = found(kSpatial, box, at({0, 0, 2 - 1e-9}, pi / 4, Vector3d::UnitZ()), box, {}, 1e-3);
  EXPECT_EQ(turned.size(), 8u);
  for (const Gap& g : turned) EXPECT_NEAR(g.distance, -1e-9, 1e-15);
}

// The corners of a · [−1, 1]² cut with b · [−1, 1]² moved, by clipping; those that are one, or where sides go straight on, left out.
std::vector<Eigen::Vector2d> common_corners(const Eigen::Vector2d& half_a, const Eigen::Vector2d& half_b, const Eigen::Rotation2Dd& turn, const Eigen::Vector2d& move) {
  std::vector<Eigen::Vector2d> polygon, kept;
  for (const auto& [x, y] : {std::pair{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}) polygon.push_back(turn * Eigen::Vector2d(x * half_b.x(), y * half_b.y()) + move);
  for (int axis = 0; axis < 2; ++axis)
    for (const int side : {-1, 1}) {
      kept.clear();
      const auto beyond = [&](const Eigen::Vector2d& x) { return side * x[axis] - half_a[axis]; };
      for (std::size_t k = 0; k < polygon.size(); ++k) {
        const Eigen::Vector2d &from = polygon[k], &to = polygon[(k + 1) % polygon.size()];
        const double d = beyond(from), e = beyond(to);
        if (d <= 0) kept.push_back(from);
        if (d * e < 0) kept.push_back(from + d / (d - e) * (to - from));
      }
      polygon.swap(kept);
    }
  kept.clear();
  for (const Eigen::Vector2d& x : polygon)
    if (std::none_of(kept.begin(), kept.end(), [&](const Eigen::Vector2d& y) { return (y - x).norm() < 1e-7; })) kept.push_back(x);
  polygon.clear();
  for (std::size_t k = 0; k < kept.size(); ++k) {
    const Eigen::Vector2d to = kept[k] - kept[(k + kept.size() - 1) % kept.size()], from = kept[(k + 1) % kept.size()] - kept[k];
    if (std::abs(to.x() * from.y() - to.y() * from.x()) > 1e-9 * to.norm() * from.norm()) polygon.push_back(kept[k]);
  }
  return polygon;
}

Placement anywhere(CounterRng& rng) {
  return {Eigen::Quaterniond(rng.normal(), rng.normal(), rng.normal(), rng.normal()).normalized().toRotationMatrix(),
          Vector3d(rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1))};
}

// Boxes that lie on each other touch once at every corner of their common area, whichever of them is A, and as deep as they are pressed.
// (Farther apart than they overhang, a corner is next to a corner, with a normal of its own.)
TEST(Gap, BoxesOnEachOtherTouchOnceAtEachCornerOfTheirCommonArea) {
  const std::array<double, 7> turns = {0, pi / 2, pi, 1e-12, 1e-4, 0.3, 1.1}, moves = {0, 0, 1e-12, 2e-8, 1e-8, 0.3, 0.7};
  int corners[10] = {};
  for (int run = 0; run < 1000; ++run) {
    CounterRng rng(31, static_cast<std::uint64_t>(run));
    const Vector3d half_a(rng.uniform(0.8, 1), rng.uniform(0.8, 1), 0.5);
    const auto draw = [&](const std::array<double, 7>& from) { return (rng.uniform(0, 1) < 0.5 ? 1 : -1) * from[static_cast<std::size_t>(rng.uniform(0, 7))]; };
    const double turn = draw(turns), joint = run % 3 == 0 ? 0 : run % 3 == 1 ? std::pow(10.0, rng.uniform(-14, -9)) : -std::pow(10.0, rng.uniform(-14, -7));
    // The same faces, or others; where a right angle is turned, the same faces again.
    Vector3d half_b = run % 2 == 0 ? half_a : Vector3d(rng.uniform(0.6, 1.2), rng.uniform(0.6, 1.2), 0.5);
    if (turn == pi / 2 || turn == -pi / 2) std::swap(half_b.x(), half_b.y());
    const Vector3d move(draw(moves), draw(moves), 1 + joint);
    const Placement world = anywhere(rng), lower = world, upper = world * at(move, turn, Vector3d::UnitZ());

    const auto expected = common_corners(half_a.head<2>(), half_b.head<2>(), Eigen::Rotation2Dd(turn), move.head<2>());
    ++corners[expected.size()];
    for (const bool swapped : {false, true}) {
      const auto all = swapped ? found(kSpatial, Box{half_a}, lower, Box{half_b}, upper, 1e-3) : found(kSpatial, Box{half_b}, upper, Box{half_a}, lower, 1e-3);
      ASSERT_EQ(all.size(), expected.size()) << run << " turned " << turn << " moved " << move.transpose();
      for (const Gap& g : all) {
        EXPECT_NEAR(g.distance, joint, 5e-15) << run << " " << g.feature;
        EXPECT_NEAR((swapped ? -1 : 1) * world.rotation.col(2).dot(g.normal), 1, 1e-12) << run << " " << g.feature;
      }
      for (const Eigen::Vector2d& x : expected)
        EXPECT_EQ(std::count_if(all.begin(), all.end(), [&](const Gap& g) { return (inside(world, g.point_a).head<2>() - x).norm() < 1e-7; }), 1) << run;
    }
  }
  EXPECT_GT(corners[4], 100);
  EXPECT_GT(corners[8], 20);
}

TEST(Gap, FlushBoxesTouchAtTheCornersOfA) {
  const Box box{{1, 1, 1}};
  const auto all = found(kSpatial, box, at(1e-12, -1e-12, 2), box, {}, 1e-3);
  ASSERT_EQ(all.size(), 4u);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(all[static_cast<std::size_t>(i)].feature, i);
    EXPECT_TRUE(all[static_cast<std::size_t>(i)].vertex_a);
  }
  EXPECT_EQ(found(kPlanar, Box{{1, 1, 0}}, at(0, 2, 0), Box{{1, 1, 0}}, {}, 1e-3).size(), 2u);
  EXPECT_EQ(found(kPlanar, Box{{1, 1, 0}}, at(0.3, 2, 0), Box{{1, 1, 0}}, {}, 1e-3).size(), 2u);
  // Beside each other, on each other, and as hulls.
  std::vector<Vector3d> corners;
  for (int i = 0; i < 8; ++i) corners.emplace_back(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
  const Shape cube = convex_hull(corners, kSpatial, "cube");
  EXPECT_EQ(found(kSpatial, cube, at(2, 0, 0), cube, {}, 1e-3).size(), 4u);
  EXPECT_EQ(found(kSpatial, cube, at(0, 0, 2), box, {}, 1e-3).size(), 4u);
}

// Boxes across each other with faces that are nearly parallel: a crossing of edges that is there while they are apart is there still when it has
// gone in by a little, though its normal leans out from between the faces. (Else boxes in a heap rock through each other, by 11 mm.)
TEST(Gap, CrossingsOfTiltedBoxesStayWhenTheyGoIn) {
  const Box box{{0.03, 0.025, 0.02}};
  int looked_at = 0;
  for (int run = 0; run < 300; ++run) {
    CounterRng rng(34, static_cast<std::uint64_t>(run));
    const Placement world = anywhere(rng);
    const double turn = rng.uniform(0.5, 1), tilt = std::pow(10.0, rng.uniform(-4, -1.5)), about = rng.uniform(0, 2 * pi);
    const Placement tilted = at({0, 0, 0.04}, tilt, Vector3d(std::cos(about), std::sin(about), 0)) * at(Vector3d::Zero(), turn, Vector3d::UnitZ());
    const auto lifted = [&](double by) { return found(kSpatial, box, world * at(0, 0, by) * tilted, box, world, 1e-2); };
    for (const Gap& apart : lifted(5e-3)) {
      if (apart.vertex_a || apart.vertex_b) continue;
      const double down = apart.normal.dot(world.rotation.col(2));
      if (down < 0.99) continue;
      ++looked_at;
      const auto in = lifted(5e-3 - (apart.distance + 1e-6) / down);
      EXPECT_EQ(std::count_if(in.begin(), in.end(), [&](const Gap& g) { return g.feature == apart.feature && std::abs(g.distance + 1e-6) < 1e-12; }), 1)
          << run << " " << apart.feature << " tilt " << tilt;
    }
  }
  EXPECT_GT(looked_at, 500);
}

// However little turned and moved: where a corner ends and a crossing begins is a matter of rounding, but each place is told of once.
TEST(Gap, NoPlaceIsToldOfTwice) {
  for (int run = 0; run < 2000; ++run) {
    CounterRng rng(33, static_cast<std::uint64_t>(run));
    const Vector3d half(rng.uniform(0.8, 1), rng.uniform(0.8, 1), 0.5);
    const auto small = [&] { return rng.uniform(-1, 1) * std::pow(10.0, rng.uniform(-14, -5)); };
    const double joint = run % 3 == 0 ? 0 : -std::abs(small());
    const Placement lower = anywhere(rng), upper = lower * at({small(), small(), 1 + joint}, small(), Vector3d::UnitZ());
    const auto all = found(kSpatial, Box{half}, upper, Box{half}, lower, 1e-3);
    EXPECT_GE(all.size(), 4u) << run;
    for (std::size_t k = 0; k < all.size(); ++k) {
      EXPECT_NEAR(all[k].distance, joint, 1e-14) << run;
      for (std::size_t l = 0; l < k; ++l)
        EXPECT_GT((all[k].point_a - all[l].point_a).norm() + (all[k].normal - all[l].normal).norm(), 1e-7) << run << " " << all[l].feature << " " << all[k].feature;
    }
  }
}

// A box that creeps over another by 1e-8 of its size in 2,000 steps: at the outset the corners of A, then those that stay inside.
TEST(Gap, CreepingBoxesKeepTheirFeatures) {
  const Box box{{1, 1, 1}};
  std::vector<int> last;
  int changes = 0;
  for (int k = -1000; k <= 1000; ++k) {
    std::vector<int> features;
    for (const Gap& g : found(kSpatial, box, at(1e-11 * k, 0.7e-11 * k, 2), box, {}, 1e-3)) features.push_back(g.feature);
    ASSERT_EQ(features.size(), 4u) << k;
    if (!last.empty()) changes += features != last;
    last.swap(features);
  }
  EXPECT_LE(changes, 4);  // twice along each axis
}

// A box that tips about an edge flush with the other's: the faces part, and the lowest corners are as deep as before.
TEST(Gap, ATippedBoxIsAsDeepAsItsLowestCorner) {
  const Box box{{1, 1, 1}};
  for (int run = 0; run < 300; ++run) {
    CounterRng rng(32, static_cast<std::uint64_t>(run));
    const double tilt = std::pow(10.0, rng.uniform(-12, -2)), left = (run % 3 - 1) * std::pow(10.0, rng.uniform(-12, -7));
    const Placement world = anywhere(rng), tip = at({-1, 0, 1 + left}, -tilt, Vector3d::UnitY()), upper = world * tip * at(1, 0, 1);
    for (const bool swapped : {false, true}) {
      const auto all = swapped ? found(kSpatial, box, world, box, upper, 1) : found(kSpatial, box, upper, box, world, 1);
      const auto by_distance = [](const Gap& g, const Gap& h) { return g.distance < h.distance; };
      // A corner of the lower that counts as under the other's face, which it just misses, is as near to the face as cos(tilt) tells.
      EXPECT_NEAR(std::min_element(all.begin(), all.end(), by_distance)->distance, left, 5e-15 + std::abs(left) * (1 - std::cos(tilt))) << run;
      // It stands on both ends of the edge, and its other end hangs as high as it does.
      for (const double y : {-1.0, 1.0})
        EXPECT_GE(std::count_if(all.begin(), all.end(), [&](const Gap& g) {
          return std::abs(g.distance - left) < 1e-14 && (inside(world, g.point_a) - Vector3d(-1, y, 1)).norm() < 3e-7;
        }), 1) << run;
      const double raised = left + 2 * std::sin(tilt);
      EXPECT_GE(std::count_if(all.begin(), all.end(), [&](const Gap& g) { return std::abs(g.distance - raised) < 1e-3 * tilt + 1e-14; }), 2) << run;
      EXPECT_LE(all.size(), tilt < 1e-7 ? 4u : 12u) << run << " " << tilt;
    }
  }
}

// Bricks in running bond have their long sides flush: edges on opposite sides of the wall are no contact, however the joint between
// the courses is rounded.
TEST(Gap, FlushSidesOfABrickWallAreNoOverlap) {
  const Vector3d half(0.12, 0.06, 0.04);
  for (int run = 0; run < 300; ++run) {
    CounterRng rng(23, static_cast<std::uint64_t>(run));
    const double joint = run % 3 == 0 ? 0 : (run % 3 == 1 ? 1 : -1) * std::pow(10.0, rng.uniform(-16, -8));
    Placement lower, upper;
    lower.rotation = upper.rotation = Eigen::Quaterniond(rng.normal(), rng.normal(), rng.normal(), rng.normal()).normalized().toRotationMatrix();
    lower.translation = Vector3d(rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1));
    upper.translation = lower.translation + lower.rotation * Vector3d(rng.uniform(-0.2, 0.2), 0, 0.08 + joint);
    const Vector3d up = lower.rotation.col(2);
    std::vector<Gap> found;
    gaps(World::spatial, Box{half}, upper, Box{half}, lower, 1e-4, found);
    int standing = 0;
    for (const Gap& g : found) {
      EXPECT_GT(g.distance, std::min(joint, 0.0) - 1e-14) << run << " feature " << g.feature;
      standing += g.normal.dot(up) > 1 - 1e-9;
    }
    EXPECT_GE(standing, 4) << run;
  }
}

TEST(Gap, EdgeAcrossEdge) {
  const Box box{{1, 1, 1}};
  const Placement lower = at({0, 0, 0}, pi / 4, Vector3d::UnitX());
  for (const double left : {0.1, 1e-9, -1e-9, -1e-6}) {
    const Placement upper = at({0, 0, 2 * std::sqrt(2) + left}, pi / 4, Vector3d::UnitY());
    const auto all = found(kSpatial, box, upper, box, lower, 0.2);
    ASSERT_EQ(all.size(), 1u);
    EXPECT_NEAR(all[0].distance, left, 2e-15);
    EXPECT_NEAR((all[0].normal - Vector3d::UnitZ()).norm(), 0, 1e-14);
    EXPECT_NEAR((all[0].curvature_a * Vector3d::UnitY()).norm(), 0, 1e-3);
    EXPECT_NEAR((all[0].curvature_b * Vector3d::UnitX()).norm(), 0, 1e-3);
  }
}

TEST(Gap, BareSegmentsAndPolygonsThroughEachOther) {
  const Capsule rod{0, 1};
  for (const double left : {1e-6, 1e-12, -1e-9, -1e-6}) {
    const Placement upright = at({0.2, 1 + left, 0}, pi / 2, Vector3d::UnitZ());
    const auto cross = found(kPlanar, rod, upright, rod, {}, 0.1);
    ASSERT_EQ(cross.size(), 1u) << left;
    EXPECT_NEAR(cross[0].distance, left, 2e-16);
    EXPECT_NEAR(cross[0].normal.y(), 1, 1e-12);
    const auto corner = found(kPlanar, Box{{1, 1, 0}}, at({0.1, std::sqrt(2) + left, 0}, pi / 4, Vector3d::UnitZ()), rod, {}, 0.1);
    ASSERT_EQ(corner.size(), 1u) << left;
    EXPECT_NEAR(corner[0].distance, left, 4e-16);
    EXPECT_NEAR(corner[0].normal.y(), 1, 1e-12);
    const auto flat = found(kPlanar, Box{{0.5, 0.5, 0}}, at(0.1, 0.5 + left, 0), rod, {}, 0.1);
    ASSERT_EQ(flat.size(), 2u) << left;
    EXPECT_NEAR(flat[0].distance, left, 2e-16);
    EXPECT_NEAR(flat[1].distance, left, 2e-16);
  }
}

TEST(Gap, CylinderRollsStandsAndTilts) {
  const Cylinder disc{0.5, 0.1};
  // Euler's disc: the lowest point of the rim, curvature sin θ / R along it.
  for (const double theta : {0.02, 0.4, 1.3}) {
    const Placement tilted = at({0, 0, 1}, theta, Vector3d::UnitX());
    const auto all = found(kSpatial, disc, tilted, HalfSpace{}, {});
    const Gap* lowest = feature(all, 0);
    ASSERT_TRUE(lowest);
    EXPECT_NEAR(lowest->distance, 1 - 0.1 * std::cos(theta) - 0.5 * std::sin(theta), 1e-15);
    EXPECT_NEAR(lowest->curvature_a(0, 0), std::sin(theta) / 0.5, 1e-6);
    EXPECT_NEAR(lowest->curvature_a(1, 1), kSharp, 1e-3);
    EXPECT_NEAR(distance(kSpatial, disc, tilted, HalfSpace{}, {}), lowest->distance, 1e-15);
  }
  const auto lying = found(kSpatial, disc, at({0, 0, 0.5}, pi / 2, Vector3d::UnitY()), HalfSpace{}, {}, 1e-9);
  ASSERT_EQ(lying.size(), 2u);
  EXPECT_NEAR((lying[0].point_a - lying[1].point_a).norm(), 0.2, 1e-14);
  const auto standing = found(kSpatial, disc, at(0, 0, 0.1), HalfSpace{}, {}, 1e-9);
  EXPECT_EQ(standing.size(), 4u);
  EXPECT_EQ(touching(standing, 1e-15), 4);
}

// The direction in which a flat cap is lowest is rounding; its rim is as high as the cap all the same.
TEST(Gap, RimOfAFlatCapIsAsHighAsTheCap) {
  const Cylinder disc{0.5, 0.1};
  for (int i = 0; i < 2000; ++i) {
    const double tilt = std::pow(10, -18 + 12.0 * i / 2000);
    const Eigen::Matrix3d turned = Eigen::AngleAxisd(0.7 * i, Eigen::Vector3d(1, 2, 3).normalized()).toRotationMatrix();
    const Eigen::Matrix3d up = Eigen::AngleAxisd(tilt, turned * Eigen::Vector3d::UnitX()).toRotationMatrix() * turned;
    std::vector<Gap> found;
    gaps(kSpatial, disc, {up, turned * Eigen::Vector3d(0, 0, 0.1)}, HalfSpace{}, {turned, Eigen::Vector3d::Zero()}, 0.01, found);
    ASSERT_FALSE(found.empty()) << i;
    for (const Gap& gap : found) EXPECT_LE(std::abs(gap.distance), 0.5 * tilt + 1e-15) << i << " feature " << gap.feature;
  }
}

TEST(Gap, CylinderStandsOnABoxAndABoxOnACylinder) {
  const Cylinder c{0.5, 1};
  EXPECT_GE(touching(found(kSpatial, c, at(0, 0, 2), Box{{1, 1, 1}}, {}, 1e-9)), 3);
  EXPECT_GE(touching(found(kSpatial, c, at(0.9, 0, 2), Box{{1, 1, 1}}, {}, 1e-9)), 3);  // over the border
  EXPECT_GE(touching(found(kSpatial, c, {}, Box{{0.2, 0.2, 1}}, at(0, 0, 2), 1e-9)), 4);
  EXPECT_GE(touching(found(kSpatial, c, at(0.1, 0, 2), c, {}, 1e-9)), 3);
  // Lying on the box.
  EXPECT_EQ(touching(found(kSpatial, c, at({0, 0, 1.5}, pi / 2, Vector3d::UnitY()), Box{{2, 2, 1}}, {}, 1e-9)), 2);
}

TEST(Gap, FeetOnABoxTouchSolidsAndNotEachOther) {
  const PointSet feet{{{0, 0, -1}, {0.5, 0, -1}, {5, 0, -1}}};
  const auto all = found(kSpatial, feet, at(0, 0, 2), Box{{1, 1, 1}}, {}, 1);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(touching(all), 2);
  EXPECT_TRUE(found(kSpatial, feet, {}, feet, {}).empty());
  EXPECT_TRUE(found(kSpatial, HalfSpace{}, {}, HalfSpace{}, {}).empty());
}

TEST(Gap, ABarThroughAPlateOverlaps) {
  EXPECT_NEAR(distance(kSpatial, Box{{0.1, 0.1, 5}}, {}, Box{{2, 2, 0.1}}, {}), -2.1, 1e-12);
  EXPECT_LT(distance(kSpatial, Cylinder{0.1, 5}, {}, Box{{2, 2, 0.1}}, {}), -1);
  EXPECT_LT(distance(kSpatial, Capsule{0.1, 5}, {}, Box{{2, 2, 0.1}}, {}), -1);
  EXPECT_LT(distance(kPlanar, Capsule{0, 5}, {}, Box{{0.1, 2, 0}}, {}), -1);
}

}  // namespace
}  // namespace carom
