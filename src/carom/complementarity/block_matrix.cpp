#include "carom/complementarity/block_matrix.hpp"

#include <algorithm>
#include <cassert>
#include <map>

namespace carom {

using Eigen::MatrixXd;
using Eigen::VectorXd;

int BlockMatrix::diagonal(int i) const {
  const auto begin = column.begin() + start[i], end = column.begin() + start[i + 1];
  const auto it = std::lower_bound(begin, end, i);
  assert(it != end && *it == i);
  return static_cast<int>(it - column.begin());
}

VectorXd BlockMatrix::operator*(const VectorXd& x) const {
  VectorXd y(static_cast<Eigen::Index>(rows()) * d);
  for (int i = 0; i < rows(); ++i) {
    double s[3] = {0, 0, 0};
    for (int k = start[i]; k < start[i + 1]; ++k) {
      const double *b = block(k), *v = x.data() + column[k] * d;
      if (d == 3) {
        s[0] += b[0] * v[0] + b[3] * v[1] + b[6] * v[2];
        s[1] += b[1] * v[0] + b[4] * v[1] + b[7] * v[2];
        s[2] += b[2] * v[0] + b[5] * v[1] + b[8] * v[2];
      } else {
        s[0] += b[0] * v[0] + b[2] * v[1];
        s[1] += b[1] * v[0] + b[3] * v[1];
      }
    }
    for (int a = 0; a < d; ++a) y[i * d + a] = s[a];
  }
  return y;
}

MatrixXd BlockMatrix::dense() const {
  MatrixXd W = MatrixXd::Zero(rows() * d, rows() * d);
  for (int i = 0; i < rows(); ++i)
    for (int k = start[i]; k < start[i + 1]; ++k)
      W.block(i * d, column[k] * d, d, d) = Eigen::Map<const MatrixXd>(block(k), d, d);
  return W;
}

Eigen::SparseMatrix<double> BlockMatrix::sparse() const {
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(value.size());
  for (int i = 0; i < rows(); ++i)
    for (int k = start[i]; k < start[i + 1]; ++k)
      for (int b = 0; b < d; ++b)
        for (int a = 0; a < d; ++a) entries.emplace_back(i * d + a, column[k] * d + b, block(k)[b * d + a]);
  Eigen::SparseMatrix<double> W(rows() * d, rows() * d);
  W.setFromTriplets(entries.begin(), entries.end());
  return W;
}

BlockMatrix BlockMatrix::from_dense(const MatrixXd& W, int d) {
  assert(W.rows() == W.cols() && W.rows() % d == 0);
  BlockMatrix m;
  m.d = d;
  const int n = static_cast<int>(W.rows()) / d;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const auto b = W.block(i * d, j * d, d, d);
      if (i != j && (b.array() == 0).all()) continue;
      m.column.push_back(j);
      for (int c = 0; c < d; ++c)
        for (int a = 0; a < d; ++a) m.value.push_back(b(a, c));
    }
    m.start.push_back(m.blocks());
  }
  return m;
}

BlockMatrix BlockMatrix::from_sparse(const Eigen::SparseMatrix<double>& W, int d) {
  assert(W.rows() == W.cols() && W.rows() % d == 0);
  const int n = static_cast<int>(W.rows()) / d;
  std::vector<std::map<int, MatrixXd>> found(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) found[i].emplace(i, MatrixXd::Zero(d, d));
  for (int j = 0; j < W.outerSize(); ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator it(W, j); it; ++it) {
      const int row = static_cast<int>(it.row());
      auto& b = found[row / d].try_emplace(j / d, MatrixXd::Zero(d, d)).first->second;
      b(row % d, j % d) += it.value();
    }
  BlockMatrix m;
  m.d = d;
  for (const auto& row : found) {
    for (const auto& [j, b] : row) {
      m.column.push_back(j);
      m.value.insert(m.value.end(), b.data(), b.data() + b.size());
    }
    m.start.push_back(m.blocks());
  }
  return m;
}

}  // namespace carom
