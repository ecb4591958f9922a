#include "carom/dynamics/delassus.hpp"

#include <algorithm>

#include "carom/dynamics/articulated.hpp"
#include "carom/dynamics/constraints.hpp"
#include "carom/dynamics/kinematics.hpp"

namespace carom {
namespace {

using Eigen::Vector3d;

template <int D>
using Row = Eigen::Matrix<double, 1, D>;

// D impulses on one body, about its hub.
template <int D>
struct Load {
  Eigen::Matrix<double, 3, D> moment, force;
};

template <int D>
void add_moment_of(Load<D>& load, const Vector3d& r) {
  load.moment.row(0) += r.y() * load.force.row(2) - r.z() * load.force.row(1);
  load.moment.row(1) += r.z() * load.force.row(0) - r.x() * load.force.row(2);
  load.moment.row(2) += r.x() * load.force.row(1) - r.y() * load.force.row(0);
}

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

// Takes the load of one body through its joint and hands it to the parent; emit(j, y) is called for every speed passed.
template <int D, class Emit>
int pass_joint(const Model& model, const Data& data, int body, Load<D>& load, Emit emit) {
  const Joint& joint = model.joint(body);
  for (int j = joint.u_index + joint.nv - 1; j >= joint.u_index; --j) {
    const Screw& s = data.screw[j];
    const Wrench& V = data.root[j];
    const Row<D> y = data.root_scale[j] * (s.axis.transpose() * (s.rotation ? load.moment : load.force));
    load.moment.noalias() -= V.moment * y;
    load.force.noalias() -= V.force * y;
    emit(j, y);
  }
  add_moment_of(load, data.reach[body]);
  return model.parent(body);
}

// The columns of y = Z Jᵀ that belong to one contact, where they are not zero: inward along both paths, the outermost body
// first, joined from their meeting on.
template <int D, class Emit>
void sweep_inward(const Model& model, const Data& data, const ContactPoint& c, Emit emit) {
  int a = c.body_a, b = c.body_b;
  Load<D> on_a = unit_impulses<D>(model, data, c, a, c.point_a, 1);
  Load<D> on_b = unit_impulses<D>(model, data, c, b, c.point_b, -1);
  while (a != b) {
    if (a > b) {
      a = pass_joint<D>(model, data, a, on_a, emit);
    } else {
      b = pass_joint<D>(model, data, b, on_b, emit);
    }
  }
  if (a == kGround) return;
  on_a.moment += on_b.moment;
  on_a.force += on_b.force;
  while (a != kGround) a = pass_joint<D>(model, data, a, on_a, emit);
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
