#include "carom/complementarity/proximal.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "carom/complementarity/semismooth_newton.hpp"
#include "carom/core/error.hpp"

namespace carom {
namespace {

using Eigen::VectorXd;

double mean_diagonal(const FrictionContact& p) {
  double sum = 0;
  for (int i = 0; i < p.contacts(); ++i)
    for (int a = 0; a < p.dimension; ++a) sum += p.W.block(p.W.diagonal(i))[a * p.dimension + a];
  return p.size() > 0 ? sum / p.size() : 0;
}

void shift_diagonal(FrictionContact& p, double by) {
  const int d = p.dimension;
  for (int i = 0; i < p.contacts(); ++i)
    for (int a = 0; a < d; ++a) p.W.value[static_cast<std::size_t>(p.W.diagonal(i)) * d * d + a * d + a] += by;
}

}  // namespace

void ProximalOptions::validate() const {
  if (!(tolerance > 0)) throw InputError("tolerance", fmt::format("{}", tolerance), "must be positive");
  if (max_outer < 1) throw InputError("max_outer", fmt::format("{}", max_outer), "must be at least 1");
  if (max_inner < 1) throw InputError("max_inner", fmt::format("{}", max_inner), "must be at least 1");
  if (!(alpha > 0)) throw InputError("alpha", fmt::format("{}", alpha), "must be positive");
}

ContactSolution solve_proximal(const FrictionContact& p, const ProximalOptions& o, const VectorXd& warm) {
  o.validate();
  validate(p);
  VectorXd r = warm.size() == p.q.size() ? warm : VectorXd::Zero(p.size());
  double error = natural_map_error(p, r, p.W * r + p.q), least = error;
  VectorXd best = r;
  const double scale = mean_diagonal(p);
  double alpha = o.alpha * scale;
  int steps = 0;
  for (int k = 0; k < o.max_outer && least > o.tolerance; ++k) {
    FrictionContact inner = p;
    shift_diagonal(inner, alpha);
    inner.q = p.q - alpha * r;
    const double inner_tolerance = std::max(0.05 * o.tolerance, 0.01 * std::min(1.0, error));
    const auto s = solve_newton(inner, {.tolerance = inner_tolerance, .max_steps = o.max_inner}, r);
    steps += s.iterations;
    if (!s.r.allFinite()) break;
    const double found = natural_map_error(p, s.r, p.W * s.r + p.q);
    if (s.usable() || found < error) {
      r = s.r, error = found;
      alpha = std::max(alpha * (s.usable() ? 0.2 : 1.0), 1e-12 * scale);
    }
    if (!s.usable()) alpha = std::min(alpha * 10, 10 * scale);
    if (error < least) least = error, best = r;
  }
  return finish(p, best, steps, o.tolerance, SolveStatus::iteration_limit);
}

}  // namespace carom
