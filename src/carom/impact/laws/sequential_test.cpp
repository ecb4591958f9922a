#include <gtest/gtest.h>

#include "carom/impact/law.hpp"
#include "support/ball_chain.hpp"

namespace {

using namespace carom;

TEST(Sequential, NewtonsCradlePassesTheVelocityOn) {
  const ImpactOutcome out = resolve(carom::testing::ball_chain(5, 1), {.process = "sequential", .restitution = "", .options = {}});
  EXPECT_EQ(out.qdot_post, (Eigen::VectorXd(5) << 0, 0, 0, 0, 1).finished());
}

// Three balls, e: 1–2, then 2–3, then 1–2 again, … with a = (1 − e)/2, b = (1 + e)/2, by hand for e = 0.85.
TEST(Sequential, ThreeBallsByHand) {
  const double a = 0.075, b = 0.925;
  double u[3] = {1, 0, 0};
  const auto hit = [&](int i) {
    const double left = a * u[i] + b * u[i + 1], right = b * u[i] + a * u[i + 1];
    u[i] = left, u[i + 1] = right;
  };
  while (u[0] > u[1] || u[1] > u[2]) hit(u[0] - u[1] > u[1] - u[2] ? 0 : 1);
  const ImpactOutcome out = resolve(carom::testing::ball_chain(3, 0.85), {.process = "sequential", .restitution = "", .options = {}});
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(out.qdot_post(i), u[i], 1e-14);
}

TEST(Sequential, TellsWhenTheOrderMatters) {
  // A ball falls between two others: two contacts at 60°, coupled, both approaching.
  ImpactProblem problem = carom::testing::ball_chain(3, 0.8);
  problem.v_pre << 0, -1, 0, -1;
  problem.system.reset();
  const ImpactOutcome out = resolve(problem, {.process = "sequential", .restitution = "", .options = {}});
  ASSERT_FALSE(out.warnings.empty());
  EXPECT_NE(out.warnings.front().find("order of impacts matters"), std::string::npos);
}

}  // namespace
