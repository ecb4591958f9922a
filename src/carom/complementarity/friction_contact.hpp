#pragma once
// Contact with Coulomb friction in local form: find r with u = W r + q and, for each contact with friction coefficient μ,
//   K ∋ r ⊥ u + μ‖u_t‖ n ∈ K*,   K = {‖r_t‖ ≤ μ r_n},  K* = {μ‖u_t‖ ≤ u_n}.
// The term μ‖u_t‖ n is De Saxcé's: with it the law is Coulomb's (no normal velocity while sliding); without it one has the
// convex relaxation, which is another model and is not solved here.
//
// Components per contact: tangential first, normal last, (t, n) or (t1, t2, n). Siconos and FCLIB put the normal first;
// their readers in `io` convert.

#include <Eigen/Core>

#include "carom/complementarity/block_matrix.hpp"
#include "carom/complementarity/certificate.hpp"

namespace carom {

struct FrictionContact {
  int dimension = 3;   // 2 planar, 3 spatial
  BlockMatrix W;       // Delassus matrix, blocks dimension × dimension
  Eigen::VectorXd q;   // free velocity
  Eigen::VectorXd mu;  // one per contact, ≥ 0

  int contacts() const { return static_cast<int>(mu.size()); }
  int size() const { return static_cast<int>(q.size()); }
};

struct ContactSolution {
  Eigen::VectorXd r;  // reactions (or impulses)
  Eigen::VectorXd u;  // relative velocities, recomputed as W r + q
  SolveStatus status = SolveStatus::missed;
  int iterations = 0;  // sweeps or Newton steps
  Certificate certificate;

  bool usable() const { return status == SolveStatus::solved; }
};

void validate(const FrictionContact& problem);  // throws InputError

// natural_map = ‖r − P_K(r − u − μ‖u_t‖ n)‖₂ / max(‖q‖₂, ‖r‖₂, ‖u‖₂) over all contacts; cone = worst distance of r from K and
// of u + μ‖u_t‖ n from K*, over max ‖r‖ and max ‖u‖ of one contact; complementarity = worst |⟨r, u + μ‖u_t‖ n⟩| over their product.
Certificate certify(const FrictionContact& problem, const Eigen::VectorXd& r);

// The natural-map error alone, for stopping tests; u is W r + q.
double natural_map_error(const FrictionContact& problem, const Eigen::VectorXd& r, const Eigen::VectorXd& u);

// Projects one contact's d numbers, in place, onto K.
void project_cone(double* x, int d, double mu);

ContactSolution finish(const FrictionContact& problem, Eigen::VectorXd r, int iterations, double tolerance,
                       SolveStatus otherwise);

}  // namespace carom
