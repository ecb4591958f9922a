#include "carom/lab/compare.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "carom/core/error.hpp"
#include "carom/lab/explain.hpp"
#include "carom/lab/impact_figure.hpp"

namespace carom::lab {
namespace {

LawOptions known_options(const LawInfo& info, const LawOptions& options) {
  LawOptions known;
  for (const OptionInfo& option : info.options)
    if (const auto found = options.find(option.name); found != options.end()) known.insert(*found);
  return known;
}

bool fits(const LawInfo& info, const ImpactProblem& problem) {
  const bool dimension = std::find(info.dimensions.begin(), info.dimensions.end(), problem.dimension) != info.dimensions.end();
  return dimension && (info.many_contacts || problem.contacts() == 1);
}

void add_hypotheses(const LawInfo& info, const LawOptions& options, std::vector<ImpactLaw>& laws) {
  for (const Restitution restitution : info.restitutions) laws.push_back({info.id, std::string(name(restitution)), known_options(info, options)});
}

// "slip → reverse", per contact.
std::string states(const ImpactProblem& problem, const ImpactOutcome& outcome) {
  std::string text;
  for (int c = 0; c < problem.contacts(); ++c) {
    std::string_view last;
    std::string one;
    for (const ImpactSegment& segment : outcome.segments) {
      const std::string_view state = name(segment.state[static_cast<std::size_t>(c)]);
      if (state == last) continue;
      one += (one.empty() ? "" : " → ") + std::string(state);
      last = state;
    }
    text += (c > 0 ? "; " : "") + one;
  }
  return text;
}

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

}  // namespace

std::vector<ImpactLaw> fitting_laws(const ImpactProblem& problem, const LawOptions& options) {
  std::vector<ImpactLaw> laws;
  for (const LawInfo& info : all_laws())
    if (fits(info, problem)) add_hypotheses(info, options, laws);
  return laws;
}

std::vector<ImpactLaw> named_laws(const std::vector<std::string>& names, const LawOptions& options) {
  std::vector<ImpactLaw> laws;
  for (const std::string& each : names) {
    const std::size_t plus = each.find('+');
    const std::string process = each.substr(0, plus);
    const LawInfo& info = find_law(process);
    if (plus != std::string::npos) laws.push_back({process, each.substr(plus + 1), known_options(info, options)});
    else if (process == info.id) add_hypotheses(info, options, laws);
    else laws.push_back({process, "", known_options(info, options)});
  }
  return laws;
}

std::vector<Trial> compare(const ImpactProblem& problem, const std::vector<ImpactLaw>& laws) {
  validate(problem);
  std::vector<Trial> trials;
  for (const ImpactLaw& law : laws) {
    Trial trial{law, false, {}, {}};
    try {
      trial.outcome = resolve(problem, law);
      trial.answered = true;
    } catch (const InputError& error) {
      trial.refusal = error.what();
    }
    trials.push_back(std::move(trial));
  }
  return trials;
}

Table comparison_table(const ImpactProblem& problem, const std::vector<Trial>& trials) {
  Table table{{{"law"}, {"restitution"}, {"status"}, {"v⁺ [m/s]"}, {"p [N s]"}, {"ΔT [J]", Align::right}, {"ΔT/T_c", Align::right}, {"slip history"}}, {}};
  for (const Trial& trial : trials) {
    if (!trial.answered) {
      table.rows.push_back({trial.law.process, trial.law.restitution, "refused", "", "", "", "", ""});
      continue;
    }
    const ImpactOutcome& outcome = trial.outcome;
    const double kinetic = outcome.energy.kinetic;
    table.rows.push_back({outcome.law, outcome.restitution, std::string(name(outcome.status)), short_vector(outcome.v_post), short_vector(outcome.p),
                          fmt::format("{:+.6g}", outcome.energy.change + 0.0), kinetic > 0 ? fmt::format("{:+.1f} %", 100 * outcome.energy.change / kinetic) : "",
                          states(problem, outcome)});
  }
  return table;
}

std::string comparison_warnings(const std::vector<Trial>& trials) {
  std::string text;
  for (const Trial& trial : trials) {
    if (!trial.answered) text += fmt::format("{}+{}: {}\n", trial.law.process, trial.law.restitution, trial.refusal);
    for (const std::string& warning : trial.outcome.warnings) text += fmt::format("{}: {}\n", label(trial), warning);
  }
  return text;
}

Figure comparison_figure(const ImpactProblem& problem, const std::vector<Trial>& trials) {
  const char* x_label = "normal impulse p_n [N s]";
  const std::string slip = problem.dimension == 2 ? "v_t [m/s]" : "|v_t| [m/s]";
  Figure figure{"one impact, several laws", {}, 1000, 900};
  for (const std::string& y_label : {slip, std::string("v_n [m/s]"), std::string("W_n [J]")}) figure.panels.push_back({x_label, y_label, {}, {}, {{0, ""}}, {}, {}, false});
  int colour = 0;
  for (const OutcomeGroup& group : distinct_outcomes(trials)) {
    const Figure one = impact_figure(problem, group.first->outcome);
    const std::size_t slip_curve = problem.dimension == 2 ? 0 : 2;
    const std::string shown = group.others == 0 ? label(*group.first) : fmt::format("{} (and {} more)", label(*group.first), group.others);
    const auto add = [&](std::size_t panel, Curve curve, const std::string& words) {
      curve.colour = colour;
      if (curve.stroke == Stroke::dashed) curve.stroke = Stroke::line;
      Curve end{"", {curve.xs.back()}, {curve.ys.back()}, Stroke::points, colour};
      (curve.stroke == Stroke::points ? end : curve).label = words;
      if (curve.stroke != Stroke::points) figure.panels[panel].curves.push_back(std::move(curve));
      figure.panels[panel].curves.push_back(std::move(end));
    };
    add(0, one.panels[0].curves[slip_curve], shown);
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
    Curve path{label(*group.first) + (group.others > 0 ? fmt::format(" (and {} more)", group.others) : ""), {problem.v_pre(0)}, {problem.v_pre(1)}, Stroke::line, colour++};
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

}  // namespace carom::lab
