#pragma once
// Counts what a run allocates, at malloc, where both new and Eigen end. Replaces malloc: for one source file of a test program.

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
#define CAROM_COUNTS_MALLOC

#include <atomic>
#include <cstdlib>
#include <utility>

#include "carom/simulate/simulate.hpp"

namespace carom::testing {

inline std::atomic<bool> counting{false};
inline std::atomic<long> allocations{0};

struct CountsFrom : Recorder {
  explicit CountsFrom(double start) : from(start) {}
  bool progress(double time) override {
    counting = time >= from;
    return true;
  }
  void sample(const Sample&) override { counting = false; }
  double from;
};

// After `warm_up`, until the first sample is handed over at the end: samples are copies and may allocate.
inline long allocations_after(Scene scene, double warm_up, double duration) {
  scene.duration = scene.sampling = duration;
  CountsFrom recorder(warm_up);
  allocations = 0;
  (void)simulate(scene, recorder);
  counting = false;
  return allocations;
}

// The last step prepares the sample: its contact forces, q, u and poses.
inline constexpr long kSample = 20;

}  // namespace carom::testing

extern "C" void* __libc_malloc(std::size_t);
extern "C" void* malloc(std::size_t size) {
  if (carom::testing::counting) ++carom::testing::allocations;
  return __libc_malloc(size);
}

#endif
