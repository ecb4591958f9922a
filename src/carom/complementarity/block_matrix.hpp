#pragma once
// A square matrix of d × d blocks in compressed rows. Every row holds its diagonal block. Blocks are column-major and lie in
// memory in the order in which a sweep over the rows reads them.

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <vector>

namespace carom {

struct BlockMatrix {
  int d = 3;                  // block size
  std::vector<int> start{0};  // rows + 1 offsets into `column`
  std::vector<int> column;    // block columns, ascending in each row
  std::vector<double> value;  // d·d numbers per block

  int rows() const { return static_cast<int>(start.size()) - 1; }
  int blocks() const { return static_cast<int>(column.size()); }
  const double* block(int k) const { return value.data() + static_cast<std::ptrdiff_t>(k) * d * d; }
  // Position of the diagonal block of row i.
  int diagonal(int i) const;

  Eigen::VectorXd operator*(const Eigen::VectorXd& x) const;
  Eigen::MatrixXd dense() const;
  Eigen::SparseMatrix<double> sparse() const;

  // Blocks that are zero throughout are left out, except on the diagonal.
  static BlockMatrix from_dense(const Eigen::MatrixXd& W, int d);
  static BlockMatrix from_sparse(const Eigen::SparseMatrix<double>& W, int d);
};

}  // namespace carom
