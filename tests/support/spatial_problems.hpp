#pragma once
// Random spatial impacts at one contact, shared by tests and benchmarks: G of condition up to 1e4, every tenth start close to an
// isocline, friction and restitution over their whole range. Problem i of a seed is always the same.

#include <Eigen/QR>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "carom/impact/problem.hpp"
#include "carom/math/counter_rng.hpp"

namespace carom::testing {

// h(φ) = û⊥·(b − μ A û): how friction turns slip.
inline double turning(const Eigen::Matrix3d& G, double mu, double phi) {
  const Eigen::Vector2d u(std::cos(phi), std::sin(phi)), across(-u.y(), u.x());
  return across.dot(G.topRightCorner<2, 1>() - mu * G.topLeftCorner<2, 2>() * u);
}

inline std::vector<double> isocline_angles(const Eigen::Matrix3d& G, double mu) {
  std::vector<double> out;
  constexpr int kGrid = 360;
  for (int i = 0; i < kGrid; ++i) {
    double low = 2 * std::numbers::pi * i / kGrid, high = 2 * std::numbers::pi * (i + 1) / kGrid;
    const double sign = turning(G, mu, low);
    if (sign * turning(G, mu, high) > 0) continue;
    for (int j = 0; j < 60; ++j) (turning(G, mu, 0.5 * (low + high)) * sign > 0 ? low : high) = 0.5 * (low + high);
    out.push_back(0.5 * (low + high));
  }
  return out;
}

inline ImpactProblem random_spatial(std::uint64_t seed, std::uint64_t i, double near_isocline = 0.1) {
  CounterRng rng(seed, i);
  Eigen::Matrix3d basis;
  for (int k = 0; k < 9; ++k) basis.data()[k] = rng.normal();
  const Eigen::Matrix3d Q = Eigen::HouseholderQR<Eigen::Matrix3d>(basis).householderQ();
  Eigen::Vector3d eigen;
  for (int k = 0; k < 3; ++k) eigen(k) = rng.log_uniform(1e-2, 1e2);
  ImpactProblem problem;
  problem.dimension = 3;
  Eigen::Matrix3d G = Q * eigen.asDiagonal() * Q.transpose();
  G = (0.5 * (G + G.transpose())).eval();
  const double mu = rng.uniform() < 0.05 ? 0.0 : rng.uniform(0.02, 1.5);
  const double speed = rng.log_uniform(0.05, 20);
  double angle = rng.uniform(0, 2 * std::numbers::pi);
  if (rng.uniform() < near_isocline && mu > 0) {
    const std::vector<double> isoclines = isocline_angles(G, mu);
    if (!isoclines.empty())
      angle = isoclines[static_cast<std::size_t>(rng.below(static_cast<int>(isoclines.size())))] + (rng.below(2) ? 1 : -1) * rng.log_uniform(1e-9, 1e-2);
  }
  problem.G = G;
  problem.v_pre = Eigen::Vector3d(speed * std::cos(angle), speed * std::sin(angle), -rng.uniform(0.3, 5));
  problem.mu_d = Eigen::VectorXd::Constant(1, mu);
  problem.mu_s = problem.mu_d * (rng.below(3) == 0 ? rng.uniform(1, 1.5) : 1.0);
  problem.e = Eigen::VectorXd::Constant(1, rng.below(10) == 0 ? rng.below(2) : rng.uniform());
  return problem;
}

}  // namespace carom::testing
