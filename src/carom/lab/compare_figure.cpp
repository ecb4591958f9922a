#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/core/error.hpp"
#include "carom/lab/compare.hpp"
#include "carom/lab/impact_figure.hpp"

namespace carom::lab {
namespace {

std::string label(const Trial& trial) { return trial.outcome.law + ", " + trial.outcome.restitution; }

// Trials whose v⁺ and p agree.
struct OutcomeGroup {
  const Trial* first;
  int others = 0;
};

bool same_outcome(const ImpactOutcome& a, const ImpactOutcome& b) {
  constexpr double kSame = 1e-9;  // relative; far above rounding, far below what an eye can see
  return (a.v_post - b.v_post).norm() <= kSame * (a.v_post.norm() + b.v_post.norm()) && (a.p - b.p).norm() <= kSame * (a.p.norm() + b.p.norm());
}

std::vector<OutcomeGroup> distinct_outcomes(const std::vector<Trial>& trials) {
  std::vector<OutcomeGroup> groups;
  for (const Trial& trial : trials) {
    if (!trial.answered || trial.outcome.status == ImpactStatus::no_solution) continue;
    const auto found = std::find_if(groups.begin(), groups.end(), [&](const OutcomeGroup& group) { return same_outcome(group.first->outcome, trial.outcome); });
    if (found == groups.end()) groups.push_back({&trial});
    else ++found->others;
  }
  return groups;
}

// How a group is named in the legend.
std::string label(const OutcomeGroup& group) {
  return group.others == 0 ? label(*group.first) : fmt::format("{} (and {} more)", label(*group.first), group.others);
}

// Values against their number, 1 … n.
Curve numbered(const Eigen::VectorXd& values, std::string words, Stroke stroke, int colour) {
  Curve curve{std::move(words), {}, {}, stroke, colour};
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    if (std::isnan(values(i))) continue;
    curve.xs.push_back(static_cast<double>(i + 1));
    curve.ys.push_back(values(i));
  }
  return curve;
}

}  // namespace

Figure comparison_figure(const ImpactProblem& problem, const std::vector<Trial>& trials) {
  const char* x_label = "normal impulse p_n [N s]";
  const std::string slip = problem.dimension == 2 ? "v_t [m/s]" : "|v_t| [m/s]";
  Figure figure{"one impact, several laws", {}, 1000, 900};
  for (const std::string& y_label : {slip, std::string("v_n [m/s]"), std::string("W_n [J]")}) figure.panels.push_back({x_label, y_label, {}, {}, {{0, ""}}, {}, {}, false});
  int colour = 0;
  for (const OutcomeGroup& group : distinct_outcomes(trials)) {
    const Figure one = impact_figure(problem, group.first->outcome);
    const std::size_t slip_curve = problem.dimension == 2 ? 0 : 2;
    const auto add = [&](std::size_t panel, Curve curve, const std::string& words) {
      curve.colour = colour;
      if (curve.stroke == Stroke::dashed) curve.stroke = Stroke::line;
      Curve end{"", {curve.xs.back()}, {curve.ys.back()}, Stroke::points, colour};
      (curve.stroke == Stroke::points ? end : curve).label = words;
      if (curve.stroke != Stroke::points) figure.panels[panel].curves.push_back(std::move(curve));
      figure.panels[panel].curves.push_back(std::move(end));
    };
    add(0, one.panels[0].curves[slip_curve], label(group));
    add(1, one.panels[0].curves[slip_curve + 1], "");
    add(2, one.panels[1].curves[0], "");
    ++colour;
  }
  return figure;
}

Figure comparison_hodograph(const ImpactProblem& problem, const std::vector<Trial>& trials) {
  const std::vector<OutcomeGroup> groups = distinct_outcomes(trials);
  if (groups.empty()) throw InputError("--plane", "", "no law answered");
  Figure figure = hodograph_figure(problem, groups.front().first->outcome);
  figure.title = "one impact, several laws: slip";
  Panel& panel = figure.panels.front();
  std::erase_if(panel.curves, [](const Curve& curve) { return curve.label == "slip" || curve.label == "end"; });
  int colour = 0;
  for (const OutcomeGroup& group : groups) {
    const ImpactOutcome& outcome = group.first->outcome;
    Curve path{label(group), {problem.v_pre(0)}, {problem.v_pre(1)}, Stroke::line, colour++};
    const auto add = [&](double x, double y) { path.xs.push_back(x), path.ys.push_back(y); };
    for (const ImpactSegment& segment : outcome.segments) {
      for (Eigen::Index k = 0; k < segment.v_path.cols(); ++k) add(segment.v_path(0, k), segment.v_path(1, k));
      add(segment.v_end(0), segment.v_end(1));
    }
    if (outcome.segments.empty()) add(outcome.v_post(0), outcome.v_post(1));
    panel.curves.push_back(std::move(path));
  }
  return figure;
}

Figure many_contact_figure(const ImpactProblem& problem, const std::vector<Trial>& trials, const std::optional<Measurement>& measured) {
  const MeasuredQuantity quantity = measured ? measured->quantity : MeasuredQuantity::normal_velocity;
  const bool speeds = quantity == MeasuredQuantity::qdot;
  Figure figure{"one impact at many contacts, several laws", {}, 1000, 800};
  figure.panels.push_back({speeds ? "generalised speed, number" : quantity == MeasuredQuantity::velocity ? "component of v, number" : "contact, number",
                           speeds ? "speed after the impact" : "velocity after the impact [m/s]", {}, {}, {{0, ""}}, {}, {}, false, true});
  figure.panels.push_back({"total normal impulse Σp_n [N s]", "normal work W_n [J]", {}, {}, {{0, ""}}, {}, {}, false});
  int colour = 0;
  for (const OutcomeGroup& group : distinct_outcomes(trials)) {
    const ImpactOutcome& outcome = group.first->outcome;
    const Eigen::VectorXd values = predicted(quantity, problem, outcome);
    figure.panels[0].curves.push_back(numbered(values, label(group), Stroke::line, colour));
    figure.panels[0].curves.push_back(numbered(values, "", Stroke::points, colour));
    Curve work = impact_figure(problem, outcome).panels[1].curves[0];
    work.label.clear();
    work.colour = colour;
    Curve end{"", {work.xs.back()}, {work.ys.back()}, Stroke::points, colour};
    if (work.stroke != Stroke::points) figure.panels[1].curves.push_back(std::move(work));
    figure.panels[1].curves.push_back(std::move(end));
    ++colour;
  }
  if (measured) figure.panels[0].curves.push_back(numbered(measured->values, "measured", Stroke::points, -1));
  return figure;
}

}  // namespace carom::lab
