#include "carom/complementarity/mlcp_lemke.hpp"

#include <Eigen/LU>
#include <vector>

namespace carom {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

MlcpSolution by_elimination(const Mlcp& p, const LemkeOptions& o, const Eigen::FullPivLU<MatrixXd>& A) {
  const std::vector<int> e = p.rows(false), c = p.rows(true);
  const MatrixXd C = p.M(e, c), D = p.M(c, e);
  const VectorXd a = p.q(e);
  const MatrixXd AC = A.solve(C);
  const VectorXd Aa = A.solve(a);
  const LcpSolution s = solve_lemke(Lcp{p.M(c, c) - D * AC, p.q(c) - D * Aa}, o);
  VectorXd z(p.size());
  z(c) = s.z;
  z(e) = -(AC * s.z + Aa);
  return finish(p, std::move(z), s.iterations, o.tolerance, s.usable() ? SolveStatus::missed : s.status);
}

// Free unknowns as differences of two nonnegative ones, equalities as pairs of opposite inequalities.
MlcpSolution by_splitting(const Mlcp& p, const LemkeOptions& o) {
  const std::vector<int> e = p.rows(false);
  const int n = p.size(), extra = static_cast<int>(e.size());
  Lcp lcp{MatrixXd(n + extra, n + extra), VectorXd(n + extra)};
  lcp.M.topLeftCorner(n, n) = p.M;
  lcp.M.topRightCorner(n, extra) = -p.M(Eigen::all, e);
  lcp.M.bottomLeftCorner(extra, n) = -p.M(e, Eigen::all);
  lcp.M.bottomRightCorner(extra, extra) = p.M(e, e);
  lcp.q.head(n) = p.q;
  lcp.q.tail(extra) = -p.q(e);
  const LcpSolution s = solve_lemke(lcp, o);
  VectorXd z = s.z.head(n);
  for (int k = 0; k < extra; ++k) z[e[k]] -= s.z[n + k];
  return finish(p, std::move(z), s.iterations, o.tolerance, s.usable() ? SolveStatus::missed : s.status);
}

}  // namespace

MlcpSolution solve_lemke(const Mlcp& p, const LemkeOptions& o) {
  o.validate();
  validate(p);
  const std::vector<int> e = p.rows(false);
  if (e.empty()) {
    const auto s = solve_lemke(Lcp{p.M, p.q}, o);
    return finish(p, s.z, s.iterations, o.tolerance, s.status);
  }
  const Eigen::FullPivLU<MatrixXd> A(p.M(e, e));
  if (A.isInvertible()) {
    MlcpSolution s = by_elimination(p, o, A);
    if (s.usable()) return s;
  }
  return by_splitting(p, o);
}

}  // namespace carom
