#include "carom/impact/laws/routh_spatial.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "carom/impact/law.hpp"

namespace carom {
namespace {

ImpactProblem problem(const Eigen::Matrix3d& G, const Eigen::Vector3d& v, double mu_d, double mu_s, double e) {
  ImpactProblem out;
  out.dimension = 3;
  out.G = G, out.v_pre = v;
  out.mu_d = Eigen::VectorXd::Constant(1, mu_d), out.mu_s = Eigen::VectorXd::Constant(1, mu_s), out.e = Eigen::VectorXd::Constant(1, e);
  return out;
}

bool warns_of(const ImpactOutcome& outcome, const char* words) {
  return std::any_of(outcome.warnings.begin(), outcome.warnings.end(), [&](const std::string& w) { return w.find(words) != std::string::npos; });
}
bool has(const ImpactOutcome& outcome, ImpactEventKind kind) {
  return std::any_of(outcome.events.begin(), outcome.events.end(), [&](const ImpactEvent& e) { return e.kind == kind; });
}

// A = diag(1, 4), b = (0.6, 0), μ_d < |A⁻¹b| = 0.6 ≤ μ_s. Slip along −t1 meets zero: b pushes it there and beyond.
const Eigen::Matrix3d kSaddle = (Eigen::Matrix3d() << 1, 0, 0.6, 0, 4, 0, 0.6, 0, 2).finished();

// Started exactly on the incoming isocline the contact is captured, and says that it stands on an edge.
TEST(RouthSpatial, CaptureOnTheIncomingIsocline) {
  const ImpactOutcome outcome = resolve(problem(kSaddle, {-0.5, 0, -4}, 0.3, 0.7, 0.5), {"routh", "stronge", {}, true});
  EXPECT_TRUE(has(outcome, ImpactEventKind::slip_stops));
  EXPECT_TRUE(has(outcome, ImpactEventKind::sticks));
  EXPECT_EQ(outcome.v_post(0), 0);
  EXPECT_TRUE(warns_of(outcome, "isocline"));
}

// b = (0.6, 0) with the strong axis along t1 makes that isocline repelling: beside it slip passes zero at a distance and goes on.
const Eigen::Matrix3d kRepelling = (Eigen::Matrix3d() << 4, 0, 2.4, 0, 1, 0, 2.4, 0, 3).finished();

TEST(RouthSpatial, PassesZeroSlipUnlessToldThatSlowIsZero) {
  const ImpactProblem near = problem(kRepelling, {-0.5, 1e-14, -4}, 0.3, 0.7, 0.5);
  const ImpactOutcome exact = resolve(near, {"routh", "stronge", {}, true});
  EXPECT_FALSE(has(exact, ImpactEventKind::slip_stops));
  EXPECT_GT(exact.v_post(0), 0.1);
  EXPECT_TRUE(warns_of(exact, "zero_slip"));
  const ImpactOutcome held = resolve(near, {"routh", "stronge", {{"zero_slip", 1e-9}}, true});
  EXPECT_TRUE(has(held, ImpactEventKind::sticks));
  EXPECT_EQ(held.v_post(0), 0);
}

TEST(RouthSpatial, RestAtTheStartWithinStaticFrictionSticksAndSaysSo) {
  const ImpactOutcome outcome = resolve(problem(kSaddle, {0, 0, -4}, 0.3, 0.7, 0.5), {"routh", "poisson", {}, true});
  EXPECT_EQ(outcome.v_post.head<2>().norm(), 0);
  EXPECT_TRUE(warns_of(outcome, "no initial slip"));
}

// A curved stretch is drawn: points from its beginning to its end, and momentum holds at each.
TEST(RouthSpatial, HistoryDrawsTheHodograph) {
  const Eigen::Matrix3d G = (Eigen::Matrix3d() << 8, -2, -1, -2, 3, 1, -1, 1, 5).finished();
  const ImpactProblem curved = problem(G, {10, 0, -15}, 0.5, 0.5, 0.5);
  const ImpactOutcome outcome = resolve(curved, {"routh", "poisson", {}, true});
  ASSERT_FALSE(outcome.segments.empty());
  const ImpactSegment& segment = outcome.segments.front();
  ASSERT_GE(segment.v_path.cols(), 8);
  EXPECT_EQ(segment.v_path.col(0), segment.v_begin);
  EXPECT_EQ(segment.v_path.col(segment.v_path.cols() - 1), segment.v_end);
  for (Eigen::Index i = 0; i < segment.v_path.cols(); ++i)
    EXPECT_LE((segment.v_path.col(i) - curved.v_pre - G * segment.p_path.col(i)).norm(), 1e-12) << i;
}

// Without history the same numbers, to the bit.
TEST(RouthSpatial, HistoryChangesNothing) {
  const Eigen::Matrix3d G = (Eigen::Matrix3d() << 8, -2, -1, -2, 3, 1, -1, 1, 5).finished();
  const ImpactProblem curved = problem(G, {10, 3, -15}, 0.5, 0.6, 0.5);
  for (const char* hypothesis : {"newton", "poisson", "stronge"})
    EXPECT_EQ(resolve(curved, {"routh", hypothesis, {}, true}).p, resolve(curved, {"routh", hypothesis, {}, false}).p);
}

// h almost zero: exponents of 1e8 and more, where a straight line is the answer up to the tiny turn.
TEST(RouthSpatial, AlmostASphere) {
  for (const double tilt : {0.0, 1e-15, 1e-12, 1e-9, 1e-6}) {
    Eigen::Matrix3d G = Eigen::Vector3d(3.5, 3.5, 1).asDiagonal();
    G(0, 1) = G(1, 0) = tilt, G(0, 2) = G(2, 0) = tilt;
    const ImpactOutcome outcome = resolve(problem(G, {2, -1, -3}, 0.2, 0.2, 0.8), {"routh", "stronge", {}, true});
    ASSERT_EQ(outcome.status, ImpactStatus::resolved) << tilt;
    EXPECT_EQ(outcome.v_post.head<2>().norm(), 0) << tilt;
    EXPECT_NEAR(outcome.v_post(2), 2.4, 1e-14 + 5 * tilt) << tilt;
    EXPECT_LE(outcome.residuals.momentum, 1e-14) << tilt;
  }
}

}  // namespace
}  // namespace carom
