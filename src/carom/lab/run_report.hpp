#pragma once
// A simulation told to a person: summary, list of impacts and events, pictures of motion and energy.

#include <string>

#include "carom/core/figure.hpp"
#include "carom/core/report.hpp"
#include "carom/core/table.hpp"
#include "carom/simulate/record.hpp"

namespace carom::lab {

// Status, steps, events by kind, energy account, worst gap, thresholds, warnings: paragraphs of text.
std::string run_summary(const Scene& scene, const RunSummary& summary);

// One row per impact: time, contacts, law, normal velocity before and after, impulse, ΔT = W_n + W_t. The first `most` of them.
Table impact_table(const Scene& scene, const MemoryRecorder& record, std::size_t most);
// One row per event that is not an impact.
Table event_table(const Scene& scene, const MemoryRecorder& record, std::size_t most);

// Kinetic, potential and total energy, the works, and the check T + V − (T₀ + V₀) − W.
Figure energy_figure(const MemoryRecorder& record);
// Coordinates against time, events marked.
Figure coordinate_figure(const Scene& scene, const MemoryRecorder& record);
// Outlines of the bodies at some moments and the paths of their centres of mass; spatial scenes are seen from the side (x–z), and from
// above (x–y) when nothing moves up or down.
Figure path_figure(const Scene& scene, const MemoryRecorder& record);

// The page of a run: all of the above, and the inside of the first impacts.
Report run_report(const Scene& scene, const MemoryRecorder& record, const RunSummary& summary);

}  // namespace carom::lab
