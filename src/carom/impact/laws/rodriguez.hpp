#pragma once
// Law `rodriguez-bowling`: simultaneous impacts at many points of rigid bodies, made determinate by the constraint that
// points of one body keep their distance; one energetic restitution e* for all points of an impact event; several events per collision.
//
// The process. Total normal impulse p is the clock. Contact c takes dp_c = (f_c, r_c) dp with Σ r = 1; sliding f = −μ_d û r, sticking
// (G dp)_t = 0 with |f| ≤ μ_s r (5.4, 5.19, 7.4). Ratios of the r's: the pair rule (3.2), (3.22) of rodriguez_rule.hpp, solved with
// sticking in rodriguez_rates.hpp. Where slip stops, slip and stick of all resting contacts are decided together
// (rodriguez_friction.hpp), v and W_n bend (the "shifts" of Fig. 4.3), and the process goes on. Planar: piecewise linear, exact
// (rodriguez_planar.cpp). Spatial: integrated along p in contact velocities (the 6-dof form of 7.26; rodriguez_spatial.cpp).
// Normal work dW_n = Σ v_n r dp (4.15, 7.24); compression ends at Σ v_n r = 0 (4.16); the event ends at W_n = (1 − e*²) W_nc (4.11),
// for e* < 0 on the way down, before compression is over. Then every contact is looked at again: those that approach, and those
// that touch, start the next event; those that separate are left to the motion they have.
//
// e*: option `e_star_k` for event k, else `e_star`, else the least restitution of the contacts in the event.
// Options `mode`:
//   physical (default)  true signs; integral W_n; a contact that would pull takes none; all contacts re-checked after each event;
//       contacts that no impulse couples (G between their impulse-carrying components is zero) are impacts of their own, each with its
//       own restitution: so a frictionless square corner at e = 1 returns each component by itself, which the pair rule alone does not.
//   paper  reproduces the dissertation: |p_n| signs, consecutive pairs, W_n by (4.7) in the plane, points that separated are never looked at
//       again. It can leave approach behind or gain energy; it warns, and status is not_converged when approach is left.
//
// Deviations, as printed → here: (5.15) divides by a13 → a11; (5.13), (5.15) are one-sided → |f| ≤ μ_s r; (7.12) → C_AB = (μ_B c_B x + μ_B s_B y − z)/
// (μ_A c_A x + μ_A s_A y − z), −z also in (7.16), (7.17); (7.20) divides by dp_n,C → by dp_n of the point itself; stick point by point (7.19) and
// direction (7.21) → joint rate problem; (4.16) fires only if dW/dp passes zero → its sign is tested after each bend.
// What is not determined, or too much: three or more points over-determine the pair rules, flat faces and frictionless points leave them 0 = 0,
// double stick on a flat face is rank-deficient. Found by rank (kRank), resolved by non-negative least squares over all pairs with
// least norm, and told in the warnings. If even that contradicts Coulomb's law, shares are equal and the warnings say so.
// Ending: at most `max_events` events per group; after that, or when an event makes no progress, the e = 0 Coulomb complementarity
// problem ends the collision and the warnings say so (rodriguez_finish.cpp).
// In space the shares can jump back and forth between contacts along a line of the path (the pair rules switch who pushes); the integration
// then makes no progress and the same problem ends it.
// Order of contacts: does not matter, except among several contacts at one and the same point, where stick and slip may be tied.
// Energy: friction never does positive work on this path and W_n ≤ (1 − e*²) W_nc ≤ 0, so `physical` never gains.
// Validity: two or more contacts need points, normals and bodies. Rigidity does not imply the pair rule (it picks the impulse of least norm), so this is a law to
// compare with, not a law of nature: on the measured three-ball chain it is worse than `lzb`.
// Failure: no_solution when no impulse ends the approach (singular G, v⁻ not in its range), or (paper) when the printed rules have no answer.
// Citation: rodriguez2014. Checked by: tests/reference/rodriguez_planar_test.cpp, rodriguez_spatial_test.cpp,
// tests/properties/rodriguez_test.cpp.

#include "carom/impact/law.hpp"

namespace carom::laws {

inline constexpr int kRodriguezEvents = 8;     // options e_star_1 … e_star_8
inline constexpr double kFromContacts = 2.0;   // value of e_star that means: from the contacts

}  // namespace carom::laws
