#pragma once
// The configuration q and its relation to the speeds u. q̇ = u except where a quaternion stands for a rotation:
// there Q̇ = ½ Q ∘ (0, ω) with ω in M axes, and a finite step is Q ∘ exp(ω h), which keeps |Q| = 1.

#include <Eigen/Core>

#include "carom/model/model.hpp"

namespace carom {

struct State {
  Eigen::VectorXd q;  // nq
  Eigen::VectorXd u;  // nv
};

// Every M on its F: zeros, and quaternions (1, 0, 0, 0).
Eigen::VectorXd neutral(const Model& model);
// dq/dt at speeds u.
Eigen::VectorXd qdot(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& u);
void qdot(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& u, Eigen::Ref<Eigen::VectorXd> rate);
// q moved along constant u for a time h.
Eigen::VectorXd integrate(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& u, double h);
// The same in place, without allocating.
void advance(const Model& model, const Eigen::VectorXd& u, double h, Eigen::VectorXd& q);
// Scales every quaternion in q to length 1.
void normalise(const Model& model, Eigen::VectorXd& q);

}  // namespace carom
