#include "carom/dynamics/kinematics.hpp"

#include <Eigen/Geometry>
#include <cassert>
#include <cmath>

namespace carom {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;

const Placement kWorld{};

Matrix3d rotation_of(const VectorXd& q, int at) {
  return Eigen::Quaterniond(q[at], q[at + 1], q[at + 2], q[at + 3]).toRotationMatrix();
}

// Child-to-parent rotation of the joint, M's origin in parent axes seen from the parent's frame.
struct Relative {
  Matrix3d rotation;
  Vector3d hub;
};

Relative relative(const Joint& joint, const VectorXd& q) {
  const int k = joint.q_index;
  const Placement& F = joint.in_parent;
  switch (joint.kind) {
    case JointKind::fixed: break;
    case JointKind::revolute:
      return {joint.turn[0] + std::cos(q[k]) * joint.turn[1] + std::sin(q[k]) * joint.turn[2], F.translation};
    case JointKind::prismatic: return {joint.turn[0], F.translation + q[k] * joint.axis_in_parent};
    case JointKind::planar:
      return {joint.turn[0] + std::cos(q[k + 2]) * joint.turn[1] + std::sin(q[k + 2]) * joint.turn[2],
              F.translation + F.rotation.leftCols<2>() * q.segment<2>(k)};
    case JointKind::spherical:
      return {F.rotation * rotation_of(q, k) * joint.in_child.rotation.transpose(), F.translation};
    case JointKind::free:
      return {F.rotation * rotation_of(q, k + 3) * joint.in_child.rotation.transpose(),
              F.translation + F.rotation * q.segment<3>(k)};
  }
  return {joint.turn[0], F.translation};
}

void place_screws(const Joint& joint, const Placement& parent, const Placement& child, Screw* screw) {
  switch (joint.kind) {
    case JointKind::fixed: return;
    case JointKind::revolute:
    case JointKind::prismatic: screw[0].axis = parent.rotation * joint.axis_in_parent; return;
    case JointKind::planar: {
      const Matrix3d F = parent.rotation * joint.in_parent.rotation;
      for (int k = 0; k < 3; ++k) screw[k].axis = F.col(k);
      return;
    }
    case JointKind::spherical: {
      const Matrix3d M = child.rotation * joint.in_child.rotation;
      for (int k = 0; k < 3; ++k) screw[k].axis = M.col(k);
      return;
    }
    case JointKind::free: {
      const Matrix3d F = parent.rotation * joint.in_parent.rotation;
      const Matrix3d M = child.rotation * joint.in_child.rotation;
      for (int k = 0; k < 3; ++k) screw[k].axis = F.col(k);
      for (int k = 0; k < 3; ++k) screw[3 + k].axis = M.col(k);
      return;
    }
  }
}

}  // namespace

void forward_kinematics(const Model& model, const VectorXd& q, Data& data) {
  assert(q.size() == model.nq());
  data.has_velocities = data.has_articulated = data.has_constraints = false;
  for (int i = 0; i < model.bodies(); ++i) {
    const Joint& joint = model.joint(i);
    const int p = model.parent(i);
    const Placement& parent = p == kGround ? kWorld : data.pose[p];
    Placement& pose = data.pose[i];
    if (data.single[i].straight) {
      pose.translation = data.hub[i] = data.reach[i] = q.segment<3>(joint.q_index);
      pose.rotation = rotation_of(q, joint.q_index + 3);
      Screw* screw = data.screw.data() + joint.u_index;
      for (int k = 0; k < 3; ++k) screw[k].axis = Vector3d::Unit(k), screw[3 + k].axis = pose.rotation.col(k);
      continue;
    }
    const Relative rel = relative(joint, q);
    pose.rotation.noalias() = parent.rotation * rel.rotation;
    data.hub[i] = parent.translation + parent.rotation * rel.hub;
    pose.translation = data.hub[i] - pose.rotation * joint.in_child.translation;
    data.reach[i] = p == kGround ? data.hub[i] : Vector3d(data.hub[i] - data.hub[p]);
    place_screws(joint, parent, pose, data.screw.data() + joint.u_index);
  }
}

void forward_kinematics(const Model& model, const State& state, Data& data) {
  forward_kinematics(model, state.q, data);
  update_velocities(model, state.u, data);
}

void update_velocities(const Model& model, const VectorXd& u, Data& data) {
  assert(u.size() == model.nv());
  const Motion rest;
  for (int i = 0; i < model.bodies(); ++i) {
    const Joint& joint = model.joint(i);
    const int p = model.parent(i);
    if (data.single[i].is) {  // `step` and `drift` are zero, as they were made
      Motion v;
      for (int k = 0; k < 6; ++k) add(v, data.screw[joint.u_index + k], u[joint.u_index + k]);
      data.velocity[i] = v;
      continue;
    }
    const Motion& parent = p == kGround ? rest : data.velocity[p];
    Motion relative;
    for (int j = joint.u_index; j < joint.u_index + joint.nv; ++j) add(relative, data.screw[j], u[j]);

    const Vector3d& r = data.reach[i];
    const Vector3d& omega = parent.angular;
    const Motion carried = at(parent, r);
    data.velocity[i] = {carried.angular + relative.angular, carried.linear + relative.linear};
    data.step[i] = {omega.cross(relative.angular), omega.cross(omega.cross(r)) + 2 * omega.cross(relative.linear)};
    const Motion drift = at(p == kGround ? rest : data.drift[p], r);
    data.drift[i] = {drift.angular + data.step[i].angular, drift.linear + data.step[i].linear};
  }
  data.has_velocities = true;
}

Vector3d point_position(const Data& data, int body, const Vector3d& point) {
  if (body == kGround) return point;
  return data.pose[body].translation + data.pose[body].rotation * point;
}

Vector3d point_velocity(const Data& data, int body, const Vector3d& point) {
  assert(data.has_velocities);
  if (body == kGround) return Vector3d::Zero();
  return at(data.velocity[body], point_position(data, body, point) - data.hub[body]).linear;
}

Vector3d point_bias(const Data& data, int body, const Vector3d& point) {
  assert(data.has_velocities);
  if (body == kGround) return Vector3d::Zero();
  const Vector3d r = point_position(data, body, point) - data.hub[body];
  const Vector3d& omega = data.velocity[body].angular;
  return at(data.drift[body], r).linear + omega.cross(omega.cross(r));
}

void add_point_row(const Model& model, const Data& data, int body, const Vector3d& at, const Vector3d& direction,
                   Eigen::Ref<Eigen::RowVectorXd, 0, Eigen::InnerStride<>> row) {
  for (int i = body; i != kGround; i = model.parent(i)) {
    const Joint& joint = model.joint(i);
    const Vector3d turning = (at - data.hub[i]).cross(direction);
    for (int j = joint.u_index; j < joint.u_index + joint.nv; ++j) {
      const Screw& s = data.screw[j];
      row[j] += s.axis.dot(s.rotation ? turning : direction);
    }
  }
}

void add_rotation_row(const Model& model, const Data& data, int body, const Vector3d& direction,
                      Eigen::Ref<Eigen::RowVectorXd, 0, Eigen::InnerStride<>> row) {
  for (int i = body; i != kGround; i = model.parent(i)) {
    const Joint& joint = model.joint(i);
    for (int j = joint.u_index; j < joint.u_index + joint.nv; ++j) {
      if (data.screw[j].rotation) row[j] += data.screw[j].axis.dot(direction);
    }
  }
}

void point_jacobian(const Model& model, const Data& data, int body, const Vector3d& point, Eigen::MatrixXd& J) {
  J.setZero(3, model.nv());
  const Vector3d at = point_position(data, body, point);
  for (int k = 0; k < 3; ++k) add_point_row(model, data, body, at, Vector3d::Unit(k), J.row(k));
}

void rotation_jacobian(const Model& model, const Data& data, int body, Eigen::MatrixXd& J) {
  J.setZero(3, model.nv());
  for (int k = 0; k < 3; ++k) add_rotation_row(model, data, body, Vector3d::Unit(k), J.row(k));
}

}  // namespace carom
