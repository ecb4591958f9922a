#include "carom/dynamics/data.hpp"

#include <Eigen/LU>
#include <cmath>

#include "carom/dynamics/articulated.hpp"

namespace carom {
namespace {

Data::Single single_body(const Model& model, int i) {
  Data::Single out;
  const Joint& joint = model.joint(i);
  const Body& body = model.body(i);
  if (joint.kind != JointKind::free || model.parent(i) != kGround || !body.com_from_hub.isZero(0) || !(body.mass > 0)) return out;
  for (int k = i + 1; k < model.bodies(); ++k)
    if (model.parent(k) == i) return out;
  // The turns are let loose last to first, each from what the ones after it have left of the inertia.
  const Eigen::Matrix3d I = joint.in_child.rotation.transpose() * body.hub_inertia * joint.in_child.rotation;
  Eigen::Matrix3d left = I;
  for (int k = 2; k >= 0; --k) {
    if (!(left(k, k) > kMassless * left.trace() && left(k, k) > 1e-9 * I.trace())) return out;
    out.scale[k] = 1 / std::sqrt(left(k, k));
    out.V.col(k) = out.scale[k] * left.col(k);
    left -= out.V.col(k) * out.V.col(k).transpose();
  }
  out.inverse_inertia = I.inverse();
  out.root_mass = std::sqrt(body.mass);
  const auto identity = [](const Placement& p) { return p.rotation.isIdentity(0) && p.translation.isZero(0); };
  out.straight = identity(joint.in_parent) && identity(joint.in_child);
  out.is = true;
  return out;
}

}  // namespace

Data::Data(const Model& model) {
  const auto bodies = static_cast<std::size_t>(model.bodies());
  const auto speeds = static_cast<std::size_t>(model.nv());
  pose.resize(bodies);
  hub.resize(bodies, Eigen::Vector3d::Zero());
  reach.resize(bodies, Eigen::Vector3d::Zero());
  screw.resize(speeds);
  for (int j = 0; j < model.nv(); ++j) {
    screw[static_cast<std::size_t>(j)] = {Eigen::Vector3d::Zero(), model.freedom(j).rotation};
  }
  velocity.resize(bodies);
  step.resize(bodies);
  drift.resize(bodies);
  articulated.resize(bodies);
  root.resize(speeds);
  root_scale.resize(speeds);
  C.resize(model.constraint_rows(), model.nv());
  row_scale.resize(model.constraint_rows());
  C_root = Eigen::ColPivHouseholderQR<Eigen::MatrixXd>(model.nv(), model.constraint_rows());
  load.resize(bodies);
  motion.resize(bodies);
  composite.resize(bodies);
  row_work.resize(model.constraint_rows());
  touch_head.resize(speeds);
  for (int i = 0; i < model.bodies(); ++i) single.push_back(single_body(model, i));
}

}  // namespace carom
