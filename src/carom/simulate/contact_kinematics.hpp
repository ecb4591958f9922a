#pragma once
// How contacts move: v = J u + w, and v̇ = J u̇ + bias with the contact running over both surfaces.
//
// x the contact, n from B to A, v the slip velocity of A's material point relative to B's, ω = ω_A − ω_B, K_A and K_B the
// curvature tensors. Let c be the tangential velocity of the contact relative to B's material. The surfaces stay tangent:
//     (K_A + K_B) c = K_A v_t − n × ω,       c = v_t at a vertex of A,  c = 0 at a vertex of B,
// on an edge of A c − v_t, on an edge of B c runs along it and the equation holds along it; two edges fix c by themselves.
//     v̇ = J u̇ + (a_A − a_B) + ω_A × (c − v) − ω_B × c,      ṅ = ω_B × n + K_B c = ω_A × n − K_A (c − v_t),
// with a the acceleration of the material points at u̇ = 0 (Montana, Int. J. Robotics Research 7(3), 1988). The normal row is
// the second derivative of the gap, n · v̇ + ṅ · v; the tangential rows are the components of v̇.
// w is what drives and running surfaces add, independent of u.

#include <Eigen/Core>
#include <span>
#include <vector>

#include "carom/dynamics/data.hpp"
#include "carom/simulate/contact_scan.hpp"

namespace carom {

struct ContactRows {
  Eigen::MatrixXd J;                    // (dimension · n) × nv
  Eigen::VectorXd v;                    // contact velocities, w included
  Eigen::VectorXd bias;                 // v̇ at u̇ = 0
  std::vector<Eigen::Matrix3d> frame;   // per contact: t1, t2, n as columns; identity for a limit
};

// Needs velocities; everything is resized and filled.
void contact_rows(const Scene& scene, const Data& data, double time, std::span<const LiveContact> contacts, ContactRows& rows);

// J, v and frames alone.
void contact_velocities(const Scene& scene, const Data& data, double time, std::span<const LiveContact> contacts, ContactRows& rows);

// The velocity that a drive or a running surface gives a collider's surface at world point x, beside the motion of its body.
Eigen::Vector3d running_velocity(const Scene& scene, const Data& data, double time, int collider, const Eigen::Vector3d& x);

// The rate of one gap; needs velocities.
double gap_rate(const Scene& scene, const Data& data, double time, const LiveContact& contact);

}  // namespace carom
