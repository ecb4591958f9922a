#pragma once
// The same impact under several laws, side by side.

#include <optional>
#include <string>
#include <vector>

#include "carom/core/figure.hpp"
#include "carom/core/table.hpp"
#include "carom/impact/law.hpp"
#include "carom/impact/measurement.hpp"

namespace carom::lab {

// One law's answer, or why it has none.
struct Trial {
  ImpactLaw law;
  bool answered = false;
  ImpactOutcome outcome;
  std::string refusal;
};

// Every law and restitution hypothesis that handles the problem's dimension and number of contacts. Of `options` each law gets
// those that it knows.
std::vector<ImpactLaw> fitting_laws(const ImpactProblem& problem, const LawOptions& options = {});

// The laws a user names: "routh" with every hypothesis, "routh+poisson" with one, an alias with its own.
std::vector<ImpactLaw> named_laws(const std::vector<std::string>& names, const LawOptions& options = {});

// Resolves the problem under each law. An invalid problem is an InputError; a law that refuses a valid one says so in its trial.
std::vector<Trial> compare(const ImpactProblem& problem, const std::vector<ImpactLaw>& laws);

// A row per law. With a measurement: its own row on top, the measured quantity of every law, and the RMS error to it.
Table comparison_table(const ImpactProblem& problem, const std::vector<Trial>& trials, const std::optional<Measurement>& measured = std::nullopt);

// The same for a printed page, six digits: the measured quantity (else q̇⁺, else v⁺) of every law, its RMS error, the energy lost.
Table comparison_summary(const ImpactProblem& problem, const std::vector<Trial>& trials, const std::optional<Measurement>& measured = std::nullopt);

// What the laws warned of, a line each; empty without warnings.
std::string comparison_warnings(const std::vector<Trial>& trials);

// Slip and normal velocity and normal work against impulse, a colour per outcome, its end marked: laws with the same v⁺ and p (to
// 1e-9) share a curve, named after the first. A law that tells no path is its end point alone. One contact.
Figure comparison_figure(const ImpactProblem& problem, const std::vector<Trial>& trials);

// Any number of contacts: the measured quantity of every distinct outcome (v_n⁺ without a measurement) value by value, the
// measurement as diamonds, and normal work against the total normal impulse.
Figure many_contact_figure(const ImpactProblem& problem, const std::vector<Trial>& trials, const std::optional<Measurement>& measured = std::nullopt);

// The slip plane of a spatial impact: isoclines and stick point, and the slip path of every distinct outcome (a law that tells no
// path: from start to end). One contact, dimension 3.
Figure comparison_hodograph(const ImpactProblem& problem, const std::vector<Trial>& trials);

}  // namespace carom::lab
