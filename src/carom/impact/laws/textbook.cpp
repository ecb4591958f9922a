// Laws `conventional` and `kane-levinson`: the textbook methods that Shen & Townsend (1998) refute. Kept for comparison.
//
// Both take Newton's v_n⁺ = −e v_n⁻ and decide friction once, for the whole impact, from the end points alone:
//   stick test:  p = G⁻¹ ((0, −e v_n⁻) − v⁻);  sticks iff |p_t| ≤ μ_s p_n                    [Kane & Levinson 1985, sec. 5.10]
//   slip:        p_t = s p_n,  p_n = −(1 + e) v_n⁻ / (G_nn + s G_tn)
//   conventional:   s = −μ_d sign(v_t⁻), friction against the initial slip
//   kane-levinson:  s = −μ_d sign(v_t⁺), friction against the final slip, found by trying both signs
// Neither looks inside the impact, so both can gain energy when slip stops or reverses there; the answer then carries a warning.
// Deviations: where both final directions fit, the one that keeps the initial slip is taken, and it is said. With v_t⁻ = 0 the
// initial slip is taken as the direction in which the contact would start, −sign(p_t) of the stick test.
// Failure: p_n < 0 (a jam, k ≤ 0) or no consistent direction is status no-solution.
// Citation: kane1985, shen1998. Checked by: tests/reference/planar_oracle_test.cpp (Tables 1 and 2).

#include <Eigen/LU>
#include <cmath>
#include <optional>

#include "carom/impact/laws/laws.hpp"
#include "carom/impact/ledger.hpp"

namespace carom::laws {
namespace {

struct Contact {
  Eigen::Matrix2d G;
  Eigen::Vector2d v;
  double mu_s, mu_d, e;
};

// The impulse that leaves v⁺ = (0, −e v_n⁻), when there is one.
std::optional<Eigen::Vector2d> stick_impulse(const Contact& c, double rank_tolerance) {
  const double det = c.G.determinant();
  if (det <= rank_tolerance * c.G(0, 0) * c.G(1, 1)) return std::nullopt;
  const Eigen::Vector2d change(-c.v(0), -(1 + c.e) * c.v(1));
  return Eigen::Vector2d((c.G(1, 1) * change(0) - c.G(0, 1) * change(1)) / det,
                         (c.G(0, 0) * change(1) - c.G(0, 1) * change(0)) / det);
}

// The impulse with friction slope s; none when the normal impulse would have to pull.
std::optional<Eigen::Vector2d> slip_impulse(const Contact& c, double s) {
  const double k = c.G(1, 1) + s * c.G(0, 1);
  if (k <= 0) return std::nullopt;
  const double p_n = -(1 + c.e) * c.v(1) / k;
  return Eigen::Vector2d(s * p_n, p_n);
}

double sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

ImpactOutcome answer(const Contact& c, const Eigen::Vector2d& p, SlipState state, bool history) {
  ImpactOutcome outcome;
  const Eigen::Vector2d v_post = c.v + c.G * p;
  outcome.p = p;
  outcome.v_post = v_post;
  const ContactWork work = straight_work(c.v(1), v_post(1), p(1), 0.5 * p(0) * (c.v(0) + v_post(0)));
  outcome.energy.contacts = {work};
  if (!history) return outcome;
  const auto stretch = [&](Phase phase, double from, double to, double work_from, double work_to) {
    ImpactSegment segment;
    segment.state = {state};
    segment.phase = phase;
    segment.p_begin = from * p, segment.p_end = to * p;
    segment.v_begin = c.v + from * (v_post - c.v), segment.v_end = c.v + to * (v_post - c.v);
    segment.work_begin = work_from, segment.work_end = work_to;
    outcome.segments.push_back(std::move(segment));
  };
  const double turn = 1 / (1 + c.e);  // v_n is linear from v_n⁻ to −e v_n⁻
  stretch(Phase::compression, 0, turn, 0, work.compression);
  outcome.events.push_back({ImpactEventKind::compression_ends, 0, turn * p(1), outcome.segments.back().v_end, work.compression});
  if (c.e > 0) stretch(Phase::restitution, turn, 1, work.compression, work.normal);
  outcome.events.push_back({ImpactEventKind::separates, 0, p(1), v_post, work.normal});
  return outcome;
}

ImpactOutcome refuse(const Contact& c, const char* why) {
  ImpactOutcome outcome;
  outcome.status = ImpactStatus::no_solution;
  outcome.v_post = c.v;
  outcome.p = Eigen::Vector2d::Zero();
  outcome.energy.contacts.resize(1);
  outcome.warnings.emplace_back(why);
  return outcome;
}

enum class Against { initial_slip, final_slip };

ImpactOutcome solve(const LawCall& call, Against against) {
  const ImpactProblem& problem = call.problem;
  const Contact c{problem.G, problem.v_pre, problem.mu_s(0), problem.mu_d(0), problem.e(0)};
  const std::optional<Eigen::Vector2d> held = stick_impulse(c, call.number("rank_tolerance"));
  if (held && std::abs((*held)(0)) <= c.mu_s * (*held)(1)) return answer(c, *held, SlipState::stick, call.history);

  const double first = c.v(0) != 0 ? sign(c.v(0)) : held ? -sign((*held)(0)) : 1;
  if (against == Against::initial_slip) {
    const auto p = slip_impulse(c, -c.mu_d * first);
    if (!p) return refuse(c, "friction against the initial slip jams (k <= 0): no pushing impulse gives the rebound velocity");
    return answer(c, *p, SlipState::slip, call.history);
  }
  std::optional<Eigen::Vector2d> fitting;
  bool both = false;
  for (const double direction : {first, -first}) {
    const auto p = slip_impulse(c, -c.mu_d * direction);
    if (!p || direction * (c.v + c.G * *p)(0) < 0) continue;
    both = fitting.has_value();
    if (!fitting) fitting = p;
  }
  if (!fitting) return refuse(c, "no direction of friction opposes the final slip that it leads to");
  ImpactOutcome outcome = answer(c, *fitting, SlipState::slip, call.history);
  if (both) outcome.warnings.emplace_back("both directions of final slip fit; took the one that keeps the initial slip");
  return outcome;
}

LawInfo entry(std::string id, std::string summary, ImpactOutcome (*function)(const LawCall&)) {
  return {
      .id = std::move(id),
      .dimensions = {2},
      .restitutions = {Restitution::newton},
      .options = {{.name = "rank_tolerance", .fallback = 1e-13, .low = 0, .high = 1e-3, .choices = {}, .unit = "1",
                   .meaning = "relative determinant of G up to which it counts as singular"}},
      .summary = std::move(summary),
      .citation = "kane1985, shen1998",
      .solve = function,
  };
}

}  // namespace

LawInfo conventional() {
  return entry("conventional", "Textbook method: one stick test, else friction against the initial slip. Can gain energy; kept for comparison.",
               [](const LawCall& call) { return solve(call, Against::initial_slip); });
}

LawInfo kane_levinson() {
  return entry("kane-levinson", "Textbook method: one stick test, else friction against the final slip. Can gain energy; kept for comparison.",
               [](const LawCall& call) { return solve(call, Against::final_slip); });
}

}  // namespace carom::laws
