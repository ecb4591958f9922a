#include "carom/math/kept_lu.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "carom/math/counter_rng.hpp"

namespace carom {
namespace {

Eigen::MatrixXd random_matrix(Eigen::Index rows, Eigen::Index columns, CounterRng& rng) {
  return Eigen::MatrixXd::NullaryExpr(rows, columns, [&](Eigen::Index, Eigen::Index) { return rng.uniform(-1, 1); });
}

TEST(KeptLu, LeavesNoMoreThanEigensPartialPivLu) {
  KeptLu ours;
  for (std::uint64_t run = 0; run < 300; ++run) {
    CounterRng rng(6, run, 1);
    const auto n = static_cast<Eigen::Index>(rng.uniform(1, 60));
    Eigen::MatrixXd A = random_matrix(n, n, rng);
    if (run % 3 == 0) A.diagonal().setZero();  // nothing without exchanges
    const Eigen::VectorXd b = random_matrix(n, 1, rng);
    ours.factor(A);
    Eigen::VectorXd x = b;
    ours.solve(x);
    const Eigen::VectorXd theirs = Eigen::PartialPivLU<Eigen::MatrixXd>(A).solve(b);
    if (!theirs.allFinite()) continue;  // a single 0
    // Both are backward stable: n times rounding, growth of a few.
    EXPECT_LE((A * x - b).norm(), 4 * (A * theirs - b).norm() + 1e-15 * static_cast<double>(n) * A.norm() * x.norm()) << run;
  }
}

TEST(KeptLu, ASingularMatrixGivesNothingFinite) {
  KeptLu lu;
  lu.factor(Eigen::Matrix2d::Ones());
  Eigen::VectorXd x = Eigen::Vector2d(1, 2);
  lu.solve(x);
  EXPECT_FALSE(x.allFinite());
}

TEST(KeptLu, AnEmptyMatrixIsSolvedByNothing) {
  KeptLu lu;
  lu.factor(Eigen::MatrixXd(0, 0));
  Eigen::VectorXd x(0);
  lu.solve(x);
  EXPECT_EQ(x.size(), 0);
}

TEST(Kept, KeepsItsMemoryWhenItShrinksAndCopiesItsValue) {
  KeptMatrix m;
  m.resize(4, 5);
  const double* before = m.data();
  m.resize(2, 3);
  m.setConstant(7);
  EXPECT_EQ(m.data(), before);
  const KeptMatrix copy = m;
  m.setZero();
  EXPECT_EQ(copy.rows(), 2);
  EXPECT_EQ(copy.cols(), 3);
  EXPECT_EQ(copy.sum(), 42);
}

}  // namespace
}  // namespace carom
