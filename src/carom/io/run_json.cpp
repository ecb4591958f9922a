#include "carom/io/json_writer.hpp"
#include "carom/io/run_file.hpp"

namespace carom::io {
namespace {

void write_energy(JsonWriter& json, const EnergyState& e) {
  json.key("energy").begin_object().member("kinetic", e.kinetic).member("potential", e.potential).member("forces", e.forces);
  json.member("contacts", e.contacts).member("impacts", e.impacts).member("check", e.check).end_object();
}

void write_summary(JsonWriter& json, const RunSummary& s) {
  json.key("summary").begin_object().member("status", name(s.status)).member("reason", s.reason).member("end_time", s.end_time);
  json.member("steps", static_cast<double>(s.steps)).member("rejected", static_cast<double>(s.rejected));
  json.key("events").begin_object();
  for (std::size_t k = 0; k < s.events_by_kind.size() && k <= static_cast<std::size_t>(EventKind::feature_change); ++k) json.member(name(static_cast<EventKind>(k)), static_cast<double>(s.events_by_kind[k]));
  json.end_object().member("smooth_drift", s.smooth_drift).member("impact_loss", s.impact_loss).member("worst_gap", s.worst_gap).member("worst_gain", s.worst_gain).member("worst_certificate", s.worst_certificate);
  write_energy(json, s.energy);
  json.key("warnings").begin_array();
  for (const std::string& warning : s.warnings) json.value(warning);
  json.end_array().end_object();
}

void write_impact(JsonWriter& json, const RunFile& run, const ImpactRecord& r) {
  json.begin_object().member("time", r.time).member("law", r.outcome.law).member("restitution_law", r.outcome.restitution).member("status", name(r.outcome.status));
  json.member("kinetic_before", r.kinetic_before).member("kinetic_after", r.kinetic_after).member("change", r.outcome.energy.change);
  json.member("velocity_before", r.problem.v_pre).member("velocity", r.outcome.v_post).member("impulse", r.outcome.p);
  json.key("contacts").begin_array();
  for (const ContactId& contact : r.contacts) json.value(name(run, contact));
  json.end_array().key("events").begin_array();
  for (const ImpactEvent& event : r.outcome.events)
    json.begin_object().member("event", name(event.kind)).member("contact", event.contact).member("impulse", event.impulse).member("velocity", event.velocity).end_object();
  json.end_array().end_object();
}

}  // namespace

std::string run_json(const RunFile& run) {
  JsonWriter json;
  json.begin_object().key("manifest").begin_object();
  for (const auto& setting : run.manifest)
    std::visit(
        [&](const auto& value) {
          if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::int64_t>) json.member(setting.first, static_cast<double>(value));
          else json.member(setting.first, value);
        },
        setting.second);
  json.end_object().member("complete", run.summary.has_value()).member("samples", static_cast<double>(run.samples.size()));
  json.member("end_time", run.samples.empty() ? 0.0 : run.samples.back().time);
  if (run.summary) write_summary(json, *run.summary);
  json.key("events").begin_array();
  for (const RunEvent& e : run.events) {
    json.begin_object().member("time", e.time).member("kind", name(e.kind)).member("contact", name(run, e.contact));
    if (e.impact >= 0) json.member("impact", e.impact);
    if (e.bounces > 0) json.member("bounces", e.bounces).member("ratio", e.ratio);
    if (!e.note.empty()) json.member("note", e.note);
    json.end_object();
  }
  json.end_array().key("impacts").begin_array();
  for (const ImpactRecord& r : run.impacts) write_impact(json, run, r);
  json.end_array().end_object();
  return std::string(json.text()) + "\n";
}

}  // namespace carom::io
