#pragma once
// Contract one of carom, what goes in: an impact as plain matrices and numbers. No bodies, no files.
//
// Conventions (docs/notation.md): components per contact tangential first, normal last, (t, n) or (t1, t2, n) with t1 × t2 = n;
// velocity of body A relative to body B, normal from B to A: v_n < 0 approaches and the impulse p_n ≥ 0 acts on A. SI units.

#include <Eigen/Core>
#include <array>
#include <optional>
#include <vector>

namespace carom {

// Where the contacts are and whom they join; needed only by laws built on rigid-body constraints.
struct ContactGeometry {
  Eigen::MatrixXd points;                  // dimension × n: contact points [m]
  Eigen::MatrixXd normals;                 // dimension × n: unit normals, from B to A
  std::vector<std::array<int, 2>> bodies;  // n pairs (A, B); −1 is the ground
  // dimension × n: unit t (planar) or t1 (spatial), across the normals; t2 = n × t1. Empty: the rule t = (n_y, −n_x) in the plane and
  // contact_frame(n) of laws/rodriguez_rule.hpp in space (n = +z: t1 = x, t2 = y), which the model's contacts follow too.
  Eigen::MatrixXd tangents = {};
};

// The system behind the contacts, so that generalised speeds come back too.
struct GeneralisedSystem {
  Eigen::MatrixXd M;          // m × m mass matrix
  Eigen::MatrixXd J;          // (n·dimension) × m contact Jacobian, v = J q̇
  Eigen::VectorXd qdot_pre;   // m generalised speeds before the impact
  Eigen::MatrixXd constraint; // k × m bilateral rows C q̇ = 0 that hold through the impact; 0 × 0 without
};

struct ImpactProblem {
  int dimension = 2;        // 2 planar, 3 spatial
  Eigen::MatrixXd G;        // Delassus matrix J M⁻¹ Jᵀ, (n·dimension)²  [1/kg]
  Eigen::VectorXd v_pre;    // contact velocity before the impact [m/s]
  Eigen::VectorXd mu_s;     // n: static friction, ≥ mu_d
  Eigen::VectorXd mu_d;     // n: kinetic friction, ≥ 0
  Eigen::VectorXd e;        // n: coefficient of restitution in [0, 1]
  Eigen::VectorXd stiffness;  // n or empty (all 1): relative contact stiffness > 0, for compliant-order laws
  Eigen::VectorXd exponent;   // n or empty (all 1.5): force exponent, 1 linear, 1.5 Hertz
  std::optional<ContactGeometry> geometry;
  std::optional<GeneralisedSystem> system;

  int contacts() const { return dimension > 0 ? static_cast<int>(v_pre.size()) / dimension : 0; }
  // Index of the normal component of contact c; its tangential components stand right before it.
  int normal(int c) const { return c * dimension + dimension - 1; }
};

// Refuses what is not an impact problem, by an InputError that names field, value and range: sizes, NaN/Inf, G not symmetric
// (relative 1e-9) or with an eigenvalue below −1e-9 of the largest, G_nn = 0, μ < 0, μ_s < μ_d, e outside [0, 1],
// stiffness ≤ 0, exponent < 1. A singular G is physics and passes.
void validate(const ImpactProblem& problem);

}  // namespace carom
