#include "carom/complementarity/enumeration.hpp"

#include <fmt/format.h>

#include <Eigen/QR>
#include <cmath>
#include <cstdint>
#include <limits>

#include "carom/core/error.hpp"

namespace carom {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// z with w_A = 0 on the active set A and z = 0 elsewhere; the least-norm answer when M_AA is singular.
VectorXd basis_point(const Lcp& lcp, std::uint64_t active) {
  std::vector<int> a;
  for (int i = 0; i < lcp.size(); ++i)
    if (active >> i & 1U) a.push_back(i);
  VectorXd z = VectorXd::Zero(lcp.size());
  if (a.empty()) return z;
  const MatrixXd A = lcp.M(a, a);
  const VectorXd b = -lcp.q(a);
  const Eigen::CompleteOrthogonalDecomposition<MatrixXd> qr(A);
  VectorXd x = qr.solve(b);
  x += qr.solve(b - A * x);
  z(a) = x.cwiseMax(0.0);
  return z;
}

}  // namespace

void EnumerationOptions::validate() const {
  if (!(tolerance > 0)) throw InputError("tolerance", fmt::format("{}", tolerance), "must be positive");
  if (max_size < 1 || max_size > 24) throw InputError("max_size", fmt::format("{}", max_size), "must lie in [1, 24]");
}

LcpSolution solve_enumeration(const Lcp& lcp, const EnumerationOptions& options) {
  options.validate();
  validate(lcp);
  const int n = lcp.size();
  if (n > options.max_size) return finish(lcp, VectorXd::Zero(n), 0, 0.0, SolveStatus::not_applicable);
  VectorXd best = VectorXd::Zero(n);
  double least = std::numeric_limits<double>::infinity();
  const double rounding = 8 * std::numeric_limits<double>::epsilon();
  const std::uint64_t count = std::uint64_t{1} << n;
  std::uint64_t tried = 0;
  while (tried < count && least > rounding) {
    const VectorXd z = basis_point(lcp, tried++);
    const double error = certify(lcp, z).natural_map;
    if (error < least) least = error, best = z;
  }
  return finish(lcp, best, static_cast<int>(tried), options.tolerance, SolveStatus::missed);
}

std::vector<VectorXd> all_solutions(const Lcp& lcp, const EnumerationOptions& options) {
  options.validate();
  validate(lcp);
  std::vector<VectorXd> found;
  if (lcp.size() > options.max_size) return found;
  for (std::uint64_t active = 0; active < std::uint64_t{1} << lcp.size(); ++active) {
    const VectorXd z = basis_point(lcp, active);
    if (!(certify(lcp, z).natural_map <= options.tolerance)) continue;
    const double near = 1e-9 * (1 + z.norm());
    if (std::none_of(found.begin(), found.end(), [&](const VectorXd& other) { return (other - z).norm() <= near; }))
      found.push_back(z);
  }
  return found;
}

}  // namespace carom
