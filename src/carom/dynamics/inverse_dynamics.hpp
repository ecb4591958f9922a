#pragma once
// The recursive Newton–Euler algorithm (Featherstone 2008, table 5.1): τ = M u̇ + b, outward accelerations, inward wrenches.
// Gravity acts as an upward acceleration of the ground.

#include <Eigen/Core>
#include <span>

#include "carom/dynamics/data.hpp"

namespace carom {

// Outside wrenches on the bodies: one per body, world axes, moment about the body frame's origin. Empty: none.
using Wrenches = std::span<const Wrench>;

// What a body's motion takes when its hub and rotation do not accelerate, at its hub: (ω × J ω, m ω × (ω × c)).
Wrench gyroscopic_wrench(const Model& model, const Data& data, int body);
// The outside wrench on a body, about its hub.
Wrench wrench_at_hub(const Data& data, Wrenches wrenches, int body);

// τ = M u̇ + b; needs velocities. tau is resized and filled.
void inverse_dynamics(const Model& model, Data& data, const Eigen::VectorXd& udot, Eigen::VectorXd& tau,
                      Wrenches wrenches = {});
// b: what τ must be for u̇ = 0 (Coriolis, centrifugal, gravity and outside wrenches); needs velocities.
void bias_forces(const Model& model, Data& data, Eigen::VectorXd& b, Wrenches wrenches = {});

}  // namespace carom
