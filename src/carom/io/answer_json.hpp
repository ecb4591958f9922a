#pragma once
// Outcomes and laws as JSON (docs/design.md, "The program").

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "carom/impact/law.hpp"
#include "carom/io/json_writer.hpp"

namespace carom::io {

struct AnswerOptions {
  bool segments = false;                 // the stretches of the branch history too
  std::vector<std::string> speed_names;  // of q̇
  std::string name;                      // the problem's
  std::optional<double> rms = std::nullopt;  // root mean square error to a measurement
};

void write_answer(JsonWriter& json, const ImpactOutcome& outcome, const AnswerOptions& options = {});

// The answer in the place of a problem that could not be resolved.
void write_error(JsonWriter& json, const std::string& message);

void write_laws(JsonWriter& json, std::span<const LawInfo> laws);

}  // namespace carom::io
