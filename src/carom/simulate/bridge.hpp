#pragma once
// One time step through what cannot be resolved event by event: contacts that wedge each other and have no forces at their slips
// (Painlevé with several contacts), bounces of several contacts that accumulate together, chatter. The contacts that touch are taken
// with Coulomb's law and without restitution at the end of the step, which has a solution where forces have none, and which tends to a
// motion with impacts as h → 0 (Stewart, SIAM Review 42(1), 2000). So are those that approach more slowly than accelerations change
// velocities within the step: their bounces are over within a few of it.
//
// u⁺ = u + h u̇ + M⁻¹ Jᵀ p with 0 ≤ v_n⁺ + gap/h ⊥ p_n ≥ 0 and friction opposing v_t⁺; q moves with (u + u⁺)/2, or with u⁺ where that would go deeper.
// What approaches faster must not arrive within the step: it is halved until it does not.

#include "carom/simulate/smooth_flow.hpp"

namespace carom {

struct Bridge {
  double length = 0;  // of the step taken; 0: no solution
  std::vector<ContactId> contacts{};  // that took part
};

// x goes to the end of the step, with the work of contacts and forces in it.
Bridge bridge(const Scene& scene, SmoothFlow& flow, FlowVector& x, double t, double longest);

}  // namespace carom
