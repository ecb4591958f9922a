#pragma once
// The forces of a scene beside gravity, as joint forces τ and wrenches on the bodies, and the power they have.

#include <Eigen/Core>
#include <vector>

#include "carom/dynamics/data.hpp"
#include "carom/dynamics/spatial.hpp"
#include "carom/simulate/scene.hpp"

namespace carom {

struct AppliedForces {
  Eigen::VectorXd tau;           // nv
  std::vector<Wrench> wrenches;  // per body, world axes, moment about the body frame's origin
  double power = 0;              // of all of them [W]
};

// Needs velocities; everything is resized and filled.
void applied_forces(const Scene& scene, const Data& data, const State& state, double time, AppliedForces& out);

// The first corner of any table of the scene after t: integrators restart there.
double next_corner(const Scene& scene, double t);

}  // namespace carom
