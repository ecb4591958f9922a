// A floor of slabs is as good as one in one piece, and a step that stands on the floor stops what comes along it.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "carom/simulate/simulate.hpp"
#include "support/scenes.hpp"

namespace carom {
namespace {

using Eigen::Vector3d;

constexpr double kMu = 0.1, kSpeed = 1.5, kBegin = -0.5, kHeight = 0.05;

Collider ground_box(const std::string& name, const Vector3d& half, const Vector3d& centre) {
  Collider c;
  c.name = name, c.shape = Box{half}, c.in_body.translation = centre;
  return c;
}

// Where it comes to rest when it slides from kBegin with kSpeed.
Sample slide(World world, const Shape& shape, const std::vector<Collider>& ground, double mu, const char* scheme, double duration) {
  const int up = world == World::planar ? 1 : 2;
  Vector3d gravity = Vector3d::Zero();
  gravity[up] = -testing::kGravity;
  std::vector<Collider> colliders{testing::on("slider", 0, shape)};
  colliders.insert(colliders.end(), ground.begin(), ground.end());
  const MassProperties mass = world == World::planar ? testing::rectangle(1, 0.1, kHeight) : testing::solid_box(1, {0.1, 0.1, kHeight});
  Scene scene = testing::make_scene(testing::free_bodies(world, {mass}, gravity), colliders, testing::material(mu, mu, 0), duration);
  scene.start.q[0] = kBegin, scene.start.q[up] = kHeight, scene.start.u[0] = kSpeed;
  scene.integrator.time_stepping = std::string(scheme) != "event-driven";
  scene.integrator.stepping.scheme = std::string(scheme) == "anitescu-potra" ? Scheme::anitescu_potra : Scheme::moreau_jean;
  MemoryRecorder record;
  const RunSummary s = simulate(scene, record);
  EXPECT_EQ(s.status, RunStatus::finished) << s.reason;
  return record.samples.back();
}

class Seams : public ::testing::TestWithParam<const char*> {};

TEST_P(Seams, AreSlidOver) {
  const double end = kBegin + kSpeed * kSpeed / (2 * kMu * testing::kGravity);
  for (const World world : {World::planar, World::spatial}) {
    const int up = world == World::planar ? 1 : 2;
    Vector3d half(1, 1, 1), left(-1, 0, 0), right(1, 0, 0);
    half[up] = 0.1, left[up] = right[up] = -0.1;
    const double low = -kHeight;
    const Shape feet = world == World::planar ? PointSet{{{-0.1, low, 0}, {0.1, low, 0}}} : PointSet{{{-0.1, -0.1, low}, {0.1, -0.1, low}, {-0.1, 0.1, low}, {0.1, 0.1, low}}};
    const Shape block = world == World::planar ? Box{{0.1, kHeight, 1}} : Box{{0.1, 0.1, kHeight}};
    for (const Shape& shape : {feet, block}) {
      const Sample last = slide(world, shape, {ground_box("left", half, left), ground_box("right", half, right)}, kMu, GetParam(), 2);
      EXPECT_NEAR(last.q[0], end, 1e-3) << name(shape);  // h v₀/2 is 7.5e-4
      EXPECT_NEAR(last.q[up], kHeight, 1e-8) << name(shape);
      if (world == World::spatial) {
        EXPECT_NEAR(last.q[1], 0, 1e-7) << name(shape);
      }
    }
  }
}

TEST_P(Seams, AStepOnTheFloorStopsFeet) {
  for (const World world : {World::planar, World::spatial}) {
    const int up = world == World::planar ? 1 : 2;
    Vector3d half(1, 1, 1), centre(1.5, 0, 0);
    half[up] = 0.05, centre[up] = 0.05;
    const double low = -kHeight;
    const Shape feet = world == World::planar ? PointSet{{{-0.1, low, 0}, {0.1, low, 0}}} : PointSet{{{-0.1, -0.1, low}, {0.1, -0.1, low}, {-0.1, 0.1, low}, {0.1, 0.1, low}}};
    for (const double deep : {0.0, 1e-12, 1e-9, 1e-3}) {  // how far the step goes into the floor
      Vector3d lower = centre;
      lower[up] -= deep;
      const Sample last = slide(world, feet, {world == World::planar ? testing::floor_plane() : testing::ground_plane(), ground_box("step", half, lower)}, 0, GetParam(), 1.5);
      EXPECT_LT(last.q[0], 0.42) << deep;  // the foremost foot stays this side of x = 0.5
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Ways, Seams, ::testing::Values("event-driven", "moreau-jean", "anitescu-potra"), [](const auto& way) {
  std::string out = way.param;
  std::replace(out.begin(), out.end(), '-', '_');
  return out;
});

}  // namespace
}  // namespace carom
