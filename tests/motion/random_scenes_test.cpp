// Random scenes of 2 to 10 bodies: each finishes, or says why it does not; never NaN, never an overlap that is not told, never energy
// from nothing. A few run here; CAROM_RANDOM_SCENES=1000 runs that many of each world for the whole 2 s (the study of bench/README.md).

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "carom/simulate/simulate.hpp"
#include "support/random_scenes.hpp"

namespace carom {
namespace {

// Stops a run that asks for too many steps (stiff sliding at microscopic speeds).
class Limited : public Recorder {
 public:
  explicit Limited(long steps) : left_(steps) {}
  bool progress(double) override { return --left_ > 0; }
  void sample(const Sample& s) override { finite = finite && s.q.allFinite() && s.u.allFinite(); }
  bool finite = true;

 private:
  long left_;
};

class RandomScenes : public ::testing::TestWithParam<World> {};

TEST_P(RandomScenes, FinishOrSayWhyNot) {
  const char* asked = std::getenv("CAROM_RANDOM_SCENES");
  const int count = asked != nullptr ? std::atoi(asked) : 24;
  const double duration = asked != nullptr ? 2 : 0.4;
  int finished = 0, stopped = 0, failed = 0;
  for (int i = 0; i < count; ++i) {
    const Scene scene = testing::random_scene(GetParam(), static_cast<std::uint64_t>(i), duration);
    Limited recorder(asked != nullptr ? 6000 : 1500);
    const RunSummary s = simulate(scene, recorder);
    finished += s.status == RunStatus::finished, stopped += s.status == RunStatus::stopped, failed += s.status == RunStatus::failed;
    EXPECT_TRUE(recorder.finite) << "scene " << i;
    EXPECT_LE(s.worst_gain, 1e-9) << "scene " << i;
    EXPECT_TRUE(s.status == RunStatus::finished || !s.reason.empty()) << "scene " << i;
    if (s.status == RunStatus::failed) continue;
    EXPECT_GE(s.worst_gap, -1e-7) << "scene " << i;
    EXPECT_LE(s.smooth_drift, 1e-7) << "scene " << i;
  }
  std::printf("%d scenes: %d finished, %d stopped at the limit of steps, %d failed with a reason\n", count, finished, stopped, failed);
  EXPECT_GE(finished, count / 2);
}

// Bodies that wedge each other have no contact forces (none of the modes of six contacts fits): passed by a time step.
TEST(WedgedBodies, PassByATimeStep) {
  const Scene scene = testing::random_scene(World::planar, 28, 0.42);
  Limited recorder(3000);
  const RunSummary s = simulate(scene, recorder);
  EXPECT_EQ(s.status, RunStatus::finished) << s.reason;
  EXPECT_TRUE(std::any_of(s.warnings.begin(), s.warnings.end(), [](const std::string& w) { return w.find("passed by time steps") != std::string::npos; }));
}

INSTANTIATE_TEST_SUITE_P(Worlds, RandomScenes, ::testing::Values(World::planar, World::spatial), [](const auto& world) { return world.param == World::planar ? "planar" : "spatial"; });

}  // namespace
}  // namespace carom
