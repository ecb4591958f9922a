#include "carom/dynamics/delassus.hpp"

#include <algorithm>

#include "carom/dynamics/articulated.hpp"
#include "carom/dynamics/constraints.hpp"
#include "carom/dynamics/inward_sweep.hpp"
#include "carom/dynamics/kinematics.hpp"

namespace carom {
namespace {

using Eigen::Vector3d;

template <int D>
using Row = Eigen::Matrix<double, 1, D>;

template <int D>
Load<D> unit_impulses(const Model& model, const Data& data, const ContactPoint& c, int body, const Vector3d& point,
                      double sign) {
  Load<D> load;
  if (body == kGround) return load;
  for (int k = 0; k < D; ++k) load.force.col(k) = sign * contact_direction(model, c, k);
  load.moment.setZero();
  add_moment_of(load, point_position(data, body, point) - data.hub[body]);
  return load;
}

// The columns of y = Z Jᵀ that belong to one contact, where they are not zero.
template <int D, class Emit>
void sweep_inward(const Model& model, const Data& data, const ContactPoint& c, Emit emit) {
  sweep_inward<D>(model, data, c.body_a, unit_impulses<D>(model, data, c, c.body_a, c.point_a, 1), c.body_b,
                  unit_impulses<D>(model, data, c, c.body_b, c.point_b, -1), emit);
}

template <int D>
void free_delassus(const Model& model, Data& data, std::span<const ContactPoint> contacts, Eigen::MatrixXd& G,
                   Eigen::MatrixXd* y_columns) {
  const int n = static_cast<int>(contacts.size());
  G.setZero(D * n, D * n);
  if (y_columns != nullptr) y_columns->setZero(model.nv(), D * n);
  data.touches.clear();
  if (n > 1) std::fill(data.touch_head.begin(), data.touch_head.end(), -1);
  for (int c = 0; c < n; ++c) {
    Eigen::Matrix<double, D, D> own = Eigen::Matrix<double, D, D>::Zero();
    sweep_inward<D>(model, data, contacts[static_cast<std::size_t>(c)], [&](int j, const Row<D>& y) {
      own.noalias() += y.transpose() * y;
      if (y_columns != nullptr) y_columns->template block<1, D>(j, D * c) = y;
      if (n == 1) return;
      int& head = data.touch_head[static_cast<std::size_t>(j)];
      for (int t = head; t >= 0; t = data.touches[static_cast<std::size_t>(t)].next) {
        const Data::Touch& touch = data.touches[static_cast<std::size_t>(t)];
        G.block<D, D>(D * c, D * touch.contact).noalias() += y.transpose() * touch.y.head<D>().transpose();
      }
      Data::Touch own_touch{c, head, Vector3d::Zero()};
      own_touch.y.head<D>() = y.transpose();
      head = static_cast<int>(data.touches.size());
      data.touches.push_back(own_touch);
    });
    G.block<D, D>(D * c, D * c) = own;
  }
  G.triangularView<Eigen::StrictlyUpper>() = G.transpose();
}

void any_delassus(const Model& model, Data& data, std::span<const ContactPoint> contacts, Eigen::MatrixXd& G,
                  Eigen::MatrixXd* L) {
  articulated_inertias(model, data);
  const bool projected = model.constraint_rows() > 0;
  if (projected) constraint_factorisation(model, data);
  Eigen::MatrixXd* y = L != nullptr ? L : projected ? &data.columns : nullptr;
  if (model.world() == World::planar) {
    free_delassus<2>(model, data, contacts, G, y);
  } else {
    free_delassus<3>(model, data, contacts, G, y);
  }
  if (projected && data.rank > 0) {
    y->applyOnTheLeft(data.C_root.householderQ().setLength(data.rank).adjoint());
    const auto loose = y->bottomRows(model.nv() - data.rank);
    G.noalias() = loose.transpose() * loose;
    if (L != nullptr) {
      L->topRows(data.rank).setZero();
      L->applyOnTheLeft(data.C_root.householderQ().setLength(data.rank));
    }
  }
  if (L == nullptr) return;
  for (int k = 0; k < L->cols(); ++k) apply_root_transpose(model, data, L->col(k));
}

}  // namespace

void delassus(const Model& model, Data& data, std::span<const ContactPoint> contacts, Eigen::MatrixXd& G) {
  any_delassus(model, data, contacts, G, nullptr);
}

void delassus(const Model& model, Data& data, std::span<const ContactPoint> contacts, Eigen::MatrixXd& G,
              Eigen::MatrixXd& L) {
  any_delassus(model, data, contacts, G, &L);
}

}  // namespace carom
