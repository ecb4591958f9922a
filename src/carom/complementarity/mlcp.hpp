#pragma once
// The mixed linear complementarity problem: w = M z + q, with w_i = 0 and z_i free on the equality rows and 0 ≤ w_i ⊥ z_i ≥ 0
// on the complementarity rows.

#include <Eigen/Core>
#include <vector>

#include "carom/complementarity/certificate.hpp"
#include "carom/complementarity/lcp.hpp"

namespace carom {

struct Mlcp {
  Eigen::MatrixXd M;                // n × n
  Eigen::VectorXd q;                // n
  std::vector<bool> complementary;  // n: false marks an equality row and its free unknown

  int size() const { return static_cast<int>(q.size()); }
  // Positions of the equality rows (false) or of the complementarity rows (true), ascending.
  std::vector<int> rows(bool complementarity) const;
};

using MlcpSolution = LcpSolution;  // z and w of all n rows

void validate(const Mlcp& mlcp);  // throws InputError

// natural_map = ‖(w on equalities, min(z, w) on complementarities)‖₂ / ‖q‖₂; cone and complementarity as for the LCP, with
// |w| of the equalities counted in `cone`.
Certificate certify(const Mlcp& mlcp, const Eigen::VectorXd& z);
MlcpSolution finish(const Mlcp& mlcp, Eigen::VectorXd z, int iterations, double tolerance, SolveStatus otherwise);

}  // namespace carom
