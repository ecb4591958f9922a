// Random scenes of 2 to 10 bodies: each finishes, or says why it does not; never NaN, never an overlap that is not told, never energy
// from nothing. A few run here; CAROM_RANDOM_SCENES=1000 (or 500:1000, to share them out) runs that many of each world for the whole
// 2 s, and prints a line for each (the study of bench/README.md).

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>

#include "carom/simulate/simulate.hpp"
#include "support/random_scenes.hpp"

namespace carom {
namespace {

// Stops a run that asks for too many steps.
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

// "500" or "200:500".
struct Range {
  int first = 0, last = 24;
};
Range asked_for(const char* words) {
  if (words == nullptr) return {};
  const char* colon = std::strchr(words, ':');
  return colon == nullptr ? Range{0, std::atoi(words)} : Range{std::atoi(words), std::atoi(colon + 1)};
}

void print_line(int number, const RunSummary& s, double seconds) {
  std::printf("scene %d: %s at %.3f s, %ld steps, %.2f s of processor time, worst gap %.2g m, drift %.2g%s%s\n", number, std::string(name(s.status)).c_str(), s.end_time, s.steps, seconds, s.worst_gap,
              s.smooth_drift, s.reason.empty() ? "" : ", ", s.reason.c_str());
  std::fflush(stdout);
}

TEST_P(RandomScenes, FinishOrSayWhyNot) {
  const char* asked = std::getenv("CAROM_RANDOM_SCENES");
  const Range range = asked_for(asked);
  const double duration = asked != nullptr ? 2 : 0.4;
  int finished = 0, stopped = 0, failed = 0;
  for (int i = range.first; i < range.last; ++i) {
    const Scene scene = testing::random_scene(GetParam(), static_cast<std::uint64_t>(i), duration);
    Limited recorder(asked != nullptr ? 100'000 : 1500);
    const std::clock_t start = std::clock();
    const RunSummary s = simulate(scene, recorder);
    if (asked != nullptr) print_line(i, s, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
    finished += s.status == RunStatus::finished, stopped += s.status == RunStatus::stopped, failed += s.status == RunStatus::failed;
    EXPECT_TRUE(recorder.finite) << "scene " << i;
    EXPECT_LE(s.worst_gain, 1e-9) << "scene " << i;
    EXPECT_TRUE(s.status == RunStatus::finished || !s.reason.empty()) << "scene " << i;
    if (s.status == RunStatus::failed) continue;
    EXPECT_GE(s.worst_gap, -1e-7) << "scene " << i;
    EXPECT_LE(s.smooth_drift, 1e-7) << "scene " << i;
  }
  std::printf("%d scenes: %d finished, %d stopped at the limit of steps, %d failed with a reason\n", range.last - range.first, finished, stopped, failed);
  EXPECT_GE(finished, (range.last - range.first) * 3 / 4);
}

// Contacts that met too slowly to bounce were neither struck nor held, but found closing again at once, thousands of times.
TEST(CrowdedEvents, MoveOn) {
  const Scene scene = testing::random_scene(World::planar, 3, 0.9);
  Limited recorder(7000);
  const RunSummary s = simulate(scene, recorder);
  EXPECT_EQ(s.status, RunStatus::finished) << s.reason << " at " << s.end_time;
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
