// Steps of the event-driven simulator between events allocate nothing, in flight and with lasting contacts, redundant ones too.

#include <gtest/gtest.h>

#include "support/counted_malloc.hpp"
#include "support/scenes.hpp"

#ifdef CAROM_COUNTS_MALLOC

namespace carom {
namespace {

using testing::allocations_after;
using testing::kSample;

Scene in_space(const std::vector<MassProperties>& bodies, std::vector<Collider> colliders, double mu) {
  return testing::make_scene(testing::free_bodies(World::spatial, bodies, {0, 0, -testing::kGravity}), std::move(colliders), testing::material(mu, mu, 0), 1);
}

TEST(EventDrivenMemory, FlightAllocatesNothing) {
  const Scene scene = testing::double_pendulum(60, 30, 1.9, 0.3, 0.5, 1);
  EXPECT_LE(allocations_after(scene, 0.05, 0.15), kSample);
}

TEST(EventDrivenMemory, SlidingOnFourCornersAllocatesNothing) {
  const Eigen::Vector3d half(0.2, 0.2, 0.1);
  Scene scene = in_space({testing::solid_box(1, half)}, {testing::on("box", 0, Box{half}), testing::ground_plane()}, 0.2);
  scene.start.q[2] = half.z();
  scene.start.u[0] = 3, scene.start.u[5] = 1;
  EXPECT_LE(allocations_after(scene, 0.2, 0.8), kSample);
}

TEST(EventDrivenMemory, RollingAllocatesNothing) {
  std::vector<MassProperties> bodies;
  std::vector<Collider> colliders;
  for (int i = 0; i < 4; ++i) bodies.push_back(testing::solid_sphere(1, 0.1)), colliders.push_back(testing::on(testing::numbered("ball", static_cast<std::size_t>(i)), i, Sphere{0.1}));
  colliders.push_back(testing::ground_plane());
  Scene scene = in_space(bodies, colliders, 0.4);
  for (int i = 0; i < 4; ++i) {
    scene.start.q.segment<3>(7 * i) << 0, i, 0.1;
    scene.start.u[6 * i] = 1, scene.start.u[6 * i + 4] = 10;
  }
  EXPECT_LE(allocations_after(scene, 0.1, 0.5), kSample);
}

}  // namespace
}  // namespace carom

#endif
