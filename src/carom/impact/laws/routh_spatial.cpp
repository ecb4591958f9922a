// Law `routh` in three dimensions: the process of routh_spatial.hpp put into an ImpactOutcome.

#include "carom/impact/laws/routh_spatial.hpp"

#include <fmt/format.h>

#include <vector>

#include "carom/impact/laws/spatial_outcome.hpp"

namespace carom::laws {
namespace {

constexpr double kCloseCall = 1e-9;  // of the initial slip speed: passing zero slip closer than this is worth a warning

Eigen::Vector3d velocity(const SpatialPoint<double>& at) { return {at.v1, at.v2, at.v_n}; }
Eigen::Vector3d impulse(const SpatialPoint<double>& at) { return {at.p1, at.p2, at.p_n}; }

// Writes the branch history, curved stretches with points along them.
class Recorder {
 public:
  static constexpr bool watches = true;
  explicit Recorder(ImpactOutcome& outcome) : outcome_(outcome) {}
  void event(ImpactEventKind kind, const SpatialPoint<double>& at) {
    outcome_.events.push_back({kind, 0, at.p_n, velocity(at), at.work});
  }
  void path(const SpatialPoint<double>& at) { points_.push_back(at); }
  void segment(SlipState state, Phase phase, const SpatialPoint<double>& a, const SpatialPoint<double>& b) {
    ImpactSegment segment;
    segment.state = {state};
    segment.phase = phase;
    segment.p_begin = impulse(a), segment.p_end = impulse(b);
    segment.v_begin = velocity(a), segment.v_end = velocity(b);
    segment.work_begin = a.work, segment.work_end = b.work;
    if (!points_.empty()) draw(segment, a, b);
    points_.clear();
    outcome_.segments.push_back(std::move(segment));
  }

 private:
  static constexpr int kPoints = 33;  // per curved stretch

  void draw(ImpactSegment& segment, const SpatialPoint<double>& a, const SpatialPoint<double>& b) const {
    std::vector<SpatialPoint<double>> all{a};
    for (const SpatialPoint<double>& q : points_)
      if (q.p_n > all.back().p_n && q.p_n < b.p_n) all.push_back(q);
    all.push_back(b);
    const int count = std::min(kPoints, static_cast<int>(all.size()));
    segment.v_path.resize(3, count), segment.p_path.resize(3, count);
    for (int i = 0; i < count; ++i) {
      const auto& q = all[static_cast<std::size_t>(i) * (all.size() - 1) / static_cast<std::size_t>(count - 1)];
      segment.v_path.col(i) = velocity(q), segment.p_path.col(i) = impulse(q);
    }
  }

  ImpactOutcome& outcome_;
  std::vector<SpatialPoint<double>> points_;
};

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
    Recorder recorder(outcome);
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
