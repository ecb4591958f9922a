#pragma once
// The same scene moved in several ways, side by side: by other impact laws, or by time-stepping.

#include <functional>
#include <string>
#include <vector>

#include "carom/core/figure.hpp"
#include "carom/core/table.hpp"
#include "carom/impact/law.hpp"
#include "carom/simulate/record.hpp"

namespace carom::lab {

struct RunTrial {
  std::string label;  // "event-driven, lzb", "stewart-trinkle h = 0.001"
  RunSummary summary;
  MemoryRecorder record;
  long blows = 0;    // impacts; of time-stepping, which knows none, contacts begun
  double apart = 0;  // how far the centres of mass end from where the first trial leaves them, at most [m]
};

// How much of a study is done, from 0 to 1; told at every step.
using StudyProgress = std::function<void(double)>;

struct LabelledScene {
  std::string label;
  Scene scene;
};
// The scene event-driven under each law; none: as it stands, under its own.
std::vector<LabelledScene> event_driven(const Scene& scene, const std::vector<ImpactLaw>& laws);
// The scene by a time-stepping scheme, with its own step: stewart-trinkle, anitescu-potra, moreau-jean.
Scene time_stepping(const Scene& scene, const std::string& scheme);

// The scene event-driven under each law, then by each scheme.
std::vector<RunTrial> compare_runs(const Scene& scene, const std::vector<ImpactLaw>& laws, const std::vector<std::string>& schemes, const StudyProgress& progress = {});

// Status, impacts, energy, and how far the bodies end apart: a row a trial.
Table run_comparison_table(const std::vector<RunTrial>& trials);

// Why runs ended early and what they warned of, a line each.
std::string run_comparison_words(const std::vector<RunTrial>& trials);

// Height of the first body and total energy against time, one curve a trial.
Figure run_comparison_figure(const Scene& scene, const std::vector<RunTrial>& trials);

}  // namespace carom::lab
