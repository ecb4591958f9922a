// Derivatives of `routh` against central differences, away from boundaries between branches.

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <vector>

#include "carom/impact/derivatives.hpp"
#include "support/spatial_problems.hpp"

namespace carom {
namespace {

// The problem with parameter j moved by d.
ImpactProblem moved(ImpactProblem problem, int j, double d) {
  const int n = problem.dimension;
  if (j < n) {
    problem.v_pre(j) += d;
    return problem;
  }
  const std::vector<std::array<int, 2>> places = n == 2 ? std::vector<std::array<int, 2>>{{0, 0}, {0, 1}, {1, 1}}
                                                        : std::vector<std::array<int, 2>>{{0, 0}, {0, 1}, {1, 1}, {0, 2}, {1, 2}, {2, 2}};
  const int entry = j - n;
  if (entry < static_cast<int>(places.size())) {
    const auto [r, c] = places[static_cast<std::size_t>(entry)];
    problem.G(r, c) += d;
    if (r != c) problem.G(c, r) += d;
  } else {
    const int rest = entry - static_cast<int>(places.size());
    (rest == 0 ? problem.mu_s : rest == 1 ? problem.mu_d : problem.e)(0) += d;
  }
  return problem;
}

std::vector<std::string> branch(const ImpactOutcome& outcome) {
  std::vector<std::string> out;
  for (const ImpactEvent& event : outcome.events) out.emplace_back(name(event.kind));
  return out;
}

// Worst relative difference of a gradient from central differences (Richardson, steps h and h/2), or −1 when a step changes the
// branch or the differences do not settle.
double gradient_error(const ImpactProblem& problem, const ImpactLaw& law) {
  const ImpactDerivatives exact = differentiate(problem, law);
  const ImpactOutcome centre = resolve(problem, law);
  double worst = 0;
  for (int j = 0; j < static_cast<int>(exact.parameters.size()); ++j) {
    const double scale = j < problem.dimension ? problem.v_pre.norm() : j < static_cast<int>(exact.parameters.size()) - 3 ? problem.G.norm() : 1.0;
    std::array<Eigen::VectorXd, 2> difference;
    for (int k = 0; k < 2; ++k) {
      const double h = (k == 0 ? 1e-5 : 0.5e-5) * scale;
      const ImpactOutcome a = resolve(moved(problem, j, h), law), b = resolve(moved(problem, j, -h), law);
      if (branch(a) != branch(centre) || branch(b) != branch(centre)) return -1;
      difference[static_cast<std::size_t>(k)].resize(2 * problem.dimension);
      difference[static_cast<std::size_t>(k)] << (a.v_post - b.v_post) / (2 * h), (a.p - b.p) / (2 * h);
    }
    const Eigen::VectorXd better = (4 * difference[1] - difference[0]) / 3;
    Eigen::VectorXd gradient(2 * problem.dimension);
    gradient << exact.dv.col(j), exact.dp.col(j);
    const double unit = std::max({gradient.norm(), better.norm(), (centre.v_post.norm() + centre.p.norm()) / scale * 1e-2});
    if ((difference[1] - difference[0]).norm() > 1e-4 * unit) return -1;  // too curved for these steps
    worst = std::max(worst, (gradient - better).norm() / unit);
  }
  return worst;
}

TEST(SpatialDerivatives, AgreeWithCentralDifferences) {
  std::vector<double> errors;
  for (int i = 0; i < 1500; ++i) {
    ImpactProblem problem = testing::random_spatial(4711, static_cast<std::uint64_t>(i), 0.0);
    if (problem.mu_d(0) == 0) continue;
    problem.mu_s = problem.mu_d.array() + 0.01;  // room to move both ways
    problem.e(0) = 0.1 + 0.8 * problem.e(0);
    const char* hypothesis = i % 3 == 0 ? "newton" : i % 3 == 1 ? "poisson" : "stronge";
    const double error = gradient_error(problem, {"routh", hypothesis, {}, true});
    if (error < 0) continue;
    errors.push_back(error);
    EXPECT_LE(error, 1e-5) << i;
  }
  ASSERT_GT(errors.size(), 900U);
  std::sort(errors.begin(), errors.end());
  std::cout << "3-D derivatives: " << errors.size() << " cases, median " << errors[errors.size() / 2] << ", worst " << errors.back() << '\n';
  EXPECT_LE(errors[errors.size() / 2], 1e-8);
}

TEST(PlanarDerivatives, AgreeWithCentralDifferences) {
  std::vector<double> errors;
  for (int i = 0; i < 1500; ++i) {
    CounterRng rng(4712, static_cast<std::uint64_t>(i));
    ImpactProblem problem;
    const double tt = rng.log_uniform(0.1, 10), nn = rng.log_uniform(0.1, 10), tn = rng.uniform(-0.9, 0.9) * std::sqrt(tt * nn);
    problem.G = (Eigen::Matrix2d() << tt, tn, tn, nn).finished();
    problem.v_pre = Eigen::Vector2d(rng.uniform(-5, 5), -rng.uniform(0.1, 5));
    problem.mu_d = Eigen::VectorXd::Constant(1, rng.uniform(0.05, 1.5)), problem.mu_s = problem.mu_d.array() + 0.01;
    problem.e = Eigen::VectorXd::Constant(1, rng.uniform(0.1, 0.9));
    const char* hypothesis = i % 3 == 0 ? "newton" : i % 3 == 1 ? "poisson" : "stronge";
    const double error = gradient_error(problem, {"routh", hypothesis, {}, true});
    if (error < 0) continue;
    errors.push_back(error);
    EXPECT_LE(error, 1e-6) << i;
  }
  ASSERT_GT(errors.size(), 900U);
  std::sort(errors.begin(), errors.end());
  std::cout << "2-D derivatives: " << errors.size() << " cases, median " << errors[errors.size() / 2] << ", worst " << errors.back() << '\n';
}

}  // namespace
}  // namespace carom
