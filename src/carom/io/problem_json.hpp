#pragma once
// An impact problem as a user writes it (docs/design.md, "The program"): matrices and numbers, JSON or YAML.

#include <optional>
#include <string>
#include <vector>

#include "carom/impact/law.hpp"
#include "carom/impact/measurement.hpp"
#include "carom/impact/problem.hpp"
#include "carom/io/value.hpp"

namespace carom::io {

struct ProblemItem {
  std::string name;                      // the user's, may be empty
  ImpactProblem problem;
  ImpactLaw law;
  std::vector<std::string> speed_names;  // of q̇, when the problem comes from a mechanism
  std::optional<Measurement> measured;   // for comparison only: no law sees it
};

// Reads one problem. What it reads is of the right kind; whether it makes sense is for carom::validate.
ProblemItem read_problem(const Value& root);

// "friction": μ | {static, kinetic}, each a number or one number per contact.
void read_friction(const Value& value, int contacts, ImpactProblem& problem);

// "measured": {qdot | velocity | normal_velocity: values after the impact, source: words}; null where nothing was measured. In a
// mechanism qdot may also be a map from the speed's name to its value. Reads into `item`, whose problem must be complete.
void read_measured(const Value& value, ProblemItem& item);

// "options": {…} of a law.
LawOptions read_options(const Value& value);

}  // namespace carom::io
