#pragma once
// The method of multipliers for exact cones, with a semismooth Newton method in the space of speeds.
//
// With De Saxcé's term s_n = μ‖u_t‖ held, contact is the convex problem min ½‖z‖², u + s ∈ K*, with multipliers r ∈ K and z = Y r.
// Its augmented Lagrangian, smooth and strictly convex,
//     φ(z) = ½‖z‖² + Σ 1/(2ρ) ‖P_K(r − ρ (Yᵀz + q + s))‖²,   ∇φ = z − Y p,  p = P_K(r − ρ (u + s)),   H = I + Σ ρ Y P_K′ Yᵀ,
// is minimised by Newton's method with a line search; then r ← p and s is renewed from u. A fixed point solves Coulomb's law. H has
// one row per speed, not per contact, is sparse as the contact graph is, and never singular: redundant contacts do not hurt,
// and a tall stack costs a handful of factorisations where Gauss–Seidel needs thousands of sweeps.
// ρ is relative to each block's own W and grows while the multipliers converge slowly. Where many contacts slide, s converges
// slowly: the method then stops, and sweeps go on from its best answer.

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/SparseCholesky>
#include <span>
#include <vector>

#include "carom/simulate/stepping/step_problem.hpp"

namespace carom {

class AugmentedLagrangian {
 public:
  static constexpr int kDenseSpeeds = 150;  // up to here H is dense

  // Contact blocks with exact cones and without floor. Improves r (d per block of the whole problem) until the natural map is
  // within the tolerance; returns that of the best answer, which r then holds.
  double solve(const StepProblem& problem, std::span<const int> blocks, double scale, double tolerance, double* r);
  int factorisations() const { return factorisations_; }

 private:
  struct Cone {  // one contact at one point
    double p[3], derivative[9];
  };

  void number_speeds();
  void plan_hessian();
  void evaluate(const Eigen::VectorXd& x);  // u_, cone_, gradient_
  bool newton_direction();
  void minimise(double tolerance);
  double natural_map() const;

  const StepProblem* p_ = nullptr;
  std::span<const int> blocks_;
  double scale_ = 1;
  std::vector<int> local_;             // per speed of the model: its place here
  std::vector<int> speeds_;            // the speeds that the blocks reach
  std::vector<int> entry_;             // per entry of the blocks: local speed
  std::vector<int> first_;             // per block and one more: its first place in entry_
  std::vector<double> rho_, r_, s_, u_;
  std::vector<Cone> cone_;
  Eigen::VectorXd x_, trial_, gradient_, direction_;
  double rho_factor_ = 1;
  int factorisations_ = 0;
  Eigen::MatrixXd dense_;
  Eigen::LLT<Eigen::MatrixXd> dense_factor_;
  Eigen::SparseMatrix<double> sparse_;  // lower triangle
  Eigen::SimplicialLLT<Eigen::SparseMatrix<double>, Eigen::Lower> sparse_factor_;
  std::vector<int> place_;              // per block and pair of its entries: index into the values of sparse_; −1: upper triangle
};

}  // namespace carom
