#pragma once
// Anderson's acceleration (type II) of a fixed-point iteration x ← g(x): the next point combines the last m images so that
// the combined residual g(x) − x is least. Least squares by normal equations on the differences, regularised; the caller
// decides whether the point is good enough to keep.

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>

namespace carom {

class Anderson {
 public:
  Anderson(int size, int window) : dF_(size, window), dG_(size, window), gram_(window, window), window_(window) {}

  void forget() { count_ = 0, has_last_ = false; }

  // x: point, g: its image. Returns the accelerated next point.
  Eigen::VectorXd next(const Eigen::VectorXd& x, const Eigen::VectorXd& g) {
    const Eigen::VectorXd f = g - x;
    if (has_last_) {
      const int slot = count_ % window_;
      dF_.col(slot) = f - last_f_;
      dG_.col(slot) = g - last_g_;
      ++count_;
      const int m = std::min(count_, window_);
      gram_.col(slot).head(m).noalias() = dF_.leftCols(m).transpose() * dF_.col(slot);
      gram_.row(slot).head(m) = gram_.col(slot).head(m).transpose();
    }
    last_f_ = f, last_g_ = g, has_last_ = true;
    const int m = std::min(count_, window_);
    if (m == 0) return g;
    Eigen::MatrixXd A = gram_.topLeftCorner(m, m);
    A.diagonal().array() += 1e-14 * A.trace();
    const Eigen::VectorXd gamma = A.ldlt().solve(dF_.leftCols(m).transpose() * f);
    if (!gamma.allFinite()) return g;
    return g - dG_.leftCols(m) * gamma;
  }

 private:
  Eigen::MatrixXd dF_, dG_, gram_;
  Eigen::VectorXd last_f_, last_g_;
  int window_, count_ = 0;
  bool has_last_ = false;
};

}  // namespace carom
