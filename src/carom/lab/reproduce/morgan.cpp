// Morgan 2011, ch. 2 and 3: every path through the algebraic method (Fig. 2.8), on its double pendulum with r = m = 1.
// The thesis prints no numbers, so the reference values are those of tests/reference/data/planar.json: independent prototypes,
// checked in 40-digit arithmetic and by brute-force integration (what is below 1e-14 there is written as 0 here). Restitution is
// energetic, W_n = (1 − e²) W_c. Checked against that file by tests/cli/reproduce_test.cpp.

#include <fmt/format.h>

#include <array>
#include <numbers>

#include "carom/impact/law.hpp"
#include "carom/lab/impact_figure.hpp"
#include "carom/lab/reproduce/double_pendulum.hpp"
#include "carom/lab/reproduce/papers.hpp"

namespace carom::lab {
namespace {

using Pair = std::array<double, 2>;

struct Case {
  const char *id, *what;
  Pair q_deg, qdot;
  const char* path;       // boxes of the flowchart, Fig. 2.8
  Pair v_post, p;         // (t, n)
  Pair qdot_post;
  double compression_work, energy_change;
};

constexpr double kMu = 0.3, kRestitution = 0.5, kTolerance = 1e-12;
constexpr std::array<Case, 6> kCases{{
    {"T1", "slip reversal in compression", {-130, 100}, {0.5, -2.5}, "a-b-e", {0.5283233888456145, 0.927451444138879}, {-0.1319224817553047, 1.3071299723894432}, {-0.006279647877200005, 1.0725474042905752}, -0.8276086952886408, -0.7300619559309387},
    {"T2", "sticking in compression", {-10, -90}, {-3, 2.5}, "a-b-e", {0.0, 1.4827769218686695}, {1.1122971238385142, 5.8426143498707175}, {1.4602502086438425, -1.7177317190129173}, -5.730412943706322, -4.609063430740086},
    {"T3", "slip reversal in restitution", {-20, -130}, {0.5, 2.5}, "a-c-d-e", {-0.16719657153785336, 0.9494598803317387}, {-0.24245344902056573, 1.231106035414709}, {0.4306975460132442, -1.0597051619238784}, -0.8626927851591647, -0.9078978282754047},
    {"T4", "sticking in restitution", {-110, 30}, {0.5, -2.5}, "a-c-d-e", {0.0, 0.20012721379410386}, {0.2202053591714865, 1.0825924824604258}, {-0.3941736634663306, 0.7702897955078573}, -0.18217076268678997, -0.3373578193433278},
    {"T5", "tangential pause computed but not reached", {-20, -110}, {0.5, 2.5}, "a-c-e", {0.3955973207211281, 0.7292582593333315}, {-0.3503478875577548, 1.1678262918591826}, {0.865101284572992, -0.7349322633419796}, -0.5677646458699515, -0.9276514145337641},
    {"T6", "slip pushed away, p_n of tangential pause < 0", {-110, 40}, {2.5, -1.5}, "a-c-e", {3.6276254390166724, 0.256515107494252}, {-0.365320948873091, 1.2177364962436368}, {1.555219179534857, 0.75}, -0.20824520548907316, -1.4195641376661339},
}};

// The boxes that an impact went through: b slip stops in compression, c compression ends first, d slip stops in restitution.
std::string path_of(const ImpactOutcome& outcome) {
  std::string path = "a";
  for (const ImpactEvent& event : outcome.events) {
    if (event.kind == ImpactEventKind::compression_ends && path == "a") path += "-c";
    if (event.kind == ImpactEventKind::slip_stops) path += path == "a" ? "-b" : "-d";
  }
  return path + "-e";
}

ImpactProblem problem_of(const Case& c) {
  const double degree = std::numbers::pi / 180;
  return double_pendulum_impact({1, 1, {c.q_deg[0] * degree, c.q_deg[1] * degree}, {c.qdot[0], c.qdot[1]}}, kMu, kMu, kRestitution);
}

FindingGroup findings(const Case& c, const ImpactOutcome& outcome) {
  FindingGroup group{fmt::format("{}: {}", c.id, c.what), {check_word("path", c.path, path_of(outcome))}};
  const auto number = [&](const char* item, double reference, double computed) { group.findings.push_back(check_reference(item, reference, computed, kTolerance)); };
  number("v_t⁺ [m/s]", c.v_post[0], outcome.v_post(0));
  number("v_n⁺ [m/s]", c.v_post[1], outcome.v_post(1));
  number("p_t [N s]", c.p[0], outcome.p(0));
  number("p_n [N s]", c.p[1], outcome.p(1));
  number("q̇₁⁺ [rad/s]", c.qdot_post[0], outcome.qdot_post(0));
  number("q̇₂⁺ [rad/s]", c.qdot_post[1], outcome.qdot_post(1));
  number("W_c [J]", c.compression_work, outcome.energy.compression_work);
  number("ΔT [J]", c.energy_change, outcome.energy.change);
  return group;
}

}  // namespace

Reproduction reproduce_morgan() {
  Reproduction out;
  out.paper = "morgan";
  out.title = "Morgan 2011: planar impacts by algebra, energetic restitution";
  out.preface = fmt::format("Double pendulum, r = m = 1, μ = {}, e* = {}. The thesis prints no numbers; the reference is the project's own prototype, checked in 40-digit arithmetic, "
                            "and a number is reproduced when it agrees to {:.0e}.", kMu, kRestitution, kTolerance);
  out.published_heading = "reference";
  double m_first = 0;  // −G_tn/G_tt of T1
  for (const Case& c : kCases) {
    const ImpactProblem problem = problem_of(c);
    if (&c == &kCases.front()) m_first = -problem.G(0, 1) / problem.G(0, 0);
    const ImpactOutcome outcome = resolve(problem, {"routh", "stronge", {}});
    out.groups.push_back(findings(c, outcome));
    Figure figure = velocity_plane_figure(problem, outcome);
    figure.title = fmt::format("{}: {} (path {})", c.id, c.what, path_of(outcome));
    out.figures.push_back({c.id, std::move(figure)});
  }
  out.remarks = {"The restitution is worded inverted and unsquared and no stop value is given: the impact ends at W_n = (1 − e*²) W_c.",
                 fmt::format("Sticking asks |m| ≤ μ_s, not m ≤ μ: T1 has m = {:.4g} and would stick by the printed test.", m_first),
                 "(2.12) at v_t = 0 needs a condition, or it always sticks. (2.21): L_2 is L_n.",
                 "The normal pause too can be negative or infinite (a jam) and then means \"never\"; velocity, impulse and E_n all restart at an event; take the + root."};
  return out;
}

}  // namespace carom::lab
