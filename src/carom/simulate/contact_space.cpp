#include "carom/simulate/contact_space.hpp"

#include "carom/dynamics/articulated.hpp"
#include "carom/dynamics/constraints.hpp"

namespace carom {

void contact_space(const Model& model, Data& data, const Eigen::MatrixXd& J, Eigen::MatrixXd& G, Eigen::MatrixXd& L) {
  articulated_inertias(model, data);
  constraint_factorisation(model, data);
  L = J.transpose();
  for (Eigen::Index k = 0; k < L.cols(); ++k) apply_root(model, data, L.col(k));
  if (data.rank > 0) {
    L.applyOnTheLeft(data.C_root.householderQ().setLength(data.rank).adjoint());
    L.topRows(data.rank).setZero();
    L.applyOnTheLeft(data.C_root.householderQ().setLength(data.rank));
  }
  G.noalias() = L.transpose() * L;
  for (Eigen::Index k = 0; k < L.cols(); ++k) apply_root_transpose(model, data, L.col(k));
}

}  // namespace carom
