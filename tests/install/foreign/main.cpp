// A project that knows carom only as an installed package.
#include <carom/impact/law.hpp>
#include <cmath>
#include <cstdio>

int main() {
  carom::ImpactProblem ball;  // a solid sphere of 1 kg, hitting the floor with spin
  ball.dimension = 2;
  ball.G = Eigen::Vector2d(3.5, 1).asDiagonal();
  ball.v_pre = Eigen::Vector2d(3, -1);
  ball.mu_s = ball.mu_d = Eigen::VectorXd::Constant(1, 0.4);
  ball.e = Eigen::VectorXd::Constant(1, 0.5);
  const carom::ImpactOutcome out = carom::resolve(ball);
  std::printf("v = (%g, %g)\n", out.v_post(0), out.v_post(1));
  return std::abs(out.v_post(0) - 0.9) < 1e-14 && std::abs(out.v_post(1) - 0.5) < 1e-14 ? 0 : 1;
}
