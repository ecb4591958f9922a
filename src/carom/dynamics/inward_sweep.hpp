#pragma once
// The inward sweep of articulated.hpp along one path to the ground, for D wrenches at once: the columns of Z Jᵀ that belong
// to one contact, where they are not zero.

#include <Eigen/Core>

#include "carom/dynamics/data.hpp"

namespace carom {

// D wrenches on one body, about its hub.
template <int D>
struct Load {
  Eigen::Matrix<double, 3, D> moment, force;
};

// The forces act at `r` from the hub: their moments are added.
template <int D>
void add_moment_of(Load<D>& load, const Eigen::Vector3d& r) {
  load.moment.row(0) += r.y() * load.force.row(2) - r.z() * load.force.row(1);
  load.moment.row(1) += r.z() * load.force.row(0) - r.x() * load.force.row(2);
  load.moment.row(2) += r.x() * load.force.row(1) - r.y() * load.force.row(0);
}

// Takes the load of one body through its joint and hands it to the parent, which is returned; emit(j, y) is called for every
// speed passed, y a row of D numbers. Needs articulated inertias.
template <int D, class Emit>
int pass_joint(const Model& model, const Data& data, int body, Load<D>& load, Emit&& emit) {
  const Joint& joint = model.joint(body);
  if (const Data::Single& single = data.single[body]; single.is) {  // the load goes no farther and need not be kept
    using Row = Eigen::Matrix<double, 1, D>;
    const int j = joint.u_index;
    const Screw* s = data.screw.data() + j;
    const Row z = single.scale[2] * (s[5].axis.transpose() * load.moment);
    const Row y = single.scale[1] * (s[4].axis.transpose() * load.moment - single.V(1, 2) * z);
    const Row x = single.scale[0] * (s[3].axis.transpose() * load.moment - single.V(0, 1) * y - single.V(0, 2) * z);
    emit(j + 5, z), emit(j + 4, y), emit(j + 3, x);
    for (int k = 2; k >= 0; --k) emit(j + k, Row(data.root_scale[j + k] * (s[k].axis.transpose() * load.force)));
    return kGround;
  }
  for (int j = joint.u_index + joint.nv - 1; j >= joint.u_index; --j) {
    const Screw& s = data.screw[j];
    const Wrench& V = data.root[j];
    const Eigen::Matrix<double, 1, D> y = data.root_scale[j] * (s.axis.transpose() * (s.rotation ? load.moment : load.force));
    load.moment.noalias() -= V.moment * y;
    load.force.noalias() -= V.force * y;
    emit(j, y);
  }
  add_moment_of(load, data.reach[body]);
  return model.parent(body);
}

// Both paths, the outermost body first, joined from their meeting on.
template <int D, class Emit>
void sweep_inward(const Model& model, const Data& data, int a, Load<D> on_a, int b, Load<D> on_b, Emit&& emit) {
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

}  // namespace carom
