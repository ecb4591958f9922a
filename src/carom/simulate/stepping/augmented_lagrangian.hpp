#pragma once
// The method of multipliers for exact cones, with a semismooth Newton method in the space of speeds.
//
// With the multipliers r of the last iteration the next solve
//     F(z) = z − Y p = 0,   p = P_K(r − ρ (u + s)),   u = Yᵀ z + q,   s = μ‖u_t‖ n   (De Saxcé's term),
// by Newton's method with a line search on ‖F‖; then r ← p. A fixed point solves Coulomb's law. F′ = I + Σ ρ Y P_K′ B Yᵀ with B = ∂(u + s)/∂u
// is unsymmetric, has a row per speed, is sparse as the contact graph is, and is regular with redundant contacts. With s held
// instead of differentiated the iteration takes hundreds of factorisations where many contacts slide.
// ρ is relative to each block's own W. The greater it is, the faster r converges and the harder F is to solve: it grows while Newton's method
// succeeds, and falls back, with r as it was, when it fails.

#include <Eigen/Core>
#include <vector>

#include "carom/simulate/stepping/island_system.hpp"

namespace carom {

class AugmentedLagrangian {
 public:
  // Contact blocks with exact cones and without floor. Improves r (d per block of the island) until the natural map is within the
  // tolerance; returns that of the best answer, which r then holds.
  double solve(IslandSystem& island, double scale, double tolerance, int most_factorisations, std::vector<double>& r);
  int factorisations() const { return factorisations_; }

 private:
  struct Cone {  // one contact at one point: p and −∂p/∂u
    double p[3], derivative[9];
  };

  template <int D>
  double evaluate(const std::vector<double>& x);  // cone_, residual_; returns ‖F‖
  template <int D>
  bool newton_direction();
  template <int D>
  bool minimise(double tolerance);
  template <int D>
  double solve_in(double tolerance, int most_factorisations, std::vector<double>& r);

  IslandSystem* island_ = nullptr;
  double scale_ = 1, rho_factor_ = 1;
  int factorisations_ = 0;
  std::vector<double> rho_, r_;
  std::vector<Cone> cone_;
  std::vector<double> x_, trial_, residual_, direction_, last_;
};

}  // namespace carom
