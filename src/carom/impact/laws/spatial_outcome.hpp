#pragma once
// The spatial laws as functions of a LawCall, for their table entries.

#include "carom/impact/law.hpp"
#include "carom/impact/laws/routh_spatial.hpp"

namespace carom::laws {

// The one contact of a spatial problem as plain numbers.
SpatialContact<double> spatial_contact(const ImpactProblem& problem);

ImpactOutcome routh_spatial_outcome(const LawCall& call);

}  // namespace carom::laws
