#pragma once
// The energy ledger and the residuals of an outcome, computed from v⁻, v⁺, p and the problem alone: no law has a hand in them.

#include "carom/impact/outcome.hpp"
#include "carom/impact/problem.hpp"

namespace carom {

// Relative growth of kinetic energy that counts as a gain: rounding stays far below.
inline constexpr double kEnergyGain = 1e-9;

// T_c = ½ v⁻ᵀ G⁺ v⁻, the kinetic energy that contact impulses could take away at most [J].
double contact_kinetic_energy(const ImpactProblem& problem);

// Fills outcome.energy (its per-contact entries come from the law), outcome.residuals and outcome.qdot_post, and warns of a gain.
void settle(const ImpactProblem& problem, ImpactOutcome& outcome);

// Work of a contact whose impulse grows along a straight line from 0 to p: for laws that know no path.
ContactWork straight_work(double v_n_pre, double v_n_post, double p_n, double friction_work);

}  // namespace carom
