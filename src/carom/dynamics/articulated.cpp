#include "carom/dynamics/articulated.hpp"

#include <cmath>

#include "carom/dynamics/mass_matrix.hpp"

namespace carom {
namespace {

void single_root(const Joint& joint, const Data::Single& single, Data& data) {
  Wrench* root = data.root.data() + joint.u_index;
  double* scale = data.root_scale.data() + joint.u_index;
  const Screw* screw = data.screw.data() + joint.u_index;
  for (int k = 0; k < 3; ++k) {
    root[k] = {Eigen::Vector3d::Zero(), single.root_mass * screw[k].axis};
    scale[k] = 1 / single.root_mass;
    root[3 + k] = {single.V(0, k) * screw[3].axis + single.V(1, k) * screw[4].axis + single.V(2, k) * screw[5].axis, Eigen::Vector3d::Zero()};
    scale[3 + k] = single.scale[k];
  }
}

// Lets the speeds of body i loose, last to first.
void loosen(const Joint& joint, SpatialInertia& I, Data& data) {
  const double turning = I.J.trace(), carrying = I.M.trace();
  for (int j = joint.u_index + joint.nv - 1; j >= joint.u_index; --j) {
    const Screw& s = data.screw[j];
    const Wrench U = I * s;
    const double D = dot(s, U);
    if (!(D > kMassless * (s.rotation ? turning : carrying))) {
      data.root[j] = Wrench{};
      data.root_scale[j] = 0;
      data.massless_speed = j;
      continue;
    }
    const double f = 1 / std::sqrt(D);
    data.root_scale[j] = f;
    data.root[j] = {f * U.moment, f * U.force};
    deflate(I, data.root[j]);
  }
}

// In M axes: a turn feels what the turns before it have done.
void single_root_transpose(const Data::Single& single, double* x) {
  for (int k = 0; k < 3; ++k) x[k] /= single.root_mass;
  x[3] = single.scale[0] * x[3];
  x[4] = single.scale[1] * (x[4] - single.V(0, 1) * x[3]);
  x[5] = single.scale[2] * (x[5] - single.V(0, 2) * x[3] - single.V(1, 2) * x[4]);
}

}  // namespace

void articulated_inertias(const Model& model, Data& data) {
  if (data.has_articulated) return;
  data.massless_speed = -1;
  for (int i = 0; i < model.bodies(); ++i)
    if (!data.single[i].is) data.articulated[i] = rigid_inertia(model, data, i);
  for (int i = model.bodies() - 1; i >= 0; --i) {
    if (data.single[i].is) {
      single_root(model.joint(i), data.single[i], data);
      continue;
    }
    SpatialInertia& I = data.articulated[i];
    loosen(model.joint(i), I, data);
    if (const int p = model.parent(i); p != kGround) add_seen_from(data.articulated[p], I, data.reach[i]);
  }
  data.has_articulated = true;
}

void apply_root(const Model& model, Data& data, Eigen::Ref<Eigen::VectorXd> x) {
  articulated_inertias(model, data);
  for (Wrench& w : data.load) w = Wrench{};
  for (int i = model.bodies() - 1; i >= 0; --i) {
    const Joint& joint = model.joint(i);
    Wrench& w = data.load[i];
    // Columns of contacts are zero but for two branches.
    if (w.force.isZero(0) && w.moment.isZero(0) && x.segment(joint.u_index, joint.nv).isZero(0)) continue;
    for (int j = joint.u_index + joint.nv - 1; j >= joint.u_index; --j) {
      x[j] = data.root_scale[j] * (x[j] + dot(data.screw[j], w));
      w.moment -= x[j] * data.root[j].moment;
      w.force -= x[j] * data.root[j].force;
    }
    if (const int p = model.parent(i); p != kGround) data.load[p] = data.load[p] + seen_from(w, data.reach[i]);
  }
}

void apply_root_transpose(const Model& model, Data& data, Eigen::Ref<Eigen::VectorXd> x) {
  articulated_inertias(model, data);
  const Motion rest;
  for (int i = 0; i < model.bodies(); ++i) {
    const Joint& joint = model.joint(i);
    const int p = model.parent(i);
    if (data.single[i].is) {
      single_root_transpose(data.single[i], x.data() + joint.u_index);
      continue;
    }
    Motion a = at(p == kGround ? rest : data.motion[p], data.reach[i]);
    for (int j = joint.u_index; j < joint.u_index + joint.nv; ++j) {
      x[j] = data.root_scale[j] * (x[j] - dot(data.root[j], a));
      add(a, data.screw[j], x[j]);
    }
    data.motion[i] = a;
  }
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): a Ref is a view, passed on as it is
void solve_mass(const Model& model, Data& data, Eigen::Ref<Eigen::VectorXd> x) {
  apply_root(model, data, x);
  apply_root_transpose(model, data, x);
}

}  // namespace carom
