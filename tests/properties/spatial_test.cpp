// Properties of the spatial laws on random impacts: energy, momentum, cone, invariances, the planar limit, singular matrices.

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <iostream>

#include "carom/impact/law.hpp"
#include "carom/impact/ledger.hpp"
#include "support/spatial_problems.hpp"

namespace carom {
namespace {

constexpr std::uint64_t kSeed = 77;

ImpactOutcome solve(const ImpactProblem& problem, const char* law, const char* restitution) {
  return resolve(problem, {law, restitution, {}, false});
}

// Two branches meet at such a problem: a perturbed copy may rightly take the other.
bool at_boundary(const ImpactOutcome& outcome) {
  for (const std::string& warning : outcome.warnings)
    if (warning.find("static friction") != std::string::npos) return true;
  return false;
}

double difference(const ImpactProblem& problem, const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
  return (a - b).norm() / std::max(problem.v_pre.norm(), b.norm());
}

TEST(SpatialProperties, RouthOnAHundredThousandRandomImpacts) {
  constexpr int kCases = 100000;
  double gain = 0, momentum = 0, cone = 0, closure = 0;
  for (int i = 0; i < kCases; ++i) {
    const ImpactProblem problem = testing::random_spatial(kSeed, static_cast<std::uint64_t>(i));
    for (const std::string hypothesis : {"newton", "poisson", "stronge"}) {
      const ImpactOutcome outcome = solve(problem, "routh", hypothesis.c_str());
      ASSERT_EQ(outcome.status, ImpactStatus::resolved) << i;
      ASSERT_TRUE(outcome.v_post.allFinite() && outcome.p.allFinite()) << i;
      const EnergyLedger& energy = outcome.energy;
      if (hypothesis != "newton") gain = std::max(gain, energy.change / energy.kinetic);
      momentum = std::max(momentum, outcome.residuals.momentum), cone = std::max(cone, outcome.residuals.cone);
      // p·(v⁻ + G p) itself rounds by ε |p|·|G||p|, which an ill-conditioned G makes larger than 1e-12 T_c now and then.
      const Eigen::Vector3d size = outcome.p.cwiseAbs();
      const double floor = 4 * std::numeric_limits<double>::epsilon() * size.dot(problem.G.cwiseAbs() * size) / energy.kinetic;
      closure = std::max(closure, energy.closure - floor);
      ASSERT_LE(energy.friction_work, 1e-12 * energy.kinetic) << i;
      ASSERT_LE(energy.compression_work, 0) << i;
      ASSERT_GE(energy.restitution_work, -1e-12 * energy.kinetic) << i;
      ASSERT_GE(outcome.v_post(2), -1e-12 * problem.v_pre.norm()) << i;
    }
  }
  std::cout << "1e5 impacts: largest gain " << gain << " T_c, momentum " << momentum << ", cone " << cone << ", closure " << closure << '\n';
  EXPECT_LE(gain, kEnergyGain);
  EXPECT_LE(momentum, 1e-12);
  EXPECT_LE(cone, 1e-12);
  EXPECT_LE(closure, 1e-12);
}

// Rotating the tangent plane rotates the answer. Rounding of the rotated data (1e-16) is amplified by the condition of G (1e4).
TEST(SpatialProperties, RotationAboutTheNormal) {
  double worst = 0;
  int boundary = 0;
  for (int i = 0; i < 20000; ++i) {
    const ImpactProblem problem = testing::random_spatial(kSeed + 1, static_cast<std::uint64_t>(i), 0.0);
    const Eigen::Matrix3d R = Eigen::AngleAxisd(0.1 + 0.0003 * i, Eigen::Vector3d::UnitZ()).toRotationMatrix();
    ImpactProblem turned = problem;
    turned.G = R * problem.G * R.transpose();
    turned.G = (0.5 * (turned.G + turned.G.transpose())).eval();
    turned.v_pre = R * problem.v_pre;
    const char* hypothesis = i % 2 ? "stronge" : "poisson";
    const ImpactOutcome a = solve(problem, "routh", hypothesis), b = solve(turned, "routh", hypothesis);
    if (at_boundary(a) || at_boundary(b)) {
      ++boundary;
      continue;
    }
    const double error = difference(problem, R.transpose() * b.v_post, a.v_post);
    EXPECT_LE(error, 1e-10) << i;
    worst = std::max(worst, error);
  }
  std::cout << "rotation: worst " << worst << ", " << boundary << " at a branch boundary\n";
  EXPECT_LE(boundary, 100);
}

// Powers of two change no mantissa: the answer scales to the bit.
TEST(SpatialProperties, ScalingOfVelocityAndMassToTheBit) {
  for (int i = 0; i < 20000; ++i) {
    const ImpactProblem problem = testing::random_spatial(kSeed + 2, static_cast<std::uint64_t>(i));
    ImpactProblem scaled = problem;
    scaled.G *= 0x1.0p-7, scaled.v_pre *= 0x1.0p5;
    const char* hypothesis = i % 3 == 0 ? "newton" : i % 3 == 1 ? "poisson" : "stronge";
    const ImpactOutcome a = solve(problem, "routh", hypothesis), b = solve(scaled, "routh", hypothesis);
    ASSERT_EQ(b.v_post, (a.v_post * 0x1.0p5).eval()) << i;
    ASSERT_EQ(b.p, (a.p * 0x1.0p12).eval()) << i;
  }
}

// t2 decoupled and without slip: the planar law, in any orientation of the tangent plane.
TEST(SpatialProperties, PlanarDataGiveThePlanarLaw) {
  double worst = 0, worst_turned = 0;
  for (int i = 0; i < 20000; ++i) {
    CounterRng rng(kSeed + 3, static_cast<std::uint64_t>(i));
    ImpactProblem flat;
    const double tt = rng.log_uniform(0.1, 10), nn = rng.log_uniform(0.1, 10), tn = rng.uniform(-0.99, 0.99) * std::sqrt(tt * nn);
    flat.G = (Eigen::Matrix2d() << tt, tn, tn, nn).finished();
    flat.v_pre = Eigen::Vector2d(rng.uniform() < 0.1 ? 0.0 : rng.uniform(-5, 5), -rng.uniform(0.1, 5));
    flat.mu_d = Eigen::VectorXd::Constant(1, rng.uniform(0, 1.5)), flat.mu_s = flat.mu_d * rng.uniform(1, 1.3);
    flat.e = Eigen::VectorXd::Constant(1, rng.uniform());
    ImpactProblem solid = flat;
    solid.dimension = 3;
    solid.G = (Eigen::Matrix3d() << tt, 0, tn, 0, rng.log_uniform(0.1, 10), 0, tn, 0, nn).finished();
    solid.v_pre = Eigen::Vector3d(flat.v_pre(0), 0, flat.v_pre(1));
    ImpactProblem turned = solid;
    const Eigen::Matrix3d R = Eigen::AngleAxisd(0.5 * std::numbers::pi, Eigen::Vector3d::UnitZ()).toRotationMatrix().array().round().matrix();
    turned.G = R * solid.G * R.transpose(), turned.v_pre = R * solid.v_pre;
    for (const char* hypothesis : {"newton", "poisson", "stronge"}) {
      const ImpactOutcome a = solve(flat, "routh", hypothesis), b = solve(solid, "routh", hypothesis), c = solve(turned, "routh", hypothesis);
      const Eigen::Vector3d v(a.v_post(0), 0, a.v_post(1)), p(a.p(0), 0, a.p(1));
      worst = std::max({worst, difference(solid, b.v_post, v), (b.p - p).norm() / p.norm()});
      worst_turned = std::max(worst_turned, difference(solid, R.transpose() * c.v_post, v));
    }
  }
  std::cout << "planar data: worst difference " << worst << ", turned by a right angle " << worst_turned << '\n';
  EXPECT_LE(worst, 1e-12);
  EXPECT_LE(worst_turned, 1e-12);
}

// Singular G, in every way it can be: an answer, or no-solution with a reason; never a NaN.
TEST(SpatialProperties, SingularMatrices) {
  int resolved = 0, refused = 0;
  for (int i = 0; i < 6000; ++i) {
    CounterRng rng(kSeed + 4, static_cast<std::uint64_t>(i));
    Eigen::Matrix3d J = Eigen::Matrix3d::Zero();  // G = J Jᵀ, columns: degrees of freedom
    const int kind = i % 6;
    const int rank = kind < 2 ? kind + 1 : 2;
    for (int c = 0; c < rank; ++c)
      for (int r = 0; r < 3; ++r) J(r, c) = rng.normal();
    if (kind == 2) J.row(0).setZero();                     // no sideways mobility along t1
    if (kind == 3) J.topRows(2).setZero();                 // none at all
    if (kind == 4) J.row(1) = 2 * J.row(0);                // one oblique direction only
    if (kind == 5) J.col(1).setZero(), J.row(0).setZero(); // one degree of freedom in a plane
    ImpactProblem problem;
    problem.dimension = 3;
    problem.G = J * J.transpose();
    if (!(problem.G(2, 2) > 1e-3)) continue;
    problem.v_pre = J * Eigen::Vector3d(rng.normal(), rng.normal(), rng.normal());
    if (rng.below(3) == 0) problem.v_pre.head<2>() += Eigen::Vector2d(rng.normal(), rng.normal());
    if (problem.v_pre(2) > 0) problem.v_pre = -problem.v_pre;
    problem.mu_d = Eigen::VectorXd::Constant(1, rng.uniform(0, 1.5)), problem.mu_s = problem.mu_d;
    problem.e = Eigen::VectorXd::Constant(1, rng.uniform());
    for (const char* hypothesis : {"newton", "poisson", "stronge"}) {
      const ImpactOutcome outcome = solve(problem, "routh", hypothesis);
      ASSERT_TRUE(outcome.v_post.allFinite() && outcome.p.allFinite()) << i << ' ' << hypothesis << ' ' << kind;
      if (outcome.status == ImpactStatus::resolved) {
        ++resolved;
        EXPECT_LE(outcome.residuals.momentum, 1e-9) << i << ' ' << hypothesis;
        EXPECT_LE(outcome.residuals.penetration, 1e-9) << i << ' ' << hypothesis;
      } else {
        ++refused;
        EXPECT_EQ(outcome.status, ImpactStatus::no_solution) << i << ' ' << kind;
        EXPECT_FALSE(outcome.warnings.empty()) << i;
      }
    }
  }
  std::cout << "singular matrices: " << resolved << " resolved, " << refused << " refused with a reason\n";
}

TEST(SpatialProperties, RouthOdeAgreesWithRouth) {
  double worst = 0;
  for (int i = 0; i < 3000; ++i) {
    const ImpactProblem problem = testing::random_spatial(kSeed + 5, static_cast<std::uint64_t>(i), 0.0);
    const char* hypothesis = i % 3 == 0 ? "newton" : i % 3 == 1 ? "poisson" : "stronge";
    const ImpactOutcome a = solve(problem, "routh", hypothesis), b = solve(problem, "routh-ode", hypothesis);
    ASSERT_EQ(b.status, ImpactStatus::resolved) << i;
    if (at_boundary(a)) continue;
    const double error = difference(problem, b.v_post, a.v_post);
    EXPECT_LE(error, 1e-6) << i;  // relative tolerance 1e-10 per step, amplified near repelling isoclines
    worst = std::max(worst, error);
  }
  std::cout << "routh-ode at 1e-10 against routh: worst " << worst << '\n';
}

TEST(SpatialProperties, MirtichAgreesWithRouthOrSaysWhyNot) {
  double worst = 0;
  int refused = 0;
  for (int i = 0; i < 3000; ++i) {
    const ImpactProblem problem = testing::random_spatial(kSeed + 6, static_cast<std::uint64_t>(i), 0.0);
    const ImpactOutcome a = solve(problem, "routh", "stronge"), b = solve(problem, "mirtich", "stronge");
    if (at_boundary(a)) continue;
    if (b.status != ImpactStatus::resolved) {
      ++refused;
      EXPECT_FALSE(b.warnings.empty()) << i;
      continue;
    }
    const double error = difference(problem, b.v_post, a.v_post);
    EXPECT_LE(error, 1e-6) << i;
    worst = std::max(worst, error);
  }
  std::cout << "mirtich at 1e-10 against routh: worst " << worst << ", " << refused << " of 3000 refused (jam or dual compression)\n";
}

TEST(SpatialProperties, ParkAndAnitescuPotraKeepMomentumAndCone) {
  double momentum = 0, cone = 0;
  int park_refused = 0, lcp_missed = 0;
  for (int i = 0; i < 5000; ++i) {
    const ImpactProblem problem = testing::random_spatial(kSeed + 7, static_cast<std::uint64_t>(i), 0.0);
    const ImpactOutcome a = solve(problem, "park", "poisson");
    if (a.status == ImpactStatus::resolved) {
      momentum = std::max(momentum, a.residuals.momentum), cone = std::max(cone, a.residuals.cone);
      EXPECT_GE(a.v_post(2), -1e-9 * problem.v_pre.norm()) << i;
    } else {
      ++park_refused;
    }
    const ImpactOutcome b = solve(problem, "anitescu-potra", "poisson");
    if (b.status == ImpactStatus::resolved) {
      momentum = std::max(momentum, b.residuals.momentum), cone = std::max(cone, b.residuals.cone);
      EXPECT_LE(b.residuals.penetration, 1e-9) << i;
    } else {
      ++lcp_missed;
    }
  }
  std::cout << "park, anitescu-potra: momentum " << momentum << ", cone " << cone << "; " << park_refused << " park, " << lcp_missed << " LCP without solution\n";
  EXPECT_LE(momentum, 1e-12);
  EXPECT_LE(cone, 1e-12);
  EXPECT_EQ(lcp_missed, 0);
}

}  // namespace
}  // namespace carom
