#pragma once
// How fast time-stepping comes to the event-driven motion of the same scene as its step is made shorter.

#include <string>
#include <vector>

#include "carom/core/figure.hpp"
#include "carom/core/table.hpp"
#include "carom/lab/compare_runs.hpp"

namespace carom::lab {

// One time-stepping run beside the event-driven one. Distances are those of centres of mass, of the body that is farthest off.
struct SteppedError {
  double step = 0;           // h [s]
  RunSummary summary;
  double greatest = 0;       // over the ends of all steps [m]
  double at_end = 0;         // at the end of the run [m]
  double first_impact = -1;  // the first impact after the start is felt so much too early or late [s]; −1: there is none, or it is not felt
  long contacts = 0;         // contacts begun, the counterpart of impacts

  bool usable() const { return summary.status == RunStatus::finished; }
};

struct Convergence {
  std::string scheme;     // "moreau-jean"
  std::string reference;  // "event-driven, moreau+newton"
  RunSummary summary;     // of the reference
  std::vector<SteppedError> runs;  // by falling step

  bool finished() const;  // the reference and every run to the end

  // The slope of log greatest over log h by least squares; NaN when fewer than two runs have an error to take the logarithm of.
  double fitted_order() const;
  // log(E_{k−1}/E_k) / log(h_{k−1}/h_k) of `greatest`; NaN where there is none.
  double order(std::size_t k) const;
  // Does the shorter half of the steps still gain? Where in a step an impact falls changes a single error by a factor at random, so the
  // bound is looked at: the greatest error with this step or a shorter one, whose fitted order must be at least a half.
  bool converges() const;
};

// Every scheme with every step against the event-driven run under every law (none: the scene's own). A reference that does not
// reach the end is returned without runs.
std::vector<Convergence> converge(const Scene& scene, const std::vector<ImpactLaw>& laws, const std::vector<std::string>& schemes, std::vector<double> steps, const StudyProgress& progress = {});

// A row per run; for a person, or shorter for a page.
Table convergence_table(const std::vector<Convergence>& studies);
Table convergence_summary(const std::vector<Convergence>& studies);

// What the orders say, a line per study: how fast, or that the two do not come together and which law the scheme's impacts follow.
std::string convergence_words(const std::vector<Convergence>& studies);

// Error against h, both logarithmic, with lines of slope one and two.
Figure convergence_figure(const Scene& scene, const std::vector<Convergence>& studies);

}  // namespace carom::lab
