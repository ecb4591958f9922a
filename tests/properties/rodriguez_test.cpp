// What must hold for every collision under law rodriguez-bowling with its default options, over random systems of 2–6 contacts on 1–4
// bodies (flat faces, repeated points, frictionless contacts): it ends, leaves no approach, never gains energy, keeps cone and momentum.

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "carom/impact/law.hpp"
#include "support/random_contacts.hpp"
#include "support/rodriguez_systems.hpp"

namespace {

using carom::CounterRng;
using carom::ImpactOutcome;
using carom::ImpactProblem;
using carom::LawOptions;
using carom::testing::permuted;
using carom::testing::random_system;

ImpactOutcome solve(const ImpactProblem& problem, LawOptions options = {}) {
  return carom::resolve(problem, {.process = "rodriguez-bowling", .restitution = "", .options = std::move(options), .history = false});
}

bool finished(const ImpactOutcome& out) {
  return std::any_of(out.warnings.begin(), out.warnings.end(), [](const std::string& w) { return w.find("complementarity") != std::string::npos; });
}

bool coincident(const ImpactOutcome& out) {
  return std::any_of(out.warnings.begin(), out.warnings.end(), [](const std::string& w) { return w.find("at one point") != std::string::npos; });
}

struct Tally {
  int finished = 0, resolved = 0;
  double gain = -1, momentum = 0, cone = 0, penetration = 0, closure = 0;
};

void check(const ImpactProblem& problem, const ImpactOutcome& out, double closure, const std::string& what, Tally& tally) {
  if (out.status == carom::ImpactStatus::separating) return;
  ASSERT_EQ(out.status, carom::ImpactStatus::resolved) << what << (out.warnings.empty() ? "" : out.warnings.front());
  ++tally.resolved;
  tally.finished += finished(out);
  const double scale = out.energy.kinetic + std::abs(out.energy.change);
  tally.gain = std::max(tally.gain, out.energy.change / scale);
  tally.momentum = std::max(tally.momentum, out.residuals.momentum);
  tally.cone = std::max(tally.cone, out.residuals.cone);
  tally.penetration = std::max(tally.penetration, out.residuals.penetration);
  tally.closure = std::max(tally.closure, out.energy.closure);
  EXPECT_LE(out.energy.change, 1e-9 * scale) << what;
  // Sums of a few hundred stretches, each rounded.
  EXPECT_LE(out.residuals.momentum, 1e-11) << what;
  EXPECT_LE(out.residuals.cone, 1e-9) << what;
  // approach_tolerance is 1e-9 of the largest component; the residual is over the norm of v⁻, which is no smaller.
  EXPECT_LE(out.residuals.penetration, 1e-9) << what;
  // Along the path friction takes; the complementarity problem has no path, its one straight stretch splits ΔT as it likes.
  if (!finished(out)) {
    EXPECT_LE(out.energy.friction_work, 1e-9 * scale) << what;
  }
  EXPECT_LE(out.energy.closure, closure) << what;
  EXPECT_EQ(problem.v_pre.size(), out.v_post.size());
}

void record(const Tally& t) {
  ::testing::Test::RecordProperty("resolved", t.resolved);
  ::testing::Test::RecordProperty("finished_by_complementarity", t.finished);
  std::printf("resolved %d, finished by complementarity %d, worst gain %.2g momentum %.2g cone %.2g penetration %.2g closure %.2g\n", t.resolved, t.finished, t.gain, t.momentum, t.cone, t.penetration, t.closure);
}

TEST(RodriguezProperties, PlanarEndsWithoutApproachOrGain) {
  Tally tally;
  for (int i = 0; i < 20000 && !HasFailure(); ++i) {
    CounterRng rng(11, static_cast<std::uint64_t>(i));
    const ImpactProblem problem = random_system(rng, 2);
    check(problem, solve(problem), 1e-10, std::to_string(i) + " ", tally);
  }
  record(tally);
  EXPECT_GT(tally.resolved, 15000);
}

// Closure here is the error of the integration along the impulse, 1e-10 per step.
TEST(RodriguezProperties, SpatialEndsWithoutApproachOrGain) {
  Tally tally;
  for (int i = 0; i < 600 && !HasFailure(); ++i) {
    CounterRng rng(14, static_cast<std::uint64_t>(i));
    const ImpactProblem problem = random_system(rng, 3);
    check(problem, solve(problem), 1e-6, std::to_string(i) + " ", tally);
  }
  record(tally);
  EXPECT_GT(tally.resolved, 450);
}

TEST(RodriguezProperties, PlanarWithEarlyAndMixedRestitution) {
  Tally tally;
  for (int i = 0; i < 5000 && !HasFailure(); ++i) {
    CounterRng rng(12, static_cast<std::uint64_t>(i));
    const ImpactProblem problem = random_system(rng, 2);
    check(problem, solve(problem, {{"e_star_1", rng.uniform(-1, 1)}, {"e_star_2", rng.uniform(-1, 1)}}), 1e-10, std::to_string(i) + " ", tally);
  }
  record(tally);
}

// Another order of the contacts gives the same answer, in the same order of contacts.
TEST(RodriguezProperties, OrderOfContactsDoesNotMatter) {
  int compared = 0, apart = 0;
  for (int i = 0; i < 4000; ++i) {
    CounterRng rng(13, static_cast<std::uint64_t>(i));
    const ImpactProblem problem = random_system(rng, 2);
    std::vector<int> order(problem.contacts());
    std::iota(order.begin(), order.end(), 0);
    for (int k = problem.contacts() - 1; k > 0; --k) std::swap(order[k], order[rng.below(k + 1)]);
    const ImpactOutcome a = solve(problem), b = solve(permuted(problem, order));
    if (finished(a) || finished(b)) continue;  // Lemke's vertex depends on the order of its rows
    if (coincident(a)) continue;                // several contacts at one point: the choice among them is a tie (2 of 4000 differ)
    ++compared;
    Eigen::VectorXd back(a.v_post.size());
    for (std::size_t k = 0; k < order.size(); ++k) back.segment(order[k] * 2, 2) = b.v_post.segment(static_cast<Eigen::Index>(k) * 2, 2);
    const double miss = (a.v_post - back).norm() / problem.v_pre.norm();
    apart += miss > 1e-9;
    if (miss > 1e-9) std::printf("%d apart by %.3g\n", i, miss);
  }
  std::printf("compared %d, apart %d\n", compared, apart);
  EXPECT_EQ(apart, 0);
  EXPECT_GT(compared, 2000);
}

}  // namespace
