#pragma once
// Contact with friction in global form, as FCLIB has it: M v = H r + f, u = Hᵀ v + w, and Coulomb's law between r and u
// (friction_contact.hpp). Components per contact: tangential first, normal last.

#include <Eigen/Core>
#include <Eigen/SparseCore>

#include "carom/complementarity/friction_contact.hpp"

namespace carom {

struct GlobalFrictionContact {
  int dimension = 3;              // 2 planar, 3 spatial
  Eigen::SparseMatrix<double> M;  // m × m, regular
  Eigen::SparseMatrix<double> H;  // m × (contacts · dimension)
  Eigen::VectorXd f;              // m
  Eigen::VectorXd w;              // contacts · dimension
  Eigen::VectorXd mu;             // one per contact
  // Bilateral constraints Gᵀ v + b = 0 with multipliers λ in M v = H r + G λ + f; G has no columns without them.
  Eigen::SparseMatrix<double> G;
  Eigen::VectorXd b;

  int contacts() const { return static_cast<int>(mu.size()); }
};

void validate(const GlobalFrictionContact& problem);  // throws InputError

// The local form W = Hᵀ M⁻¹ H, q = Hᵀ M⁻¹ f + w (with G: M⁻¹ replaced by the solution operator of the constrained system).
// Throws InputError when M (or the constrained system) is singular.
FrictionContact reduce(const GlobalFrictionContact& problem);

// v for given reactions.
Eigen::VectorXd velocity(const GlobalFrictionContact& problem, const Eigen::VectorXd& r);

}  // namespace carom
