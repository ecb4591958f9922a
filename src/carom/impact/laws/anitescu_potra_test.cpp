#include <gtest/gtest.h>

#include <cmath>

#include "carom/core/error.hpp"
#include "carom/impact/law.hpp"

namespace carom {
namespace {

ImpactProblem planar(double tt, double tn, double nn, double v_t, double v_n, double mu, double e) {
  ImpactProblem problem;
  problem.G = (Eigen::Matrix2d() << tt, tn, tn, nn).finished();
  problem.v_pre = Eigen::Vector2d(v_t, v_n);
  problem.mu_s = problem.mu_d = Eigen::VectorXd::Constant(1, mu);
  problem.e = Eigen::VectorXd::Constant(1, e);
  return problem;
}

// Slip that neither stops nor turns leaves one straight line: all laws with Poisson's hypothesis agree.
TEST(AnitescuPotra, PlanarSlipThroughoutIsRouth) {
  const ImpactProblem problem = planar(3, 0.4, 1, 10, -2, 0.3, 0.6);
  const ImpactOutcome exact = resolve(problem, {"routh", "poisson", {}, false});
  const ImpactOutcome outcome = resolve(problem, {"anitescu-potra", "", {}, true});
  ASSERT_EQ(outcome.status, ImpactStatus::resolved);
  EXPECT_LE((outcome.v_post - exact.v_post).norm(), 1e-12);
  EXPECT_LE((outcome.p - exact.p).norm(), 1e-12);
  EXPECT_EQ(outcome.segments.size(), 2U);
}

// With the cone as printed, friction of the expansion leans on p̃ alone: it has none here, and the normal impulse is the same.
TEST(AnitescuPotra, PrintedConeHasNoFrictionInTheExpansion) {
  const ImpactProblem problem = planar(3, 0.4, 1, 10, -2, 0.3, 0.6);
  const ImpactOutcome printed = resolve(problem, {"anitescu-potra", "", {{"cone", std::string("printed")}}, true});
  const double p_c = 2 / (1 - 0.3 * 0.4);
  EXPECT_NEAR(printed.p(0), -0.3 * p_c, 1e-12);
  EXPECT_NEAR(printed.p(1), 1.6 * p_c, 1e-12);
}

// Contacts that do not know of each other give what each gives alone, in the plane and in space.
TEST(AnitescuPotra, DecoupledContactsAreSolvedAlone) {
  for (const int d : {2, 3}) {
    const auto single = [&](double mu, double e, double v_n) {
      ImpactProblem problem = planar(3, 0.4, 1, 4, v_n, mu, e);
      if (d == 2) return problem;
      problem.dimension = 3;
      problem.G = (Eigen::Matrix3d() << 3, 0.5, 0.4, 0.5, 2, -0.3, 0.4, -0.3, 1).finished();
      problem.v_pre = Eigen::Vector3d(4, -1, v_n);
      return problem;
    };
    const ImpactProblem a = single(0.3, 0.6, -2), b = single(0.9, 0.2, -3);
    ImpactProblem both = a;
    both.G = Eigen::MatrixXd::Zero(2 * d, 2 * d);
    both.G.topLeftCorner(d, d) = a.G, both.G.bottomRightCorner(d, d) = b.G;
    both.v_pre.resize(2 * d), both.v_pre << a.v_pre, b.v_pre;
    both.mu_s.resize(2), both.mu_s << a.mu_s, b.mu_s;
    both.mu_d = both.mu_s;
    both.e.resize(2), both.e << a.e, b.e;
    const ImpactLaw law{"anitescu-potra", "", {}, true};
    const ImpactOutcome outcome = resolve(both, law), first = resolve(a, law), second = resolve(b, law);
    ASSERT_EQ(outcome.status, ImpactStatus::resolved);
    EXPECT_LE((outcome.v_post.head(d) - first.v_post).norm(), 1e-11) << d;
    EXPECT_LE((outcome.v_post.tail(d) - second.v_post).norm(), 1e-11) << d;
    EXPECT_LE(outcome.energy.closure, 1e-12) << d;
  }
}

// Three balls in a row, e = 1, frictionless: Poisson's hypothesis in two phases gives −1/3, 2/3, 2/3 (Glocker & Pfeiffer).
TEST(AnitescuPotra, NewtonsCradleOfThree) {
  ImpactProblem problem;
  problem.G = Eigen::Matrix4d::Zero();
  problem.G(1, 1) = problem.G(3, 3) = 2, problem.G(1, 3) = problem.G(3, 1) = -1;
  problem.G(0, 0) = problem.G(2, 2) = 1;
  problem.v_pre = Eigen::Vector4d(0, -1, 0, 0);
  problem.mu_s = problem.mu_d = Eigen::Vector2d::Zero();
  problem.e = Eigen::Vector2d::Ones();
  const ImpactOutcome outcome = resolve(problem, {"anitescu-potra", "", {}, true});
  // Balls 1, 2, 3 with speeds −1/3, 2/3, 2/3 part at 1 and stay together at 0.
  EXPECT_NEAR(outcome.v_post(1), 1, 1e-12);
  EXPECT_NEAR(outcome.v_post(3), 0, 1e-12);
}

TEST(AnitescuPotra, RefusesAnOddNumberOfEdges) {
  ImpactProblem problem = planar(1, 0, 1, 1, -1, 0.3, 0.5);
  problem.dimension = 3;
  problem.G = Eigen::Matrix3d::Identity();
  problem.v_pre = Eigen::Vector3d(1, 0, -1);
  EXPECT_THROW(static_cast<void>(resolve(problem, {"anitescu-potra", "", {{"edges", 7.0}}, true})), InputError);
}

}  // namespace
}  // namespace carom
