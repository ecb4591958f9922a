#pragma once
// The same scene moved in several ways, side by side: by other impact laws, or by time-stepping.

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
};

// The scene event-driven under each law (none: its own), then by the time-stepping schemes named: stewart-trinkle,
// anitescu-potra, moreau-jean, each with the scene's own step.
std::vector<RunTrial> compare_runs(const Scene& scene, const std::vector<ImpactLaw>& laws, const std::vector<std::string>& schemes);

// Status, impacts, energy, and how far the bodies end from where the first trial leaves them.
Table run_comparison_table(const std::vector<RunTrial>& trials);

// Height of the first body and total energy against time, one curve a trial.
Figure run_comparison_figure(const Scene& scene, const std::vector<RunTrial>& trials);

}  // namespace carom::lab
