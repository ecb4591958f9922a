#include "carom/math/least_norm.hpp"

#include <gtest/gtest.h>

#include <Eigen/QR>

#include "carom/math/counter_rng.hpp"

namespace carom {
namespace {

Eigen::MatrixXd random_matrix(Eigen::Index rows, Eigen::Index columns, CounterRng& rng) {
  return Eigen::MatrixXd::NullaryExpr(rows, columns, [&](Eigen::Index, Eigen::Index) { return rng.uniform(-1, 1); });
}

TEST(LeastNorm, IsEigensCompleteOrthogonalDecompositionOfAnyRank) {
  LeastNorm ours;
  for (std::uint64_t run = 0; run < 500; ++run) {
    CounterRng rng(5, run, 1);
    const auto n = static_cast<Eigen::Index>(rng.uniform(1, 25)), rank = std::min(n, static_cast<Eigen::Index>(rng.uniform(1, 26)));
    const Eigen::MatrixXd A = random_matrix(n, rank, rng) * random_matrix(rank, n, rng);
    const Eigen::VectorXd b = run % 2 == 0 ? Eigen::VectorXd(A * random_matrix(n, 1, rng)) : Eigen::VectorXd(random_matrix(n, 1, rng));
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> theirs;
    theirs.setThreshold(1e-10);
    theirs.compute(A);
    ASSERT_EQ(ours.factor(A, 1e-10), theirs.rank()) << run;
    Eigen::VectorXd x;
    ours.solve(b, x);
    const Eigen::VectorXd expected = theirs.solve(b);
    EXPECT_LE((x - expected).norm(), 1e-9 * (1 + expected.norm()) * (1 + expected.norm())) << run;
  }
}

TEST(LeastNorm, AnEmptyOrZeroMatrixGivesZero) {
  LeastNorm solver;
  Eigen::VectorXd x;
  EXPECT_EQ(solver.factor(Eigen::MatrixXd(0, 0), 1e-10), 0);
  solver.solve(Eigen::VectorXd(0), x);
  EXPECT_EQ(x.size(), 0);
  EXPECT_EQ(solver.factor(Eigen::MatrixXd::Zero(3, 3), 1e-10), 0);
  solver.solve(Eigen::VectorXd::Ones(3), x);
  EXPECT_EQ(x, Eigen::VectorXd::Zero(3));
}

}  // namespace
}  // namespace carom
