#include "carom/lab/run_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "carom/lab/explain.hpp"
#include "carom/lab/impact_figure.hpp"
#include "carom/simulate/contact_builder.hpp"

namespace carom::lab {
namespace {

constexpr std::size_t kImpactsInPage = 200;   // rows of the page's tables
constexpr std::size_t kImpactsDrawn = 6;      // impacts whose inside is drawn
constexpr std::size_t kCoordinatesDrawn = 12;

std::vector<double> times(const MemoryRecorder& record) {
  std::vector<double> out;
  for (const Sample& s : record.samples) out.push_back(s.time);
  return out;
}

template <class Read>
Curve curve(const MemoryRecorder& record, std::string label, int colour, Read read) {
  Curve out{std::move(label), times(record), {}, Stroke::line, colour};
  for (const Sample& s : record.samples) out.ys.push_back(read(s));
  return out;
}

std::string thresholds(const Scene& scene) {
  const EventOptions& o = scene.integrator.event;
  return fmt::format("Tolerances: Dormand–Prince relative {}, absolute {}; events located to {} s; gaps below {} m touch; speeds below {} m/s are rest; "
                     "bounces are summed up when what is left of them is shorter than {} s.",
                     o.relative, o.absolute, o.time_tolerance, o.gap_tolerance, o.rest_speed, o.zeno_horizon);
}

// What contacts gave, which they should not. Time-stepping puts an impact at an end of its step: what its forces did meanwhile may show.
std::string gain(const Scene& scene, double worst) {
  if (worst <= 1e-12) return "";
  return scene.integrator.time_stepping ? fmt::format(" In a step contacts gave at most {:.2g} J.", worst) : fmt::format(" An impact GAINED {:.3g} J.", worst);
}

std::string materials(const Scene& scene) {
  return fmt::format("Pairs of materials that are not given: friction by the {} rule, restitution by the {} rule, stiffness in series.",
                     name(scene.combination.friction), name(scene.combination.restitution));
}

}  // namespace

std::string run_summary(const Scene& scene, const RunSummary& s) {
  const SteppingOptions& stepping = scene.integrator.stepping;
  const std::string way = scene.integrator.time_stepping ? fmt::format("{}, h = {} s", name(stepping.scheme), stepping.step) : "event-driven";
  std::string out = fmt::format("{} at t = {:.6g} s after {} steps ({}){}.\n\n", name(s.status), s.end_time, s.steps, way, s.reason.empty() ? "" : ": " + s.reason);
  std::vector<std::string> counts;
  for (std::size_t k = 0; k < s.events_by_kind.size(); ++k)
    if (s.events_by_kind[k] > 0) counts.push_back(fmt::format("{} {}", s.events_by_kind[k], name(static_cast<EventKind>(k))));
  out += "Events: " + (counts.empty() ? std::string("none") : fmt::format("{}", fmt::join(counts, ", "))) + ".\n\n";
  const EnergyState& e = s.energy;
  out += fmt::format("Energy at the end: T = {:.6g} J, V = {:.6g} J; impacts took {:.6g} J, lasting contacts did {:.6g} J, other forces {:.6g} J. "
                     "The balance T + V − T₀ − V₀ − W closes to {:.2g} of the greatest energy met.{} Worst gap {:.2g} m.",
                     e.kinetic, e.potential, s.impact_loss, e.contacts, e.forces, s.smooth_drift,
                     gain(scene, s.worst_gain), s.worst_gap == 0 ? 0.0 : s.worst_gap);
  if (scene.integrator.time_stepping) out += fmt::format(" Worst certificate of a step {:.2g}.", s.worst_certificate);
  else out += "\n\n" + thresholds(scene);
  out += "\n\n" + materials(scene);
  for (const std::string& w : s.warnings) out += "\n\nWarning: " + w;
  return out + "\n";
}

Table impact_table(const Scene& scene, const MemoryRecorder& record, std::size_t most) {
  Table table{{{"#", Align::right}, {"t [s]", Align::right}, {"contacts"}, {"law"}, {"v_n⁻ [m/s]", Align::right}, {"v_n⁺", Align::right}, {"p_n [N s]", Align::right}, {"ΔT [J]", Align::right}, {"W_n", Align::right}, {"W_t", Align::right}}, {}};
  for (std::size_t i = 0; i < std::min(most, record.impacts.size()); ++i) {
    const ImpactRecord& r = record.impacts[i];
    std::vector<std::string> names, before, after, impulse;
    for (int c = 0; c < r.problem.contacts(); ++c) {
      const int n = r.problem.normal(c);
      names.push_back(name(scene, r.contacts[static_cast<std::size_t>(c)]));
      before.push_back(fmt::format("{:.5g}", r.problem.v_pre[n]));
      after.push_back(fmt::format("{:.5g}", r.outcome.v_post[n]));
      impulse.push_back(fmt::format("{:.5g}", r.outcome.p[n]));
    }
    if (names.size() > 4) {
      const auto shorten = [](std::vector<std::string>& list) { list.resize(3), list.push_back("…"); };
      for (auto* list : {&names, &before, &after, &impulse}) shorten(*list);
    }
    table.rows.push_back({fmt::format("{}", i + 1), fmt::format("{:.9f}", r.time), fmt::format("{}", fmt::join(names, " ")),
                          r.outcome.law + (r.without_collision ? " (jam)" : ""), fmt::format("{}", fmt::join(before, " ")), fmt::format("{}", fmt::join(after, " ")),
                          fmt::format("{}", fmt::join(impulse, " ")), fmt::format("{:.5g}", r.outcome.energy.change), fmt::format("{:.5g}", r.outcome.energy.normal_work),
                          fmt::format("{:.5g}", r.outcome.energy.friction_work)});
  }
  return table;
}

Table event_table(const Scene& scene, const MemoryRecorder& record, std::size_t most) {
  Table table{{{"t [s]", Align::right}, {"event"}, {"contact"}, {"note"}}, {}};
  for (const RunEvent& e : record.events) {
    if (e.kind == EventKind::impact) continue;
    if (table.rows.size() == most) break;
    std::string note = e.note;
    if (e.kind == EventKind::accumulation) note = fmt::format("{} bounces, intervals shrink by {:.4g}", e.bounces, e.ratio);
    table.rows.push_back({fmt::format("{:.9f}", e.time), std::string(name(e.kind)), name(scene, e.contact), note});
  }
  return table;
}

Figure energy_figure(const MemoryRecorder& record) {
  Panel energy{"t [s]", "energy [J]", {}, {}, {}, {}, {}, false};
  energy.curves = {curve(record, "T", 0, [](const Sample& s) { return s.energy.kinetic; }),
                   curve(record, "V", 1, [](const Sample& s) { return s.energy.potential; }),
                   curve(record, "T + V", 2, [](const Sample& s) { return s.energy.kinetic + s.energy.potential; })};
  Panel check{"t [s]", "balance [J]", {curve(record, "", 3, [](const Sample& s) { return s.energy.check; })}, {}, {}, {}, {}, false};
  return {"Energy, and its balance T + V − T_0 − V_0 − W", {energy, check}, 900, 600};
}

Figure coordinate_figure(const Scene& scene, const MemoryRecorder& record) {
  const std::vector<std::string> names = speed_names(scene.model);
  Panel speeds{"t [s]", "speeds [m/s, rad/s]", {}, {}, {}, {}, {}, false};
  const std::size_t shown = std::min(kCoordinatesDrawn, names.size());
  for (std::size_t k = 0; k < shown; ++k)
    speeds.curves.push_back(curve(record, names[k], static_cast<int>(k), [k](const Sample& s) { return s.u[static_cast<Eigen::Index>(k)]; }));
  return {shown < names.size() ? fmt::format("Speeds (the first {} of {})", shown, names.size()) : "Speeds", {speeds}, 900, 450};
}

Report run_report(const Scene& scene, const MemoryRecorder& record, const RunSummary& summary) {
  Report report{scene.name.empty() ? "A run" : scene.name, {}};
  Section first{"Summary", (scene.description.empty() ? "" : scene.description + "\n\n") + run_summary(scene, summary), {}, {path_figure(scene, record), energy_figure(record), coordinate_figure(scene, record)}};
  report.sections.push_back(std::move(first));
  if (!record.impacts.empty()) {
    const std::string more = record.impacts.size() > kImpactsInPage ? fmt::format("The first {} of {}.", kImpactsInPage, record.impacts.size()) : "";
    report.sections.push_back({"Impacts", more, {impact_table(scene, record, kImpactsInPage)}, {}});
  }
  if (const Table events = event_table(scene, record, kImpactsInPage); !events.rows.empty()) report.sections.push_back({"Other events", "", {events}, {}});
  for (std::size_t i = 0; i < std::min(kImpactsDrawn, record.impacts.size()); ++i) {
    const ImpactRecord& r = record.impacts[i];
    Section inside{fmt::format("Inside impact {} at t = {:.6f} s", i + 1, r.time), "", {velocity_table(r.problem, r.outcome)}, {impact_figure(r.problem, r.outcome)}};
    for (int c = 0; c < r.problem.contacts(); ++c) {
      const std::string history = slip_history(r.problem, r.outcome, c);
      if (!history.empty()) inside.text += fmt::format("{} {}.\n\n", name(scene, r.contacts[static_cast<std::size_t>(c)]), history);
    }
    report.sections.push_back(std::move(inside));
  }
  return report;
}

}  // namespace carom::lab
