#include "carom/dynamics/energy.hpp"

#include "carom/dynamics/kinematics.hpp"

namespace carom {

double kinetic_energy(const Model& model, const Data& data) {
  double T = 0;
  for (int i = 0; i < model.bodies(); ++i) {
    const Body& body = model.body(i);
    const Eigen::Vector3d v = point_velocity(data, i, body.com);
    const Eigen::Vector3d omega = data.pose[i].rotation.transpose() * data.velocity[i].angular;
    T += 0.5 * (body.mass * v.squaredNorm() + omega.dot(body.inertia * omega));
  }
  return T;
}

double potential_energy(const Model& model, const Data& data) {
  double V = 0;
  for (int i = 0; i < model.bodies(); ++i) {
    V -= model.body(i).mass * model.gravity().dot(point_position(data, i, model.body(i).com));
  }
  return V;
}

}  // namespace carom
