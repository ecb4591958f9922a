#include "carom/model/configuration.hpp"

#include <Eigen/Geometry>
#include <cassert>
#include <cmath>

namespace carom {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;
using Eigen::Vector4d;
using Eigen::VectorXd;

bool has_quaternion(const Joint& joint) { return joint.nq != joint.nv; }
int quaternion_at(const Joint& joint) { return joint.q_index + joint.nq - 4; }
int omega_at(const Joint& joint) { return joint.u_index + joint.nv - 3; }

Quaterniond read(const VectorXd& q, int at) { return {q[at], q[at + 1], q[at + 2], q[at + 3]}; }
Vector4d written(const Quaterniond& Q) { return {Q.w(), Q.x(), Q.y(), Q.z()}; }

// exp of half the rotation vector: the unit quaternion that turns by |v| about v.
Quaterniond exponential(const Vector3d& v) {
  const double half = 0.5 * v.norm();
  const double sinc = half < 1e-4 ? 1 - half * half / 6 : std::sin(half) / half;
  const Vector3d xyz = 0.5 * sinc * v;
  return {std::cos(half), xyz.x(), xyz.y(), xyz.z()};
}

}  // namespace

VectorXd neutral(const Model& model) {
  VectorXd q = VectorXd::Zero(model.nq());
  for (int i = 0; i < model.bodies(); ++i) {
    if (has_quaternion(model.joint(i))) q[quaternion_at(model.joint(i))] = 1;
  }
  return q;
}

VectorXd qdot(const Model& model, const VectorXd& q, const VectorXd& u) {
  VectorXd rate(model.nq());
  qdot(model, q, u, rate);
  return rate;
}

void qdot(const Model& model, const VectorXd& q, const VectorXd& u, Eigen::Ref<VectorXd> rate) {
  assert(q.size() == model.nq() && u.size() == model.nv() && rate.size() == model.nq());
  for (int i = 0; i < model.bodies(); ++i) {
    const Joint& joint = model.joint(i);
    if (!has_quaternion(joint)) {
      rate.segment(joint.q_index, joint.nq) = u.segment(joint.u_index, joint.nv);
      continue;
    }
    rate.segment(joint.q_index, joint.nq - 4) = u.segment(joint.u_index, joint.nv - 3);
    const Vector3d omega = u.segment<3>(omega_at(joint));
    const Quaterniond product = read(q, quaternion_at(joint)) * Quaterniond(0, omega.x(), omega.y(), omega.z());
    rate.segment<4>(quaternion_at(joint)) = 0.5 * written(product);
  }
}

VectorXd integrate(const Model& model, const VectorXd& q, const VectorXd& u, double h) {
  VectorXd moved = q;
  advance(model, u, h, moved);
  return moved;
}

void advance(const Model& model, const VectorXd& u, double h, VectorXd& q) {
  assert(q.size() == model.nq() && u.size() == model.nv());
  for (int i = 0; i < model.bodies(); ++i) {
    const Joint& joint = model.joint(i);
    const int plain = has_quaternion(joint) ? joint.nq - 4 : joint.nq;
    q.segment(joint.q_index, plain) += h * u.segment(joint.u_index, plain);
    if (!has_quaternion(joint)) continue;
    const Vector3d turn = h * u.segment<3>(omega_at(joint));
    const Quaterniond Q = read(q, quaternion_at(joint)) * exponential(turn);
    q.segment<4>(quaternion_at(joint)) = written(Q.normalized());
  }
}

void normalise(const Model& model, VectorXd& q) {
  for (int i = 0; i < model.bodies(); ++i) {
    if (has_quaternion(model.joint(i))) q.segment<4>(quaternion_at(model.joint(i))).normalize();
  }
}

}  // namespace carom
