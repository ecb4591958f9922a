#include "carom/complementarity/lemke.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "carom/complementarity/enumeration.hpp"
#include "carom/core/error.hpp"
#include "carom/math/counter_rng.hpp"

using namespace carom;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

Lcp make(int n, std::initializer_list<double> rows, std::initializer_list<double> q) {
  Lcp l{MatrixXd(n, n), VectorXd(n)};
  auto it = rows.begin();
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) l.M(i, j) = *it++;
  std::copy(q.begin(), q.end(), l.q.begin());
  return l;
}

MatrixXd gaussian(CounterRng& rng, int rows, int cols) {
  return MatrixXd::NullaryExpr(rows, cols, [&] { return rng.normal(); });
}

}  // namespace

TEST(Lemke, TextbookProblems) {
  // Lower triangular with unit diagonal (Murty): solved by forward substitution.
  const Lcp cps = make(3, {1, 0, 0, 2, 1, 0, 2, 2, 1}, {-8, -12, -14});
  const auto s = solve_lemke(cps);
  ASSERT_TRUE(s.usable());
  EXPECT_NEAR((s.z - Eigen::Vector3d(8, 0, 0)).norm(), 0, 1e-13);
  const auto two = solve_lemke(make(2, {2, 1, 1, 2}, {-5, -6}));
  ASSERT_TRUE(two.usable());
  EXPECT_NEAR((two.z - Eigen::Vector2d(4.0 / 3, 7.0 / 3)).norm(), 0, 1e-14);
}

TEST(Lemke, NothingToDoAndEmpty) {
  const auto s = solve_lemke(make(2, {1, 0, 0, 1}, {1, 0}));
  EXPECT_TRUE(s.usable());
  EXPECT_EQ(s.iterations, 0);
  EXPECT_EQ(s.z.norm(), 0);
  EXPECT_TRUE(solve_lemke(Lcp{MatrixXd(0, 0), VectorXd(0)}).usable());
}

TEST(Lemke, InfeasibleEndsOnARayAndSaysSo) {
  const auto s = solve_lemke(make(2, {-1, 0, 0, -1}, {-1, -1}));
  EXPECT_FALSE(s.usable());
  EXPECT_EQ(s.status, SolveStatus::ray);
  EXPECT_GT(s.certificate.natural_map, 0.1);
}

TEST(Lemke, AgreesWithEnumerationOnPMatrices) {
  for (std::uint64_t run = 0; run < 400; ++run) {
    CounterRng rng(11, run);
    const int n = 1 + rng.below(8);
    const MatrixXd A = gaussian(rng, n, n), K = gaussian(rng, n, n);
    const Lcp lcp{A * A.transpose() + 0.1 * MatrixXd::Identity(n, n) + K - K.transpose(), gaussian(rng, n, 1)};
    const auto lemke = solve_lemke(lcp, {.restarts = 0});
    const auto reference = all_solutions(lcp);
    ASSERT_EQ(reference.size(), 1U) << run;  // M is a P-matrix: exactly one solution
    ASSERT_TRUE(lemke.usable()) << run;
    // 1e-11: condition numbers up to about 1e4 on data of size 1 to 100.
    EXPECT_LE((lemke.z - reference.front()).norm(), 1e-11 * (1 + reference.front().norm())) << run;
  }
}

TEST(Lemke, RankDeficientPositiveSemidefinite) {
  for (std::uint64_t run = 0; run < 200; ++run) {
    CounterRng rng(12, run);
    const int n = 4 + rng.below(40), rank = 1 + rng.below(n);
    const MatrixXd A = gaussian(rng, n, rank);
    const VectorXd feasible = gaussian(rng, n, 1).cwiseAbs();
    Lcp lcp{A * A.transpose(), VectorXd()};
    lcp.q = -lcp.M * feasible + 0.1 * gaussian(rng, n, 1).cwiseAbs();
    EXPECT_LE(solve_lemke(lcp).certificate.natural_map, 1e-10) << run;
  }
}

TEST(Lemke, BadlyScaledRowsAndColumns) {
  for (std::uint64_t run = 0; run < 100; ++run) {
    CounterRng rng(13, run);
    const int n = 10;
    const MatrixXd A = gaussian(rng, n, n);
    Lcp lcp{A * A.transpose() + MatrixXd::Identity(n, n), gaussian(rng, n, 1)};
    VectorXd d(n);
    for (double& x : d) x = rng.log_uniform(1e-5, 1e5);
    lcp.M = d.asDiagonal() * lcp.M * d.asDiagonal();
    lcp.q = d.cwiseProduct(lcp.q);
    EXPECT_LE(solve_lemke(lcp).certificate.natural_map, 1e-8) << run;
  }
}

TEST(Lemke, ADictionaryRebuiltAfterEveryPivotLeadsToTheSameAnswer) {
  for (std::uint64_t run = 0; run < 100; ++run) {
    CounterRng rng(14, run);
    const int n = 5 + rng.below(40);
    const MatrixXd A = gaussian(rng, n, n), K = gaussian(rng, n, n);
    const Lcp lcp{A * A.transpose() + 0.1 * MatrixXd::Identity(n, n) + K - K.transpose(), gaussian(rng, n, 1)};
    const auto seldom = solve_lemke(lcp, {.refactor = 1 << 20}), always = solve_lemke(lcp, {.refactor = 1});
    ASSERT_TRUE(seldom.usable()) << run;
    EXPECT_EQ(always.iterations, seldom.iterations) << run;
    EXPECT_LE((always.z - seldom.z).norm(), 1e-11 * (1 + seldom.z.norm())) << run;
  }
}

TEST(Lemke, WhatWasSolvedBeforeLeavesNoTrace) {
  Lemke kept;
  for (std::uint64_t run = 0; run < 100; ++run) {
    CounterRng rng(15, run);
    const int n = 1 + rng.below(30), rank = 1 + rng.below(n);
    const MatrixXd A = gaussian(rng, n, rank);
    const Lcp lcp{A * A.transpose(), gaussian(rng, n, 1)};  // of which some have no answer
    const LcpSolution fresh = solve_lemke(lcp);
    const Lemke::Report report = kept.solve(lcp.M, lcp.q);
    EXPECT_EQ(report.status, fresh.status) << run;
    EXPECT_EQ(report.pivots, fresh.iterations) << run;
    EXPECT_EQ(report.certificate.natural_map, fresh.certificate.natural_map) << run;
    EXPECT_EQ(kept.z(), fresh.z) << run;
    EXPECT_EQ(kept.w(), fresh.w) << run;
  }
}

TEST(Certificate, SeesAWrongAnswer) {
  const Lcp lcp = make(2, {2, 1, 1, 2}, {-5, -6});
  EXPECT_GT(certify(lcp, Eigen::Vector2d(0, 0)).natural_map, 0.9);
  EXPECT_GT(certify(lcp, Eigen::Vector2d(0, 0)).cone, 0.9);
  EXPECT_GT(certify(lcp, Eigen::Vector2d(4, 4)).complementarity, 0.5);
  EXPECT_FALSE(certify(lcp, Eigen::Vector2d(std::nan(""), 0)).natural_map <= 1e300);
  EXPECT_LE(certify(lcp, Eigen::Vector2d(4.0 / 3, 7.0 / 3)).natural_map, 1e-15);
}

TEST(Enumeration, CountsSolutionsAndRefusesLargeProblems) {
  // M = −I, q = (1, 1): z_i ∈ {0, 1}, four solutions.
  EXPECT_EQ(all_solutions(make(2, {-1, 0, 0, -1}, {1, 1})).size(), 4U);
  const auto big = solve_enumeration(Lcp{MatrixXd::Identity(20, 20), VectorXd::Constant(20, -1)});
  EXPECT_EQ(big.status, SolveStatus::not_applicable);
}

TEST(Lcp, BadInputIsNamed) {
  EXPECT_THROW((void)solve_lemke(Lcp{MatrixXd::Zero(2, 3), VectorXd::Zero(2)}), InputError);
  EXPECT_THROW((void)solve_lemke(make(1, {1}, {-1}), {.tie = 0}), InputError);
}
