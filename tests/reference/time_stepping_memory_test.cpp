// A step allocates nothing once the greatest problem has been seen. Counted at malloc, where both new and Eigen end.

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>

#include "carom/lab/piles.hpp"
#include "carom/simulate/simulate.hpp"

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)

namespace {
std::atomic<bool> counting{false};
std::atomic<long> allocations{0};
}  // namespace

extern "C" void* __libc_malloc(std::size_t);
extern "C" void* malloc(std::size_t size) {
  if (counting) ++allocations;
  return __libc_malloc(size);
}

namespace carom {
namespace {

struct CountsFrom : Recorder {
  explicit CountsFrom(double start) : from(start) {}
  bool progress(double time) override {
    counting = time >= from;
    return true;
  }
  void sample(const Sample&) override { counting = false; }
  double from;
};

long allocations_after(Scene scene, double warm_up, double duration) {
  // One sample after what is counted: samples are copies and may allocate.
  scene.duration = scene.sampling = duration;
  CountsFrom recorder(warm_up);
  allocations = 0;
  (void)simulate(scene, recorder);
  counting = false;
  return allocations;
}

// The last step prepares the sample: its contact forces, q, u and poses.
constexpr long kSample = 20;

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
