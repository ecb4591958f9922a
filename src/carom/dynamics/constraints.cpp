#include "carom/dynamics/constraints.hpp"

#include <Eigen/Geometry>
#include <cassert>
#include <cmath>

#include "carom/dynamics/articulated.hpp"
#include "carom/dynamics/forward_dynamics.hpp"
#include "carom/dynamics/kinematics.hpp"

namespace carom {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;

Matrix3d axes(const Data& data, int body, const Placement& frame) {
  return body == kGround ? frame.rotation : Matrix3d(data.pose[body].rotation * frame.rotation);
}

Motion spin(const std::vector<Motion>& of_bodies, int body) { return body == kGround ? Motion{} : of_bodies[body]; }

// Both frames of a constraint in the world.
struct Frames {
  Vector3d a, b;
  Matrix3d A, B;
};

Frames frames(const Data& data, const Constraint& c) {
  return {point_position(data, c.body_a, c.in_a.translation), point_position(data, c.body_b, c.in_b.translation),
          axes(data, c.body_a, c.in_a), axes(data, c.body_b, c.in_b)};
}

// Calls row(k, l) for every row A.col(k) · B.col(l) of the constraint.
template <class Row>
void for_each_alignment(const Model& model, ConstraintKind kind, Row row) {
  const bool spatial = model.world() == World::spatial;
  if (kind == ConstraintKind::weld || kind == ConstraintKind::slider) {
    row(0, 1);
    if (spatial) row(1, 2);
    if (spatial) row(2, 0);
  }
  if (kind == ConstraintKind::hinge && spatial) {
    row(0, 2);
    row(1, 2);
  }
}

// Reflection k of Q; Eigen's own way allocates.
void reflect(const Data& data, int k, VectorXd& x) {
  const Eigen::Index rest = x.size() - k - 1;
  const auto v = data.C_root.matrixQR().col(k).tail(rest);
  const double tau = data.C_root.hCoeffs()[k], part = v.dot(x.tail(rest)) + x[k];
  x[k] -= tau * part;
  x.tail(rest) -= tau * v * part;
}

}  // namespace

void constraint_residual(const Model& model, const Data& data, const VectorXd& q, VectorXd& g) {
  g.setZero(model.constraint_rows());
  for (const Constraint& c : model.constraints()) {
    int row = c.row;
    if (c.kind == ConstraintKind::coupling) {
      double sum = -c.offset;
      bool holonomic = true;
      for (const CouplingTerm& term : c.terms) {
        holonomic = holonomic && term.q_index >= 0;
        if (term.q_index >= 0) sum += term.factor * q[term.q_index];
      }
      g[row] = holonomic ? sum : 0;
      continue;
    }
    const Frames f = frames(data, c);
    if (c.kind == ConstraintKind::distance) {
      g[row] = (f.a - f.b).norm() - c.length;
      continue;
    }
    if (c.kind == ConstraintKind::slider) {
      for (int k = 1; k < model.dimension(); ++k) g[row++] = f.B.col(k).dot(f.a - f.b);
    } else {
      for (int k = 0; k < model.dimension(); ++k) g[row++] = f.a[k] - f.b[k];
    }
    for_each_alignment(model, c.kind, [&](int k, int l) { g[row++] = f.A.col(k).dot(f.B.col(l)); });
  }
}

void constraint_jacobian(const Model& model, const Data& data, Eigen::MatrixXd& C) {
  C.setZero(model.constraint_rows(), model.nv());
  for (const Constraint& c : model.constraints()) {
    int row = c.row;
    if (c.kind == ConstraintKind::coupling) {
      for (const CouplingTerm& term : c.terms) C(row, term.u_index) += term.factor;
      continue;
    }
    const Frames f = frames(data, c);
    const auto add_translation = [&](const Vector3d& direction) {
      add_point_row(model, data, c.body_a, f.a, direction, C.row(row));
      add_point_row(model, data, c.body_b, f.b, -direction, C.row(row));
      ++row;
    };
    if (c.kind == ConstraintKind::distance) {
      add_translation((f.a - f.b).normalized());
      continue;
    }
    if (c.kind == ConstraintKind::slider) {
      // B's axes turn with it: what counts is the material point of B that lies at a.
      for (int k = 1; k < model.dimension(); ++k, ++row) {
        add_point_row(model, data, c.body_a, f.a, f.B.col(k), C.row(row));
        add_point_row(model, data, c.body_b, f.a, -f.B.col(k), C.row(row));
      }
    } else {
      for (int k = 0; k < model.dimension(); ++k) add_translation(Vector3d::Unit(k));
    }
    for_each_alignment(model, c.kind, [&](int k, int l) {
      const Vector3d turning = f.A.col(k).cross(f.B.col(l));
      add_rotation_row(model, data, c.body_a, turning, C.row(row));
      add_rotation_row(model, data, c.body_b, -turning, C.row(row));
      ++row;
    });
  }
}

void constraint_bias(const Model& model, const Data& data, VectorXd& bias) {
  assert(data.has_velocities);
  bias.setZero(model.constraint_rows());
  for (const Constraint& c : model.constraints()) {
    if (c.kind == ConstraintKind::coupling) continue;
    int row = c.row;
    const Frames f = frames(data, c);
    const Vector3d acceleration =
        point_bias(data, c.body_a, c.in_a.translation) - point_bias(data, c.body_b, c.in_b.translation);
    if (c.kind == ConstraintKind::distance) {
      const Vector3d d = f.a - f.b, n = d.normalized();
      const Vector3d v =
          point_velocity(data, c.body_a, c.in_a.translation) - point_velocity(data, c.body_b, c.in_b.translation);
      bias[row] = n.dot(acceleration) + (v - n.dot(v) * n).squaredNorm() / d.norm();
      continue;
    }
    const Vector3d omega_a = spin(data.velocity, c.body_a).angular, omega_b = spin(data.velocity, c.body_b).angular;
    const Vector3d alpha_b = spin(data.drift, c.body_b).angular, alpha = spin(data.drift, c.body_a).angular - alpha_b;
    if (c.kind == ConstraintKind::slider) {
      const Vector3d d = f.a - f.b, v = point_velocity(data, c.body_a, c.in_a.translation) - point_velocity(data, c.body_b, c.in_b.translation);
      for (int k = 1; k < model.dimension(); ++k) {
        const Vector3d y = f.B.col(k), y_rate = omega_b.cross(y);
        bias[row++] = y.dot(acceleration) + 2 * y_rate.dot(v) + (alpha_b.cross(y) + omega_b.cross(y_rate)).dot(d);
      }
    } else {
      for (int k = 0; k < model.dimension(); ++k) bias[row++] = acceleration[k];
    }
    for_each_alignment(model, c.kind, [&](int k, int l) {
      const Vector3d x = f.A.col(k), y = f.B.col(l);
      const Vector3d turning_rate = omega_a.cross(x).cross(y) + x.cross(omega_b.cross(y));
      bias[row++] = alpha.dot(x.cross(y)) + (omega_a - omega_b).dot(turning_rate);
    });
  }
}

void constraint_factorisation(const Model& model, Data& data) {
  if (data.has_constraints) return;
  data.has_constraints = true;
  data.rank = 0;
  if (model.constraint_rows() == 0) return;
  constraint_jacobian(model, data, data.C);
  data.columns = data.C.transpose();
  for (int k = 0; k < model.constraint_rows(); ++k) {
    apply_root(model, data, data.columns.col(k));
    const double length = data.columns.col(k).norm();
    data.row_scale[k] = length > 0 ? 1 / length : 0;
    data.columns.col(k) *= data.row_scale[k];
  }
  data.C_root.setThreshold(data.rank_tolerance);
  data.C_root.compute(data.columns);
  data.rank = static_cast<int>(data.C_root.rank());
}

void least_motion(const Model& model, Data& data, const VectorXd& rhs, VectorXd& u) {
  constraint_factorisation(model, data);
  u.setZero(model.nv());
  if (data.rank == 0) return;
  const auto r = data.rank;
  const auto& order = data.C_root.colsPermutation().indices();
  for (int k = 0; k < r; ++k) data.row_work[k] = data.row_scale[order[k]] * rhs[order[k]];
  u.head(r) = data.row_work.head(r);
  data.C_root.matrixR().topLeftCorner(r, r).triangularView<Eigen::Upper>().transpose().solveInPlace(u.head(r));
  for (int k = r - 1; k >= 0; --k) reflect(data, k, u);
  apply_root_transpose(model, data, u);
}

void project_speeds(const Model& model, Data& data, VectorXd& u) {
  constraint_factorisation(model, data);
  if (data.rank == 0) return;
  const VectorXd rhs = -data.C * u;
  VectorXd change;
  least_motion(model, data, rhs, change);
  u += change;
}

Assembly assemble(const Model& model, Data& data, VectorXd& q, const AssemblyOptions& options) {
  Assembly result;
  VectorXd g, change;
  for (;; ++result.steps) {
    forward_kinematics(model, q, data);
    constraint_residual(model, data, q, g);
    result.residual = g.size() == 0 ? 0 : g.cwiseAbs().maxCoeff();
    result.closed = result.residual <= options.tolerance;
    if (result.closed || result.steps == options.max_steps || !std::isfinite(result.residual)) return result;
    least_motion(model, data, -g, change);
    q = integrate(model, q, change, 1);
  }
}

void constrained_forward_dynamics(const Model& model, Data& data, const State& state, const VectorXd& tau,
                                  VectorXd& udot, double rate, Wrenches wrenches) {
  forward_dynamics(model, data, tau, udot, wrenches);
  constraint_factorisation(model, data);
  if (data.rank == 0) return;
  VectorXd rhs, change;
  constraint_bias(model, data, rhs);
  rhs = -rhs - data.C * udot;
  if (rate != 0) {
    VectorXd g;
    constraint_residual(model, data, state.q, g);
    rhs -= 2 * rate * (data.C * state.u) + rate * rate * g;
  }
  least_motion(model, data, rhs, change);
  udot += change;
}

}  // namespace carom
