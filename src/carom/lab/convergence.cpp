#include "carom/lab/convergence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "carom/core/error.hpp"
#include "carom/dynamics/kinematics.hpp"
#include "carom/simulate/simulate.hpp"

namespace carom::lab {
namespace {

using Eigen::Vector3d;

// The reference is sampled at least this often; cubic interpolation between samples is then far below any error of a step [s].
constexpr double kReferenceSampling = 1e-3;
// A fitted order below this is no convergence: ten times shorter steps would not even take away half a decade of the error.
constexpr double kConverges = 0.5;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// The centres of mass of an event-driven run at any time: cubic between samples, which stand on both sides of every event.
class ReferenceMotion : public Recorder {
 public:
  ReferenceMotion(const Scene& scene, std::function<void(double)> watch) : scene_(scene), data_(scene.model), watch_(std::move(watch)) {}

  void sample(const Sample& s) override {
    forward_kinematics(scene_.model, State{s.q, s.u}, data_);
    times_.push_back(s.time);
    for (int i = 0; i < scene_.model.bodies(); ++i) {
      const Vector3d& com = scene_.model.body(i).com;
      x_.push_back(point_position(data_, i, com));
      v_.push_back(point_velocity(data_, i, com));
    }
  }
  void event(const RunEvent& e) override {
    if (e.kind == EventKind::impact && e.time > 0 && impact_.time == 0) impact_ = e;
  }
  bool progress(double time) override {
    watch_(time);
    return true;
  }

  Vector3d at(double time, int body) const {
    const auto after = static_cast<std::size_t>(std::upper_bound(times_.begin(), times_.end(), time) - times_.begin());
    const auto n = static_cast<std::size_t>(scene_.model.bodies()), i = static_cast<std::size_t>(body);
    if (after == times_.size()) return x_[(after - 1) * n + i];
    const std::size_t a = (after - 1) * n + i, b = after * n + i;
    const double span = times_[after] - times_[after - 1], s = (time - times_[after - 1]) / span;
    return (1 + 2 * s) * (1 - s) * (1 - s) * x_[a] + s * (1 - s) * (1 - s) * span * v_[a] + s * s * (3 - 2 * s) * x_[b] - s * s * (1 - s) * span * v_[b];
  }
  const RunEvent& first_impact() const { return impact_; }  // at time 0: none

 private:
  const Scene& scene_;
  Data data_;
  std::function<void(double)> watch_;
  std::vector<double> times_;
  std::vector<Vector3d> x_, v_;  // per sample and body
  RunEvent impact_;
};

// How far a time-stepping run is off, step by step, from every reference.
class ErrorMeter : public Recorder {
 public:
  ErrorMeter(const Scene& scene, const std::vector<std::unique_ptr<ReferenceMotion>>& references, std::function<void(double)> watch)
      : out(references.size()), scene_(scene), references_(references), watch_(std::move(watch)) {}

  void sample(const Sample& s) override {
    for (std::size_t r = 0; r < out.size(); ++r) {
      out[r].at_end = 0;
      for (int i = 0; i < scene_.model.bodies(); ++i)
        out[r].at_end = std::max(out[r].at_end, (s.poses[static_cast<std::size_t>(i)] * scene_.model.body(i).com - references_[r]->at(s.time, i)).norm());
      out[r].greatest = std::max(out[r].greatest, out[r].at_end);
    }
  }
  void event(const RunEvent& e) override {
    if (e.kind != EventKind::contact_begins) return;
    for (std::size_t r = 0; r < out.size(); ++r) {
      ++out[r].contacts;
      const RunEvent& first = references_[r]->first_impact();
      if (first.time == 0 || e.contact != first.contact) continue;
      const double off = std::abs(e.time - first.time);
      if (out[r].first_impact < 0 || off < out[r].first_impact) out[r].first_impact = off;
    }
  }
  bool progress(double time) override {
    watch_(time);
    return true;
  }

  std::vector<SteppedError> out;  // per reference

 private:
  const Scene& scene_;
  const std::vector<std::unique_ptr<ReferenceMotion>>& references_;
  std::function<void(double)> watch_;
};

bool counts(const SteppedError& run) { return run.usable() && run.greatest > 0; }

// Of log y over log x, by least squares.
double slope(const std::vector<std::pair<double, double>>& points) {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (const auto& [h, error] : points) {
    const double a = std::log(h), b = std::log(error);
    ++n, x += a, y += b, xx += a * a, xy += a * b;
  }
  return n < 2 ? kNone : (n * xy - x * y) / (n * xx - x * x);
}

std::string shown(double value, const char* format) { return std::isnan(value) ? "" : fmt::format(fmt::runtime(format), value); }

}  // namespace

bool Convergence::finished() const {
  return summary.status == RunStatus::finished && std::all_of(runs.begin(), runs.end(), [](const SteppedError& run) { return run.usable(); });
}

double Convergence::fitted_order() const {
  std::vector<std::pair<double, double>> points;
  for (const SteppedError& run : runs)
    if (counts(run)) points.emplace_back(run.step, run.greatest);
  return slope(points);
}

bool Convergence::converges() const {
  std::vector<std::pair<double, double>> bound;
  for (std::size_t k = runs.size(); k-- > runs.size() / 2;)
    if (counts(runs[k])) bound.emplace_back(runs[k].step, std::max(bound.empty() ? 0 : bound.back().second, runs[k].greatest));
  return slope(bound) >= kConverges;
}

double Convergence::order(std::size_t k) const {
  if (k == 0 || !counts(runs[k - 1]) || !counts(runs[k])) return kNone;
  return std::log(runs[k - 1].greatest / runs[k].greatest) / std::log(runs[k - 1].step / runs[k].step);
}

std::vector<Convergence> converge(const Scene& scene, const std::vector<ImpactLaw>& laws, const std::vector<std::string>& schemes, std::vector<double> steps, const StudyProgress& progress) {
  std::sort(steps.rbegin(), steps.rend());
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
  if (schemes.empty() || steps.empty()) throw InputError("--steps", "", "needs --schemes (stewart-trinkle, anitescu-potra, moreau-jean) and the lengths of their steps");
  for (const double h : steps)
    if (!(h > 0 && h <= scene.duration)) throw InputError("--steps", fmt::format("{}", h), fmt::format("must be in (0, {}] s, the duration", scene.duration));

  // Work is counted in steps; a reference counts as one run with the shortest.
  std::vector<LabelledScene> scenes = event_driven(scene, laws);
  double total = static_cast<double>(scenes.size()) / steps.back(), done = 0, now = 0;
  for (const double h : steps) total += static_cast<double>(schemes.size()) / h;
  const auto watch = [&](double time) {
    if (progress) progress((done + now * time / scene.duration) / total);
  };

  std::vector<std::unique_ptr<ReferenceMotion>> references;
  std::vector<Convergence> out;  // scheme by scheme under each law
  for (LabelledScene& each : scenes) {
    each.scene.sampling = std::min(each.scene.sampling, kReferenceSampling);
    references.push_back(std::make_unique<ReferenceMotion>(each.scene, watch));
    now = 1 / steps.back();
    const RunSummary summary = simulate(each.scene, *references.back());
    done += now;
    for (const std::string& scheme : schemes) out.push_back({scheme, each.label, summary, {}});
  }
  for (std::size_t s = 0; s < schemes.size(); ++s) {
    Scene stepped = time_stepping(scene, schemes[s]);
    for (const double h : steps) {
      stepped.integrator.stepping.step = stepped.sampling = h;
      ErrorMeter meter(scene, references, watch);
      now = 1 / h;
      const RunSummary summary = simulate(stepped, meter);
      done += now;
      for (std::size_t r = 0; r < references.size(); ++r) {
        Convergence& study = out[r * schemes.size() + s];
        if (study.summary.status != RunStatus::finished) continue;
        meter.out[r].step = h, meter.out[r].summary = summary;
        study.runs.push_back(std::move(meter.out[r]));
      }
    }
  }
  return out;
}

Table convergence_table(const std::vector<Convergence>& studies) {
  Table table{{{"scheme"}, {"against"}, {"h [s]", Align::right}, {"steps", Align::right}, {"greatest error [m]", Align::right}, {"order", Align::right}, {"error at the end [m]", Align::right},
               {"first impact off by [s]", Align::right}, {"contacts begun", Align::right}, {"status"}},
              {}};
  for (const Convergence& study : studies)
    for (std::size_t k = 0; k < study.runs.size(); ++k) {
      const SteppedError& run = study.runs[k];
      table.rows.push_back({study.scheme, study.reference, fmt::format("{:g}", run.step), fmt::format("{}", run.summary.steps), fmt::format("{:.3g}", run.greatest), shown(study.order(k), "{:.2f}"),
                            fmt::format("{:.3g}", run.at_end), run.first_impact < 0 ? "" : fmt::format("{:.2g}", run.first_impact), fmt::format("{}", run.contacts), std::string(name(run.summary.status))});
    }
  return table;
}

Table convergence_summary(const std::vector<Convergence>& studies) {
  Table table{{{"h [s]", Align::right}}, {}};
  for (const Convergence& study : studies) {
    table.columns.push_back({fmt::format("{} against {} [m]", study.scheme, study.reference), Align::right});
    table.columns.push_back({"order", Align::right});
  }
  std::vector<std::string> fitted{"fitted"};
  for (const Convergence& study : studies) {
    for (std::size_t k = 0; k < study.runs.size(); ++k) {
      if (table.rows.size() == k) table.rows.push_back({fmt::format("{:g}", study.runs[k].step)});
      table.rows[k].push_back(study.runs[k].usable() ? fmt::format("{:.2e}", study.runs[k].greatest) : std::string(name(study.runs[k].summary.status)));
      table.rows[k].push_back(shown(study.order(k), "{:.2f}"));
    }
    fitted.insert(fitted.end(), {"", shown(study.fitted_order(), "**{:.2f}**")});
  }
  table.rows.push_back(std::move(fitted));
  return table;
}

std::string convergence_words(const std::vector<Convergence>& studies) {
  std::string out;
  for (const Convergence& study : studies) {
    out += fmt::format("{} against {}: ", study.scheme, study.reference);
    const double order = study.fitted_order();
    if (study.summary.status != RunStatus::finished) out += fmt::format("the event-driven run {}: {}", name(study.summary.status), study.summary.reason);
    else if (std::isnan(order)) out += "no order: fewer than two runs with an error";
    else if (study.converges() || study.runs.size() < 4) out += fmt::format("error ~ h^{:.2f}", order);
    else
      out += fmt::format("does not converge over the shorter half of these steps: other impacts, or steps too long to tell impacts apart. The scheme's own law is {}",
                         study.scheme == "moreau-jean"      ? "moreau (--laws moreau)"
                         : study.scheme == "anitescu-potra" ? "anitescu-potra (--laws anitescu-potra; in space that has a polygon for a cone)"
                                                            : "plastic: restitution is left out");
    out += "\n";
    for (const std::string& warning : study.summary.warnings) out += "  " + study.reference + ": " + warning + "\n";
    if (!study.runs.empty())
      for (const std::string& warning : study.runs.back().summary.warnings) out += fmt::format("  h = {:g} s: {}\n", study.runs.back().step, warning);
  }
  return out;
}

Figure convergence_figure(const Scene& scene, const std::vector<Convergence>& studies) {
  Panel panel;
  panel.x_label = "step h [s]", panel.y_label = "greatest distance to the event-driven motion [m]";
  panel.logarithmic = true;
  double h_least = kNone, h_most = kNone, least = kNone, most = kNone;
  int colour = 0;
  for (const Convergence& study : studies) {
    Curve line{fmt::format("{}, {}", study.scheme, study.reference.substr(study.reference.find(',') == std::string::npos ? 0 : study.reference.find(',') + 2)), {}, {}, Stroke::line, colour};
    for (const SteppedError& run : study.runs) {
      if (!counts(run)) continue;
      line.xs.push_back(run.step), line.ys.push_back(run.greatest);
      h_least = std::fmin(h_least, run.step), h_most = std::fmax(h_most, run.step);
      least = std::fmin(least, run.greatest), most = std::fmax(most, run.greatest);
    }
    Curve dots{"", line.xs, line.ys, Stroke::points, colour++};
    panel.curves.push_back(std::move(line));
    panel.curves.push_back(std::move(dots));
  }
  if (h_least < h_most && least < most)
    for (const int slope : {1, 2}) {  // from the upper right corner, as far as the errors reach
      const double from = std::max(h_least, h_most * std::pow(least / most, 1.0 / slope));
      panel.curves.push_back({slope == 1 ? "slope 1" : "slope 2", {from, h_most}, {most * std::pow(from / h_most, slope), most}, slope == 1 ? Stroke::dashed : Stroke::line, -1});
    }
  return {scene.name + ": error against step", {std::move(panel)}, 1000, 600};
}

}  // namespace carom::lab
