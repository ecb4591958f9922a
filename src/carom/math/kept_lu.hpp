#pragma once
// LU with partial pivoting in memory that is kept: Eigen's does the same but allocates in every factorisation and in large solutions.
//
// Left-looking: column after column is solved with the columns before it, so that all work is in products of matrices and vectors.

#include <Eigen/Core>
#include <utility>
#include <vector>

#include "carom/math/kept.hpp"

namespace carom {

class KeptLu {
 public:
  // Of a square matrix. One that is singular gives solutions that are not finite.
  template <class Matrix>
  void factor(const Matrix& A) {
    const Eigen::Index n = A.rows();
    F_.resize(n, n);
    F_ = A;
    pivot_.resize(static_cast<std::size_t>(n));
    for (Eigen::Index j = 0; j < n; ++j) {
      auto a = F_.col(j);
      exchange(j, a);
      F_.topLeftCorner(j, j).template triangularView<Eigen::UnitLower>().solveInPlace(a.head(j));
      a.tail(n - j).noalias() -= F_.block(j, 0, n - j, j) * a.head(j);
      Eigen::Index greatest = 0;
      a.tail(n - j).cwiseAbs().maxCoeff(&greatest);
      const Eigen::Index p = pivot_[static_cast<std::size_t>(j)] = j + greatest;
      if (p != j) F_.row(j).head(j + 1).swap(F_.row(p).head(j + 1));
      if (a[j] != 0) a.tail(n - j - 1) /= a[j];
    }
  }

  // x ← A⁻¹ x; a column.
  template <class Column>
  void solve(Column&& x) const {
    exchange(F_.rows(), x);
    F_.template triangularView<Eigen::UnitLower>().solveInPlace(x);
    F_.template triangularView<Eigen::Upper>().solveInPlace(x);
  }

 private:
  // The first exchanges of rows, in a column that has not had them.
  template <class Column>
  void exchange(Eigen::Index count, Column& x) const {
    for (Eigen::Index i = 0; i < count; ++i) std::swap(x[i], x[pivot_[static_cast<std::size_t>(i)]]);
  }

  KeptMatrix F_;  // L below the diagonal, U
  std::vector<Eigen::Index> pivot_;
};

}  // namespace carom
