// Time-stepping comes to the event-driven motion as h → 0: orders of the scenes of docs/convergence.md, and the error that is measured
// against one known in closed form.

#include <gtest/gtest.h>

#include <cmath>

#include "carom/core/error.hpp"
#include "carom/io/scene_yaml.hpp"
#include "carom/lab/convergence.hpp"

namespace carom {
namespace {

using lab::converge;
using lab::Convergence;

const std::string kSource = CAROM_SOURCE_DIR;
const std::vector<double> kSteps{1e-2, 5e-3, 2e-3, 1e-3, 5e-4, 2e-4, 1e-4, 5e-5};
const std::vector<std::string> kBoth{"moreau-jean", "anitescu-potra"};

Scene read(const std::string& name) { return io::read_scene(kSource + "/" + name); }
std::vector<ImpactLaw> law(const std::string& process, const std::string& restitution) { return {{process, restitution, {}}}; }

// A free fall by steps is too deep by Σ h² g k − ½ g t² = ½ g h t; the midpoint rule of moreau-jean is exact.
TEST(Convergence, MeasuresTheErrorOfAFreeFallExactly) {
  Scene ball = read("examples/08_bouncing_ball/scene.yaml");
  ball.duration = 0.4;  // the floor is reached at 0.4515 s
  const auto studies = converge(ball, {}, {"anitescu-potra", "stewart-trinkle", "moreau-jean"}, {0.01, 0.005, 0.0025});
  ASSERT_EQ(studies.size(), 3u);
  for (int k = 0; k < 2; ++k) {
    for (const lab::SteppedError& run : studies[static_cast<std::size_t>(k)].runs) {
      EXPECT_NEAR(run.at_end, 0.5 * 9.81 * run.step * 0.4, 1e-10);  // the reference is integrated to 1e-11
      EXPECT_EQ(run.greatest, run.at_end);
      EXPECT_LT(run.first_impact, 0);
    }
    EXPECT_NEAR(studies[static_cast<std::size_t>(k)].fitted_order(), 1, 1e-6);
    EXPECT_TRUE(studies[static_cast<std::size_t>(k)].converges());
  }
  for (const lab::SteppedError& run : studies[2].runs) EXPECT_LT(run.greatest, 1e-10);
}

// Across impacts and through the accumulation of bounces to rolling: first order in the greatest distance.
TEST(Convergence, OfTheBouncingBallIsOfFirstOrder) {
  for (const Convergence& study : converge(read("examples/08_bouncing_ball/scene.yaml"), {}, kBoth, kSteps)) {
    EXPECT_TRUE(study.finished());
    EXPECT_TRUE(study.converges()) << study.scheme;
    EXPECT_GT(study.fitted_order(), 0.8) << study.scheme;
    EXPECT_LT(study.fitted_order(), 1.2) << study.scheme;
    for (const lab::SteppedError& run : study.runs) {
      EXPECT_LE(run.first_impact, run.step) << "felt in the step of the impact";
      EXPECT_LE(run.at_end, 0.5 * run.step) << "it rolls on; friction changed its 0.5 m/s by 0.14 m/s, at most a few steps late";
    }
  }
}

TEST(Convergence, OfAPlasticBallBySteppingWithoutRestitution) {
  Scene ball = read("examples/08_bouncing_ball/scene.yaml");
  for (Material& m : ball.materials) m.e = 0;
  const auto studies = converge(ball, {}, {"stewart-trinkle"}, kSteps);
  EXPECT_GT(studies[0].fitted_order(), 0.8);
  EXPECT_LT(studies[0].fitted_order(), 1.2);
}

// Two contacts at each impact, without friction, where Newton's and Poisson's hypotheses agree.
TEST(Convergence, OfTheRockingBlock) {
  for (const Convergence& study : converge(read("examples/04_rocking_block/scene.yaml"), law("moreau", "newton"), kBoth, kSteps)) {
    EXPECT_TRUE(study.converges()) << study.scheme;
    EXPECT_GT(study.fitted_order(), 0.8) << study.scheme;
    EXPECT_LT(study.fitted_order(), 1.2) << study.scheme;
  }
}

// With friction at a slanted rod the hypotheses part: each scheme comes to its own law and to no other.
TEST(Convergence, IsToTheLawOfTheScheme) {
  const Scene pendulum = read("examples/07_double_pendulum/scene.yaml");
  for (const auto& [process, restitution, own] : {std::tuple("moreau", "newton", "moreau-jean"), std::tuple("anitescu-potra", "poisson", "anitescu-potra")})
    for (const Convergence& study : converge(pendulum, law(process, restitution), kBoth, kSteps)) {
      EXPECT_EQ(study.converges(), study.scheme == own) << study.scheme << " against " << study.reference;
      EXPECT_EQ(study.runs.back().greatest < 1e-2, study.scheme == own);
    }
}

TEST(Convergence, RefusesStepsThatMakeNoSense) {
  const Scene ball = read("examples/08_bouncing_ball/scene.yaml");
  EXPECT_THROW(converge(ball, {}, {}, {0.1}), InputError);
  EXPECT_THROW(converge(ball, {}, {"euler"}, {0.1}), InputError);
  EXPECT_THROW(converge(ball, {}, kBoth, {5}), InputError);
}

TEST(Convergence, TellsHowFarItIs) {
  double last = 0;
  bool rises = true;
  Scene ball = read("examples/08_bouncing_ball/scene.yaml");
  ball.duration = 0.5;
  converge(ball, {}, kBoth, {0.01, 0.001}, [&](double done) { rises = rises && done >= last, last = done; });
  EXPECT_TRUE(rises);
  EXPECT_GT(last, 0.9);
  EXPECT_LE(last, 1);
}

}  // namespace
}  // namespace carom
