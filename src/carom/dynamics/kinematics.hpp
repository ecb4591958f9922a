#pragma once
// Where the bodies are and how they move: poses, velocities and velocity-product accelerations, outward from the ground.
//   ω = ω_p + ω_rel,  v = v_p + ω_p × r + v_rel,
//   α = α_p + ω_p × ω_rel + Σ s u̇,  a = a_p + α_p × r + ω_p × (ω_p × r) + 2 ω_p × v_rel + Σ s u̇
// with r from the parent's hub to the hub, v and a those of the hub (Featherstone 2008, ch. 4 and 5, in classical form).
// All other algorithms read Data after one of these calls.

#include <Eigen/Core>

#include "carom/dynamics/data.hpp"
#include "carom/model/configuration.hpp"
#include "carom/model/model.hpp"

namespace carom {

// Poses only; what depends on speeds is out of date afterwards.
void forward_kinematics(const Model& model, const Eigen::VectorXd& q, Data& data);
// Poses, velocities and drifts.
void forward_kinematics(const Model& model, const State& state, Data& data);
// The speeds changed, q did not.
void update_velocities(const Model& model, const Eigen::VectorXd& u, Data& data);

// World position of a point given in a body's frame; on the ground it is the point itself.
Eigen::Vector3d point_position(const Data& data, int body, const Eigen::Vector3d& point);
// Its world velocity, and its acceleration J̇ u when u̇ = 0 (bias).
Eigen::Vector3d point_velocity(const Data& data, int body, const Eigen::Vector3d& point);
Eigen::Vector3d point_bias(const Data& data, int body, const Eigen::Vector3d& point);
// J (3 × nv): world velocity of the point = J u. Resized and filled.
void point_jacobian(const Model& model, const Data& data, int body, const Eigen::Vector3d& point, Eigen::MatrixXd& J);
// The same for the angular velocity of the body.
void rotation_jacobian(const Model& model, const Data& data, int body, Eigen::MatrixXd& J);

// row += gradient of direction · velocity of the body's material point at world position `at`.
void add_point_row(const Model& model, const Data& data, int body, const Eigen::Vector3d& at,
                   const Eigen::Vector3d& direction, Eigen::Ref<Eigen::RowVectorXd, 0, Eigen::InnerStride<>> row);
// row += gradient of direction · angular velocity of the body.
void add_rotation_row(const Model& model, const Data& data, int body, const Eigen::Vector3d& direction,
                      Eigen::Ref<Eigen::RowVectorXd, 0, Eigen::InnerStride<>> row);

}  // namespace carom
