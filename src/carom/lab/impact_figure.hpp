#pragma once
// Pictures of an impact, from its branch history.

#include <vector>

#include "carom/core/figure.hpp"
#include "carom/impact/outcome.hpp"
#include "carom/impact/problem.hpp"

namespace carom::lab {

// Velocity (above) and normal work (below) against the normal impulse; slip states shaded, events marked (one contact).
// With several contacts the impulse is the sum over them.
Figure impact_figure(const ImpactProblem& problem, const ImpactOutcome& outcome);

// The path in the plane of v_t and v_n, with the lines of no slip and no approach (Morgan 2011, Figs 2.2–2.9): a start, b slip
// stops in compression, c compression ends, d slip stops in restitution, e end. One planar contact.
Figure velocity_plane_figure(const ImpactProblem& problem, const ImpactOutcome& outcome);

// Directions φ along which slip keeps its direction: the roots of h(φ) = û⊥·(b − μ A û), with A the tangential block of G and b
// its tangential–normal column. Empty when every direction does (h ≡ 0). One spatial contact. [rad], ascending in [0, 2π).
std::vector<double> isoclines(const ImpactProblem& problem);

// The path of slip in the tangent plane, with the isoclines and the point of stick. One spatial contact.
Figure hodograph_figure(const ImpactProblem& problem, const ImpactOutcome& outcome);

}  // namespace carom::lab
