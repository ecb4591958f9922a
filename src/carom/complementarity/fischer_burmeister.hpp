#pragma once
// Semismooth Newton for LCPs and MLCPs on Fischer and Burmeister's function φ(z, w) = z + w − √(z² + w²) per complementarity row
// and φ = w per equality row (De Luca, Facchinei & Kanzow, Math. Program. 75, 1996): Newton's step on one element of the
// B-subdifferential, a gradient step where that is no descent, line search on ½‖φ‖². Rows are scaled to unit size first. A run that stalls
// at a local minimum of the merit is repeated from another point, `restarts` times.

#include <cstdint>

#include "carom/complementarity/mlcp.hpp"

namespace carom {

struct FischerBurmeisterOptions {
  double tolerance = 1e-8;  // natural map
  int max_steps = 200;
  int restarts = 5;
  std::uint64_t seed = 1;   // of the starting points after the first

  void validate() const;  // throws InputError
};

[[nodiscard]] MlcpSolution solve_fischer_burmeister(const Mlcp& mlcp, const FischerBurmeisterOptions& options = {},
                                                    const Eigen::VectorXd& warm = {});
[[nodiscard]] LcpSolution solve_fischer_burmeister(const Lcp& lcp, const FischerBurmeisterOptions& options = {},
                                                   const Eigen::VectorXd& warm = {});

}  // namespace carom
