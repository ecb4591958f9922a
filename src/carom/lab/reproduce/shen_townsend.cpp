// Shen & Townsend 1998, "Collisions of constrained rigid body systems with friction", Shock and Vibration 5: Tables 1–4 and both
// examples (pp. 147–150). Published numbers stand here with the digits that were printed; energy changes are signed.

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <array>
#include <cmath>
#include <numbers>

#include "carom/impact/law.hpp"
#include "carom/lab/compare.hpp"
#include "carom/lab/impact_figure.hpp"
#include "carom/lab/reproduce/double_pendulum.hpp"
#include "carom/lab/reproduce/papers.hpp"
#include "carom/model/builder.hpp"
#include "carom/simulate/contact_builder.hpp"

namespace carom::lab {
namespace {

// Example 1: absolute angles 20° and 30° from the downward vertical, rates −0.1 and −0.2 rad/s; l = 2 m, m = 3 kg.
ImpactProblem example1(double e, double mu_s, double mu_d) {
  const double degree = std::numbers::pi / 180;
  return double_pendulum_impact({3, 2, {-70 * degree, 10 * degree}, {-0.1, -0.1}}, mu_s, mu_d, e);
}

// Example 2: equal solid spheres of radius 4, mass 1; ball 1 comes from the left with v = 15 i + 15√3 j and ω = −11.
ImpactProblem example2() {
  const double radius = 4, inertia = 0.4 * radius * radius;
  const MassProperties ball = MassProperties::planar(1, {0, 0}, inertia);
  const Model model = ModelBuilder(World::planar)
                          .body("ball 1", ball)
                          .body("ball 2", ball)
                          .joint({.name = "ball 1", .kind = JointKind::planar, .child = "ball 1"})
                          .joint({.name = "ball 2", .kind = JointKind::planar, .child = "ball 2"})
                          .build();
  State state{Eigen::VectorXd::Zero(6), Eigen::VectorXd::Zero(6)};
  state.q(3) = 2 * radius;
  state.u << 15, 15 * std::sqrt(3.0), -11, 0, 0, 0;
  const TouchingContact contact{touching_at(model, state.q, 1, {-radius, 0, 0}, 0, Eigen::Vector3d::UnitX()), 0.3, 0.3, 0.8};
  return impact_problem(model, state, {&contact, 1});
}

// Slip continued until v_t = 0, whether the impact lasts so long or not (their F* and u_n*).
struct SlipStop {
  double impulse, normal_velocity;
};
SlipStop slip_stop(const ImpactProblem& problem) {
  const double s = problem.v_pre(0) > 0 ? -problem.mu_d(0) : problem.mu_d(0);
  const double impulse = -problem.v_pre(0) / (problem.G(0, 0) * s + problem.G(0, 1));
  return {impulse, problem.v_pre(1) + (problem.G(1, 1) + s * problem.G(0, 1)) * impulse};
}

// Their cases: slip stops (i) before, (ii) with, (iii) after the end of compression.
std::string paper_case(const ImpactProblem& problem) {
  const double v_n = slip_stop(problem).normal_velocity;
  return v_n < 0 ? "(i)" : v_n > 0 ? "(iii)" : "(ii)";
}

bool visits(const ImpactOutcome& outcome, SlipState state) {
  for (const ImpactSegment& segment : outcome.segments)
    if (segment.state[0] == state) return true;
  return false;
}

std::string yes_no(bool yes) { return yes ? "Yes" : "No"; }

// The segment that ends with the event.
const ImpactSegment* segment_before(const ImpactOutcome& outcome, ImpactEventKind kind) {
  for (const ImpactEvent& event : outcome.events)
    if (event.kind == kind)
      for (const ImpactSegment& segment : outcome.segments)
        if (segment.p_end(1) == event.impulse) return &segment;
  return nullptr;
}

Eigen::VectorXd speeds_after(const ImpactProblem& problem, const Eigen::VectorXd& p) {
  const GeneralisedSystem& system = *problem.system;
  return system.qdot_pre + system.M.llt().solve(system.J.transpose() * p);
}

struct Parameters {
  double e, mu_s, mu_d;
  std::string text() const { return fmt::format("e = {}, μ_s = {}, μ = {}", e, mu_s, mu_d); }
};
constexpr std::array<Parameters, 4> kRows{{{0.5, 0.25, 0.2}, {0.5, 0.5, 0.4}, {0.3, 0.5, 0.4}, {0.7, 0.51, 0.5}}};

struct Textbook {
  const char *slipping, *energy, *explanation;
};

FindingGroup textbook_table(const char* heading, const char* law, const std::array<Textbook, 4>& published) {
  FindingGroup group{heading, {}};
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    const Parameters& row = kRows[i];
    const ImpactOutcome outcome = resolve(example1(row.e, row.mu_s, row.mu_d), {law, "newton", {}});
    group.findings.push_back(check_word(row.text() + ": slipping", published[i].slipping, yes_no(!visits(outcome, SlipState::stick))));
    group.findings.push_back(check_number(row.text() + ": ΔT [J]", published[i].energy, outcome.energy.change, published[i].explanation));
  }
  return group;
}

FindingGroup table3() {
  constexpr std::array<const char*, 4> energy{"-0.11", "-0.12", "-0.13", "-0.12"};
  FindingGroup group{"Table 3, p. 148: the proposed method (Poisson)", {}};
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    const Parameters& row = kRows[i];
    const ImpactProblem problem = example1(row.e, row.mu_s, row.mu_d);
    const ImpactOutcome outcome = resolve(problem, {"shen-townsend", "poisson", {}});
    group.findings.push_back(check_word(row.text() + ": slipping/reverses", "Yes/Yes", yes_no(!visits(outcome, SlipState::stick)) + "/" + yes_no(visits(outcome, SlipState::reverse))));
    group.findings.push_back(check_number(row.text() + ": ΔT [J]", energy[i], outcome.energy.change));
    group.findings.push_back(check_word(row.text() + ": case", "(iii)", paper_case(problem)));
  }
  return group;
}

FindingGroup table4() {
  struct Row {
    Parameters parameters;
    const char *slip_stop, *total, *reverses, *energy, *explanation;
  };
  const std::array<Row, 2> rows{{{{0.5, 0, 0}, "1.0537", "1.1964", "Yes", "-0.08", ""},
                                 {{0.2, 0.5, 0.4}, "0.6419", "0.5971", "No", "-0.13", "the paper's own rounding: 0.597160 was cut, not rounded"}}};
  FindingGroup group{"Table 4, p. 149: two special cases (Poisson)", {}};
  for (const Row& row : rows) {
    const Parameters& given = row.parameters;
    const ImpactProblem problem = example1(given.e, given.mu_s, given.mu_d);
    const ImpactOutcome outcome = resolve(problem, {"shen-townsend", "poisson", {}});
    const bool reverses = outcome.v_post(0) * problem.v_pre(0) < 0;
    group.findings.push_back(check_number(given.text() + ": F* [N s]", row.slip_stop, slip_stop(problem).impulse));
    group.findings.push_back(check_number(given.text() + ": (1+e)F_c [N s]", row.total, outcome.p(1), row.explanation));
    group.findings.push_back(check_word(given.text() + ": u_t reverses", row.reverses, yes_no(reverses)));
    group.findings.push_back(check_number(given.text() + ": ΔT [J]", row.energy, outcome.energy.change));
    group.findings.push_back(check_word(given.text() + ": case", "(iii)", paper_case(problem)));
  }
  return group;
}

FindingGroup sticking() {
  const ImpactProblem problem = example1(0.7, 0.63, 0.5);
  const ImpactOutcome exact = resolve(problem, {"shen-townsend", "poisson", {}}), conventional = resolve(problem, {"conventional", "newton", {}});
  return {"Sticking, pp. 148–149: e = 0.7, μ_s = 0.63, μ = 0.5",
          {check_number("critical μ_s", "0.6234", std::abs(problem.G(0, 1) / problem.G(0, 0))), check_word("sticks", "Yes", yes_no(visits(exact, SlipState::stick))),
           check_number("proposed method: ΔT [J]", "-0.12", exact.energy.change), check_number("conventional method: ΔT [J]", "0.59", conventional.energy.change)}};
}

// Whose fault the gain of the conventional method is: the exact friction process with Newton's hypothesis, on the same impact.
std::string newton_remark() {
  const ImpactProblem problem = example1(0.7, 0.63, 0.5);
  const double exact = resolve(problem, {"routh", "newton", {}}).energy.change, conventional = resolve(problem, {"conventional", "newton", {}}).energy.change;
  return fmt::format("The gain of the conventional method in the sticking case, {:+.10g} J, is Newton's hypothesis and not the direction of friction: the exact process with that "
                     "hypothesis changes the energy by {:+.10g} J (the paper prints no such number).", conventional, exact);
}

std::vector<Finding> ball_speeds(const std::string& when, const Eigen::VectorXd& u, const std::array<const char*, 6>& published) {
  constexpr std::array<const char*, 6> names{"v₁ · i", "v₁ · j", "ω₁", "v₂ · i", "v₂ · j", "ω₂"};
  std::vector<Finding> findings;
  for (std::size_t i = 0; i < names.size(); ++i) findings.push_back(check_number(fmt::format("{} {}", names[i], when), published[i], u(static_cast<Eigen::Index>(i))));
  return findings;
}

FindingGroup spheres() {
  const ImpactProblem problem = example2();
  const ImpactOutcome outcome = resolve(problem, {"shen-townsend", "poisson", {}});
  FindingGroup group{"Example 2, pp. 149–150: two spheres (radius 4)", {}};
  const auto add = [&](std::vector<Finding> more) { group.findings.insert(group.findings.end(), more.begin(), more.end()); };
  const ImpactSegment *stop = segment_before(outcome, ImpactEventKind::slip_stops), *turn = segment_before(outcome, ImpactEventKind::compression_ends);
  if (!stop || !turn) {
    add({check_word("slip stops", "Yes", yes_no(stop != nullptr)), check_word("compression ends", "Yes", yes_no(turn != nullptr))});
    return group;
  }
  add(ball_speeds("when slip stops", speeds_after(problem, stop->p_end), {"6.4194", "28.555", "-9.391", "8.5806", "-2.5742", "1.6089"}));
  add({check_number("F*", "8.5806", stop->p_end(1)), check_number("u_n when slip stops (1 relative to 2)", "-2.1612", -stop->v_end(1)), check_word("case", "(iii)", paper_case(problem))});
  add(ball_speeds("when compression ends", speeds_after(problem, turn->p_end), {"7.5", "28.2308", "-9.5938", "7.5", "-2.25", "1.4062"}));
  add({check_number("F_c", "7.5", turn->p_end(1)), check_number("F_res", "4.9194", outcome.p(1) - stop->p_end(1))});
  add(ball_speeds("at the end", outcome.qdot_post, {"1.5", "28.555", "-9.391", "13.5", "-2.5742", "1.6089"}));
  add({check_number("F", "13.5", outcome.p(1)), check_number("τ", "2.5742", std::abs(outcome.p(0))), check_word("sticks", "Yes", yes_no(visits(outcome, SlipState::stick)))});
  return group;
}

}  // namespace

Reproduction reproduce_shen_townsend() {
  Reproduction out;
  out.paper = "shen-townsend";
  out.title = "Shen & Townsend 1998: constrained collisions with friction, Poisson's restitution";
  out.preface = "Published numbers with the digits that were printed; computed ones to ten. A number is reproduced when the published one is a correct rounding of it.";
  out.groups = {textbook_table("Table 1, p. 148: Kane and Levinson", "kane-levinson", {{{"Yes", "-0.03", ""}, {"No", "0.16", ""}, {"No", "-0.12", ""}, {"Yes", "0.49", ""}}}),
                textbook_table("Table 2, p. 148: the conventional method", "conventional",
                               {{{"Yes", "-0.1034", "the paper's own rounding: 0.103327 is 0.1033 to four digits"}, {"No", "0.16", ""}, {"No", "-0.12", ""}, {"Yes", "-0.1011", ""}}}),
                table3(), table4(), sticking(), spheres()};
  out.remarks = {"F* < 0 (friction drives slip away from zero) is missing and would land in case (i), with a gain of energy: it is slip throughout.",
                 newton_remark(),
                 "Case (i)(c): the inequality must be > μ_s. (30) lacks μ. Case (iii) lacks absolute values. (14) is mislabelled. \"8.5806 − 4.9194\" is a sum.",
                 "Example 2 needs spheres of radius 4; the text says diameter."};
  const ImpactProblem second = example1(0.5, 0.5, 0.4);
  out.figures = {{"impact", impact_figure(second, resolve(second, {"shen-townsend", "poisson", {}}))}, {"laws", comparison_figure(second, compare(second, fitting_laws(second)))}};
  return out;
}

}  // namespace carom::lab
