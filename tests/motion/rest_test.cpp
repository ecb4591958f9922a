// Bodies that rest stay where they are, to the bit, until something reaches them.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "carom/simulate/simulate.hpp"
#include "support/scenes.hpp"

namespace carom {
namespace {

using Eigen::Vector3d;

class Kept : public Recorder {
 public:
  void sample(const Sample& s) override { samples.push_back(s); }
  void impact(const ImpactRecord& r) override { impacts.push_back(r); }
  std::vector<Sample> samples;
  std::vector<ImpactRecord> impacts;
};

// Two boxes, one on the other; a ball falls on the upper one.
Scene stack_under_ball() {
  const Vector3d half(0.1, 0.1, 0.05);
  const Model model = testing::free_bodies(World::spatial, {testing::solid_box(1, half), testing::solid_box(1, half), testing::solid_sphere(0.2, 0.05)}, {0, 0, -testing::kGravity});
  Scene scene = testing::make_scene(model, {testing::on("lower", 0, Box{half}), testing::on("upper", 1, Box{half}), testing::on("ball", 2, Sphere{0.05}), testing::ground_plane()},
                                    testing::material(0.4, 0.4, 0.3), 0.4);
  scene.start.q[2] = 0.05, scene.start.q[9] = 0.15, scene.start.q[16] = 0.45;
  scene.start.q[14] = 0.04;  // beside the middle
  return scene;
}

TEST(Rest, AStackStaysToTheBitUntilItIsStruckAndThenCarriesOn) {
  const Scene scene = stack_under_ball();
  Kept kept;
  const RunSummary s = simulate(scene, kept);
  ASSERT_EQ(s.status, RunStatus::finished) << s.reason;
  ASSERT_FALSE(kept.impacts.empty());
  const double struck = kept.impacts.front().time;
  EXPECT_NEAR(struck, std::sqrt(2 * 0.2 / testing::kGravity), 1e-10);
  int before = 0;
  for (const Sample& x : kept.samples)
    if (x.time > 0 && x.time < struck) {
      ++before;
      EXPECT_EQ(x.q.head(14), kept.samples[1].q.head(14));
      EXPECT_EQ(x.u.head(12).cwiseAbs().maxCoeff(), 0);
    }
  EXPECT_GT(before, 10);
  // The blow goes through to the floor, and the upper box moves or has moved: it sleeps no more.
  EXPECT_TRUE(std::any_of(kept.impacts.begin(), kept.impacts.end(), [](const ImpactRecord& r) { return r.contacts.size() > 4; }));
  EXPECT_NE(kept.samples.back().q.segment(7, 7), kept.samples[1].q.segment(7, 7));
  EXPECT_LE(s.smooth_drift, 1e-7);
}

// A drive that begins without speed or acceleration: what it carries does not rest.
TEST(Rest, ABoxOnADriveMovesWithIt) {
  const Vector3d half(0.1, 0.1, 0.05);
  Scene scene = testing::make_scene(testing::free_bodies(World::spatial, {testing::solid_box(1, half)}, {0, 0, -testing::kGravity}), {testing::on("box", 0, Box{half}), testing::ground_plane()},
                                    testing::material(0.5, 0.5, 0), 0.5);
  scene.start.q[2] = 0.05;
  Drive drive;
  drive.z.sines = {{0.01, 3, 0}, {-0.005, 6, 0}};
  scene.colliders[1].drive = drive;
  Kept kept;
  const RunSummary s = simulate(scene, kept);
  ASSERT_EQ(s.status, RunStatus::finished) << s.reason;
  EXPECT_NEAR(kept.samples.back().q[2], 0.05 + drive.z.value(0.5), 1e-8);
  EXPECT_NEAR(kept.samples.back().u[2], drive.z.first(0.5), 1e-8);
}

// An arm falls from the horizontal on its stop, bounces, and comes to rest on it: a limit holds without colliders.
TEST(Rest, AnArmComesToRestOnItsStop) {
  const double l = 0.5, m = 1, I = 1.0 / 12, stop = -M_PI / 4;
  for (const double e : {0.0, 0.5}) {
    Scene scene = testing::make_scene(ModelBuilder(World::planar)
                                          .gravity({0, -testing::kGravity, 0})
                                          .body("arm", MassProperties::planar(m, {l, 0}, I))
                                          .joint({.name = "pin", .kind = JointKind::revolute, .child = "arm"})
                                          .build(),
                                      {}, testing::material(0, 0, 0), 4);
    scene.limits.push_back({"pin", 0, 0, stop, -stop, e});
    Kept kept;
    const RunSummary s = simulate(scene, kept);
    ASSERT_EQ(s.status, RunStatus::finished) << s.reason;
    ASSERT_FALSE(kept.impacts.empty());
    const double speed = std::sqrt(2 * m * testing::kGravity * l * std::sin(-stop) / (I + m * l * l));
    EXPECT_NEAR(kept.impacts.front().outcome.v_post[1], e * speed, 1e-8);
    const Sample& last = kept.samples.back();
    EXPECT_NEAR(last.q[0], stop, 1e-9);
    EXPECT_NEAR(last.u[0], 0, 1e-9);
    EXPECT_NEAR(last.energy.impacts, -m * testing::kGravity * l * std::sin(-stop), 1e-7);  // all that it fell
  }
}

}  // namespace
}  // namespace carom
