#include "carom/complementarity/semismooth_newton.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <Eigen/SparseLU>
#include <cmath>
#include <deque>
#include <limits>
#include <vector>

#include "carom/core/error.hpp"

namespace carom {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Block = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 3, 3>;

constexpr int kDenseLimit = 450;  // unknowns up to which the Jacobian is factorised dense

class AlartCurnier {
 public:
  AlartCurnier(const FrictionContact& p, const NewtonOptions& o) : p_(p), o_(o), d_(p.dimension), rho_(p.contacts()) {
    for (int i = 0; i < p.contacts(); ++i) {
      const double* b = p.W.block(p.W.diagonal(i));
      double trace = 0;
      for (int a = 0; a < d_; ++a) trace += b[a * d_ + a];
      rho_[i] = (o.rho > 0 ? o.rho : 1.0) * (trace > 0 ? d_ / trace : 1.0);
    }
  }

  VectorXd value(const VectorXd& r, const VectorXd& u) const {
    VectorXd phi(r.size());
    for (int i = 0; i < p_.contacts(); ++i) {
      const double *ri = r.data() + i * d_, *ui = u.data() + i * d_;
      double a[3] = {0, 0, 0};
      for (int c = 0; c < d_; ++c) a[c] = ri[c] - rho_[i] * ui[c];
      const double normal = std::max(0.0, a[d_ - 1]), radius = p_.mu[i] * normal;
      const double t = d_ == 3 ? std::hypot(a[0], a[1]) : std::abs(a[0]), shrink = t > radius ? radius / t : 1.0;
      for (int c = 0; c + 1 < d_; ++c) phi[i * d_ + c] = ri[c] - shrink * a[c];
      phi[i * d_ + d_ - 1] = ri[d_ - 1] - normal;
    }
    return phi;
  }

  // Newton's direction at r. Inactive contacts move to zero; the rest solves a linear system. Empty when it is singular.
  VectorXd direction(const VectorXd& r, const VectorXd& u, const VectorXd& phi) {
    place_.assign(p_.contacts(), -1);
    active_.clear();
    D_.clear();
    VectorXd dr = VectorXd::Zero(r.size());
    for (int i = 0; i < p_.contacts(); ++i) {
      Block D = derivative(i, r, u);
      if (D.size() == 0) {
        dr.segment(i * d_, d_) = -r.segment(i * d_, d_);
        continue;
      }
      place_[i] = static_cast<int>(active_.size());
      active_.push_back(i);
      D_.push_back(std::move(D));
    }
    const VectorXd pushed = p_.W * dr;
    const int na = static_cast<int>(active_.size());
    VectorXd right(na * d_);
    for (int k = 0; k < na; ++k)
      right.segment(k * d_, d_) = -phi.segment(active_[k] * d_, d_) - rho_[active_[k]] * (D_[k] * pushed.segment(active_[k] * d_, d_));
    const VectorXd x = na * d_ <= kDenseLimit ? solve_dense(right) : solve_sparse(right);
    if (!x.allFinite()) return {};
    for (int k = 0; k < na; ++k) dr.segment(active_[k] * d_, d_) = x.segment(k * d_, d_);
    return dr;
  }

 private:
  Block derivative(int i, const VectorXd& r, const VectorXd& u) const {
    const VectorXd a = r.segment(i * d_, d_) - rho_[i] * u.segment(i * d_, d_);
    const double normal = a[d_ - 1], t = a.head(d_ - 1).norm(), radius = p_.mu[i] * normal;
    if (normal <= 0) return {};
    Block D = Block::Identity(d_, d_);
    if (t <= radius) return D;
    const VectorXd e = a.head(d_ - 1) / t;
    D.topLeftCorner(d_ - 1, d_ - 1) = radius / t * (MatrixXd::Identity(d_ - 1, d_ - 1) - e * e.transpose());
    D.topRightCorner(d_ - 1, 1) = p_.mu[i] * e;
    return D;
  }

  // Hands every d × d block (row, column, block) of the Jacobian over the active contacts to `take`.
  template <class Take>
  void jacobian(Take take) const {
    for (int k = 0; k < static_cast<int>(active_.size()); ++k) {
      const int i = active_[k];
      for (int s = p_.W.start[i]; s < p_.W.start[i + 1]; ++s) {
        const int j = p_.W.column[s];
        if (place_[j] < 0) continue;
        Block w = Eigen::Map<const MatrixXd>(p_.W.block(s), d_, d_);
        if (i == j) w.diagonal().array() += o_.regularisation;
        Block b = rho_[i] * (D_[k] * w);
        if (i == j) b += Block::Identity(d_, d_) - D_[k];
        take(k, place_[j], b);
      }
    }
  }

  VectorXd solve_dense(const VectorXd& right) const {
    MatrixXd J = MatrixXd::Zero(right.size(), right.size());
    jacobian([&](int k, int j, const Block& b) { J.block(k * d_, j * d_, d_, d_) = b; });
    return J.partialPivLu().solve(right);
  }

  VectorXd solve_sparse(const VectorXd& right) const {
    std::vector<Eigen::Triplet<double>> entries;
    jacobian([&](int k, int j, const Block& b) {
      for (int c = 0; c < d_; ++c)
        for (int a = 0; a < d_; ++a)
          if (b(a, c) != 0) entries.emplace_back(k * d_ + a, j * d_ + c, b(a, c));
    });
    Eigen::SparseMatrix<double> J(right.size(), right.size());
    J.setFromTriplets(entries.begin(), entries.end());
    Eigen::SparseLU<Eigen::SparseMatrix<double>> lu(J);
    if (lu.info() != Eigen::Success) return VectorXd::Constant(right.size(), std::numeric_limits<double>::quiet_NaN());
    return lu.solve(right);
  }

  const FrictionContact& p_;
  const NewtonOptions& o_;
  int d_;
  std::vector<double> rho_;
  std::vector<int> place_, active_;  // position of a contact among the active ones (−1: none), and back
  std::vector<Block> D_;
};

}  // namespace

void NewtonOptions::validate() const {
  if (!(tolerance > 0)) throw InputError("tolerance", fmt::format("{}", tolerance), "must be positive");
  if (max_steps < 1) throw InputError("max_steps", fmt::format("{}", max_steps), "must be at least 1");
  if (!(rho >= 0)) throw InputError("rho", fmt::format("{}", rho), "must be at least 0");
  if (!(regularisation >= 0)) throw InputError("regularisation", fmt::format("{}", regularisation), "must be at least 0");
  if (memory < 1) throw InputError("memory", fmt::format("{}", memory), "must be at least 1");
}

ContactSolution solve_newton(const FrictionContact& p, const NewtonOptions& o, const VectorXd& warm) {
  o.validate();
  validate(p);
  AlartCurnier function(p, o);
  VectorXd r = warm.size() == p.q.size() ? warm : VectorXd::Zero(p.size());
  VectorXd u = p.W * r + p.q, phi = function.value(r, u), best = r;
  double least = std::numeric_limits<double>::infinity();
  std::deque<double> merits;
  int step = 0;
  for (; step <= o.max_steps; ++step) {
    const double error = natural_map_error(p, r, u);
    if (error < least) least = error, best = r;
    if (error <= o.tolerance || step == o.max_steps) break;
    const VectorXd dr = function.direction(r, u, phi);
    if (dr.size() == 0) return finish(p, best, step, o.tolerance, SolveStatus::missed);
    merits.push_back(phi.squaredNorm());
    if (static_cast<int>(merits.size()) > o.memory) merits.pop_front();
    const double reference = *std::max_element(merits.begin(), merits.end());
    const VectorXd du = p.W * dr;
    double t = 1;
    VectorXd r_new, u_new, phi_new;
    for (int k = 0; k < 12; ++k, t *= 0.5) {
      r_new = r + t * dr, u_new = u + t * du, phi_new = function.value(r_new, u_new);
      if (phi_new.squaredNorm() <= (1 - 1e-4 * t) * reference) break;
    }
    r = r_new, u = p.W * r + p.q, phi = function.value(r, u);
    if (!r.allFinite()) break;
  }
  return finish(p, best, step, o.tolerance, step >= o.max_steps ? SolveStatus::iteration_limit : SolveStatus::missed);
}

}  // namespace carom
