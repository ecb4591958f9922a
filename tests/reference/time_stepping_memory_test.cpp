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

TEST(TimeSteppingMemory, NewtonsMethodsKeepTheirMemory) {
  // A wall without the ball.
  Scene scene = lab::brick_wall(4, 4, 1e-3);
  scene.start.u.setZero();
  scene.start.q[7 * 16 + 1] = -5;
  scene.integrator.stepping.tolerance = 1e-10;
  Recorder silent;
  scene.duration = 0.1;
  for (const char* solver : {"interior-point", "augmented-lagrangian"}) {
    scene.integrator.stepping.solver = solver;
    EXPECT_GT(simulate(scene, silent).factorisations, 0) << solver;
    EXPECT_LE(allocations_after(scene, 0.3, 0.35), kSample) << solver;
  }
}

}  // namespace
}  // namespace carom

#endif
