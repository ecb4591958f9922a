// What every law for many contacts promises, over 20,000 random systems in the plane and 20,000 in space for each (rodriguez-bowling in space,
// which takes ten times as long as all others together: 1,000, and all 20,000 with CAROM_ALL_SYSTEMS=1 in the environment): two to six contacts on one to four bodies, flat faces and repeated contacts
// included. It ends, leaves no approach, keeps cone and momentum, its ledger closes, and it gains
// no energy where it says so. Chunks of the systems are tests of their own, so that they run side by side.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <ostream>
#include <string>
#include <vector>

#include "carom/impact/law.hpp"
#include "support/random_contacts.hpp"

namespace {

using namespace carom;

struct Case {
  const char *law, *restitution;
  double closure;          // of the ledger, over T_c
  double unfinished = 0;   // share of systems that the law may leave without a solution
  int spatial = 20000;     // systems in space
};

// sequential: up to 10,000 impacts, each rounded. lzb: the ledger is integrated with tolerance 1e-11 per step. rodriguez-bowling in space: 1e-10 per step.
// moreau: Newton's rebound velocities contradict each other where a body is wedged; counted, and told by its status.
const Case kCases[] = {{"lzb", "stronge", 1e-8},        {"sequential", "stronge", 1e-9},  {"sequential", "poisson", 1e-9},
                       {"anitescu-potra", "poisson", 1e-8}, {"moreau", "newton", 1e-8, 0.2}, {"rodriguez-bowling", "stronge", 1e-6, 0, 1000}};

struct Chunk {
  Case law;
  int d, from, to;  // systems
};
std::ostream& operator<<(std::ostream& out, const Chunk& c) { return out << c.law.law << " " << c.law.restitution << " d=" << c.d << " " << c.from; }

std::vector<Chunk> chunks() {
  std::vector<Chunk> out;
  for (const Case& law : kCases)
    for (const int d : {2, 3}) {
      const int systems = d == 2 || std::getenv("CAROM_ALL_SYSTEMS") != nullptr ? 20000 : law.spatial, size = systems / 8;
      for (int from = 0; from < systems; from += size) out.push_back({law, d, from, from + size});
    }
  return out;
}

class ManyContacts : public ::testing::TestWithParam<Chunk> {};

TEST_P(ManyContacts, KeepsItsPromises) {
  const auto& [which, d, from, to] = GetParam();
  const LawInfo& law = find_law(which.law);
  const auto promises = std::count_if(law.never_gains.begin(), law.never_gains.end(), [&](Restitution r) { return name(r) == which.restitution; });
  int solved = 0, unfinished = 0, warned = 0;
  double gain = -1, approach = 0, cone = 0, momentum = 0, closure = 0;
  for (int i = from; i < to && !HasFailure(); ++i) {
    CounterRng rng(31, static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(d));
    const ImpactProblem problem = carom::testing::random_contacts(rng, d);
    const ImpactOutcome out = resolve(problem, {.process = which.law, .restitution = which.restitution, .options = {}, .history = false});
    ASSERT_TRUE(out.v_post.allFinite() && out.p.allFinite()) << i;
    if (out.status == ImpactStatus::separating) continue;
    warned += std::any_of(out.warnings.begin(), out.warnings.end(), [](const std::string& w) { return w.find("without restitution") != std::string::npos || w.find("finished with") != std::string::npos; });
    if (out.status != ImpactStatus::resolved) {
      ++unfinished;
      EXPECT_GT(which.unfinished, 0) << i << " " << name(out.status) << " " << (out.warnings.empty() ? "" : out.warnings.front());
      continue;
    }
    ++solved;
    gain = std::max(gain, out.energy.change / out.energy.kinetic);
    approach = std::max(approach, out.residuals.penetration), cone = std::max(cone, out.residuals.cone);
    momentum = std::max(momentum, out.residuals.momentum), closure = std::max(closure, out.energy.closure);
    if (promises) {
      EXPECT_LE(out.energy.change, 1e-9 * out.energy.kinetic) << i;
    }
    EXPECT_LE(out.residuals.penetration, 1e-9) << i;
    EXPECT_LE(out.residuals.cone, 1e-9) << i;
    EXPECT_LE(out.residuals.momentum, 1e-12) << i;
    EXPECT_LE(out.energy.closure, which.closure) << i;
  }
  EXPECT_GT(solved, (to - from) / 2);
  EXPECT_LE(unfinished, which.unfinished * (to - from));
  std::printf("%s %s d=%d: solved %d, no solution %d, ended by the plastic problem %d; worst gain %.2g, approach %.2g, cone %.2g, momentum %.2g, closure %.2g\n", which.law,
              which.restitution, d, solved, unfinished, warned, gain, approach, cone, momentum, closure);
}

INSTANTIATE_TEST_SUITE_P(Laws, ManyContacts, ::testing::ValuesIn(chunks()));

bool says(const ImpactOutcome& out, const char* words) {
  return std::any_of(out.warnings.begin(), out.warnings.end(), [&](const std::string& w) { return w.find(words) != std::string::npos; });
}

class AnyOrder : public ::testing::TestWithParam<std::tuple<const char*, int>> {};

// Laws that claim not to depend on the order of contacts. Left out: answers that the plastic problem had to end, and several contacts at one
// point under rodriguez-bowling, where its header makes no claim.
TEST_P(AnyOrder, GivesTheSameVelocities) {
  const auto& [law, d] = GetParam();
  ASSERT_TRUE(find_law(law).order_free);
  int compared = 0;
  double worst = 0;
  const int systems = d == 3 && std::string(law) == "rodriguez-bowling" ? 150 : 1500;
  for (int i = 0; i < systems; ++i) {
    CounterRng rng(37, static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(d));
    const ImpactProblem problem = carom::testing::random_contacts(rng, d);
    std::vector<int> order(static_cast<std::size_t>(problem.contacts()));
    for (int c = 0; c < problem.contacts(); ++c) order[static_cast<std::size_t>(c)] = c;
    for (int k = problem.contacts() - 1; k > 0; --k) std::swap(order[static_cast<std::size_t>(k)], order[static_cast<std::size_t>(rng.below(k + 1))]);
    const ImpactLaw chosen{.process = law, .restitution = "", .options = {}, .history = false};
    const ImpactOutcome a = resolve(problem, chosen), b = resolve(carom::testing::permuted(problem, order), chosen);
    EXPECT_EQ(a.status, b.status) << i;
    if (a.status != ImpactStatus::resolved) continue;
    if (says(a, "without restitution") || says(a, "complementarity") || says(a, "at one point") || says(b, "without restitution") || says(b, "complementarity")) continue;
    ++compared;
    double miss = 0;
    for (std::size_t k = 0; k < order.size(); ++k)
      miss = std::max(miss, (a.v_post.segment(order[k] * d, d) - b.v_post.segment(static_cast<Eigen::Index>(k) * d, d)).norm() / problem.v_pre.norm());
    worst = std::max(worst, miss);
    EXPECT_LE(miss, 1e-6) << i;  // the accuracy of lzb's answers is 1e-8; what is sensitive to it may be a hundred times worse
  }
  EXPECT_GT(compared, systems / 3);
  std::printf("%s d=%d: compared %d, worst %.2g\n", law, d, compared, worst);
}

INSTANTIATE_TEST_SUITE_P(Laws, AnyOrder, ::testing::Combine(::testing::Values("lzb", "rodriguez-bowling"), ::testing::Values(2, 3)));

}  // namespace
