#pragma once
// A primal–dual interior-point method for contacts with exact cones: Newton's method on the whole of Coulomb's law.
//
// Per contact with u = Yᵀz + q let, with De Saxcé's term ‖u_t‖ in the first component and both in the Lorentz cone x₀ ≥ ‖x_t‖,
//     x = (μ r_n, r_t),   y = (u_n/μ + ‖u_t‖, u_t),   z = Y r,   x ∘ y = τ e,   τ → 0.
// The Newton step with Nesterov and Todd's scaling W (W x = W⁻¹ y) and Mehrotra's predictor and corrector, x and y eliminated, is
//     H Δz = …,   H = I + Σ A W⁻² B Aᵀ,   A the columns of Y that belong to x,   B = [1 u_tᵀ/‖u_t‖; 0 I],
// unsymmetric because of B, the derivative of De Saxcé's term: with that term held, as in convex methods, it does not converge where many
// contacts slide. H has a row per speed, not per contact, and redundant contacts do not hurt. In piles ten to twenty factorisations
// reach 1e-8 where Gauss–Seidel needs thousands of sweeps. The law is not monotone and there is no proof: where steps become short
// (walls of bricks with much friction) the method stops, and the method of multipliers goes on.
// The second-order cone form of the convex part: Acary, Cadoux, Lemaréchal & Malick, Z. angew. Math. Mech. 91, 2011.

#include <Eigen/Core>
#include <vector>

#include "carom/simulate/stepping/island_system.hpp"

namespace carom {

class InteriorPoint {
 public:
  // Contact blocks with exact cones and without floor. Improves r (d per block of the island) until the natural map is within the
  // tolerance; returns that of the best answer, which r then holds.
  double solve(IslandSystem& island, double scale, double tolerance, std::vector<double>& r);
  int factorisations() const { return factorisations_; }

 private:
  using Vector = Eigen::Vector3d;  // (0, t1, t2) of one contact; planar contacts leave the last at zero
  struct Contact {
    double mu = 0;
    Vector x, y, q, lambda, residual, slip, dx, dy, ds;
    Eigen::Matrix3d W, inverse;
  };

  void load(const std::vector<double>& r, double error);
  Vector velocity(std::size_t c, const double* z) const;
  void linearise();
  bool factorise();
  void direction(double centre, bool corrected);
  double step_length() const;
  double complementarity(double step) const;
  void move(double step, std::vector<double>& r);

  IslandSystem* island_ = nullptr;
  double scale_ = 1, tau_ = 0;
  int factorisations_ = 0;
  std::vector<Vector> A_;  // per entry
  std::vector<Contact> contact_;
  std::vector<double> z_, dz_, gradient_, r_;
};

}  // namespace carom
