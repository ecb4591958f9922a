#pragma once
// Alternating directions (Acary, Armand, Nguyen & Shpakovych, OMS 2023 for this splitting of the contact problem): the convex
// problem min ½ rᵀW r + rᵀ(q + s), r ∈ K, split as r = y, with De Saxcé's term s_n = μ‖u_t‖ renewed from the multiplier at each
// iteration, so that a fixed point solves Coulomb's law and not the relaxation:
//   r ← (W + ρ I)⁻¹ (ρ (y − ξ) − q − s),  y ← P_K(r + ξ),  ξ ← ξ + r − y,  u + s = −ρ ξ.
// W + ρ I is factorised once per ρ; ρ follows the balance of the primal and dual residuals. Only the symmetric part of W is
// factorised, its skew part stands on the right-hand side.

#include "carom/complementarity/friction_contact.hpp"

namespace carom {

struct AdmmOptions {
  double tolerance = 1e-8;  // natural map (friction_contact.hpp)
  int max_iterations = 5000;
  double rho = 0;           // penalty; 0: from the extreme diagonal entries of W
  double relaxation = 1.6;  // over-relaxation in [1, 2)

  void validate() const;  // throws InputError
};

[[nodiscard]] ContactSolution solve_admm(const FrictionContact& problem, const AdmmOptions& options = {},
                                         const Eigen::VectorXd& warm = {});

}  // namespace carom
