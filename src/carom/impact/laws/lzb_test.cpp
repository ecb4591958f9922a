#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "carom/impact/law.hpp"
#include "support/ball_chain.hpp"
#include "support/planar_problems.hpp"

namespace {

using namespace carom;

ImpactOutcome solve(const ImpactProblem& problem, LawOptions options = {}) {
  return resolve(problem, {.process = "lzb", .restitution = "", .options = std::move(options)});
}

// With one contact the distribution law is empty: the law is the exact process with Stronge's restitution.
TEST(Lzb, OneContactIsRouthWithStronge) {
  for (const char* unloading : {"mono", "bi"}) {
    for (int i = 0; i < 500; ++i) {
      CounterRng rng(21, static_cast<std::uint64_t>(i));
      const ImpactProblem problem = carom::testing::random_planar(rng);
      const ImpactOutcome exact = resolve(problem, {.process = "routh", .restitution = "stronge", .options = {}});
      const ImpactOutcome out = solve(problem, {{"unloading", std::string(unloading)}});
      ASSERT_EQ(out.status, ImpactStatus::resolved) << i;
      const double scale = problem.v_pre.norm() + (problem.G.cwiseAbs() * exact.p.cwiseAbs()).norm();
      // Integrated to 1e-11; slip stops are found to that tolerance of v, and a grazing one costs its square root.
      EXPECT_LE((out.v_post - exact.v_post).norm(), 1e-6 * scale) << i << " " << unloading;
    }
  }
}

// Two equal balls exchange velocities, whatever the contact curve; a chain of two contacts at e = 1 conserves energy.
TEST(Lzb, ElasticChainsConserveEnergyAndMomentum) {
  for (const double exponent : {1.0, 1.5}) {
    const ImpactOutcome two = solve(carom::testing::ball_chain(2, 1, exponent));
    EXPECT_NEAR((two.qdot_post - Eigen::Vector2d(0, 1)).norm(), 0, 1e-9);
    for (const int balls : {3, 5, 8}) {
      const ImpactOutcome out = solve(carom::testing::ball_chain(balls, 1, exponent));
      EXPECT_NEAR(out.qdot_post.sum(), 1, 1e-12);
      EXPECT_NEAR(out.qdot_post.squaredNorm(), 1, 1e-9);
      for (int c = 0; c + 1 < balls; ++c) EXPECT_GE(out.qdot_post(c + 1) - out.qdot_post(c), -1e-9);
    }
  }
}

// Three equal balls with linear contacts are two coupled springs: δ̈ = −[[2, −1], [−1, 2]] δ until contact 1 opens, then δ₂ alone.
// Eigenfrequencies 1 and √3 for k/m = 1; the opening time and the later motion in closed form up to one root.
TEST(Lzb, ThreeBallLinearChainAgainstCoupledSprings) {
  const auto delta = [](double t) { return Eigen::Vector2d(0.5 * (std::sin(t) + std::sin(std::sqrt(3.0) * t) / std::sqrt(3.0)), 0.5 * (std::sin(t) - std::sin(std::sqrt(3.0) * t) / std::sqrt(3.0))); };
  double low = 1.0, high = 3.0;  // first zero of δ₁
  for (int i = 0; i < 200; ++i) (delta(0.5 * (low + high))(0) > 0 ? low : high) = 0.5 * (low + high);
  const double t = low;
  const Eigen::Vector2d rate(0.5 * (std::cos(t) + std::cos(std::sqrt(3.0) * t)), 0.5 * (std::cos(t) - std::cos(std::sqrt(3.0) * t)));
  // Then balls 2 and 3 separate elastically: δ̇₂ ends at −√(δ̇₂² + 2 δ₂²); their mean velocity stays.
  const double v1 = [&] {  // u₁ − u₂ = δ̇₁, u₂ − u₃ = δ̇₂, Σu = 1
    return (1 + 2 * rate(0) + rate(1)) / 3;
  }();
  const double mean = 0.5 * (1 - v1), half = 0.5 * std::sqrt(rate(1) * rate(1) + 2 * delta(t)(1) * delta(t)(1));
  const ImpactOutcome out = solve(carom::testing::ball_chain(3, 1, 1));
  EXPECT_NEAR(out.qdot_post(0), v1, 1e-9);
  EXPECT_NEAR(out.qdot_post(1), mean - half, 1e-9);
  EXPECT_NEAR(out.qdot_post(2), mean + half, 1e-9);
}

// Impacts that simply end do not claim to have been stopped.
TEST(Lzb, NothingIsStoppedWithoutNeed) {
  for (const int balls : {2, 3, 5}) EXPECT_TRUE(solve(carom::testing::ball_chain(balls, 0.8)).warnings.empty()) << balls;
}

// Each contact's restitution work is e² of its compression work when it has a single cycle: the measured three-ball chain.
TEST(Lzb, EveryContactObeysStronge) {
  for (const char* unloading : {"mono", "bi"}) {
    const ImpactOutcome out = solve(carom::testing::ball_chain(3, 0.85, 1.5), {{"unloading", std::string(unloading)}});
    for (const ContactWork& work : out.energy.contacts) EXPECT_NEAR(work.restitution, -0.85 * 0.85 * work.compression, 1e-9) << unloading;
    EXPECT_LE(out.energy.closure, 1e-10);
  }
}

}  // namespace
