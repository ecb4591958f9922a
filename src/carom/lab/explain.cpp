#include "carom/lab/explain.hpp"

#include <fmt/format.h>

#include <cmath>

namespace carom::lab {
namespace {

std::string_view doing(SlipState state) {
  switch (state) {
    case SlipState::slip: return "slips";
    case SlipState::stick: return "sticks";
    case SlipState::reverse: return "slips the other way";
    case SlipState::jam: return "slips and jams (friction presses it harder)";
    case SlipState::separated: break;
  }
  return "is apart";
}

std::string component_name(const ImpactProblem& problem, Eigen::Index row) {
  const int d = problem.dimension, component = static_cast<int>(row) % d;
  std::string text = component == d - 1 ? "normal" : d == 2 ? "tangential" : fmt::format("tangential {}", component + 1);
  if (problem.contacts() > 1) text = fmt::format("contact {} {}", row / d, text);
  return text;
}

// What happens besides slip: the phases and the end.
std::string phase_events(const ImpactOutcome& outcome, int contact) {
  std::string text;
  for (const ImpactEvent& event : outcome.events) {
    if (event.contact != contact) continue;
    const char* words = event.kind == ImpactEventKind::compression_ends      ? "compression ends"
                        : event.kind == ImpactEventKind::compression_resumes ? "compression resumes"
                        : event.kind == ImpactEventKind::separates           ? "the contact separates"
                                                                             : nullptr;
    if (words) text += fmt::format("{}{} at p_n = {} N s", text.empty() ? "" : ", ", words, short_number(event.impulse));
  }
  return text;
}

std::string history_text(const ImpactProblem& problem, const ImpactOutcome& outcome) {
  std::string text;
  for (int c = 0; c < problem.contacts(); ++c) {
    const std::string slip = slip_history(problem, outcome, c), phases = phase_events(outcome, c);
    if (slip.empty() && phases.empty()) continue;
    const std::string who = problem.contacts() > 1 ? fmt::format("contact {}", c) : "the contact";
    if (!slip.empty()) text += fmt::format("{}{} {}\n", text.empty() ? "History    " : "           ", who, slip);
    if (!phases.empty()) text += fmt::format("{}{}\n", text.empty() ? "History    " : "           ", phases);
  }
  return text;
}

std::string energy_text(const EnergyLedger& energy) {
  const auto joule = [](double x) { return fmt::format("{:+.6g} J", x == 0 ? 0.0 : x); };
  std::string text = fmt::format("Energy     ΔT = {} = W_n {} + W_t {}   (closes to {:.1e} of T_c)\n", joule(energy.change),
                                 joule(energy.normal_work), joule(energy.friction_work), energy.closure);
  text += fmt::format("           W_n: compression {}, restitution {}\n", joule(energy.compression_work), joule(energy.restitution_work));
  if (energy.kinetic > 0)
    text += fmt::format("           the contact had T_c = {:.6g} J to give: {} {:.1f} %\n", energy.kinetic,
                        energy.change > 0 ? "gained" : "lost", 100 * std::abs(energy.change) / energy.kinetic);
  return text;
}

std::string options_text(const LawOptions& options) {
  std::string text;
  for (const auto& [key, value] : options) {
    text += text.empty() ? "Options    " : ", ";
    text += key + " = ";
    std::visit([&](const auto& content) { text += fmt::format("{}", content); }, value);
  }
  return text.empty() ? text : text + "\n";
}

}  // namespace

std::string short_number(double x) { return fmt::format("{:.6g}", x == 0 ? 0.0 : x); }

std::string short_vector(const Eigen::VectorXd& x) {
  std::string text = "(";
  const double rounding = x.size() > 0 ? 1e-12 * x.cwiseAbs().maxCoeff() : 0;
  for (Eigen::Index i = 0; i < x.size(); ++i) text.append(i > 0 ? ", " : "").append(short_number(std::abs(x(i)) < rounding ? 0 : x(i)));
  return text + ")";
}

std::string slip_history(const ImpactProblem& problem, const ImpactOutcome& outcome, int contact) {
  std::string text;
  const ImpactSegment* before = nullptr;
  const auto c = static_cast<std::size_t>(contact);
  for (const ImpactSegment& segment : outcome.segments) {
    if (segment.state.size() <= c) return "";
    if (before && before->state[c] != segment.state[c])
      text += fmt::format(" until p_n = {} N s, then {}", short_number(before->p_end(problem.normal(contact))), doing(segment.state[c]));
    else if (!before)
      text = doing(segment.state[c]);
    before = &segment;
  }
  return text;
}

Table velocity_table(const ImpactProblem& problem, const ImpactOutcome& outcome) {
  Table table{{{""}, {"v⁻ [m/s]", Align::right}, {"v⁺ [m/s]", Align::right}, {"impulse [N s]", Align::right}}, {}};
  for (Eigen::Index i = 0; i < problem.v_pre.size(); ++i)
    table.rows.push_back({component_name(problem, i), short_number(problem.v_pre(i)), short_number(outcome.v_post(i)), short_number(outcome.p(i))});
  return table;
}

Table speed_table(const ImpactProblem& problem, const ImpactOutcome& outcome, const std::vector<std::string>& names) {
  Table table{{{"speed"}, {"q̇⁻", Align::right}, {"q̇⁺", Align::right}}, {}};
  for (Eigen::Index i = 0; i < outcome.qdot_post.size(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    table.rows.push_back({k < names.size() ? names[k] : fmt::format("q̇[{}]", i), short_number(problem.system->qdot_pre(i)), short_number(outcome.qdot_post(i))});
  }
  return table;
}

std::string explain(const ImpactProblem& problem, const ImpactOutcome& outcome, const std::vector<std::string>& speed_names) {
  const int n = problem.contacts();
  std::string text = fmt::format("{} with {} restitution, {}, {} contact{}: {}\n\n", outcome.law, outcome.restitution,
                                 problem.dimension == 2 ? "planar" : "spatial", n, n == 1 ? "" : "s", name(outcome.status));
  text += to_text(velocity_table(problem, outcome), "  ") + "\n";
  if (outcome.qdot_post.size() > 0) text += to_text(speed_table(problem, outcome, speed_names), "  ") + "\n";
  text += history_text(problem, outcome);
  text += energy_text(outcome.energy);
  text += fmt::format("Residuals  momentum {:.1e}, cone {:.1e}, penetration {:.1e}\n", outcome.residuals.momentum, outcome.residuals.cone, outcome.residuals.penetration);
  text += options_text(outcome.options);
  for (const std::string& warning : outcome.warnings) text += fmt::format("Warning    {}\n", warning);
  return text;
}

}  // namespace carom::lab
