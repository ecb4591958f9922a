#include "carom/dynamics/forward_dynamics.hpp"

#include <cassert>

#include "carom/dynamics/articulated.hpp"

namespace carom {
namespace {

// Newton and Euler for one body about its centre of mass, the turns in M axes.
void single_accelerations(const Model& model, const Data& data, int i, const Eigen::VectorXd& tau, Wrenches wrenches, Eigen::VectorXd& udot) {
  const int j = model.joint(i).u_index;
  const Data::Single& single = data.single[i];
  Wrench w = gyroscopic_wrench(model, data, i);
  if (wrenches.empty()) w = {-w.moment, Eigen::Vector3d::Zero()};
  else w = wrench_at_hub(data, wrenches, i) - w;
  const Eigen::Vector3d push = w.force / model.body(i).mass + model.gravity();
  Eigen::Vector3d moment;
  for (int k = 0; k < 3; ++k) {
    udot[j + k] = data.screw[j + k].axis.dot(push) + tau[j + k] / model.body(i).mass;
    moment[k] = data.screw[j + 3 + k].axis.dot(w.moment) + tau[j + 3 + k];
  }
  udot.segment<3>(j + 3) = single.inverse_inertia * moment;
}

}  // namespace

// data.load is the wrench applied to the articulated body; it carries τ, gyroscopic and outside wrenches inward. The outward
// sweep is that of apply_root_transpose with gravity at the ground and the velocity-product accelerations on the way.
void forward_dynamics(const Model& model, Data& data, const Eigen::VectorXd& tau, Eigen::VectorXd& udot,
                      Wrenches wrenches) {
  assert(data.has_velocities && tau.size() == model.nv());
  assert(wrenches.empty() || static_cast<int>(wrenches.size()) == model.bodies());
  articulated_inertias(model, data);
  udot.resize(model.nv());
  for (int i = 0; i < model.bodies(); ++i) {
    if (data.single[i].is) continue;
    data.load[i] = wrench_at_hub(data, wrenches, i) - gyroscopic_wrench(model, data, i);
  }
  for (int i = model.bodies() - 1; i >= 0; --i) {
    const Joint& joint = model.joint(i);
    if (data.single[i].is) {
      single_accelerations(model, data, i, tau, wrenches, udot);
      continue;
    }
    Wrench& w = data.load[i];
    for (int j = joint.u_index + joint.nv - 1; j >= joint.u_index; --j) {
      udot[j] = data.root_scale[j] * (tau[j] + dot(data.screw[j], w));
      w.moment -= udot[j] * data.root[j].moment;
      w.force -= udot[j] * data.root[j].force;
    }
    const int p = model.parent(i);
    if (p == kGround) continue;
    w = w - data.articulated[i] * data.step[i];
    data.load[p] = data.load[p] + seen_from(w, data.reach[i]);
  }
  const Motion ground{Eigen::Vector3d::Zero(), -model.gravity()};
  for (int i = 0; i < model.bodies(); ++i) {
    const Joint& joint = model.joint(i);
    const int p = model.parent(i);
    if (data.single[i].is) continue;
    Motion a = at(p == kGround ? ground : data.motion[p], data.reach[i]);
    a.angular += data.step[i].angular;
    a.linear += data.step[i].linear;
    for (int j = joint.u_index; j < joint.u_index + joint.nv; ++j) {
      udot[j] = data.root_scale[j] * (udot[j] - dot(data.root[j], a));
      add(a, data.screw[j], udot[j]);
    }
    data.motion[i] = a;
  }
}

}  // namespace carom
