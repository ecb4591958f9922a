#pragma once
// The mechanism of both papers: two uniform rods that hang from a pin, the free end of the lower one hits a floor (t = x, n = y).

#include <Eigen/Core>

#include "carom/impact/problem.hpp"

namespace carom::lab {

struct DoublePendulum {
  double mass, length;   // of each rod [kg], [m]
  Eigen::Vector2d q;     // upper rod from the x axis, lower rod from the upper [rad]
  Eigen::Vector2d qdot;  // [rad/s]
};

ImpactProblem double_pendulum_impact(const DoublePendulum& pendulum, double mu_s, double mu_d, double e);

}  // namespace carom::lab
