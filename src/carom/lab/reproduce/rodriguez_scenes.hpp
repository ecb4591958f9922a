#pragma once
// The systems of Rodriguez's dissertation as impact problems.

#include <Eigen/Core>
#include <vector>

#include "carom/impact/problem.hpp"

namespace carom::lab {

// §6.1: a disc of 1 kg and 0.5 m in a corner (inertia factor 0.4: a sphere), contact 0 the ground, contact 1 the wall at the right.
ImpactProblem corner_ball(const Eigen::Vector3d& qdot, double mu_s, double mu_d, double e, double inertia_factor = 0.5);

// §6.2: a block of 2.5 kg, b = 0.1087 m, h = 0.0645 m; contact 0 the left corner, at rest, contact 1 the right one, at −1 m/s; both slide at v_t.
ImpactProblem rocking_block(double v_t, double mu_s, double mu_d, double e = 0.5);

// §6.3 and appendix D: frictionless balls on strings in a row, the first arriving with centre velocity v; contact k between balls k, k + 1.
ImpactProblem cradle(const std::vector<double>& masses, double v, double e, double L = 0.3, double R = 0.05);

// §8.1: a sphere of 1 kg and 0.5 m; contacts B ground, C wall at +x, D wall at −y; u = (v_G, ω).
ImpactProblem corner_sphere(const Eigen::VectorXd& u, double mu_s = 0.6, double mu_d = 0.35, double e = 0.5);

// §8.2: a block of 2.5 kg on the ground; own dimensions 0.2 × 0.1087 × 0.0645 m (the text gives none). Case 1: corners A, B, C;
// case 2: with D; case 3: C in the middle of its edge.
ImpactProblem spatial_block(int which, const Eigen::VectorXd& u);

}  // namespace carom::lab
