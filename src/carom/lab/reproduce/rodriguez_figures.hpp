#pragma once
// Pictures of impact events as the dissertation draws them: normal work and velocities against impulse.

#include <string>

#include "carom/core/figure.hpp"
#include "carom/impact/outcome.hpp"
#include "carom/impact/problem.hpp"

namespace carom::lab {

// Work (above) and velocities of the contacts that take part (below) over the total normal impulse of one event ("event 1").
// Planar: components t, n per contact, and, with `by_paper`, work as (4.7) counts it besides the integral. Spatial: slip speed, slip
// direction and normal velocity.
Figure event_figure(const ImpactProblem& problem, const ImpactOutcome& outcome, const std::string& event, const std::string& title, bool by_paper = false);

}  // namespace carom::lab
