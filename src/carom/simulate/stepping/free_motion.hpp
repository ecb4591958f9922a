#pragma once
// The motion of a step without contacts: u_free = u + h M⁻¹(τ − b), and loop constraints C u + γ g/h = 0 by the least motion in the metric of M.
//
// moreau-jean: τ and b at the θ-point q_θ = q ∘ exp(θ h u_θ), u_θ = u + θ h (u̇ + what contacts that last do), by iteration.
// The other schemes: M and τ at the start; b there with ū = u + h u̇/2, the mean of the speeds before and after, by iteration. With b(u), as
// in the notes, a rod that spins about its axis gains energy without bound. The iterations contract while h times a body's angular speed is below 2.

#include "carom/simulate/forces.hpp"
#include "carom/simulate/scene.hpp"

namespace carom {

class FreeMotion {
 public:
  explicit FreeMotion(const Scene& scene);
  // The speeds after a step of h from `state` at t. `data`: there, with velocities; for moreau-jean any, as it then stands at the θ-point afterwards.
  // `lasting`: accelerations by contacts that last.
  const Eigen::VectorXd& move(const State& state, double t, double h, const Eigen::VectorXd& lasting, Data& data);
  const State& middle() const { return middle_; }           // moreau-jean: q_θ and u_θ
  const AppliedForces& forces() const { return applied_; }  // of the last step

 private:
  void to_middle(const State& state, double t, double h, const Eigen::VectorXd& lasting, Data& data);
  void at_start(const State& state, double t, double h, Data& data);
  void close_loops(const Eigen::VectorXd& q, double h, Data& data);

  const Scene& scene_;
  const Model& model_;
  const SteppingOptions& o_;
  AppliedForces applied_;
  State middle_;
  Eigen::VectorXd u_free_, udot_, before_, g_, rhs_, correction_;
};

}  // namespace carom
