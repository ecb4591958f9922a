#pragma once
// Random numbers without state: draw i of stream s in run r of seed k is a function of (k, r, s, i) alone, so that results
// do not depend on the order of threads or ranks. Mixing: the finaliser of SplitMix64 (Steele, Lea & Flood, OOPSLA 2014),
// applied to a Weyl sequence whose start is keyed by (seed, run, stream).

#include <cmath>
#include <cstdint>
#include <numbers>

namespace carom {

class CounterRng {
 public:
  CounterRng(std::uint64_t seed, std::uint64_t run, std::uint64_t stream = 0)
      : key_(mix(mix(mix(seed + kWeyl) ^ (run + 2 * kWeyl)) ^ (stream + 3 * kWeyl))) {}

  std::uint64_t bits() { return mix(key_ + kWeyl * ++count_); }
  // Uniform in (0, 1): never an end point.
  double uniform() { return (static_cast<double>(bits() >> 11) + 0.5) * 0x1.0p-53; }
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  // Log-uniform in (low, high), both positive.
  double log_uniform(double low, double high) { return low * std::exp(uniform() * std::log(high / low)); }
  // Uniform in {0, …, n − 1}.
  int below(int n) { return static_cast<int>(bits() % static_cast<std::uint64_t>(n)); }
  // Standard normal (Box–Muller, one of the pair).
  double normal() {
    const double r = std::sqrt(-2 * std::log(uniform()));
    return r * std::cos(2 * std::numbers::pi * uniform());
  }

 private:
  static constexpr std::uint64_t kWeyl = 0x9E3779B97F4A7C15ULL;
  static std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
  }
  std::uint64_t key_;
  std::uint64_t count_ = 0;
};

}  // namespace carom
