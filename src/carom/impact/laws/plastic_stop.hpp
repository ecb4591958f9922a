#pragma once
// How a process over many contacts that would go on for ever is ended: what still approaches is stopped by the plastic (e = 0)
// cone complementarity problem K ∋ p ⊥ v⁺ + μ_d‖v_t⁺‖ n ∈ K*, v⁺ = v + G p, which can only lose energy.

#include "carom/impact/outcome.hpp"
#include "carom/impact/problem.hpp"

namespace carom::laws {

struct PlasticStop {
  Eigen::VectorXd p, v;           // impulse added, velocity after it
  std::vector<ContactWork> work;  // per contact
  bool stopped = false;           // nothing approaches faster than 1e-9 |v⁻| any more
};

// From contact velocity v, somewhere inside the impact of `problem`.
PlasticStop plastic_stop(const ImpactProblem& problem, const Eigen::VectorXd& v);

}  // namespace carom::laws
