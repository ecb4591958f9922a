#pragma once
// The shortest x with A x = b nearest to being true, for square A of any rank, in memory that is kept: Eigen's complete orthogonal
// decomposition does the same but allocates in every solution.
//
// A Π = Q R by Gram–Schmidt with column pivoting, each column orthogonalised twice; then Rᵀ = P S in the same way, so that
// x = Π P S⁻ᵀ Qᵀ b.

#include <Eigen/Core>
#include <cmath>
#include <vector>

namespace carom {

class LeastNorm {
 public:
  // Columns whose rest is below `threshold` times the greatest column count as dependent. Returns the rank.
  template <class Matrix>
  Eigen::Index factor(const Matrix& A, double threshold) {
    const Eigen::Index n = A.rows();
    Q_.resize(n, n), P_.resize(n, n), S_.resize(n, n), R_.resize(n, n);
    Q_ = A;
    order_.resize(static_cast<std::size_t>(n));
    for (Eigen::Index j = 0; j < n; ++j) order_[static_cast<std::size_t>(j)] = j;
    R_.setZero();
    double greatest = 0;
    for (rank_ = 0; rank_ < n; ++rank_) {
      Eigen::Index pivot = rank_;
      for (Eigen::Index j = rank_ + 1; j < n; ++j)
        if (Q_.col(j).squaredNorm() > Q_.col(pivot).squaredNorm()) pivot = j;
      const double length = Q_.col(pivot).norm();
      if (rank_ == 0) greatest = length;
      if (!(length > threshold * greatest)) break;
      if (pivot != rank_) {
        Q_.col(pivot).swap(Q_.col(rank_));
        R_.col(pivot).head(rank_).swap(R_.col(rank_).head(rank_));
        std::swap(order_[static_cast<std::size_t>(pivot)], order_[static_cast<std::size_t>(rank_)]);
      }
      R_(rank_, rank_) = orthonormalise(Q_, rank_, R_.col(rank_));
      for (Eigen::Index j = rank_ + 1; j < n; ++j) {
        const double part = Q_.col(rank_).dot(Q_.col(j));
        R_(rank_, j) += part;
        Q_.col(j) -= part * Q_.col(rank_);
      }
    }
    S_.setZero();
    for (Eigen::Index k = 0; k < rank_; ++k) {
      P_.col(k) = R_.row(k).transpose();
      for (Eigen::Index i = 0; i < k; ++i) {
        const double part = P_.col(i).dot(P_.col(k));
        S_(i, k) += part;
        P_.col(k) -= part * P_.col(i);
      }
      S_(k, k) = orthonormalise(P_, k, S_.col(k));
    }
    return rank_;
  }

  template <class Right>
  void solve(const Right& b, Eigen::VectorXd& x) {
    const Eigen::Index n = Q_.rows();
    y_.resize(n), z_.resize(n), x.resize(n);
    y_.head(rank_).noalias() = Q_.leftCols(rank_).transpose() * b;
    for (Eigen::Index k = 0; k < rank_; ++k) {
      double rest = y_[k];
      for (Eigen::Index i = 0; i < k; ++i) rest -= S_(i, k) * z_[i];
      z_[k] = rest / S_(k, k);
    }
    y_.noalias() = P_.leftCols(rank_) * z_.head(rank_);
    for (Eigen::Index j = 0; j < n; ++j) x[order_[static_cast<std::size_t>(j)]] = y_[j];
  }

 private:
  // Takes what is left of the first k columns out of column k and makes it a unit vector; `parts` gets what was taken. Returns its length.
  template <class Column>
  static double orthonormalise(Eigen::MatrixXd& columns, Eigen::Index k, Column parts) {
    for (Eigen::Index i = 0; i < k; ++i) {
      const double part = columns.col(i).dot(columns.col(k));
      parts[i] += part;
      columns.col(k) -= part * columns.col(i);
    }
    const double length = columns.col(k).norm();
    columns.col(k) /= length;
    return length;
  }

  Eigen::MatrixXd Q_, R_, P_, S_;
  Eigen::VectorXd y_, z_;
  std::vector<Eigen::Index> order_;
  Eigen::Index rank_ = 0;
};

}  // namespace carom
