#include "carom/impact/laws/routh_planar.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/planar_problems.hpp"

namespace {

using namespace carom;
using carom::testing::planar_problem;

ImpactOutcome solve(const ImpactProblem& problem, const char* restitution = "stronge", LawOptions options = {}) {
  return resolve(problem, {.process = "routh", .restitution = restitution, .options = std::move(options)});
}
bool has(const ImpactOutcome& out, ImpactEventKind kind) {
  return std::any_of(out.events.begin(), out.events.end(), [&](const ImpactEvent& e) { return e.kind == kind; });
}
bool warns(const ImpactOutcome& out, const char* text) {
  return std::any_of(out.warnings.begin(), out.warnings.end(), [&](const std::string& w) { return w.find(text) != std::string::npos; });
}
Eigen::Matrix2d sym(double tt, double tn, double nn) {
  Eigen::Matrix2d G;
  G << tt, tn, tn, nn;
  return G;
}

// A uniform rod at 45° pivoted at its upper end: one degree of freedom, v = g q̇ with g = (1, −1) and G = g gᵀ/I, m = 1.
struct OneDof {
  static Eigen::Matrix2d G() { return sym(3, -3, 3); }
};

TEST(RouthPlanar, RankOneReboundsWhenFrictionCannotHold) {
  for (const char* hypothesis : {"stronge", "poisson", "newton"}) {
    const ImpactOutcome out = solve(planar_problem(OneDof::G(), {1, -1}, 0.5, 0.5, 0.6), hypothesis);
    // q̇: friction p_t = −0.5 p_n in compression, +0.5 p_n after: rates 3(1 + 0.5) and 3(1 − 0.5) per unit p_n.
    const double p_c = 1 / 4.5, W_c = -0.5 * p_c;
    double v = 0;
    if (std::string(hypothesis) == "newton") v = 0.6;
    if (std::string(hypothesis) == "poisson") v = 1.5 * 0.6 * p_c;
    if (std::string(hypothesis) == "stronge") v = std::sqrt(-2 * 1.5 * 0.36 * W_c);
    EXPECT_NEAR(out.v_post(1), v, 1e-14) << hypothesis;
    EXPECT_NEAR(out.v_post(0), -v, 1e-14) << hypothesis;
    EXPECT_EQ(out.status, ImpactStatus::resolved);
    EXPECT_TRUE(has(out, ImpactEventKind::slip_stops));
  }
}

TEST(RouthPlanar, RankOneLocksWhenFrictionHolds) {
  for (const char* hypothesis : {"stronge", "poisson", "newton"}) {
    const ImpactOutcome out = solve(planar_problem(OneDof::G(), {1, -1}, 1.2, 1.0, 0.6), hypothesis);
    EXPECT_LE(out.v_post.norm(), 1e-15) << hypothesis;
    EXPECT_EQ(out.status, ImpactStatus::resolved) << hypothesis;
    EXPECT_TRUE(has(out, ImpactEventKind::sticks)) << hypothesis;
    EXPECT_NEAR(out.energy.change, -1.0 / 6, 1e-15) << hypothesis;
    EXPECT_EQ(warns(out, "locks"), std::string(hypothesis) != "poisson") << hypothesis;
  }
}

TEST(RouthPlanar, RankOneSurvivesRounding) {
  int locked = 0;
  for (int i = 0; i < 10000; ++i) {
    CounterRng rng(6, static_cast<std::uint64_t>(i));
    const Eigen::Vector2d g(rng.normal(), rng.normal());
    const double inertia = rng.log_uniform(0.1, 10), speed = rng.uniform(0.1, 10) * (g(1) > 0 ? -1 : 1);
    const Eigen::Matrix2d G = g * g.transpose() / inertia;
    const double mu = rng.uniform(0, 3);
    const ImpactOutcome out = solve(planar_problem(G, g * speed, mu, mu, rng.uniform()), "stronge");
    ASSERT_EQ(out.status, ImpactStatus::resolved) << i;
    // Still one degree of freedom afterwards: v⁺ is parallel to g.
    ASSERT_LE(std::abs(out.v_post(0) * g(1) - out.v_post(1) * g(0)), 1e-12 * g.squaredNorm() * std::abs(speed)) << i;
    ASSERT_GE(out.v_post(1), -1e-14 * std::abs(speed)) << i;
    const bool holds = std::abs(g(1) / g(0)) <= mu;
    ASSERT_EQ(out.v_post.norm() <= 1e-12 * std::abs(speed), holds) << i;
    locked += holds;
  }
  EXPECT_GT(locked, 1000);
}

TEST(RouthPlanar, SingularMatrixWithForeignVelocityHasNoSolution) {
  const ImpactOutcome out = solve(planar_problem(OneDof::G(), {0, -1}, 2, 2, 0.5));
  EXPECT_EQ(out.status, ImpactStatus::no_solution);
  EXPECT_TRUE(warns(out, "no impulse ends the approach"));
}

TEST(RouthPlanar, NoSidewaysMobility) {
  // Slip cannot change; friction does work −μ |v_t| p_n all along: p_n = (1 + e)|v_n|/G_nn.
  const ImpactOutcome slides = solve(planar_problem(sym(0, 0, 2), {3, -1}, 0.4, 0.4, 0.5));
  EXPECT_DOUBLE_EQ(slides.v_post(0), 3);
  EXPECT_DOUBLE_EQ(slides.v_post(1), 0.5);
  EXPECT_DOUBLE_EQ(slides.p(1), 0.75);
  EXPECT_DOUBLE_EQ(slides.p(0), -0.4 * 0.75);
  EXPECT_NEAR(slides.energy.change, slides.energy.normal_work + slides.energy.friction_work, 1e-15);
  const ImpactOutcome rests = solve(planar_problem(sym(0, 0, 2), {0, -1}, 0.4, 0.4, 0.5));
  EXPECT_DOUBLE_EQ(rests.v_post(1), 0.5);
  EXPECT_EQ(rests.p(0), 0);
  EXPECT_TRUE(warns(rests, "cannot move sideways"));
}

TEST(RouthPlanar, JamPressesHarderUntilSlipStopsThenEnds) {
  // k = 1 − 1.5·0.8 < 0: v_n falls while v_t = 1 runs out with rate 0.8 − 1.5·1 = −0.7, then sticks (m = −0.8).
  const ImpactOutcome out = solve(planar_problem(sym(1, 0.8, 1), {1, -1}, 1.5, 1.5, 0.5));
  ASSERT_EQ(out.segments.front().state.front(), SlipState::jam);
  const double p = 1 / 0.7, v_n = -1 - 0.2 * p;
  EXPECT_NEAR(out.segments.front().v_end(1), v_n, 1e-15);
  const double W_c = 0.5 * p * (-1 + v_n) - 0.5 * v_n * v_n / 0.36;
  EXPECT_NEAR(out.energy.compression_work, W_c, 1e-13);
  EXPECT_NEAR(out.v_post(1), 0.5 * std::sqrt(-2 * 0.36 * W_c), 1e-14);
  EXPECT_EQ(out.v_post(0), 0);
}

TEST(RouthPlanar, SlipDrivenAwayFromZeroSlipsThroughout) {
  const ImpactOutcome out = solve(planar_problem(sym(1, 0.6, 1), {0.5, -1}, 0.3, 0.3, 0.5), "poisson");
  EXPECT_FALSE(has(out, ImpactEventKind::slip_stops));
  EXPECT_GT(out.v_post(0), 0.5);
  EXPECT_LT(out.energy.change, 0);
}

TEST(RouthPlanar, StaticFrictionMakesZeroSlipSpecialAndTheToleranceDecides) {
  // μ_d < |m| = 0.4 ≤ μ_s: at rest it sticks, the slightest slip goes on.
  const auto at = [](double v_t) { return planar_problem(sym(1, 0.4, 1), {v_t, -1}, 0.5, 0.3, 0.5); };
  const ImpactOutcome rest = solve(at(0));
  EXPECT_EQ(rest.v_post(0), 0);
  EXPECT_TRUE(warns(rest, "took stick"));
  EXPECT_GT(solve(at(1e-12)).v_post(0), 0.01);
  EXPECT_EQ(solve(at(1e-12), "stronge", {{"zero_slip", 1e-9}}).v_post(0), 0);
}

TEST(RouthPlanar, TiesSayWhichSideWasTaken) {
  EXPECT_TRUE(warns(solve(planar_problem(sym(2, 0.6, 1), {0, -1}, 0.3, 0.3, 0.5)), "|m| = static friction"));
  EXPECT_TRUE(warns(solve(planar_problem(sym(1, 0, 1), {0.5, -1}, 0.5, 0.5, 0.5)), "moment compression ends"));
}

TEST(RouthPlanar, PerfectlyPlasticAndPerfectlyElastic) {
  const ImpactOutcome plastic = solve(planar_problem(sym(2, 0.6, 1), {-0.2, -1}, 0.1, 0.1, 0));
  EXPECT_EQ(plastic.v_post(1), 0);
  EXPECT_EQ(plastic.energy.restitution_work, 0);
  const ImpactOutcome elastic = solve(planar_problem(sym(2, 0.6, 1), {-0.2, -1}, 0, 0, 1));
  EXPECT_NEAR(elastic.energy.change, 0, 1e-15);
}

}  // namespace
