#include "carom/dynamics/inverse_dynamics.hpp"

#include <Eigen/Geometry>
#include <cassert>

namespace carom {
namespace {

using Eigen::Vector3d;

// Wrench that gives the body the acceleration `a` of its hub.
Wrench rigid_wrench(const Model& model, const Data& data, int body, const Motion& a) {
  const Body& b = model.body(body);
  const Eigen::Matrix3d& R = data.pose[body].rotation;
  const Vector3d mc = b.mass * (R * b.com_from_hub);
  const Vector3d turning = R * (b.hub_inertia * (R.transpose() * a.angular));
  return Wrench{turning + mc.cross(a.linear), b.mass * a.linear - mc.cross(a.angular)} +
         gyroscopic_wrench(model, data, body);
}

void newton_euler(const Model& model, Data& data, const Eigen::VectorXd* udot, Eigen::VectorXd& tau,
                  Wrenches wrenches) {
  assert(data.has_velocities);
  assert(wrenches.empty() || static_cast<int>(wrenches.size()) == model.bodies());
  const Motion ground{Vector3d::Zero(), -model.gravity()};
  for (int i = 0; i < model.bodies(); ++i) {
    const Joint& joint = model.joint(i);
    const int p = model.parent(i);
    Motion a = at(p == kGround ? ground : data.motion[p], data.reach[i]);
    a.angular += data.step[i].angular;
    a.linear += data.step[i].linear;
    if (udot != nullptr) {
      for (int j = joint.u_index; j < joint.u_index + joint.nv; ++j) add(a, data.screw[j], (*udot)[j]);
    }
    data.motion[i] = a;
    data.load[i] = rigid_wrench(model, data, i, a) - wrench_at_hub(data, wrenches, i);
  }
  tau.resize(model.nv());
  for (int i = model.bodies() - 1; i >= 0; --i) {
    const Joint& joint = model.joint(i);
    for (int j = joint.u_index; j < joint.u_index + joint.nv; ++j) tau[j] = dot(data.screw[j], data.load[i]);
    if (const int p = model.parent(i); p != kGround) {
      data.load[p] = data.load[p] + seen_from(data.load[i], data.reach[i]);
    }
  }
}

}  // namespace

Wrench gyroscopic_wrench(const Model& model, const Data& data, int body) {
  const Body& b = model.body(body);
  const Eigen::Matrix3d& R = data.pose[body].rotation;
  const Vector3d& omega = data.velocity[body].angular;
  const Vector3d local = R.transpose() * omega;
  const Vector3d mc = b.mass * (R * b.com_from_hub);
  return {R * local.cross(b.hub_inertia * local), omega.cross(omega.cross(mc))};
}

Wrench wrench_at_hub(const Data& data, Wrenches wrenches, int body) {
  if (wrenches.empty()) return {};
  return seen_from(wrenches[body], data.pose[body].translation - data.hub[body]);
}

void inverse_dynamics(const Model& model, Data& data, const Eigen::VectorXd& udot, Eigen::VectorXd& tau,
                      Wrenches wrenches) {
  assert(udot.size() == model.nv());
  newton_euler(model, data, &udot, tau, wrenches);
}

void bias_forces(const Model& model, Data& data, Eigen::VectorXd& b, Wrenches wrenches) {
  newton_euler(model, data, nullptr, b, wrenches);
}

}  // namespace carom
