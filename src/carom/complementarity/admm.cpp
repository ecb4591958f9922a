#include "carom/complementarity/admm.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/SparseCholesky>
#include <cmath>
#include <limits>

#include "carom/core/error.hpp"

namespace carom {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Sparse = Eigen::SparseMatrix<double>;

constexpr int kDenseLimit = 300;

// (W_sym + ρ I)⁻¹ for varying ρ.
class Shifted {
 public:
  explicit Shifted(const Sparse& symmetric) : W_(symmetric), identity_(symmetric.rows(), symmetric.cols()) {
    identity_.setIdentity();
    if (W_.rows() <= kDenseLimit)
      dense_ = MatrixXd(W_);
    else
      sparse_.analyzePattern(Sparse(W_ + identity_));
  }

  bool factorise(double rho) {
    if (dense_.size() > 0) {
      MatrixXd A = dense_;
      A.diagonal().array() += rho;
      llt_.compute(A);
      return llt_.info() == Eigen::Success;
    }
    sparse_.factorize(Sparse(W_ + rho * identity_));
    return sparse_.info() == Eigen::Success;
  }

  VectorXd solve(const VectorXd& b) const { return dense_.size() > 0 ? VectorXd(llt_.solve(b)) : VectorXd(sparse_.solve(b)); }

 private:
  const Sparse& W_;
  Sparse identity_;
  MatrixXd dense_;
  Eigen::LLT<MatrixXd> llt_;
  Eigen::SimplicialLLT<Sparse> sparse_;
};

double starting_penalty(const FrictionContact& p) {
  double low = std::numeric_limits<double>::infinity(), high = 0;
  for (int i = 0; i < p.contacts(); ++i)
    for (int a = 0; a < p.dimension; ++a) {
      const double w = p.W.block(p.W.diagonal(i))[a * p.dimension + a];
      if (w > 0) low = std::min(low, w), high = std::max(high, w);
    }
  return high > 0 ? 0.1 * std::sqrt(low * high) : 1.0;
}

void project(const FrictionContact& p, VectorXd& y) {
  for (int i = 0; i < p.contacts(); ++i) project_cone(y.data() + i * p.dimension, p.dimension, p.mu[i]);
}

// De Saxcé's term from the multiplier: s_n = μ ρ ‖ξ_t‖.
VectorXd de_saxce_term(const FrictionContact& p, const VectorXd& xi, double rho) {
  const int d = p.dimension;
  VectorXd s = VectorXd::Zero(xi.size());
  for (int i = 0; i < p.contacts(); ++i) s[i * d + d - 1] = p.mu[i] * rho * xi.segment(i * d, d - 1).norm();
  return s;
}

}  // namespace

void AdmmOptions::validate() const {
  if (!(tolerance > 0)) throw InputError("tolerance", fmt::format("{}", tolerance), "must be positive");
  if (max_iterations < 1) throw InputError("max_iterations", fmt::format("{}", max_iterations), "must be at least 1");
  if (!(rho >= 0)) throw InputError("rho", fmt::format("{}", rho), "must be at least 0");
  if (!(relaxation >= 1 && relaxation < 2)) throw InputError("relaxation", fmt::format("{}", relaxation), "must lie in [1, 2)");
}

ContactSolution solve_admm(const FrictionContact& p, const AdmmOptions& o, const VectorXd& warm) {
  o.validate();
  validate(p);
  const Sparse W = p.W.sparse(), Wt = W.transpose();
  const Sparse symmetric = 0.5 * (W + Wt), skew = 0.5 * (W - Wt);
  const bool has_skew = skew.norm() > 1e-14 * symmetric.norm();
  Shifted solver(symmetric);
  double rho = o.rho > 0 ? o.rho : starting_penalty(p);
  VectorXd y = warm.size() == p.q.size() ? warm : VectorXd::Zero(p.size());
  project(p, y);
  VectorXd r = y, xi = -(p.W * y + p.q) / rho, best = y;
  if (warm.size() != p.q.size()) xi.setZero();
  double least = std::numeric_limits<double>::infinity();
  if (!solver.factorise(rho)) return finish(p, y, 0, o.tolerance, SolveStatus::missed);
  int last_change = 0;
  for (int k = 1; k <= o.max_iterations; ++k) {
    VectorXd right = rho * (y - xi) - p.q - de_saxce_term(p, xi, rho);
    if (has_skew) right -= skew * r;
    r = solver.solve(right);
    const VectorXd relaxed = o.relaxation * r + (1 - o.relaxation) * y, before = y;
    y = relaxed + xi;
    project(p, y);
    xi += relaxed - y;
    const double primal = (r - y).norm(), dual = rho * (y - before).norm();
    if (k % 5 == 0 || k < 5) {
      const double error = natural_map_error(p, y, p.W * y + p.q);
      if (error < least) least = error, best = y;
      if (error <= o.tolerance) return finish(p, y, k, o.tolerance, SolveStatus::missed);
      if (!std::isfinite(error)) break;
    }
    if (k - last_change < 10 + k / 20) continue;
    const double y_scale = std::max(y.norm(), 1e-300), u_scale = std::max({rho * xi.norm(), p.q.norm(), 1e-300});
    const double ratio = (primal / y_scale) / std::max(dual / u_scale, 1e-300);
    if (ratio < 5 && ratio > 0.2) continue;
    const double factor = std::clamp(std::sqrt(ratio), 0.2, 5.0);
    rho *= factor, xi /= factor, last_change = k;
    if (!solver.factorise(rho)) break;
  }
  return finish(p, best, o.max_iterations, o.tolerance, SolveStatus::iteration_limit);
}

}  // namespace carom
