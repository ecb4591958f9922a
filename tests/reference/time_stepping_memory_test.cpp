// A step allocates nothing once the greatest problem has been seen.

#include <gtest/gtest.h>

#include "carom/lab/piles.hpp"
#include "support/counted_malloc.hpp"

#ifdef CAROM_COUNTS_MALLOC

namespace carom {
namespace {

using testing::allocations_after;
using testing::kSample;

TEST(TimeSteppingMemory, AStepAtRestAllocatesNothing) {
  EXPECT_LE(allocations_after(lab::box_stack(10, 1e-3), 0.5, 1), kSample);
}

TEST(TimeSteppingMemory, NewtonsMethodKeepsItsMemory) {
  // A wall without the ball; the tolerance is one that sweeps do not reach.
  Scene scene = lab::brick_wall(4, 4, 1e-3);
  scene.start.u.setZero();
  scene.start.q[7 * 16 + 1] = -5;
  scene.integrator.stepping.tolerance = 1e-10;
  Recorder silent;
  scene.duration = 0.1;
  EXPECT_GT(simulate(scene, silent).factorisations, 0);
  EXPECT_LE(allocations_after(scene, 0.05, 0.1), kSample);
}

}  // namespace
}  // namespace carom

#endif
