#pragma once
// The builder at the waist: a model in a state, touching at contacts, becomes an ImpactProblem of plain matrices.
// G comes from the articulated-body method with bilateral constraints projected out (dynamics/delassus.hpp).

#include <span>
#include <string>
#include <vector>

#include "carom/dynamics/contact.hpp"
#include "carom/impact/problem.hpp"
#include "carom/model/configuration.hpp"

namespace carom {

struct TouchingContact {
  ContactPoint point;
  double mu_s = 0, mu_d = 0;  // static ≥ kinetic friction
  double e = 0;               // restitution in [0, 1]
};

// The contact of a point of body A with body B or the ground, where it is now; `normal` in world axes, from B to A, unit.
ContactPoint touching_at(const Model& model, const Eigen::VectorXd& q, int body_a, const Eigen::Vector3d& point_a, int body_b,
                         const Eigen::Vector3d& normal);

// An InputError refuses speeds that break the model's constraints and a speed that no inertia resists.
ImpactProblem impact_problem(const Model& model, const State& state, std::span<const TouchingContact> contacts);

// A name for every component of u: the joint's, with its component where it has several ("base.x").
std::vector<std::string> speed_names(const Model& model);

}  // namespace carom
