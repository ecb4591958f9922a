#pragma once
// Joint decision of slip and stick: for the contacts at rest sideways, which stick (|f| ≤ μ_s r and no tangential acceleration) and which
// slide, and where to; with it the rates that follow. All of them are tested together: testing one while the others keep their old
// state, as (5.7) and (7.19) do, finds reversals that are not there.
//
// Planar: choices {stick, +, −} by falling number of sticking contacts; the first number that holds is taken, and of several
// choices the one that leaves least of the pair rules. Spatial: all stick; whoever leaves the cone slides, its direction found with the
// rates by fixed point, û ∥ dv_t (the outgoing isocline), until all hold. When no choice holds with the pair rules (they need not be
// consistent with Coulomb's law), the rates are held equal and friction alone is solved: a convex problem that always has an answer.

#include <vector>

#include "carom/impact/laws/rodriguez_rates.hpp"

namespace carom::laws::rodriguez {

struct Decision {
  std::vector<Hold> holds;  // of all contacts
  Rates rates;
  bool rule_given_up = false;  // equal rates: no choice of slip and stick agrees with the pair rules
};

// Contacts whose slip speed is at most `rest` are decided, the others slide as v says.
Decision decide(const System& system, const Members& members, const Eigen::VectorXd& v, double rest);

// The hold of a contact that slides as v says.
Hold sliding(const System& system, int c, const Eigen::VectorXd& v);

// Size up to which a tangential acceleration of contact c is rounding.
double rounding(const System& system, int c, const Rates& rates);

// Does a sticking contact stay in its cone at these rates?
bool within_cone(const System& system, int c, const Rates& rates);

}  // namespace carom::laws::rodriguez
