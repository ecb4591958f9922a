#include "carom/lab/compare_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/core/error.hpp"
#include "carom/simulate/simulate.hpp"

namespace carom::lab {
namespace {

RunTrial trial(const Scene& scene, std::string label) {
  RunTrial out;
  out.label = std::move(label);
  out.summary = simulate(scene, out.record);
  return out;
}

Scheme scheme_of(const std::string& name) {
  if (name == "stewart-trinkle") return Scheme::stewart_trinkle;
  if (name == "anitescu-potra") return Scheme::anitescu_potra;
  if (name == "moreau-jean") return Scheme::moreau_jean;
  throw InputError("--schemes", name, "must be stewart-trinkle, anitescu-potra or moreau-jean");
}

// The greatest distance of a body's origin at the end of two runs.
double apart(const RunTrial& a, const RunTrial& b) {
  double worst = 0;
  const auto& p = a.record.samples.back().poses;
  const auto& q = b.record.samples.back().poses;
  for (std::size_t i = 0; i < std::min(p.size(), q.size()); ++i) worst = std::max(worst, (p[i].translation - q[i].translation).norm());
  return worst;
}

}  // namespace

std::vector<RunTrial> compare_runs(const Scene& scene, const std::vector<ImpactLaw>& laws, const std::vector<std::string>& schemes) {
  std::vector<RunTrial> out;
  Scene own = scene;
  own.integrator.time_stepping = false;
  if (laws.empty()) out.push_back(trial(own, "event-driven" + (scene.law.process.empty() ? std::string() : ", " + scene.law.process)));
  for (const ImpactLaw& law : laws) {
    own.law = law;
    own.pair_laws.clear();
    out.push_back(trial(own, "event-driven, " + law.process + (law.restitution.empty() ? "" : "+" + law.restitution)));
  }
  Scene stepped = scene;
  stepped.integrator.time_stepping = true;
  for (const std::string& name : schemes) {
    stepped.integrator.stepping.scheme = scheme_of(name);
    out.push_back(trial(stepped, fmt::format("{}, h = {} s", name, stepped.integrator.stepping.step)));
  }
  return out;
}

Table run_comparison_table(const std::vector<RunTrial>& trials) {
  Table table{{{"way"}, {"status"}, {"steps", Align::right}, {"impacts", Align::right}, {"T + V at the end [J]", Align::right}, {"impacts took [J]", Align::right},
               {"greatest gain [J]", Align::right}, {"worst gap [m]", Align::right}, {"bodies end apart [m]", Align::right}},
              {}};
  for (const RunTrial& t : trials) {
    const RunSummary& s = t.summary;
    const auto impact = static_cast<std::size_t>(EventKind::impact);
    table.rows.push_back({t.label, std::string(name(s.status)), fmt::format("{}", s.steps), fmt::format("{}", s.events_by_kind.size() > impact ? s.events_by_kind[impact] : 0),
                          fmt::format("{:.7g}", s.energy.kinetic + s.energy.potential), fmt::format("{:.6g}", s.impact_loss), fmt::format("{:.2g}", s.worst_gain),
                          fmt::format("{:.2g}", s.worst_gap), fmt::format("{:.3g}", apart(trials.front(), t))});
  }
  return table;
}

Figure run_comparison_figure(const Scene& scene, const std::vector<RunTrial>& trials) {
  const int up = scene.model.world() == World::planar ? 1 : 2;
  Panel height{"t [s]", up == 1 ? "y of the first body [m]" : "z of the first body [m]", {}, {}, {}, {}, {}, false};
  Panel energy{"t [s]", "T + V [J]", {}, {}, {}, {}, {}, false};
  for (std::size_t k = 0; k < trials.size(); ++k) {
    Curve h{trials[k].label, {}, {}, Stroke::line, static_cast<int>(k)}, e{"", {}, {}, Stroke::line, static_cast<int>(k)};
    for (const Sample& s : trials[k].record.samples) {
      const Eigen::Vector3d x = s.poses.front() * scene.model.body(0).com;
      h.xs.push_back(s.time), h.ys.push_back(x[up]);
      e.xs.push_back(s.time), e.ys.push_back(s.energy.kinetic + s.energy.potential);
    }
    height.curves.push_back(std::move(h));
    energy.curves.push_back(std::move(e));
  }
  return {scene.name, {height, energy}, 1000, 700};
}

}  // namespace carom::lab
