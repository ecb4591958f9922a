// Law `routh` in three dimensions: the process of routh_spatial.hpp put into an ImpactOutcome.

#include "carom/impact/laws/routh_spatial.hpp"

#include <fmt/format.h>

#include "carom/impact/laws/spatial_outcome.hpp"
#include "carom/impact/laws/spatial_recorder.hpp"

namespace carom::laws {
namespace {

constexpr double kCloseCall = 1e-9;  // of the initial slip speed: passing zero slip closer than this is worth a warning

void tell(const SpatialResult<double>& result, std::vector<std::string>& warnings) {
  if (result.ties & kSpatialStickLimit) warnings.emplace_back("branch boundary: |A⁻¹b| = static friction at zero slip; took stick");
  if (result.ties & kSpatialAtRest) warnings.emplace_back("branch boundary: no initial slip and kinetic < |A⁻¹b| <= static friction; took stick, any slip would go on slipping");
  if (result.ties & kSpatialOnIsocline) warnings.emplace_back("branch boundary: slip starts on an isocline (to rounding) and kinetic < |A⁻¹b| <= static friction; beside it slip would not stop");
  if (result.ties & kSpatialUndetermined) warnings.emplace_back("the contact point cannot move in every tangential direction: any friction within the cone fits, took the least");
  if (result.holds && result.closest < kCloseCall)
    warnings.push_back(fmt::format("slip passes zero at {:.3g} of its initial speed with kinetic < |A⁻¹b| <= static friction: at exactly zero it would stick (option zero_slip)", result.closest));
}

}  // namespace

SpatialContact<double> spatial_contact(const ImpactProblem& problem) {
  const Eigen::MatrixXd& G = problem.G;
  const auto mean = [&](int i, int j) { return 0.5 * (G(i, j) + G(j, i)); };
  return {G(0, 0), mean(0, 1), G(1, 1), mean(0, 2), mean(1, 2), G(2, 2),
          problem.v_pre(0), problem.v_pre(1), problem.v_pre(2), problem.mu_s(0), problem.mu_d(0), problem.e(0)};
}

ImpactOutcome routh_spatial_outcome(const LawCall& call) {
  const SpatialContact<double> contact = spatial_contact(call.problem);
  const SpatialOptions options{call.number("zero_slip"), call.number("rank_tolerance")};
  ImpactOutcome outcome;
  SpatialResult<double> result;
  if (call.history) {
    SpatialRecorder recorder(outcome);
    result = routh_spatial(contact, call.restitution, options, recorder);
  } else {
    result = routh_spatial(contact, call.restitution, options);
  }
  outcome.v_post = velocity(result.end);
  outcome.p = impulse(result.end);
  const double work = result.end.work;
  outcome.energy.contacts = {{work, result.friction_work, result.compression_work, work - result.compression_work}};
  tell(result, outcome.warnings);
  if (!result.converged) {
    outcome.status = ImpactStatus::not_converged;
    outcome.warnings.push_back(fmt::format("the hodograph needed more than {} expansions", result.panels));
  } else if (!result.solved) {
    outcome.status = ImpactStatus::no_solution;
    outcome.warnings.emplace_back("no impulse ends the approach: delassus is singular and velocity does not belong to it");
  } else if (result.locked && contact.e > 0) {
    outcome.warnings.push_back(fmt::format("the mechanism locks (sticking, singular delassus): {} restitution cannot act", name(call.restitution)));
  }
  return outcome;
}

}  // namespace carom::laws
