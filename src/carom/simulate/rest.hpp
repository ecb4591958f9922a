#pragma once
// Which bodies rest and will go on resting: they and all that they are joined to or lean on neither move nor accelerate, and nothing but
// gravity and contacts with what stands still acts on them.

#include <span>
#include <vector>

#include "carom/simulate/smooth_flow.hpp"

namespace carom {

// Per body; `udot` with the forces of the held contacts.
std::vector<bool> resting_bodies(const Scene& scene, std::span<const HeldContact> held, const Eigen::VectorXd& u, const Eigen::VectorXd& udot);

}  // namespace carom
