#include "carom/lab/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/core/error.hpp"
#include "carom/lab/explain.hpp"

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

std::string measured_heading(MeasuredQuantity quantity) {
  return std::string(symbol(quantity)) + (quantity == MeasuredQuantity::qdot ? "" : " [m/s]");
}

// As short_vector, with – where nothing was measured.
std::string measured_values(const Eigen::VectorXd& values) {
  std::string text = "(";
  for (Eigen::Index i = 0; i < values.size(); ++i) text += (i > 0 ? ", " : "") + (std::isnan(values(i)) ? "–" : short_number(values(i)));
  return text + ")";
}

// Six digits; what is below a billionth of its like is the noise of a solver, and zero.
std::string printed(double x, double scale) { return fmt::format("{:.6g}", std::abs(x) < 1e-9 * scale ? 0.0 : x); }

std::string printed(const Eigen::VectorXd& values) {
  std::string text = "(";
  for (Eigen::Index i = 0; i < values.size(); ++i) text += (i > 0 ? ", " : "") + printed(values(i), values.norm());
  return text + ")";
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

Table comparison_table(const ImpactProblem& problem, const std::vector<Trial>& trials, const std::optional<Measurement>& measured) {
  const bool velocity_measured = measured && measured->quantity == MeasuredQuantity::velocity;
  const bool own_column = measured && !velocity_measured;
  Table table{{{"law"}, {"restitution"}, {"status"}}, {}};
  if (own_column) table.columns.push_back({measured_heading(measured->quantity)});
  if (measured) table.columns.push_back({"RMS", Align::right});
  for (const Column& column : {Column{"v⁺ [m/s]"}, {"p [N s]"}, {"ΔT [J]", Align::right}, {"ΔT/T_c", Align::right}, {"slip history"}}) table.columns.push_back(column);
  if (measured) {
    std::vector<std::string> row{"measured", "", measured->source};
    if (own_column) row.push_back(measured_values(measured->values));
    row.emplace_back();
    row.push_back(velocity_measured ? measured_values(measured->values) : "");
    row.resize(table.columns.size());
    table.rows.push_back(std::move(row));
  }
  for (const Trial& trial : trials) {
    if (!trial.answered) {
      table.rows.push_back({trial.law.process, trial.law.restitution, "refused"});
      table.rows.back().resize(table.columns.size());
      continue;
    }
    const ImpactOutcome& outcome = trial.outcome;
    const double kinetic = outcome.energy.kinetic;
    std::vector<std::string> row{outcome.law, outcome.restitution, std::string(name(outcome.status))};
    if (own_column) row.push_back(short_vector(predicted(measured->quantity, problem, outcome)));
    if (measured) row.push_back(outcome.status == ImpactStatus::no_solution ? "" : fmt::format("{:.4f}", rms_error(*measured, problem, outcome)));
    for (std::string cell : {short_vector(outcome.v_post), short_vector(outcome.p), fmt::format("{:+.6g}", outcome.energy.change + 0.0),
                             kinetic > 0 ? fmt::format("{:+.1f} %", 100 * outcome.energy.change / kinetic) : "", states(problem, outcome)})
      row.push_back(std::move(cell));
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table comparison_summary(const ImpactProblem& problem, const std::vector<Trial>& trials, const std::optional<Measurement>& measured) {
  const MeasuredQuantity quantity = measured ? measured->quantity : problem.system ? MeasuredQuantity::qdot : MeasuredQuantity::velocity;
  Table table{{{"law"}, {"restitution"}, {measured_heading(quantity)}}, {}};
  if (measured) table.columns.push_back({"RMS", Align::right});
  table.columns.push_back({"ΔT [J]", Align::right});
  table.columns.push_back({"ΔT/T_c", Align::right});
  if (measured) table.rows.push_back({"measured", measured->source, measured_values(measured->values), "", "", ""});
  for (const Trial& trial : trials) {
    const ImpactOutcome& outcome = trial.outcome;
    if (!trial.answered || outcome.status == ImpactStatus::no_solution) {
      table.rows.push_back({trial.law.process, trial.law.restitution, trial.answered ? "no solution" : "refused"});
      table.rows.back().resize(table.columns.size());
      continue;
    }
    std::vector<std::string> row{outcome.law, outcome.restitution, printed(predicted(quantity, problem, outcome))};
    if (measured) row.push_back(printed(rms_error(*measured, problem, outcome), measured->values.norm()));
    row.push_back(printed(outcome.energy.change, outcome.energy.kinetic));
    row.push_back(printed(100 * outcome.energy.change / outcome.energy.kinetic, 100) + " %");
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string comparison_warnings(const std::vector<Trial>& trials) {
  std::string text;
  for (const Trial& trial : trials) {
    if (!trial.answered) text += fmt::format("{}+{}: {}\n", trial.law.process, trial.law.restitution, trial.refusal);
    for (const std::string& warning : trial.outcome.warnings) text += fmt::format("{}, {}: {}\n", trial.outcome.law, trial.outcome.restitution, warning);
  }
  return text;
}

}  // namespace carom::lab
