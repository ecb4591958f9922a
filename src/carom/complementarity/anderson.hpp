#pragma once
// Anderson's acceleration (type II) of a fixed-point iteration x ← g(x): the next point combines the last m images so that
// the combined residual g(x) − x is least. Least squares by normal equations on the differences, regularised; the caller
// decides whether the point is good enough to keep. Nothing is allocated once the greatest problem has been seen.

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <cassert>

#include "carom/math/kept.hpp"

namespace carom {

class Anderson {
 public:
  static constexpr int kMostWindow = 50;

  Anderson() = default;
  Anderson(int size, int window) { start(size, window); }

  // A new problem.
  void start(int size, int window) {
    assert(window > 0 && window <= kMostWindow);
    dF_.resize(size, window), dG_.resize(size, window);
    f_.resize(size), last_f_.resize(size), last_g_.resize(size);
    gram_.resize(window, window);
    window_ = window;
    forget();
  }

  void forget() { count_ = 0, has_last_ = false; }

  // x: point, g: its image. The accelerated next point goes into `out`, which may be x.
  void next(const Eigen::Ref<const Eigen::VectorXd>& x, const Eigen::Ref<const Eigen::VectorXd>& g, Eigen::Ref<Eigen::VectorXd> out) {
    f_ = g - x;
    if (has_last_) {
      const int slot = count_ % window_;
      dF_.col(slot) = f_ - last_f_;
      dG_.col(slot) = g - last_g_;
      ++count_;
      const int m = std::min(count_, window_);
      gram_.col(slot).head(m).noalias() = dF_.leftCols(m).transpose() * dF_.col(slot);
      gram_.row(slot).head(m) = gram_.col(slot).head(m).transpose();
    }
    last_f_ = f_, last_g_ = g, has_last_ = true;
    out = g;
    const int m = std::min(count_, window_);
    if (m == 0) return;
    Square A = gram_.topLeftCorner(m, m);
    A.diagonal().array() += 1e-14 * A.trace();
    Column right(m);
    right.noalias() = dF_.leftCols(m).transpose() * f_;
    const Column gamma = A.ldlt().solve(right);
    if (gamma.allFinite()) out.noalias() -= dG_.leftCols(m) * gamma;
  }

 private:
  using Square = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, kMostWindow, kMostWindow>;
  using Column = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, kMostWindow, 1>;

  KeptMatrix dF_, dG_;
  KeptVector f_, last_f_, last_g_;
  Square gram_;
  int window_ = 0, count_ = 0;
  bool has_last_ = false;
};

}  // namespace carom
