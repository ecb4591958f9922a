#include "carom/lab/compare_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/simulate/simulate.hpp"

namespace carom::lab {
namespace {

class WatchedRecorder : public MemoryRecorder {
 public:
  explicit WatchedRecorder(std::function<void(double)> watch) : watch_(std::move(watch)) {}
  bool progress(double time) override {
    if (watch_) watch_(time);
    return true;
  }

 private:
  std::function<void(double)> watch_;
};

// The greatest distance of a body's centre of mass at the end of two runs.
double apart(const Scene& scene, const RunTrial& a, const RunTrial& b) {
  double worst = 0;
  const auto& p = a.record.samples.back().poses;
  const auto& q = b.record.samples.back().poses;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const Eigen::Vector3d& com = scene.model.body(static_cast<int>(i)).com;
    worst = std::max(worst, (p[i] * com - q[i] * com).norm());
  }
  return worst;
}

}  // namespace

std::vector<LabelledScene> event_driven(const Scene& scene, const std::vector<ImpactLaw>& laws) {
  std::vector<LabelledScene> out;
  const auto label = [](const ImpactLaw& law) {
    return "event-driven" + (law.process.empty() ? "" : ", " + law.process) + (law.process.empty() || law.restitution.empty() ? "" : "+" + law.restitution);
  };
  Scene own = scene;
  own.integrator.time_stepping = false;
  if (laws.empty()) out.push_back({label(scene.law), own});
  for (const ImpactLaw& law : laws) {
    own.law = law;
    own.pair_laws.clear();
    out.push_back({label(law), own});
  }
  return out;
}

Scene time_stepping(const Scene& scene, const std::string& scheme) {
  Scene out = scene;
  out.integrator.time_stepping = true;
  out.integrator.stepping.scheme = scheme_named(scheme);
  return out;
}

std::vector<RunTrial> compare_runs(const Scene& scene, const std::vector<ImpactLaw>& laws, const std::vector<std::string>& schemes, const StudyProgress& progress) {
  std::vector<LabelledScene> scenes = event_driven(scene, laws);
  for (const std::string& name : schemes) scenes.push_back({fmt::format("{}, h = {} s", name, scene.integrator.stepping.step), time_stepping(scene, name)});
  std::vector<RunTrial> out;
  for (const LabelledScene& each : scenes) {
    const double share = 1.0 / static_cast<double>(scenes.size()), done = share * static_cast<double>(out.size());
    WatchedRecorder record([&](double time) {
      if (progress) progress(done + share * time / scene.duration);
    });
    RunSummary summary = simulate(each.scene, record);
    const EventKind blow = each.scene.integrator.time_stepping ? EventKind::contact_begins : EventKind::impact;
    out.push_back({each.label, std::move(summary), std::move(record)});
    out.back().blows = out.back().summary.events_by_kind[static_cast<std::size_t>(blow)];
    out.back().apart = apart(scene, out.front(), out.back());
  }
  return out;
}

Table run_comparison_table(const std::vector<RunTrial>& trials) {
  Table table{{{"way"}, {"status"}, {"steps", Align::right}, {"impacts; stepped: contacts begun", Align::right}, {"T + V at the end [J]", Align::right}, {"impacts took [J]", Align::right},
               {"greatest gain [J]", Align::right}, {"worst gap [m]", Align::right}, {"bodies end apart [m]", Align::right}},
              {}};
  for (const RunTrial& t : trials) {
    const RunSummary& s = t.summary;
    table.rows.push_back({t.label, std::string(name(s.status)), fmt::format("{}", s.steps), fmt::format("{}", t.blows),
                          fmt::format("{:.7g}", s.energy.kinetic + s.energy.potential), fmt::format("{:.6g}", s.impact_loss), fmt::format("{:.2g}", s.worst_gain),
                          fmt::format("{:.2g}", s.worst_gap), fmt::format("{:.3g}", t.apart)});
  }
  return table;
}

std::string run_comparison_words(const std::vector<RunTrial>& trials) {
  std::string out;
  for (const RunTrial& t : trials) {
    if (!t.summary.reason.empty()) out += fmt::format("{}: {}\n", t.label, t.summary.reason);
    for (const std::string& warning : t.summary.warnings) out += fmt::format("{}: {}\n", t.label, warning);
  }
  return out;
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
