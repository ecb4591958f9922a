#pragma once
// Projected Gauss–Seidel for LCPs and MLCPs with positive diagonal: z_i ← max(0, z_i − w_i / M_ii), without the projection on
// equality rows. Cheap and slow; converges for symmetric positive definite and for diagonally dominant M.

#include "carom/complementarity/mlcp.hpp"

namespace carom {

struct PgsOptions {
  double tolerance = 1e-8;  // natural map
  int max_sweeps = 10000;

  void validate() const;  // throws InputError
};

// Status not_applicable when a diagonal entry is zero (or, on a complementarity row, negative).
[[nodiscard]] LcpSolution solve_pgs(const Lcp& lcp, const PgsOptions& options = {}, const Eigen::VectorXd& warm = {});
[[nodiscard]] MlcpSolution solve_pgs(const Mlcp& mlcp, const PgsOptions& options = {}, const Eigen::VectorXd& warm = {});

}  // namespace carom
