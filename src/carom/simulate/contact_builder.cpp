#include "carom/simulate/contact_builder.hpp"

#include <fmt/format.h>

#include <array>

#include "carom/core/error.hpp"
#include "carom/dynamics/constraints.hpp"
#include "carom/dynamics/delassus.hpp"
#include "carom/dynamics/kinematics.hpp"
#include "carom/dynamics/mass_matrix.hpp"

namespace carom {
namespace {

constexpr double kConstraintSlack = 1e-9;  // |C u| over |C||u| that counts as rounding

void check_constraints(const Eigen::MatrixXd& C, const Eigen::VectorXd& u) {
  const double broken = (C * u).cwiseAbs().maxCoeff();
  if (broken > kConstraintSlack * C.norm() * u.norm())
    throw InputError("state.qdot", fmt::format("constraint rate {}", broken), "must keep every constraint: C q̇ = 0");
}

ContactGeometry geometry(const Model& model, const Data& data, std::span<const TouchingContact> contacts) {
  const int d = model.dimension();
  const auto n = static_cast<Eigen::Index>(contacts.size());
  ContactGeometry out{Eigen::MatrixXd(d, n), Eigen::MatrixXd(d, n), {}};
  for (Eigen::Index c = 0; c < n; ++c) {
    const ContactPoint& contact = contacts[static_cast<std::size_t>(c)].point;
    out.points.col(c) = point_position(data, contact.body_a, contact.point_a).head(d);
    out.normals.col(c) = contact.frame.col(2).head(d);
    out.bodies.push_back({contact.body_a, contact.body_b});
  }
  return out;
}

}  // namespace

ContactPoint touching_at(const Model& model, const Eigen::VectorXd& q, int body_a, const Eigen::Vector3d& point_a, int body_b,
                         const Eigen::Vector3d& normal) {
  Data data(model);
  forward_kinematics(model, q, data);
  const Eigen::Vector3d at = point_position(data, body_a, point_a);
  Eigen::Vector3d point_b = at;
  if (body_b != kGround) {
    const Placement& pose = data.pose[static_cast<std::size_t>(body_b)];
    point_b = pose.rotation.transpose() * (at - pose.translation);
  }
  return {body_a, point_a, body_b, point_b, contact_frame(model.world(), normal)};
}

ImpactProblem impact_problem(const Model& model, const State& state, std::span<const TouchingContact> contacts) {
  Data data(model);
  forward_kinematics(model, state, data);
  std::vector<ContactPoint> points;
  ImpactProblem problem;
  problem.dimension = model.dimension();
  const auto n = static_cast<Eigen::Index>(contacts.size());
  problem.mu_s.resize(n), problem.mu_d.resize(n), problem.e.resize(n);
  for (Eigen::Index c = 0; c < n; ++c) {
    const TouchingContact& contact = contacts[static_cast<std::size_t>(c)];
    points.push_back(contact.point);
    problem.mu_s(c) = contact.mu_s, problem.mu_d(c) = contact.mu_d, problem.e(c) = contact.e;
  }
  delassus(model, data, points, problem.G);
  if (data.massless_speed >= 0)
    throw InputError("joints", speed_names(model)[static_cast<std::size_t>(data.massless_speed)], "must have inertia: nothing resists this speed");
  contact_velocity(model, data, points, problem.v_pre);
  problem.geometry = geometry(model, data, contacts);
  GeneralisedSystem system;
  mass_matrix(model, data, system.M);
  contact_jacobian(model, data, points, system.J);
  system.qdot_pre = state.u;
  if (model.constraint_rows() > 0) {
    constraint_jacobian(model, data, system.constraint);
    check_constraints(system.constraint, state.u);
  }
  problem.system = std::move(system);
  return problem;
}

std::vector<std::string> speed_names(const Model& model) {
  constexpr std::array<const char*, 3> planar{"x", "y", "angle"}, spherical{"wx", "wy", "wz"};
  constexpr std::array<const char*, 6> free{"x", "y", "z", "wx", "wy", "wz"};
  std::vector<std::string> names;
  for (int i = 0; i < model.bodies(); ++i) {
    const Joint& joint = model.joint(i);
    for (std::size_t k = 0; k < static_cast<std::size_t>(joint.nv); ++k) {
      const char* part = joint.kind == JointKind::planar ? planar[k] : joint.kind == JointKind::spherical ? spherical[k] : joint.kind == JointKind::free ? free[k] : nullptr;
      names.push_back(part ? model.joint_name(i) + "." + part : model.joint_name(i));
    }
  }
  return names;
}

}  // namespace carom
