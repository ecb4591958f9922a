#pragma once
// Bilateral constraints: residual g(q), rows C with ġ = C u, bias Ċ u, and the algebra of staying on them.
//
//   kind         rows of g; a, b the two frames' origins in the world, x y z their axes
//   coincidence  a − b, in world axes
//   hinge        a − b; x_a · z_b, y_a · z_b (spatial)
//   slider       (a − b) · y_b, (a − b) · z_b (spatial); alignments as weld
//   weld         a − b; x_a · y_b (planar and spatial), y_a · z_b, z_a · x_b (spatial)
//   distance     |a − b| − length
//   coupling     Σ factor q − offset, Σ factor u; g = 0 where a term has no coordinate
//
// With M⁻¹ = Zᵀ Z (articulated.hpp) and the pivoted factorisation Z Cᵀ = Q R Pᵀ, the columns of Q up to the rank span the
// constrained directions: no C M⁻¹ Cᵀ is formed, its condition number is not squared, and redundant rows drop out.

#include <Eigen/Core>

#include "carom/dynamics/data.hpp"
#include "carom/dynamics/inverse_dynamics.hpp"
#include "carom/model/configuration.hpp"

namespace carom {

// g; needs poses.
void constraint_residual(const Model& model, const Data& data, const Eigen::VectorXd& q, Eigen::VectorXd& g);
// C (rows × nv); needs poses.
void constraint_jacobian(const Model& model, const Data& data, Eigen::MatrixXd& C);
// Ċ u; needs velocities.
void constraint_bias(const Model& model, const Data& data, Eigen::VectorXd& bias);

// Fills data.C, row_scale, C_root and rank; needs poses. Does nothing when they are up to date.
void constraint_factorisation(const Model& model, Data& data);

// The u of least kinetic energy with C u = rhs (with its independent rows, when rhs contradicts itself).
void least_motion(const Model& model, Data& data, const Eigen::VectorXd& rhs, Eigen::VectorXd& u);

// The speeds nearest to u in the metric of M with C u = 0: an impulse of the constraints alone. Needs poses.
void project_speeds(const Model& model, Data& data, Eigen::VectorXd& u);

struct AssemblyOptions {
  double tolerance = 1e-12;  // on |g|∞ [m, rad]
  int max_steps = 50;
};
struct Assembly {
  bool closed = false;  // residual ≤ tolerance
  double residual = 0;  // |g|∞
  int steps = 0;
};
// Moves q onto g = 0 by Gauss–Newton steps that are least in the metric of M; leaves the poses of q in data.
[[nodiscard]] Assembly assemble(const Model& model, Data& data, Eigen::VectorXd& q,
                                const AssemblyOptions& options = {});

// Forward dynamics with C u̇ = −Ċ u − 2 rate C u − rate² g (Baumgarte; rate 0: the bare rows). Needs velocities.
void constrained_forward_dynamics(const Model& model, Data& data, const State& state, const Eigen::VectorXd& tau,
                                  Eigen::VectorXd& udot, double rate = 0, Wrenches wrenches = {});

}  // namespace carom
