#include <gtest/gtest.h>
#include "carom/geometry/gap.hpp"
TEST(Gap, BallOnPlane) {
  std::vector<carom::Gap> out;
  carom::Placement up; up.translation << 1, 2, 3;
  carom::gaps(carom::World::spatial, carom::Sphere{0.5}, up, carom::HalfSpace{}, {}, 10, out);
  ASSERT_EQ(out.size(), 1u);
  EXPECT_DOUBLE_EQ(out[0].distance, 2.5);
}
