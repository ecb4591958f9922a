#include "carom/complementarity/pgs.hpp"

#include <fmt/format.h>

#include <cmath>

#include "carom/core/error.hpp"

namespace carom {
namespace {

using Eigen::VectorXd;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

template <class Problem, class IsComplementary>
LcpSolution sweep(const Problem& p, IsComplementary complementary, const PgsOptions& o, const VectorXd& warm) {
  o.validate();
  validate(p);
  const int n = p.size();
  VectorXd z = warm.size() == n ? warm : VectorXd::Zero(n);
  for (int i = 0; i < n; ++i)
    if (p.M(i, i) == 0 || (complementary(i) && p.M(i, i) < 0)) return finish(p, z, 0, 0.0, SolveStatus::not_applicable);
  const RowMajor M = p.M;
  int next_check = 1;
  for (int k = 1; k <= o.max_sweeps; ++k) {
    for (int i = 0; i < n; ++i) {
      const double x = z[i] - (M.row(i).dot(z) + p.q[i]) / M(i, i);
      z[i] = complementary(i) ? std::max(0.0, x) : x;
    }
    if (!z.allFinite()) return finish(p, VectorXd::Zero(n), k, o.tolerance, SolveStatus::missed);
    if (k < next_check) continue;
    next_check = k + 1 + k / 8;
    if (certify(p, z).natural_map <= o.tolerance) return finish(p, z, k, o.tolerance, SolveStatus::missed);
  }
  return finish(p, z, o.max_sweeps, o.tolerance, SolveStatus::iteration_limit);
}

}  // namespace

void PgsOptions::validate() const {
  if (!(tolerance > 0)) throw InputError("tolerance", fmt::format("{}", tolerance), "must be positive");
  if (max_sweeps < 1) throw InputError("max_sweeps", fmt::format("{}", max_sweeps), "must be at least 1");
}

LcpSolution solve_pgs(const Lcp& lcp, const PgsOptions& options, const VectorXd& warm) {
  return sweep(lcp, [](int) { return true; }, options, warm);
}

MlcpSolution solve_pgs(const Mlcp& mlcp, const PgsOptions& options, const VectorXd& warm) {
  return sweep(mlcp, [&](int i) { return mlcp.complementary[i]; }, options, warm);
}

}  // namespace carom
