#include "carom/dynamics/mass_matrix.hpp"

#include "carom/dynamics/kinematics.hpp"

namespace carom {

SpatialInertia rigid_inertia(const Model& model, const Data& data, int body) {
  const Body& b = model.body(body);
  const Eigen::Matrix3d& R = data.pose[body].rotation;
  const Eigen::Vector3d mc = b.mass * (R * b.com_from_hub);
  SpatialInertia I;
  I.J.noalias() = (R * b.hub_inertia) * R.transpose();
  I.H << 0, -mc.z(), mc.y(), mc.z(), 0, -mc.x(), -mc.y(), mc.x(), 0;
  I.M = b.mass * Eigen::Matrix3d::Identity();
  return I;
}

void mass_matrix(const Model& model, Data& data, Eigen::MatrixXd& M) {
  M.setZero(model.nv(), model.nv());
  for (int i = 0; i < model.bodies(); ++i) data.composite[i] = rigid_inertia(model, data, i);
  for (int i = model.bodies() - 1; i >= 0; --i) {
    const Joint& joint = model.joint(i);
    for (int j = joint.u_index; j < joint.u_index + joint.nv; ++j) {
      Wrench w = data.composite[i] * data.screw[j];
      for (int k = joint.u_index; k <= j; ++k) M(j, k) = M(k, j) = dot(data.screw[k], w);
      for (int inner = i, a = model.parent(i); a != kGround; inner = a, a = model.parent(a)) {
        w = seen_from(w, data.reach[inner]);
        const Joint& carrier = model.joint(a);
        for (int k = carrier.u_index; k < carrier.u_index + carrier.nv; ++k) M(j, k) = M(k, j) = dot(data.screw[k], w);
      }
    }
    if (const int p = model.parent(i); p != kGround) add_seen_from(data.composite[p], data.composite[i], data.reach[i]);
  }
}

Eigen::MatrixXd mass_matrix(const Model& model, const Eigen::VectorXd& q) {
  Data data(model);
  forward_kinematics(model, q, data);
  Eigen::MatrixXd M;
  mass_matrix(model, data, M);
  return M;
}

}  // namespace carom
