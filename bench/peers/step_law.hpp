#pragma once
// The contact problem of one step of a scene from a given state, and its solution: what speeds after the step the law of rigid contact
// asks for. Stewart and Trinkle's form at the configuration before the step: 0 ≤ v_n⁺ + max(Ψ, 0)/h ⊥ p_n ≥ 0 and Coulomb's exact cone, e = 0,
// no recovery of penetrations.

#include "carom/complementarity/friction_contact.hpp"
#include "carom/simulate/stepping/step_contacts.hpp"
#include "carom/simulate/stepping/step_solver.hpp"

namespace peers {

class StepLaw {
 public:
  explicit StepLaw(const carom::Scene& scene);

  // Builds the problem of the step from `before`. Contacts that carried an impulse in the step before keep it as their warm start.
  void pose(const carom::State& before);
  // Solves to natural map ≤ `tolerance` (or as near as it comes), contacts that would be pierced joining; the contacts remember.
  double solve(double tolerance);
  // After solve: √(T(u − u*) / T(u* − u_free)), T = ½ uᵀ M u.
  double error(const Eigen::VectorXd& after);

  const carom::StepProblem& problem() const { return problem_; }
  const std::vector<double>& warm() const { return warm_; }
  // The posed problem in local form, velocities divided by velocity_scale.
  carom::FrictionContact local_form() const;

 private:
  double norm(const Eigen::VectorXd& u);  // T
  void build();

  const carom::Scene& scene_;
  carom::SteppingOptions options_;
  carom::Data data_;
  carom::StepContacts contacts_;
  carom::StepProblem problem_;
  Eigen::VectorXd u_free_, u_star_, z_;
  std::vector<double> warm_;
};

}  // namespace peers
