// What must hold for every planar impact, over 1e5 random admissible problems per law and hypothesis.

#include <gtest/gtest.h>

#include "carom/impact/law.hpp"
#include "support/planar_problems.hpp"

namespace {

using carom::CounterRng;
using carom::ImpactOutcome;
using carom::ImpactProblem;
using carom::testing::random_planar;

constexpr int kProblems = 100000;

ImpactOutcome solve(const ImpactProblem& problem, const char* restitution) {
  return carom::resolve(problem, {.process = "routh", .restitution = restitution, .options = {}, .history = false});
}

TEST(PlanarProperties, EnergyMomentumConeAndEndForEveryProblem) {
  for (const char* hypothesis : {"stronge", "poisson", "newton"}) {
    double worst_gain = -1, worst_momentum = 0, worst_closure = 0;
    int newton_gains = 0;
    for (int i = 0; i < kProblems; ++i) {
      CounterRng rng(1, static_cast<std::uint64_t>(i));
      const ImpactProblem problem = random_planar(rng);
      const ImpactOutcome out = solve(problem, hypothesis);
      ASSERT_EQ(out.status, carom::ImpactStatus::resolved) << i;
      const double gain = out.energy.change / out.energy.kinetic;
      if (std::string(hypothesis) == "newton") {
        newton_gains += gain > 1e-9;
      } else {
        worst_gain = std::max(worst_gain, gain);
        ASSERT_LE(gain, 1e-9) << hypothesis << " " << i;
      }
      if (std::string(hypothesis) == "stronge") {
        ASSERT_LE(out.energy.normal_work, 1e-12 * out.energy.kinetic) << i;
      }
      worst_momentum = std::max(worst_momentum, out.residuals.momentum);
      worst_closure = std::max(worst_closure, out.energy.closure * out.energy.kinetic / (out.energy.kinetic + std::abs(out.energy.change)));
      ASSERT_LE(out.residuals.momentum, 1e-12) << hypothesis << " " << i;
      // |p_t| ≤ μ_s p_n: each stretch obeys it, the sum rounds.
      ASSERT_LE(out.residuals.cone, 1e-14) << hypothesis << " " << i;
      ASSERT_LE(out.residuals.penetration, 1e-14) << hypothesis << " " << i;
      ASSERT_LE(out.energy.friction_work, 1e-15 * out.energy.kinetic) << hypothesis << " " << i;
    }
    // W_n + W_t is summed along the path, ΔT from the end points; G⁻¹ with condition 1e6 in T_c.
    EXPECT_LE(worst_closure, 1e-9) << hypothesis;
    if (std::string(hypothesis) == "newton") {
      EXPECT_GT(newton_gains, 0) << "the mix must contain Newton's gains, else it proves little";
    }
    RecordProperty(std::string("worst_gain_") + hypothesis, std::to_string(worst_gain));
    RecordProperty(std::string("worst_momentum_") + hypothesis, std::to_string(worst_momentum));
  }
}

// Powers of two scale without rounding, so these symmetries hold to the bit.
TEST(PlanarProperties, MirrorAndScalingInvarianceToTheBit) {
  for (const char* hypothesis : {"stronge", "poisson", "newton"}) {
    for (int i = 0; i < kProblems; ++i) {
      CounterRng rng(2, static_cast<std::uint64_t>(i));
      const ImpactProblem problem = random_planar(rng);
      const ImpactOutcome out = solve(problem, hypothesis);
      ImpactProblem mirrored = problem;
      mirrored.v_pre(0) *= -1;
      mirrored.G(0, 1) *= -1, mirrored.G(1, 0) *= -1;
      const ImpactOutcome mirror = solve(mirrored, hypothesis);
      ASSERT_EQ(mirror.v_post(0), -out.v_post(0)) << i;
      ASSERT_EQ(mirror.v_post(1), out.v_post(1)) << i;
      ASSERT_EQ(mirror.p(0), -out.p(0)) << i;
      ImpactProblem scaled = problem;
      scaled.v_pre *= 4;
      scaled.G *= 0.5;
      const ImpactOutcome scale = solve(scaled, hypothesis);
      ASSERT_EQ(scale.v_post, 4 * out.v_post) << i;
      ASSERT_EQ(scale.p, 8 * out.p) << i;
    }
  }
}

// With no slip stop inside the impact the three hypotheses are one (for one planar contact).
TEST(PlanarProperties, HypothesesAgreeWhenSlipDoesNotStop) {
  int compared = 0;
  for (int i = 0; i < kProblems; ++i) {
    CounterRng rng(3, static_cast<std::uint64_t>(i));
    const ImpactProblem problem = random_planar(rng);
    const ImpactOutcome newton = carom::resolve(problem, {.process = "routh", .restitution = "newton", .options = {}});
    const ImpactOutcome poisson = carom::resolve(problem, {.process = "routh", .restitution = "poisson", .options = {}});
    const ImpactOutcome stronge = carom::resolve(problem, {.process = "routh", .restitution = "stronge", .options = {}});
    const auto stops = [](const ImpactOutcome& out) {
      return std::any_of(out.events.begin(), out.events.end(), [](const carom::ImpactEvent& e) { return e.kind == carom::ImpactEventKind::slip_stops; });
    };
    if (stops(newton) || stops(poisson) || stops(stronge)) continue;
    ++compared;
    const double scale = problem.v_pre.norm() + (problem.G.cwiseAbs() * newton.p.cwiseAbs()).norm();
    ASSERT_LE((newton.v_post - poisson.v_post).norm(), 1e-12 * scale) << i;
    ASSERT_LE((newton.v_post - stronge.v_post).norm(), 1e-12 * scale) << i;
  }
  EXPECT_GT(compared, kProblems / 10);
}

}  // namespace
