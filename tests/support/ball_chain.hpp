#pragma once
// Equal balls of 1 kg in a row, the first striking at 1 m/s.

#include "carom/impact/problem.hpp"

namespace carom::testing {

inline ImpactProblem ball_chain(int balls, double e, double exponent = 1.5) {
  const int n = balls - 1;
  ImpactProblem problem;
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(2 * n, balls);
  for (int c = 0; c < n; ++c) J(2 * c + 1, c) = -1, J(2 * c + 1, c + 1) = 1;
  Eigen::VectorXd u = Eigen::VectorXd::Zero(balls);
  u(0) = 1;
  problem.G = J * J.transpose();
  problem.v_pre = J * u;
  problem.mu_s = problem.mu_d = Eigen::VectorXd::Zero(n);
  problem.e = Eigen::VectorXd::Constant(n, e);
  problem.exponent = Eigen::VectorXd::Constant(n, exponent);
  problem.system = GeneralisedSystem{Eigen::MatrixXd::Identity(balls, balls), J, u, {}};
  return problem;
}

}  // namespace carom::testing
