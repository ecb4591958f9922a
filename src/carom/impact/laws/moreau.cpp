// Law `moreau`: all contacts at once with Newton's restitution, as one cone complementarity problem.
//
// With ũ = v⁺ + e v_n⁻ n per approaching contact (ũ = v⁺ where v_n⁻ ≥ 0) and v⁺ = v⁻ + G p:
//   K ∋ p ⊥ ũ + μ‖ũ_t‖ n ∈ K*,   K = {‖p_t‖ ≤ μ p_n}                                              [Moreau 1988; De Saxcé 1998]
// so a struck contact leaves with v_n⁺ = −e v_n⁻ or faster, and slip obeys Coulomb's law with the impulse of the whole impact.
// Solved by the default policy of `complementarity`, to a natural map of `tolerance`; the certificate decides the status.
//
// Deviations: restitution acts only where v_n⁻ < 0 (Moreau's −e v_n⁻ would let a separating contact penetrate). There is one
// friction coefficient in the law: μ_d. Validity: any G; with friction and several contacts neither p nor v⁺ need be unique: another order of
// contacts may find another solution.
// A body wedged between contacts may be asked for rebound velocities that contradict each other: then there is no solution.
// Can gain energy, as Newton's hypothesis can. In a chain at rest it moves all balls at once.
// Citation: moreau1988, desaxce1998. Checked by: tests/reference/multi_oracle_test.cpp, tests/properties/many_contacts_test.cpp.

#include <fmt/format.h>

#include <algorithm>

#include "carom/complementarity/default_policy.hpp"
#include "carom/impact/laws/laws.hpp"
#include "carom/impact/ledger.hpp"

namespace carom::laws {
namespace {

ImpactOutcome solve(const LawCall& call) {
  const ImpactProblem& problem = call.problem;
  const int d = problem.dimension, n = problem.contacts();
  FrictionContact cone{d, BlockMatrix::from_dense(problem.G, d), problem.v_pre, problem.mu_d};
  for (int c = 0; c < n; ++c) cone.q(problem.normal(c)) += problem.e(c) * std::min(problem.v_pre(problem.normal(c)), 0.0);
  const ContactSummary summary = solve_default(cone, {.tolerance = call.number("tolerance")});

  ImpactOutcome outcome;
  outcome.p = summary.x;
  outcome.v_post = problem.v_pre + problem.G * summary.x;
  for (int c = 0; c < n; ++c) {
    const int at = problem.normal(c);
    const double friction = 0.5 * outcome.p.segment(c * d, d - 1).dot(problem.v_pre.segment(c * d, d - 1) + outcome.v_post.segment(c * d, d - 1));
    outcome.energy.contacts.push_back(straight_work(problem.v_pre(at), outcome.v_post(at), outcome.p(at), friction));
  }
  if (call.history)
    for (int c = 0; c < n; ++c)
      if (outcome.p(problem.normal(c)) > 0)
        outcome.events.push_back({ImpactEventKind::separates, c, outcome.p(problem.normal(c)), outcome.v_post, 0});
  double short_of = 0;  // how far a contact stays behind the velocity that restitution asks of it
  for (int c = 0; c < n; ++c) short_of = std::max(short_of, -summary.dual(problem.normal(c)));
  const double pressed = (problem.G.cwiseAbs() * outcome.p.cwiseAbs()).norm() / problem.v_pre.norm();
  if (short_of > 1e-6 * problem.v_pre.norm() || pressed > call.number("impulse_limit")) {
    outcome.status = ImpactStatus::no_solution;
    outcome.warnings.push_back(fmt::format("the rebound velocities that Newton restitution asks for contradict each other (short by {:.3g} m/s with impulses {:.3g} times those of the impact)", short_of, pressed));
  } else if (!summary.usable() || short_of > 1e-9 * problem.v_pre.norm()) {
    outcome.status = ImpactStatus::not_converged;
    outcome.warnings.push_back(fmt::format("natural map {:.3g} after {} iterations, tolerance {:.3g}", summary.certificate.natural_map, summary.iterations, call.number("tolerance")));
  }
  if (problem.mu_s != problem.mu_d) outcome.warnings.emplace_back("moreau has one friction coefficient: used the kinetic one");
  return outcome;
}

}  // namespace

LawInfo moreau() {
  return {
      .id = "moreau",
      .dimensions = {2, 3},
      .many_contacts = true,
      .restitutions = {Restitution::newton},
      .options = {{.name = "tolerance", .fallback = 1e-11, .low = 1e-15, .high = 1e-3, .choices = {}, .unit = "1", .meaning = "natural map of the cone complementarity problem"},
                  {.name = "impulse_limit", .fallback = 1e4, .low = 1, .high = 1e300, .choices = {}, .unit = "1", .meaning = "|G||p| over |v⁻| beyond which the answer counts as no solution: bodies wedged so that only absurd impulses fit"}},
      .summary = "All contacts at once: Newton restitution and the exact friction cone as one complementarity problem. Can gain energy.",
      .citation = "moreau1988, desaxce1998",
      .solve = solve,
  };
}

}  // namespace carom::laws
