// A step asks every pair for the gaps that its own speeds could close. Impulses run farther than that within one step: through rows of bodies at
// rest, and on to bodies that nothing could have reached before.

#include <gtest/gtest.h>

#include <utility>

#include "carom/lab/piles.hpp"
#include "carom/simulate/simulate.hpp"
#include "support/scenes.hpp"
#include "support/stepping_scenes.hpp"

namespace carom {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr int kRow = 10;
constexpr double kMass = 20, kSpeed = 10, kRadius = 0.05, kGap = 1e-4, kStep = 1e-3;

// A ball of 20 kg with 10 m/s, 0.1 mm before a row of balls of 1 kg at rest, each 0.1 mm from the next. No gravity, no friction.
Scene row_of_balls(Scheme scheme, double e, int steps) {
  std::vector<MassProperties> masses{testing::solid_sphere(kMass, kRadius)};
  std::vector<Collider> colliders;
  for (int i = 0; i < kRow; ++i) masses.push_back(testing::solid_sphere(1, kRadius));
  for (int i = 0; i <= kRow; ++i) colliders.push_back(testing::on(testing::numbered("ball", static_cast<std::size_t>(i)), i, Sphere{kRadius}));
  Scene scene = testing::make_scene(testing::free_bodies(World::spatial, masses, Vector3d::Zero()), colliders, testing::material(0, 0, e), steps * kStep);
  for (int i = 0; i <= kRow; ++i) scene.start.q[7 * i] = i * (2 * kRadius + kGap);
  scene.start.u[0] = kSpeed;
  scene.sampling = kStep;
  scene.integrator.time_stepping = true;
  scene.integrator.stepping.scheme = scheme, scene.integrator.stepping.step = kStep, scene.integrator.stepping.tolerance = 1e-12;
  return scene;
}

VectorXd speeds_after(const Scene& scene) {
  MemoryRecorder record;
  simulate(scene, record);
  VectorXd speeds(kRow + 1);
  for (int i = 0; i <= kRow; ++i) speeds[i] = record.samples.back().u[6 * i];
  return speeds;
}

TEST(TimeSteppingReach, AnImpulseRunsThroughARowWithinOneStep) {
  // Stewart & Trinkle: every gap is closed at the end of the step, v_i − v_{i+1} = gap/h.
  const double closing = kGap / kStep, first = (kMass * kSpeed + closing * kRow * (kRow + 1) / 2) / (kMass + kRow);
  const VectorXd notes = speeds_after(row_of_balls(Scheme::stewart_trinkle, 0, 1));
  for (int i = 0; i <= kRow; ++i) EXPECT_NEAR(notes[i], first - i * closing, 1e-9) << i;
  // Anitescu & Potra: no gap that would be closed goes on closing.
  const VectorXd together = speeds_after(row_of_balls(Scheme::anitescu_potra, 0, 1));
  for (int i = 0; i <= kRow; ++i) EXPECT_NEAR(together[i], kMass * kSpeed / (kMass + kRow), 1e-9) << i;
  // Moreau & Jean: the blow returns the speed of the first gap, and the row, faster than all was before, remains together.
  const VectorXd newton = speeds_after(row_of_balls(Scheme::moreau_jean, 1, 1));
  const double row = 2 * kMass * kSpeed / (kMass + kRow);
  EXPECT_GT(row, 1.3 * kSpeed);
  EXPECT_NEAR(newton[0], row - kSpeed, 1e-9);
  for (int i = 1; i <= kRow; ++i) EXPECT_NEAR(newton[i], row, 1e-9) << i;
}

TEST(TimeSteppingReach, NothingTunnelsInARow) {
  // The last ball stands apart and is struck later. Newton's restitution lets (1 − e) v h/2 in by itself.
  const std::pair<Scheme, double> runs[] = {{Scheme::stewart_trinkle, 0}, {Scheme::anitescu_potra, 0.7}, {Scheme::moreau_jean, 1}};
  for (const auto& [scheme, e] : runs) {
    Scene scene = row_of_balls(scheme, e, 40);
    scene.start.q[7 * kRow] += 0.0777;
    MemoryRecorder record;
    simulate(scene, record);
    for (const Sample& s : record.samples) {
      double momentum = kMass * s.u[0];
      for (int i = 1; i <= kRow; ++i) {
        momentum += s.u[6 * i];
        ASSERT_GT(s.q[7 * i] - s.q[7 * (i - 1)], 2 * kRadius - 1e-9) << name(scheme) << ' ' << i << " at " << s.time;
      }
      EXPECT_NEAR(momentum, kMass * kSpeed, 1e-9);
    }
    EXPECT_GT(record.samples.back().u[6 * kRow], 0.5 * kSpeed);
  }
}

// Scenes where bodies may sleep ask all pairs for gaps within the reach of the two fastest. Before anything has rested for long enough to fall
// asleep nothing else is different.
void expect_same_as_of_all_gaps(Scene scene, double duration) {
  scene.duration = duration, scene.sampling = 0.01;
  MemoryRecorder own, all;
  simulate(scene, own);
  scene.integrator.stepping.sleeping = true;
  simulate(scene, all);
  ASSERT_EQ(own.samples.size(), all.samples.size());
  for (std::size_t k = 0; k < own.samples.size(); ++k) {
    EXPECT_LT((own.samples[k].q - all.samples[k].q).lpNorm<Eigen::Infinity>(), 1e-9) << own.samples[k].time;
    EXPECT_LT((own.samples[k].u - all.samples[k].u).lpNorm<Eigen::Infinity>(), 1e-6) << own.samples[k].time;
  }
}

TEST(TimeSteppingReach, AStruckWallMovesAsWithAllGaps) {
  for (const Scheme scheme : {Scheme::stewart_trinkle, Scheme::anitescu_potra, Scheme::moreau_jean}) {
    Scene scene = lab::brick_wall(3, 3, 1e-3);
    scene.integrator.stepping.scheme = scheme, scene.integrator.stepping.tolerance = 1e-10;
    SCOPED_TRACE(name(scheme));
    expect_same_as_of_all_gaps(scene, 0.15);
  }
}

TEST(TimeSteppingReach, ABinOfBoxesMovesAsWithAllGaps) {
  for (const Scheme scheme : {Scheme::stewart_trinkle, Scheme::anitescu_potra, Scheme::moreau_jean}) {
    Scene scene = lab::box_bin(50, 0.8, 0.4, 2e-3);
    scene.integrator.stepping.scheme = scheme, scene.integrator.stepping.tolerance = 1e-10;
    SCOPED_TRACE(name(scheme));
    expect_same_as_of_all_gaps(scene, 0.4);
  }
}

}  // namespace
}  // namespace carom
