// Slabs of a floor and a step on it: one body of several shapes.

#include "carom/geometry/seams.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "carom/geometry/gap.hpp"
#include "carom/math/counter_rng.hpp"

namespace carom {
namespace {

using Eigen::Vector3d;

PlacedShape box(const Vector3d& half, const Vector3d& centre) { return {Box{half}, {Eigen::Matrix3d::Identity(), centre}}; }

int covered_faces(const PlacedShape& placed) {
  const Box* box = std::get_if<Box>(&placed.shape);
  const CoveredFaces faces = box != nullptr ? box->covered : nullptr;
  return faces ? static_cast<int>(std::count(faces->begin(), faces->end(), true)) : 0;
}

TEST(Seams, AreFoundWhereOthersCoverAllOfAFace) {
  const PlacedShape floor{HalfSpace{}, {}}, step = box({1, 1, 0.1}, {0, 0, 0.1});
  EXPECT_EQ(covered_faces(without_seams(World::spatial, step, std::array{floor})), 1);
  EXPECT_EQ(covered_faces(without_seams(World::spatial, box({1, 1, 0.1}, {0, 0, 0.11}), std::array{floor})), 0);  // 1 cm above it
  EXPECT_EQ(covered_faces(without_seams(World::spatial, floor, std::array{step})), 0);
  // Two halves cover together; one, or both with a gap between them, do not.
  const PlacedShape north = box({1, 0.5, 0.1}, {2, 0.5, 0.1}), south = box({1, 0.5, 0.1}, {2, -0.5, 0.1}), away = box({1, 0.5, 0.1}, {2, -0.6, 0.1});
  EXPECT_EQ(covered_faces(without_seams(World::spatial, step, std::array{north, south})), 1);
  EXPECT_EQ(covered_faces(without_seams(World::spatial, step, std::array{north})), 0);
  EXPECT_EQ(covered_faces(without_seams(World::spatial, step, std::array{north, away})), 0);
  EXPECT_EQ(covered_faces(without_seams(World::spatial, north, std::array{step, south})), 2);
  // What only touches along an edge, or is the same box, covers nothing.
  EXPECT_EQ(covered_faces(without_seams(World::spatial, step, std::array{box({1, 1, 0.1}, {2, 0, 0.3}), step})), 0);
}

TEST(Seams, BoxesGrowOnlyIntoOthers) {
  const PlacedShape floor{HalfSpace{}, {}}, step = box({1, 1, 0.1}, {0, 0, 0.1}), beside = box({1, 1, 0.1}, {2, 0, 0.1});
  const PlacedShape closed = without_seams(World::spatial, step, std::array{floor, beside});
  const Vector3d high = closed.pose.translation + std::get<Box>(closed.shape).half, low = closed.pose.translation - std::get<Box>(closed.shape).half;
  EXPECT_NEAR((high - Vector3d(1, 1, 0.2)).norm(), 0, 1e-15);  // level with its neighbour: it stays
  EXPECT_NEAR((low.head<2>() - Vector3d(-1, -1, 0).head<2>()).norm(), 0, 1e-15);
  EXPECT_LT(low.z(), -1e-3);
}

// A floor of slabs tells the gaps of feet and balls that the floor in one piece tells.
TEST(Seams, AFloorOfSlabsIsOneFloor) {
  std::vector<PlacedShape> slabs, closed;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 2; ++j) slabs.push_back(box({0.5, 1, 0.1}, {i - 1.0, 2 * j - 1.0, -0.1}));
  for (std::size_t a = 0; a < slabs.size(); ++a) {
    std::vector<PlacedShape> others = slabs;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(a));
    closed.push_back(without_seams(World::spatial, slabs[a], others));
  }
  const PlacedShape whole = box({1.5, 2, 0.1}, {0, 0, -0.1});
  CounterRng rng(71, 0);
  for (int k = 0; k < 2000; ++k) {
    // On seams, just beside them, or anywhere; a little above the floor or in it.
    const double x = k % 3 == 0 ? 0.5 : k % 3 == 1 ? 0.5 + rng.uniform(-1e-12, 1e-12) : rng.uniform(-1.3, 1.3);
    const Vector3d at(x, k % 2 == 0 ? 0 : rng.uniform(-1.8, 1.8), k % 5 == 0 ? 0 : rng.uniform(-1, 1) * std::pow(10, rng.uniform(-14, -2)));
    const Placement here{Eigen::Matrix3d::Identity(), at};
    const Shape foot = PointSet{{Vector3d::Zero()}};
    std::vector<Gap> parts, one;
    for (const PlacedShape& slab : closed) gaps(World::spatial, foot, here, slab.shape, slab.pose, 0.05, parts);
    gaps(World::spatial, foot, here, whole.shape, whole.pose, 0.05, one);
    ASSERT_EQ(one.size(), 1u);
    for (const Gap& gap : parts) {
      EXPECT_GT(gap.normal.z(), 0.99) << at.transpose();  // beside an edge as far as a point is above it
      EXPECT_NEAR(gap.distance, one[0].distance, 1e-9) << at.transpose();
    }
    EXPECT_FALSE(parts.empty()) << at.transpose();
  }
}

}  // namespace
}  // namespace carom
