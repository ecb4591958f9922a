#include "carom/simulate/bridge.hpp"

#include <gtest/gtest.h>

#include "support/scenes.hpp"

namespace carom {
namespace {

// Drift may have left a contact deeper than a step may lead: the step must not go deeper, but it must go.
TEST(Bridge, GoesOnFromAContactThatIsAlreadyDeep) {
  const double radius = 0.1, deep = 2e-8, h = 1e-5;
  Scene scene = testing::make_scene(testing::free_bodies(World::spatial, {testing::solid_sphere(1, radius)}, {0, 0, -testing::kGravity}),
                                    {testing::on("ball", 0, Sphere{radius}), testing::ground_plane()}, testing::material(0.3, 0.3, 0), 1);
  scene.start.q[2] = radius - deep;
  scene.start.u[0] = 0.1;
  SmoothFlow flow(scene);
  FlowVector x = flow.pack(scene.start, 0, 0);
  const Bridge taken = bridge(scene, flow, x, 0, h);
  EXPECT_EQ(taken.length, h);
  EXPECT_EQ(taken.contacts.size(), 1u);
  EXPECT_GE(x[2], radius - deep - 1e-15);
}

}  // namespace
}  // namespace carom
