#pragma once
// Event-driven simulation (Morgan 2011, ch. 3; Rodriguez 2014, §2.4, made general): smooth motion by Dormand–Prince 5(4) with
// dense output, events located on it, impacts resolved by a law, lasting contacts held as modes. README.md tells the method.

#include "carom/simulate/record.hpp"
#include "carom/simulate/scene.hpp"

namespace carom {

// The scene must be valid; use simulate().
RunSummary run_event_driven(const Scene& scene, Recorder& recorder);

}  // namespace carom
