#pragma once
// Planar single-contact problems for tests: from plain numbers, and random admissible ones.

#include <Eigen/Core>
#include <cmath>

#include "carom/impact/law.hpp"
#include "carom/math/counter_rng.hpp"

namespace carom::testing {

inline ImpactProblem planar_problem(const Eigen::Matrix2d& G, const Eigen::Vector2d& v, double mu_s, double mu_d, double e) {
  ImpactProblem problem;
  problem.dimension = 2;
  problem.G = G;
  problem.v_pre = v;
  problem.mu_s = Eigen::VectorXd::Constant(1, mu_s);
  problem.mu_d = Eigen::VectorXd::Constant(1, mu_d);
  problem.e = Eigen::VectorXd::Constant(1, e);
  return problem;
}

// Random G of condition up to about 1e6, any coupling, approach of any obliqueness, μ up to 3, all kinds of e.
inline ImpactProblem random_planar(CounterRng& rng) {
  const double scale = rng.log_uniform(1e-2, 1e2);
  const double ratio = rng.log_uniform(1e-2, 1e2);
  const double coupling = rng.uniform(-1, 1) * (rng.below(3) == 0 ? 0.9999 : 0.9);
  Eigen::Matrix2d G;
  G << scale * ratio, scale * coupling * std::sqrt(ratio), scale * coupling * std::sqrt(ratio), scale;
  const double angle = rng.uniform(-1.5, 1.5);
  const double speed = rng.log_uniform(1e-2, 1e2);
  const double mu_d = rng.below(8) == 0 ? 0.0 : rng.uniform(0, 1.5) * (rng.below(4) == 0 ? 2 : 1);
  const double mu_s = rng.below(2) == 0 ? mu_d : mu_d * (1 + 0.5 * rng.uniform());
  const double e = rng.below(8) == 0 ? 0.0 : rng.below(8) == 0 ? 1.0 : rng.uniform();
  const double slip = rng.below(16) == 0 ? 0.0 : speed * std::sin(angle);
  return planar_problem(G, {slip, -speed * std::cos(angle)}, mu_s, mu_d, e);
}

}  // namespace carom::testing
