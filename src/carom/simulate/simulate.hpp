#pragma once
// Moves a scene: event-driven, or by time-stepping when its integrator says so.

#include "carom/simulate/record.hpp"
#include "carom/simulate/scene.hpp"

namespace carom {

// Throws InputError for a scene that makes no sense; numerical trouble is a status with its reason.
RunSummary simulate(const Scene& scene, Recorder& recorder);

}  // namespace carom
