#include "carom/simulate/forces.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <limits>

#include "carom/dynamics/kinematics.hpp"

namespace carom {
namespace {

using Eigen::Vector3d;

// Adds a force at world point x on a body; returns its power.
double act(const Data& data, int body, const Vector3d& x, const Vector3d& force, const Vector3d& moment, std::vector<Wrench>& wrenches) {
  if (body == kGround) return 0;
  const auto b = static_cast<std::size_t>(body);
  wrenches[b].force += force;
  wrenches[b].moment += moment + (x - data.pose[b].translation).cross(force);
  const Motion& v = data.velocity[b];
  return force.dot(v.linear + v.angular.cross(x - data.hub[b])) + moment.dot(v.angular);
}

Vector3d values(const std::array<TimeFunction, 3>& f, double t) { return {f[0].value(t), f[1].value(t), f[2].value(t)}; }

}  // namespace

void applied_forces(const Scene& scene, const Data& data, const State& state, double time, AppliedForces& out) {
  const Model& model = scene.model;
  out.tau.setZero(model.nv());
  out.wrenches.assign(static_cast<std::size_t>(model.bodies()), Wrench{});
  out.power = 0;
  for (const JointForce& f : scene.forces.joints) {
    double tau = f.torque.value(time) - f.damping * state.u[f.freedom];
    if (f.coordinate >= 0) tau -= f.stiffness * (state.q[f.coordinate] - f.rest);
    out.tau[f.freedom] += tau;
    out.power += tau * state.u[f.freedom];
  }
  for (const Spring& s : scene.forces.springs) {
    const Vector3d a = point_position(data, s.body_a, s.point_a), b = point_position(data, s.body_b, s.point_b);
    const double length = (a - b).norm();
    if (length == 0) continue;  // no direction, and no pull unless the rest length is zero too
    const Vector3d along = (a - b) / length;
    const double rate = along.dot(point_velocity(data, s.body_a, s.point_a) - point_velocity(data, s.body_b, s.point_b));
    const Vector3d force = -(s.stiffness * (length - s.length) + s.damping * rate) * along;
    out.power += act(data, s.body_a, a, force, Vector3d::Zero(), out.wrenches);
    out.power += act(data, s.body_b, b, -force, Vector3d::Zero(), out.wrenches);
  }
  for (const Drag& d : scene.forces.drags) {
    const Vector3d x = point_position(data, d.body, model.body(d.body).com);
    const Vector3d v = point_velocity(data, d.body, model.body(d.body).com);
    const Vector3d moment = -d.angular * data.velocity[static_cast<std::size_t>(d.body)].angular;
    out.power += act(data, d.body, x, -(d.linear + d.quadratic * v.norm()) * v, moment, out.wrenches);
  }
  for (const Push& p : scene.forces.pushes) {
    Vector3d force = values(p.force, time), moment = values(p.moment, time);
    if (p.body_axes) {
      const Eigen::Matrix3d& R = data.pose[static_cast<std::size_t>(p.body)].rotation;
      force = R * force;
      moment = R * moment;
    }
    out.power += act(data, p.body, point_position(data, p.body, p.point), force, moment, out.wrenches);
  }
}

double next_corner(const Scene& scene, double t) {
  double next = std::numeric_limits<double>::infinity();
  for (const JointForce& f : scene.forces.joints) next = std::min(next, f.torque.next_corner(t));
  for (const Push& p : scene.forces.pushes)
    for (int k = 0; k < 3; ++k) next = std::min({next, p.force[static_cast<std::size_t>(k)].next_corner(t), p.moment[static_cast<std::size_t>(k)].next_corner(t)});
  for (const Collider& c : scene.colliders)
    if (c.drive) next = std::min({next, c.drive->x.next_corner(t), c.drive->y.next_corner(t), c.drive->z.next_corner(t), c.drive->turn.next_corner(t)});
  return next;
}

}  // namespace carom
