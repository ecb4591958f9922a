#pragma once
// How the contacts share the next bit of impulse: rates dp = B x per unit of total normal impulse, x = (r, f), where r_c is the
// normal rate of contact c and f_c the friction rate of a sticking one. Sticking asks (G dp)_t = 0 at its contact; the pair rows
// (rodriguez_rule.hpp) ask A x = 0. The rows are homogeneous; scale is fixed by g·r = 1.
//
// physical  min |A x|  subject to sticking, g·r = 1 and r ≥ 0, and of all minimisers the one of least |x|; g_c is the speed of approach of
//           contact c when the event began, so that the unit is work of compression and the event always starts. Exact pair rules
//           where they can hold, a least-squares compromise where three or more points over-determine them, least norm where they
//           say nothing, and r = 0 (the contact is dropped) where they ask for tension: of two contacts that cannot both
//           push, the one that approaches does (a chain of balls is then hit ball by ball). By convexity the answer does not depend
//           on the order of contacts. Found by trying supports: all contacts first, then every smaller one.
// paper     A x = 0 over consecutive pairs, Σ r = 1, no sign asked; a choice of slip states that leaves A x ≠ 0 is refused.

#include <Eigen/Core>
#include <vector>

#include "carom/impact/laws/rodriguez_rule.hpp"

namespace carom::laws::rodriguez {

inline constexpr double kRank = 1e-9;  // relative size below which a row or pivot counts as zero

struct Rates {
  bool found = false;
  Eigen::VectorXd dp;        // all components, per unit of total normal impulse
  Eigen::VectorXd dv;        // G dp [1/kg]
  double miss = 0;           // |A x|: what is left of the pair rules
  double size = 0;           // |x|
  bool undetermined = false; // the rules leave a choice: least norm taken
  bool dropped = false;      // a contact that would have to pull takes no impulse
  bool tension = false;      // paper: a negative rate
};

// The contacts that may take impulse in an event (any order), and g of all contacts (paper: 1).
struct Members {
  std::vector<int> contacts;
  Eigen::VectorXd approach;
};

// `holds` of all contacts.
Rates share(const System& system, const Members& members, const std::vector<Hold>& holds);

}  // namespace carom::laws::rodriguez
