// Law `routh`: the table entry, and the planar process (routh_planar.hpp) put into an ImpactOutcome.

#include <fmt/format.h>

#include "carom/impact/laws/laws.hpp"
#include "carom/impact/laws/routh_planar.hpp"
#include "carom/impact/laws/spatial_outcome.hpp"

namespace carom::laws {
namespace {

Eigen::Vector2d velocity(const PlanarPoint<double>& at) { return {at.v_t, at.v_n}; }
Eigen::Vector2d impulse(const PlanarPoint<double>& at) { return {at.p_t, at.p_n}; }

// Writes the branch history.
struct Recorder {
  ImpactOutcome& outcome;
  void event(ImpactEventKind kind, const PlanarPoint<double>& at) {
    outcome.events.push_back({kind, 0, at.p_n, velocity(at), at.work});
  }
  void segment(SlipState state, Phase phase, const PlanarPoint<double>& a, const PlanarPoint<double>& b) {
    ImpactSegment segment;
    segment.state = {state};
    segment.phase = phase;
    segment.p_begin = impulse(a), segment.p_end = impulse(b);
    segment.v_begin = velocity(a), segment.v_end = velocity(b);
    segment.work_begin = a.work, segment.work_end = b.work;
    outcome.segments.push_back(std::move(segment));
  }
};

void tell_ties(unsigned ties, std::vector<std::string>& warnings) {
  if (ties & kStickLimit) warnings.emplace_back("branch boundary: |m| = static friction where slip stops; took stick");
  if (ties & kStopsAtEnd) warnings.emplace_back("branch boundary: slip stops in the moment of separation; took slip throughout");
  if (ties & kStopsWithCompression) warnings.emplace_back("branch boundary: slip stops in the moment compression ends; took compression first");
  if (ties & kStartsAtRest) warnings.emplace_back("branch boundary: no initial slip and kinetic < |m| <= static friction; took stick, any slip would go on slipping");
  if (ties & kFrictionUndetermined) warnings.emplace_back("the contact point cannot move sideways: any friction within the cone fits, took none");
}

ImpactOutcome solve_planar(const LawCall& call) {
  const ImpactProblem& problem = call.problem;
  const PlanarContact<double> contact{problem.G(0, 0), 0.5 * (problem.G(0, 1) + problem.G(1, 0)), problem.G(1, 1),
                                      problem.v_pre(0), problem.v_pre(1), problem.mu_s(0), problem.mu_d(0), problem.e(0)};
  const PlanarOptions options{call.number("zero_slip"), call.number("rank_tolerance")};
  ImpactOutcome outcome;
  PlanarResult<double> result;
  if (call.history) {
    Recorder recorder{outcome};
    result = routh_planar(contact, call.restitution, options, recorder);
  } else {
    result = routh_planar(contact, call.restitution, options);
  }
  outcome.v_post = velocity(result.end);
  outcome.p = impulse(result.end);
  outcome.energy.contacts = {{result.end.work, result.friction_work, result.compression_work, result.restitution_work}};
  tell_ties(result.ties, outcome.warnings);
  if (!result.solved) {
    outcome.status = ImpactStatus::no_solution;
    outcome.warnings.emplace_back("no impulse ends the approach: delassus is singular and velocity does not belong to it (a one-degree-of-freedom mechanism has v parallel to the columns of G)");
  } else if (result.locked && contact.e > 0) {
    outcome.warnings.emplace_back(fmt::format("the mechanism locks (one degree of freedom, |m| <= static friction): {} restitution cannot act", name(call.restitution)));
  }
  return outcome;
}

ImpactOutcome solve(const LawCall& call) { return call.problem.dimension == 2 ? solve_planar(call) : routh_spatial_outcome(call); }

}  // namespace

LawInfo routh() {
  return {
      .id = "routh",
      .aliases = {"morgan+stronge", "shen-townsend+poisson"},
      .dimensions = {2, 3},
      .many_contacts = false,
      .restitutions = {Restitution::stronge, Restitution::poisson, Restitution::newton},
      .never_gains = {Restitution::stronge, Restitution::poisson},
      .options = {{.name = "zero_slip", .fallback = 0.0, .low = 0, .high = 1e300, .choices = {}, .unit = "m/s",
                   .meaning = "slip speed up to which the contact counts as not slipping"},
                  {.name = "rank_tolerance", .fallback = 1e-13, .low = 0, .high = 1e-3, .choices = {}, .unit = "1",
                   .meaning = "relative determinant of G up to which it counts as singular"}},
      .summary = "The exact impulse process: Coulomb friction at every instant of the impact; slip may stop, stick or reverse.",
      .citation = "morgan2011, shen1998, wang1992, stronge1990",
      .solve = solve,
  };
}

}  // namespace carom::laws
