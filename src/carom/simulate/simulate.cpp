#include "carom/simulate/simulate.hpp"

#include "carom/core/error.hpp"
#include "carom/simulate/event_driven.hpp"

namespace carom {

RunSummary simulate(const Scene& scene, Recorder& recorder) {
  validate(scene);
  if (scene.integrator.time_stepping) throw InputError("integrator.type", "time-stepping", "is not there yet: use event-driven");
  const RunSummary summary = run_event_driven(scene, recorder);
  recorder.finish(summary);
  return summary;
}

}  // namespace carom
