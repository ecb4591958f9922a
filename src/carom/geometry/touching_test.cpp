// Shapes brought to touch at random poses: the nearest gap passes through zero with its feature, its normal and its slope, and its
// second order is what the curvatures say.

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <array>

#include "carom/geometry/axes.hpp"
#include "carom/geometry/gap.hpp"
#include "support/random_shapes.hpp"

namespace carom {
namespace {

using Eigen::Vector3d;
using support::random_pose;
using support::random_shape;

// Two shapes apart, with the nearest gap.
struct Apart {
  Shape a, b;
  Placement pose_a, pose_b;
  Gap nearest;
};

class Touching : public testing::TestWithParam<support::ShapePair> {
 protected:
  std::optional<Apart> draw(int run) const {
    const auto [world, kind_a, kind_b] = GetParam();
    CounterRng rng(17, run, kind_a * 10 + kind_b);
    Apart s{random_shape(rng, world, kind_a), random_shape(rng, world, kind_b), random_pose(rng, world, 0.3), random_pose(rng, world, 1.5), {}};
    std::vector<Gap> all;
    gaps(world, s.a, s.pose_a, s.b, s.pose_b, 1e9, all);
    const auto least = std::min_element(all.begin(), all.end(), [](const Gap& g, const Gap& h) { return g.distance < h.distance; });
    if (least == all.end() || least->distance < 1e-3) return std::nullopt;
    s.nearest = *least;
    return s;
  }
  std::optional<Gap> same_feature(const Apart& s, const Placement& pose_a, double range = 1) const {
    std::vector<Gap> all;
    gaps(GetParam().world, s.a, pose_a, s.b, s.pose_b, range, all);
    for (const Gap& g : all)
      if (g.feature == s.nearest.feature) return g;
    return std::nullopt;
  }
};

// The least curvature across n of the two surfaces together.
double least_curvature(World world, const Gap& g) {
  const Eigen::Vector3d k = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(g.curvature_a + g.curvature_b).eigenvalues();
  return k[world == World::planar ? 2 : 1];  // below are the normal, and z
}

int sharp_directions(const Eigen::Matrix3d& K) { return static_cast<int>(std::lround(K.trace() / kSharp)); }

// In how many directions across n the two surfaces are sharp together: a corner on a face 2, two edges 2, an edge on a ball 1. More
// than the surface has dimensions happens only on purpose, and then the normal at touch is anything between. So do edges that
// cross at less than 1e-2 rad: other features are as near.
bool is_generic(World world, const Gap& g) {
  const int a = sharp_directions(g.curvature_a), b = sharp_directions(g.curvature_b);
  if (a == 1 && b == 1 && least_curvature(world, g) < 1e-4 * kSharp) return false;
  return a + b <= (world == World::planar ? 1 : 2);
}

TEST_P(Touching, GapPassesThroughZero) {
  int runs = 0;
  for (int run = 0; run < 1500; ++run) {
    const std::optional<Apart> s = draw(run);
    if (!s || !is_generic(GetParam().world, s->nearest)) continue;
    ++runs;
    for (const double left : {1e-6, 1e-9, 0.0, -1e-9, -1e-6}) {
      Placement pose = s->pose_a;
      pose.translation -= (s->nearest.distance - left) * s->nearest.normal;
      const std::optional<Gap> g = same_feature(*s, pose, 2e-6);
      ASSERT_TRUE(g) << "run " << run << " feature " << s->nearest.feature << " at " << left;
      ASSERT_NEAR(g->distance, left, 1e-14) << "run " << run << " feature " << s->nearest.feature;
      ASSERT_LE((g->normal - s->nearest.normal).norm(), 1e-8) << "run " << run << " feature " << s->nearest.feature << " at " << left;
    }
  }
  EXPECT_GT(runs, 50);
}

// A touches B in a plane of coordinates x, its surface at ½ yᵀ K_a y + s · y over B's at −½ xᵀ K_b x, after a turn ω about the
// point of touch and a shift u, with y = x − u and s = n × ω. The gap is the least difference.
double predicted(World world, const Gap& g, const Vector3d& u, const Vector3d& turn) {
  const Vector3d first = any_across(world, g.normal), second = world == World::planar ? Vector3d::UnitZ().eval() : g.normal.cross(first);
  Eigen::Matrix<double, 3, 2> T;
  T << first, second;
  Eigen::Matrix2d Ka = T.transpose() * g.curvature_a * T, Kb = T.transpose() * g.curvature_b * T;
  if (world == World::planar) Ka(1, 1) = 1;
  const Eigen::Vector2d shift = T.transpose() * u, slope = T.transpose() * g.normal.cross(turn);
  const Eigen::Vector2d x = (Ka + Kb).inverse() * (Ka * shift - slope), away = x - shift;
  return slope.dot(away) + 0.5 * away.dot(Ka * away) + 0.5 * x.dot(Kb * x);
}

// Curved enough that the second order is seen; edges that cross at less than 0.2 rad need a smaller step.
bool is_regular(World world, const Gap& g) {
  const bool two_edges = sharp_directions(g.curvature_a) == 1 && sharp_directions(g.curvature_b) == 1;
  return least_curvature(world, g) > (two_edges ? 0.02 * kSharp : 0.1);
}

TEST_P(Touching, SecondOrderIsWhatTheCurvaturesSay) {
  const World world = GetParam().world;
  int runs = 0, missed = 0;
  for (int run = 0; run < 3000 && runs < 400; ++run) {
    const std::optional<Apart> s = draw(run);
    if (!s || !is_generic(world, s->nearest)) continue;
    Placement touching = s->pose_a;
    touching.translation -= s->nearest.distance * s->nearest.normal;
    const std::optional<Gap> g = same_feature(*s, touching);
    ASSERT_TRUE(g) << "run " << run << " feature " << s->nearest.feature;
    if (!is_regular(world, *g)) continue;
    ++runs;
    CounterRng rng(19, run);
    const Eigen::Matrix3d P = Eigen::Matrix3d::Identity() - g->normal * g->normal.transpose();
    const Vector3d u = 1e-4 * P * support::random_vector(rng, world);
    const Vector3d turn = world == World::planar ? Vector3d(0, 0, 1e-4 * rng.normal()) : Vector3d(1e-4 * P * support::random_vector(rng));
    Placement moved;
    moved.rotation = Eigen::AngleAxisd(turn.norm(), turn.normalized()) * touching.rotation;
    moved.translation = g->point_a + u + Eigen::AngleAxisd(turn.norm(), turn.normalized()) * (touching.translation - g->point_a);
    const std::optional<Gap> after = same_feature(*s, moved);
    const double expected = predicted(world, *g, u, turn);
    // Third order: 1e-12 times curvatures; at the border of a curved part the second order itself jumps.
    if (!after ||
        std::abs(after->distance - g->distance - expected) > 5e-3 * std::abs(expected) + 1e-10) ++missed;
  }
  EXPECT_LE(missed, runs / 50 + 1) << "of " << runs;
  EXPECT_GT(runs, 20);
}

INSTANTIATE_TEST_SUITE_P(Shapes, Touching, testing::ValuesIn(support::shape_pairs(false)), support::pair_name);

}  // namespace
}  // namespace carom
