#pragma once
// Semismooth Newton on Alart & Curnier's function (Comput. Methods Appl. Mech. Eng. 92, 1991), which is zero exactly at the
// solutions of Coulomb's law. Per contact, with ρ > 0 and a = r − ρ u:
//   Φ = r − P(a),  P_n = max(0, a_n),  P_t = projection of a_t onto the disc of radius μ max(0, a_n).
// One element of the generalised Jacobian is I − D + ρ D W, where D is P′(a): 0 when a_n ≤ 0, I when a_t lies inside the disc,
// else [R/‖a_t‖ (I − e eᵀ), μ e; 0, 1] with e = a_t/‖a_t‖, R = μ a_n. Contacts with D = 0 drop out of the linear system.
// Line search on ½‖Φ‖², nonmonotone over a few steps. ρ is the inverse of the mean diagonal of the contact's block, unless given.

#include "carom/complementarity/friction_contact.hpp"

namespace carom {

struct NewtonOptions {
  double tolerance = 1e-8;    // natural map (friction_contact.hpp)
  int max_steps = 100;
  double rho = 0;             // > 0: factor on the automatic ρ of each contact; 0: 1
  double regularisation = 0;  // added to the diagonal of W in the Jacobian only
  int memory = 6;             // steps over which the merit may grow

  void validate() const;  // throws InputError
};

[[nodiscard]] ContactSolution solve_newton(const FrictionContact& problem, const NewtonOptions& options = {},
                                           const Eigen::VectorXd& warm = {});

}  // namespace carom
