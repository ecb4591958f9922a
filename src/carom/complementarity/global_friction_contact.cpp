#include "carom/complementarity/global_friction_contact.hpp"

#include <fmt/format.h>

#include <Eigen/SparseLU>

#include "carom/core/error.hpp"

namespace carom {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Sparse = Eigen::SparseMatrix<double>;

// [M −G; Gᵀ 0], which is M without bilateral constraints.
Sparse saddle(const GlobalFrictionContact& p) {
  const auto m = p.M.rows(), k = p.G.cols();
  if (k == 0) return p.M;
  std::vector<Eigen::Triplet<double>> t;
  for (int j = 0; j < p.M.outerSize(); ++j)
    for (Sparse::InnerIterator it(p.M, j); it; ++it) t.emplace_back(it.row(), it.col(), it.value());
  for (int j = 0; j < p.G.outerSize(); ++j)
    for (Sparse::InnerIterator it(p.G, j); it; ++it) {
      t.emplace_back(it.row(), m + it.col(), -it.value());
      t.emplace_back(m + it.col(), it.row(), it.value());
    }
  Sparse K(m + k, m + k);
  K.setFromTriplets(t.begin(), t.end());
  return K;
}

class Dynamics {
 public:
  explicit Dynamics(const GlobalFrictionContact& p) : p_(p) {
    const Sparse K = saddle(p);
    lu_.compute(K);
    if (lu_.info() != Eigen::Success) throw InputError("M", "singular", "must be regular (with G: the constrained system)");
  }

  // Velocities (columns) for generalised impulses `load`; `offset` is the right-hand side b of the constraints.
  MatrixXd solve(const MatrixXd& load, const VectorXd& offset) const {
    MatrixXd right = MatrixXd::Zero(p_.M.rows() + p_.G.cols(), load.cols());
    right.topRows(load.rows()) = load;
    if (offset.size() > 0) right.bottomRows(offset.size()).colwise() -= offset;
    return MatrixXd(lu_.solve(right)).topRows(p_.M.rows());
  }

 private:
  const GlobalFrictionContact& p_;
  Eigen::SparseLU<Sparse> lu_;
};

}  // namespace

void validate(const GlobalFrictionContact& p) {
  const auto m = p.M.rows(), n = static_cast<Eigen::Index>(p.contacts()) * p.dimension;
  const auto need = [](const char* field, Eigen::Index have, Eigen::Index want) {
    if (have != want) throw InputError(field, fmt::format("{}", have), fmt::format("must be {}", want));
  };
  if (p.dimension != 2 && p.dimension != 3)
    throw InputError("dimension", fmt::format("{}", p.dimension), "must be 2 or 3");
  need("M columns", p.M.cols(), m);
  need("H rows", p.H.rows(), m);
  need("H columns", p.H.cols(), n);
  need("f size", p.f.size(), m);
  need("w size", p.w.size(), n);
  if (p.G.cols() > 0) need("G rows", p.G.rows(), m), need("b size", p.b.size(), p.G.cols());
}

FrictionContact reduce(const GlobalFrictionContact& p) {
  validate(p);
  const Dynamics dynamics(p);
  const int d = p.dimension, nc = p.contacts();
  const Sparse Ht = p.H.transpose();
  FrictionContact local;
  local.dimension = d;
  local.mu = p.mu;
  local.q = Ht * dynamics.solve(p.f, p.G.cols() > 0 ? p.b : VectorXd()).col(0) + p.w;
  std::vector<Eigen::Triplet<double>> entries;
  for (int c = 0; c < nc; ++c) {
    const MatrixXd columns = Ht * dynamics.solve(MatrixXd(p.H.middleCols(c * d, d)), VectorXd());
    for (int j = 0; j < d; ++j)
      for (int i = 0; i < columns.rows(); ++i)
        if (columns(i, j) != 0) entries.emplace_back(i, c * d + j, columns(i, j));
  }
  Sparse W(nc * d, nc * d);
  W.setFromTriplets(entries.begin(), entries.end());
  local.W = BlockMatrix::from_sparse(W, d);
  return local;
}

VectorXd velocity(const GlobalFrictionContact& p, const VectorXd& r) {
  return Dynamics(p).solve(p.H * r + p.f, p.G.cols() > 0 ? p.b : VectorXd()).col(0);
}

}  // namespace carom
