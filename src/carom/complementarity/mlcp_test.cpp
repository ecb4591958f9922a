#include "carom/complementarity/mlcp.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "carom/complementarity/enumeration.hpp"
#include "carom/complementarity/fischer_burmeister.hpp"
#include "carom/complementarity/mlcp_lemke.hpp"
#include "carom/complementarity/pgs.hpp"
#include "carom/math/counter_rng.hpp"

using namespace carom;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

Mlcp random_mlcp(std::uint64_t run) {
  CounterRng rng(51, run);
  const int n = 3 + rng.below(8);
  const MatrixXd A = MatrixXd::NullaryExpr(n, n, [&] { return rng.normal(); });
  Mlcp p{A * A.transpose() + MatrixXd::Identity(n, n), VectorXd::NullaryExpr(n, [&] { return rng.normal(); }), {}};
  for (int i = 0; i < n; ++i) p.complementary.push_back(rng.below(3) != 0);
  return p;
}

}  // namespace

TEST(Mlcp, LemkeNewtonAndGaussSeidelAgree) {
  for (std::uint64_t run = 0; run < 200; ++run) {
    const Mlcp p = random_mlcp(run);
    const auto lemke = solve_lemke(p), newton = solve_fischer_burmeister(p, {.tolerance = 1e-12});
    const auto pgs = solve_pgs(p, {.tolerance = 1e-12});
    ASSERT_TRUE(lemke.usable() && newton.usable() && pgs.usable()) << run;
    // M ≥ I: the distance to the solution is at most the residual, times ‖q‖.
    EXPECT_LE((lemke.z - newton.z).norm(), 1e-10) << run;
    EXPECT_LE((lemke.z - pgs.z).norm(), 1e-10) << run;
  }
}

TEST(Mlcp, SingularEqualityBlockIsSplit) {
  // x free, y ≥ 0: y − 1 = 0 (no x), and 0 ≤ −x + y + 0 ⊥ y: hence y = 1, x = 1.
  const Mlcp p{(MatrixXd(2, 2) << 0, 1, -1, 1).finished(), Eigen::Vector2d(-1, 0), {false, true}};
  const auto newton = solve_fischer_burmeister(p);
  ASSERT_TRUE(newton.usable());
  EXPECT_LE((newton.z - Eigen::Vector2d(1, 1)).norm(), 1e-8);
}

TEST(Mlcp, CertificateCountsEqualitiesInBothSigns) {
  const Mlcp p{MatrixXd::Identity(2, 2), Eigen::Vector2d(1, 1), {false, true}};
  EXPECT_GT(certify(p, Eigen::Vector2d(0, 0)).natural_map, 0.5);
  EXPECT_GT(certify(p, Eigen::Vector2d(0, 0)).cone, 0.5);
  EXPECT_LE(certify(p, Eigen::Vector2d(-1, 0)).natural_map, 0);
}

TEST(Pgs, RefusesAZeroDiagonal) {
  const Lcp lcp{(MatrixXd(2, 2) << 0, 1, 1, 0).finished(), Eigen::Vector2d(-1, -1)};
  EXPECT_EQ(solve_pgs(lcp).status, SolveStatus::not_applicable);
}

TEST(FischerBurmeister, AgreesWithEnumerationOnPMatrices) {
  for (std::uint64_t run = 0; run < 200; ++run) {
    CounterRng rng(52, run);
    const int n = 1 + rng.below(7);
    const MatrixXd A = MatrixXd::NullaryExpr(n, n, [&] { return rng.normal(); });
    const Lcp lcp{A * A.transpose() + 0.1 * MatrixXd::Identity(n, n), VectorXd::NullaryExpr(n, [&] { return rng.normal(); })};
    const auto s = solve_fischer_burmeister(lcp);
    ASSERT_TRUE(s.usable()) << run;
    EXPECT_LE((s.z - solve_enumeration(lcp).z).norm(), 1e-6) << run;  // natural map 1e-8 over the least eigenvalue 0.1
  }
}
