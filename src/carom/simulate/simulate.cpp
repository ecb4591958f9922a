#include "carom/simulate/simulate.hpp"

#include "carom/simulate/event_driven.hpp"
#include "carom/simulate/stepping/time_stepping.hpp"

namespace carom {

RunSummary simulate(const Scene& scene, Recorder& recorder) {
  validate(scene);
  RunSummary summary = scene.integrator.time_stepping ? run_time_stepping(scene, recorder) : run_event_driven(scene, recorder);
  recorder.finish(summary);
  return summary;
}

}  // namespace carom
