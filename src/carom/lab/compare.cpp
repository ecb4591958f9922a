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
  Figure figure{"one impact, several laws", {{x_label, slip, {}, {}, {{0, ""}}, {}, {}, false}, {x_label, "v_n [m/s]", {}, {}, {{0, ""}}, {}, {}, false}, {x_label, "W_n [J]", {}, {}, {{0, ""}}, {}, {}, false}}, 1000, 900};
  int colour = 0;
  double width = 2 + 1.5 * static_cast<double>(trials.size());  // laws that agree lie on each other: the first is the widest
  for (const Trial& trial : trials) {
    width -= 1.5;
    if (!trial.answered || trial.outcome.status == ImpactStatus::no_solution) continue;
    const Figure one = impact_figure(problem, trial.outcome);
    const std::size_t slip_curve = problem.dimension == 2 ? 0 : 2;
    const auto add = [&](std::size_t panel, Curve curve, bool named) {
      curve.label = named ? label(trial) : "";
      curve.colour = colour;
      curve.width = width;
      curve.stroke = colour < 7 ? Stroke::line : Stroke::dashed;
      figure.panels[panel].curves.push_back(std::move(curve));
    };
    add(0, one.panels[0].curves[slip_curve], true);
    add(1, one.panels[0].curves[slip_curve + 1], false);
    add(2, one.panels[1].curves[0], false);
    ++colour;
  }
  return figure;
}

}  // namespace carom::lab
