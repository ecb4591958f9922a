#include "carom/io/answer_json.hpp"

namespace carom::io {
namespace {

void write_option(JsonWriter& json, const OptionValue& value) {
  std::visit([&](const auto& content) { json.value(content); }, value);
}

void write_energy(JsonWriter& json, const EnergyLedger& energy) {
  json.key("energy").begin_object();
  json.member("change", energy.change).member("normal_work", energy.normal_work).member("friction_work", energy.friction_work);
  json.member("compression_work", energy.compression_work).member("restitution_work", energy.restitution_work);
  json.member("kinetic", energy.kinetic).member("closure", energy.closure);
  json.end_object();
}

void write_events(JsonWriter& json, const std::vector<ImpactEvent>& events) {
  json.key("events").begin_array();
  for (const ImpactEvent& event : events)
    json.begin_object().member("event", name(event.kind)).member("contact", event.contact).member("impulse", event.impulse).member("velocity", event.velocity).end_object();
  json.end_array();
}

void write_segments(JsonWriter& json, const std::vector<ImpactSegment>& segments) {
  json.key("segments").begin_array();
  for (const ImpactSegment& segment : segments) {
    json.begin_object().key("state").begin_array();
    for (const SlipState state : segment.state) json.value(name(state));
    json.end_array().member("phase", name(segment.phase));
    if (!segment.mode.empty()) json.member("mode", segment.mode);
    json.member("impulse_begin", segment.p_begin).member("impulse_end", segment.p_end);
    json.member("velocity_begin", segment.v_begin).member("velocity_end", segment.v_end);
    json.member("work_begin", segment.work_begin).member("work_end", segment.work_end);
    if (segment.v_path.size() > 0) json.key("velocity_path").rows(segment.v_path.transpose());
    if (segment.p_path.size() > 0) json.key("impulse_path").rows(segment.p_path.transpose());
    json.end_object();
  }
  json.end_array();
}

void write_speeds(JsonWriter& json, const Eigen::VectorXd& qdot, const std::vector<std::string>& names) {
  json.member("qdot", qdot);
  if (names.empty()) return;
  json.key("qdot_names").begin_array();
  for (const std::string& each : names) json.value(each);
  json.end_array();
}

}  // namespace

void write_answer(JsonWriter& json, const ImpactOutcome& outcome, const AnswerOptions& options) {
  json.begin_object();
  if (!options.name.empty()) json.member("name", options.name);
  json.member("status", name(outcome.status)).member("velocity", outcome.v_post).member("impulse", outcome.p);
  if (outcome.qdot_post.size() > 0) write_speeds(json, outcome.qdot_post, options.speed_names);
  if (options.rms) json.member("rms", *options.rms);
  write_energy(json, outcome.energy);
  write_events(json, outcome.events);
  const ImpactResiduals& residuals = outcome.residuals;
  json.key("residuals").begin_object().member("momentum", residuals.momentum).member("cone", residuals.cone).member("penetration", residuals.penetration).end_object();
  json.member("law", outcome.law).member("restitution_law", outcome.restitution);
  json.key("options").begin_object();
  for (const auto& [key, value] : outcome.options) write_option(json.key(key), value);
  json.end_object();
  if (options.segments) write_segments(json, outcome.segments);
  json.key("warnings").begin_array();
  for (const std::string& warning : outcome.warnings) json.value(warning);
  json.end_array().end_object();
}

void write_error(JsonWriter& json, const std::string& message) {
  json.begin_object().member("status", "error").member("message", message).end_object();
}

void write_laws(JsonWriter& json, std::span<const LawInfo> laws) {
  json.begin_array();
  for (const LawInfo& law : laws) {
    const auto words = [&](std::string_view key, const auto& list, auto&& word) {
      json.key(key).begin_array();
      for (const auto& each : list) json.value(word(each));
      json.end_array();
    };
    const auto same = [](const auto& x) -> const auto& { return x; };
    const auto named = [](Restitution x) { return name(x); };
    json.begin_object().member("id", law.id);
    words("aliases", law.aliases, same);
    words("dimensions", law.dimensions, same);
    json.member("many_contacts", law.many_contacts);
    words("restitution_laws", law.restitutions, named);
    words("never_gains_energy", law.never_gains, named);
    json.member("order_free", law.order_free);
    json.key("options").begin_array();
    for (const OptionInfo& option : law.options) {
      write_option(json.begin_object().member("name", option.name).key("default"), option.fallback);
      if (std::holds_alternative<double>(option.fallback)) json.member("low", option.low).member("high", option.high);
      if (!option.choices.empty()) words("choices", option.choices, same);
      json.member("unit", option.unit).member("meaning", option.meaning).end_object();
    }
    json.end_array().member("summary", law.summary).member("citation", law.citation).end_object();
  }
  json.end_array();
}

}  // namespace carom::io
