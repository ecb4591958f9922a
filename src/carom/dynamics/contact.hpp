#pragma once
// A contact as dynamics sees it: a point of body A on a point of body B, and a frame. Contact velocity v = J u is that of A
// relative to B, components tangential first, normal last: (t, n) planar, (t1, t2, n) spatial.

#include <Eigen/Core>
#include <span>

#include "carom/dynamics/data.hpp"

namespace carom {

struct ContactPoint {
  int body_a = kGround;
  Eigen::Vector3d point_a = Eigen::Vector3d::Zero();  // in the frame of A
  int body_b = kGround;
  Eigen::Vector3d point_b = Eigen::Vector3d::Zero();  // in the frame of B; on the ground in the world
  // World axes as columns t1, t2, n with t1 × t2 = n, n from B to A. A planar world reads t1 as t, and n.
  Eigen::Matrix3d frame = Eigen::Matrix3d::Identity();
};

// The frame of a unit normal: planar t = (n_y, −n_x), so that n = y gives t = x; spatial a smooth choice away from n = −z
// (Duff et al., J. Computer Graphics Techniques 6, 2017), n = z gives the world axes.
Eigen::Matrix3d contact_frame(World world, const Eigen::Vector3d& normal);

// Component k (0 … dimension − 1) of a contact along this world direction.
inline Eigen::Vector3d contact_direction(const Model& model, const ContactPoint& contact, int k) {
  return contact.frame.col(model.world() == World::planar && k == 1 ? 2 : k);
}

// J ((dimension · contacts) × nv), resized and filled; needs poses.
void contact_jacobian(const Model& model, const Data& data, std::span<const ContactPoint> contacts, Eigen::MatrixXd& J);
// v = J u, and J̇ u with the points fixed to their bodies and the frames at rest; need velocities.
void contact_velocity(const Model& model, const Data& data, std::span<const ContactPoint> contacts, Eigen::VectorXd& v);
void contact_bias(const Model& model, const Data& data, std::span<const ContactPoint> contacts, Eigen::VectorXd& bias);

}  // namespace carom
