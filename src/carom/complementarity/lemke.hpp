#pragma once
// Lemke's complementary pivoting with the lexicographic ratio test.
//
// w = q + M z + d z₀ with covering vector d > 0. z₀ enters, then the complement of the variable that left enters, until z₀
// leaves (solution) or no row blocks (secondary ray). In exact arithmetic the lexicographic rule never repeats a basis
// (Cottle, Pang & Stone, The Linear Complementarity Problem, §4.4 and §4.9), so the method ends, and it ends with a solution
// whenever M is copositive-plus and the LCP feasible, in particular for Stewart–Trinkle matrices.
//
// In floating point, redundant contacts make ratios that are equal in exact arithmetic differ by rounding, and a ratio test
// that believes those differences cycles or picks a pivot that is zero in truth. Therefore:
//  * rows and columns are equilibrated by powers of two (complementarity survives positive scaling of rows and columns);
//  * ratios within `tie` of the smallest are ties, and ties are broken by the rows of the basis inverse, again with `tie`;
//  * if z₀ is among the tied rows it leaves;
//  * entries below `pivot` times the largest of the column do not block;
//  * the tableau is rebuilt from its basis by LU every `refactor` pivots, and so is the answer; only the columns of z enter it,
//    those of w are unit vectors;
//  * a run that ends without a certified solution is repeated with another covering vector, `restarts` times.

#include <cstdint>
#include <memory>

#include "carom/complementarity/lcp.hpp"

namespace carom {

struct LemkeOptions {
  double tolerance = 1e-8;   // natural map at which the status is `solved`
  double pivot = 1e-11;      // relative size below which an entry of the entering column does not block
  double tie = 1e-12;        // relative difference below which two ratios are equal
  int max_pivots = 0;        // per run; 0: 20 n + 50
  int refactor = 40;         // pivots between two rebuilds of the tableau
  int restarts = 4;          // further covering vectors
  std::uint64_t seed = 1;    // of the covering vectors after the first, which is (1, …, 1)

  void validate() const;     // throws InputError
};

[[nodiscard]] LcpSolution solve_lemke(const Lcp& lcp, const LemkeOptions& options = {});

// The same for many problems one after another: nothing is allocated once the greatest of them has been seen.
class Lemke {
 public:
  Lemke();
  ~Lemke();
  Lemke(Lemke&&) noexcept;
  Lemke& operator=(Lemke&&) noexcept;

  struct Report {
    SolveStatus status = SolveStatus::missed;
    int pivots = 0;
    Certificate certificate;
    bool usable() const { return status == SolveStatus::solved; }
  };
  [[nodiscard]] Report solve(const Eigen::Ref<const Eigen::MatrixXd>& M, const Eigen::Ref<const Eigen::VectorXd>& q, const LemkeOptions& options = {});
  // The answer and M z + q; until the next problem.
  Eigen::Map<const Eigen::VectorXd> z() const;
  Eigen::Map<const Eigen::VectorXd> w() const;

 private:
  class Memory;
  std::unique_ptr<Memory> memory_;
};

}  // namespace carom
