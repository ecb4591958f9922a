#pragma once
// The linear complementarity problem LCP(M, q): find z with 0 ≤ w = M z + q ⊥ z ≥ 0.

#include <Eigen/Core>

#include "carom/complementarity/certificate.hpp"

namespace carom {

struct Lcp {
  Eigen::MatrixXd M;  // n × n, no symmetry or definiteness asked
  Eigen::VectorXd q;  // n

  int size() const { return static_cast<int>(q.size()); }
};

struct LcpSolution {
  Eigen::VectorXd z;  // n
  Eigen::VectorXd w;  // n, recomputed as M z + q
  SolveStatus status = SolveStatus::missed;
  int iterations = 0;  // pivots, bases or sweeps
  Certificate certificate;

  bool usable() const { return status == SolveStatus::solved; }
};

// Refuses what is no LCP (sizes, NaN, Inf) by an InputError.
void validate(const Lcp& lcp);
void validate_lcp(const Eigen::Ref<const Eigen::MatrixXd>& M, const Eigen::Ref<const Eigen::VectorXd>& q);

// natural_map = ‖min(z, w)‖₂ / ‖q‖₂ (absolute when q = 0); cone = worst of −z_i, −w_i and complementarity = worst |z_i w_i|,
// over max(1, ‖z‖∞), max(1, ‖w‖∞) and their product.
Certificate certify(const Lcp& lcp, const Eigen::VectorXd& z);
// The same of n numbers z, without allocation; w ← M z + q.
Certificate certify_lcp(const Eigen::Ref<const Eigen::MatrixXd>& M, const Eigen::Ref<const Eigen::VectorXd>& q,
                        const Eigen::Ref<const Eigen::VectorXd>& z, Eigen::Ref<Eigen::VectorXd> w);

// Completes w, certificate and status of a solver's answer: `solved` when the natural map is within `tolerance`, else the
// solver's own reason `otherwise`.
LcpSolution finish(const Lcp& lcp, Eigen::VectorXd z, int iterations, double tolerance, SolveStatus otherwise);

}  // namespace carom
