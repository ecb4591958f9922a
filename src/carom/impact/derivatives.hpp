#pragma once
// Derivatives of an impact's result with respect to everything that enters it: v⁻, G, friction and restitution.
//
// The single-contact process `routh` is a template over the scalar; run with dual numbers it returns v⁺ and p with their
// gradients. Roots inside it (isoclines, ends of phases, the direction of resumed slip) carry theirs by the implicit function
// theorem: the last Newton step is taken in dual numbers. Derivatives belong to the branch that the problem takes; at a boundary
// between branches they are one-sided.

#include <Eigen/Core>
#include <string>
#include <vector>

#include "carom/impact/law.hpp"

namespace carom {

struct ImpactDerivatives {
  // One column per parameter. Planar: v_t, v_n, G_tt, G_tn, G_nn, mu_s, mu_d, e. Spatial: v_1, v_2, v_n, G_11, G_12, G_22, G_1n,
  // G_2n, G_nn, mu_s, mu_d, e. An off-diagonal G moves both of its places.
  std::vector<std::string> parameters;
  Eigen::VectorXd v_post, p;    // the result itself [m/s], [N s]
  Eigen::MatrixXd dv, dp;       // ∂v⁺, ∂p: dimension × parameters
  bool valid = true;            // false: the impact has no answer (as resolve() would say)
};

// Law `routh` (or an alias of it) at one contact; anything else is an InputError. A separating contact has ∂v⁺/∂v⁻ = 1, p = 0.
[[nodiscard]] ImpactDerivatives differentiate(const ImpactProblem& problem, const ImpactLaw& law = {});

}  // namespace carom
