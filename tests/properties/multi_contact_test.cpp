// What the laws for many contacts promise, over random systems of two to six contacts on one to four bodies.

#include <gtest/gtest.h>

#include <algorithm>

#include "carom/impact/law.hpp"
#include "support/random_contacts.hpp"

namespace {

using namespace carom;

struct Count {
  int solved = 0, unfinished = 0;
  double gain = -1, approach = 0, cone = 0, momentum = 0, closure = 0;
};

Count check(const char* law, const char* restitution, int d, int systems, bool may_gain) {
  Count count;
  for (int i = 0; i < systems; ++i) {
    CounterRng rng(31, static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(d));
    const ImpactProblem problem = carom::testing::random_contacts(rng, d);
    const ImpactOutcome out = resolve(problem, {.process = law, .restitution = restitution, .options = {}, .history = false});
    EXPECT_TRUE(out.v_post.allFinite() && out.p.allFinite()) << law << " " << i;
    if (out.status == ImpactStatus::separating) continue;
    (out.status == ImpactStatus::resolved ? count.solved : count.unfinished)++;
    if (out.status != ImpactStatus::resolved) continue;
    count.gain = std::max(count.gain, out.energy.change / out.energy.kinetic);
    count.approach = std::max(count.approach, out.residuals.penetration);
    count.cone = std::max(count.cone, out.residuals.cone);
    count.momentum = std::max(count.momentum, out.residuals.momentum);
    count.closure = std::max(count.closure, out.energy.closure);
    if (!may_gain) {
      EXPECT_LE(out.energy.change, 1e-9 * out.energy.kinetic) << law << " " << i;
    }
    EXPECT_LE(out.residuals.penetration, 1e-9) << law << " " << i;
    EXPECT_LE(out.residuals.cone, 1e-9) << law << " " << i;
    EXPECT_LE(out.residuals.momentum, 1e-12) << law << " " << i;
    EXPECT_LE(out.energy.closure, 1e-8) << law << " " << i;
    if (::testing::Test::HasFailure()) break;
  }
  std::printf("%s %s d=%d: solved %d, unfinished %d, worst gain %.2g, approach %.2g, cone %.2g, momentum %.2g, closure %.2g\n", law, restitution, d,
              count.solved, count.unfinished, count.gain, count.approach, count.cone, count.momentum, count.closure);
  return count;
}

TEST(MultiContact, LzbEndsAndNeverGainsInThePlane) { EXPECT_EQ(check("lzb", "stronge", 2, 1500, false).unfinished, 0); }
TEST(MultiContact, LzbEndsAndNeverGainsInSpace) { EXPECT_EQ(check("lzb", "stronge", 3, 2500, false).unfinished, 0); }
TEST(MultiContact, SequentialEndsAndNeverGains) { EXPECT_EQ(check("sequential", "stronge", 2, 10000, false).unfinished, 0); }
// Newton restitution can ask for the impossible where a body is wedged; everywhere else Moreau's problem is solved.
TEST(MultiContact, MoreauSolvesWhatIsPossible) {
  for (const int d : {2, 3}) {
    const Count count = check("moreau", "newton", d, 10000, true);
    EXPECT_LE(count.unfinished, count.solved / 4) << d;
  }
}

}  // namespace
