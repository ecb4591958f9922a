// The closed form against an integrator that shares nothing with it: many small impulse steps with implicit Coulomb friction.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "carom/impact/law.hpp"
#include "support/planar_problems.hpp"

namespace {

using carom::CounterRng;
using carom::ImpactProblem;

struct State {
  double v_t, v_n, p_t = 0, p_n = 0, work = 0;
};

// One step of normal impulse h: friction takes whatever value in the cone brings slip to zero, else the cone's edge against slip.
void step(const ImpactProblem& c, double h, State& x) {
  const bool at_rest = x.v_t == 0;
  const double limit = (at_rest ? c.mu_s(0) : c.mu_d(0)) * h;
  const double free = x.v_t + c.G(0, 1) * h;
  const double needed = -free / c.G(0, 0);
  double p_t;
  if (std::abs(needed) <= limit) p_t = needed;
  else p_t = std::copysign(c.mu_d(0) * h, needed);
  const bool stopped = std::abs(needed) <= limit;
  const double v_n = x.v_n + c.G(1, 0) * p_t + c.G(1, 1) * h;
  x.work += 0.5 * h * (x.v_n + v_n);
  x.v_n = v_n;
  x.v_t = stopped ? 0 : free + c.G(0, 0) * p_t;
  x.p_t += p_t, x.p_n += h;
}

// Integrates with steps of size h until the hypothesis ends the impact.
State integrate(const ImpactProblem& c, const std::string& hypothesis, double h) {
  State x{c.v_pre(0), c.v_pre(1)};
  double p_c = 0, work_c = 0;
  bool compressing = true;
  for (long i = 0; i < 20000000; ++i) {
    if (compressing && x.v_n >= 0) compressing = false, p_c = x.p_n, work_c = x.work;
    if (!compressing) {
      const bool ends = hypothesis == "poisson"   ? x.p_n >= (1 + c.e(0)) * p_c
                        : hypothesis == "newton" ? x.v_n >= -c.e(0) * c.v_pre(1)
                                                 : x.work >= (1 - c.e(0) * c.e(0)) * work_c;
      if (ends) return x;
    }
    step(c, h, x);
  }
  ADD_FAILURE() << "brute force did not end";
  return x;
}

TEST(PlanarBruteForce, ClosedFormIsTheLimitOfSmallSteps) {
  const char* hypotheses[] = {"stronge", "poisson", "newton"};
  std::vector<double> coarse_errors, fine_errors;
  for (int i = 0; i < 2000; ++i) {
    CounterRng rng(4, static_cast<std::uint64_t>(i));
    const ImpactProblem problem = carom::testing::random_planar(rng);
    const std::string hypothesis = hypotheses[i % 3];
    const carom::ImpactOutcome exact = carom::resolve(problem, {.process = "routh", .restitution = hypothesis, .options = {}});
    const double h = exact.p(1) / 2000;
    const double scale = (problem.G.cwiseAbs() * exact.p.cwiseAbs()).norm() + problem.v_pre.norm();
    const auto error = [&](double step_size) {
      const State x = integrate(problem, hypothesis, step_size);
      return (Eigen::Vector2d(x.v_t, x.v_n) - exact.v_post).norm() / scale;
    };
    const double coarse = error(h), fine = error(h / 8);
    // First order: each step may misplace an event by h; stronge divides by v_n there, hence √h where it ends at e ≈ 0 or v_n ≈ 0.
    const double slow_end = hypothesis == "stronge" ? 4 * std::sqrt(1.0 / 16000) * (1 - problem.e(0)) : 0.0;
    EXPECT_LE(fine, 40.0 / 16000 + slow_end) << i << " " << hypothesis;
    coarse_errors.push_back(coarse), fine_errors.push_back(fine);
  }
  const auto median = [](std::vector<double>& x) {
    std::nth_element(x.begin(), x.begin() + x.size() / 2, x.end());
    return x[x.size() / 2];
  };
  const double ratio = median(coarse_errors) / median(fine_errors);
  EXPECT_NEAR(ratio, 8, 2.5) << "eight times smaller steps must give about eight times smaller errors (first order)";
}

}  // namespace
