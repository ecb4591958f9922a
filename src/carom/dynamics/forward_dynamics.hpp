#pragma once
// Accelerations from forces by the articulated-body algorithm (Featherstone 2008, table 7.1), O(n); with bilateral rows the
// accelerations obey C u̇ = −Ċ u and differ from the free ones as little as possible in the metric of M (Gauss).

#include <Eigen/Core>

#include "carom/dynamics/data.hpp"
#include "carom/dynamics/inverse_dynamics.hpp"

namespace carom {

// u̇ = M⁻¹ (τ − b), constraints disregarded; needs velocities. udot is resized and filled.
void forward_dynamics(const Model& model, Data& data, const Eigen::VectorXd& tau, Eigen::VectorXd& udot,
                      Wrenches wrenches = {});

}  // namespace carom
