#include "carom/complementarity/nsgs.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "carom/complementarity/anderson.hpp"
#include "carom/core/error.hpp"

namespace carom {
namespace {

using Eigen::VectorXd;

// Tells when the natural map is worth computing: it costs a sweep, so it is predicted from the change of r and checked when
// the prediction reaches the tolerance, and at least every so often.
class Stopping {
 public:
  Stopping(const FrictionContact& problem, double tolerance) : p_(problem), tolerance_(tolerance) {}

  bool due(double change, int sweep) const { return change * factor_ <= tolerance_ || sweep >= next_; }

  double error(const VectorXd& r, double change, int sweep) {
    const double e = natural_map_error(p_, r, p_.W * r + p_.q);
    if (change > 0) factor_ = e / change;
    next_ = sweep + std::max(10, sweep / 4);
    return e;
  }

 private:
  const FrictionContact& p_;
  double tolerance_, factor_ = 0;
  int next_ = 0;
};

void project_all(const FrictionContact& p, VectorXd& r) {
  for (int i = 0; i < p.contacts(); ++i) project_cone(r.data() + i * p.dimension, p.dimension, p.mu[i]);
}

ContactSolution accelerated(const FrictionContact& p, const NsgsOptions& o, VectorXd r) {
  NsgsSweeper sweeper(p);
  Anderson anderson(p.size(), o.anderson);
  Stopping stopping(p, o.tolerance);
  VectorXd best = r, image = r;
  double least = std::numeric_limits<double>::infinity(), fallback_change = least;
  VectorXd fallback = r;
  for (int k = 1; k <= o.max_sweeps; ++k) {
    image = r;
    const double change = sweeper.sweep(image);
    if (change == 0 || stopping.due(change, k)) {
      const double e = stopping.error(image, change, k);
      if (e < least) least = e, best = image;
      if (e <= o.tolerance || change == 0) return finish(p, image, k, o.tolerance, SolveStatus::missed);
    }
    // A point whose own step is much longer than that of the last plain sweep was a bad extrapolation.
    if (change > 2 * fallback_change) {
      r = fallback;
      fallback_change = std::numeric_limits<double>::infinity();
      anderson.forget();
      continue;
    }
    fallback = image;
    fallback_change = change;
    anderson.next(r, image, r);
    project_all(p, r);
  }
  return finish(p, best, o.max_sweeps, o.tolerance, SolveStatus::iteration_limit);
}

}  // namespace

void NsgsOptions::validate() const {
  if (!(tolerance > 0)) throw InputError("tolerance", fmt::format("{}", tolerance), "must be positive");
  if (max_sweeps < 1) throw InputError("max_sweeps", fmt::format("{}", max_sweeps), "must be at least 1");
  if (anderson < 0 || anderson > 50) throw InputError("anderson", fmt::format("{}", anderson), "must lie in [0, 50]");
}

NsgsSweeper::NsgsSweeper(const FrictionContact& problem) : p_(problem), lambda_(problem.contacts(), 0.0) {
  const int nc = p_.contacts();
  p_.dimension == 3 ? spatial_.reserve(nc) : planar_.reserve(nc);
  for (int i = 0; i < nc; ++i) {
    const double* block = p_.W.block(p_.W.diagonal(i));
    if (p_.dimension == 3)
      spatial_.emplace_back(block, p_.mu[i]);
    else
      planar_.emplace_back(block, p_.mu[i]);
  }
}

double NsgsSweeper::sweep(VectorXd& r) { return p_.dimension == 3 ? sweep_spatial(r.data()) : sweep_planar(r.data()); }

// How far ahead of the product the blocks are fetched [numbers]: some five rows, which the hardware's own prefetching misses
// when other processes share the memory.
constexpr int kAhead = 576;

// The contact's own reaction is set to zero while its row is multiplied, so that the row is one unbroken stream.
double NsgsSweeper::sweep_spatial(double* r) {
  using Pair = Eigen::Array2d;
  const auto pair = [](const double* x) { return Eigen::Map<const Pair>(x); };
  const int *start = p_.W.start.data(), *column = p_.W.column.data();
  const double *b = p_.W.value.data(), *q = p_.q.data();
  double change = 0;
  for (int i = 0; i < p_.contacts(); ++i, q += 3) {
    double* ri = r + 3L * i;
    const double old[3] = {ri[0], ri[1], ri[2]};
    ri[0] = ri[1] = ri[2] = 0;
    Pair tangent = pair(q);
    double normal = q[2];
    for (int k = start[i]; k < start[i + 1]; ++k, b += 9) {
      __builtin_prefetch(b + kAhead);
      const double* v = r + 3L * column[k];
      tangent += pair(b) * v[0] + pair(b + 3) * v[1] + pair(b + 6) * v[2];
      normal += b[2] * v[0] + b[5] * v[1] + b[8] * v[2];
    }
    const double s[3] = {tangent[0], tangent[1], normal};
    spatial_[i].solve(s, ri, lambda_[i]);
    const double d0 = ri[0] - old[0], d1 = ri[1] - old[1], d2 = ri[2] - old[2];
    change += d0 * d0 + d1 * d1 + d2 * d2;
  }
  return std::sqrt(change);
}

double NsgsSweeper::sweep_planar(double* r) {
  using Pair = Eigen::Array2d;
  const auto pair = [](const double* x) { return Eigen::Map<const Pair>(x); };
  const int *start = p_.W.start.data(), *column = p_.W.column.data();
  const double *b = p_.W.value.data(), *q = p_.q.data();
  double change = 0;
  for (int i = 0; i < p_.contacts(); ++i, q += 2) {
    double* ri = r + 2L * i;
    const double old[2] = {ri[0], ri[1]};
    ri[0] = ri[1] = 0;
    Pair sum = pair(q);
    for (int k = start[i]; k < start[i + 1]; ++k, b += 4) {
      const double* v = r + 2L * column[k];
      sum += pair(b) * v[0] + pair(b + 2) * v[1];
    }
    planar_[i].solve(sum.data(), ri, lambda_[i]);
    const double d0 = ri[0] - old[0], d1 = ri[1] - old[1];
    change += d0 * d0 + d1 * d1;
  }
  return std::sqrt(change);
}

ContactSolution solve_nsgs(const FrictionContact& p, const NsgsOptions& o, const VectorXd& warm) {
  o.validate();
  validate(p);
  VectorXd r = warm.size() == p.q.size() ? warm : VectorXd::Zero(p.size());
  if (o.anderson > 0) return accelerated(p, o, std::move(r));
  NsgsSweeper sweeper(p);
  Stopping stopping(p, o.tolerance);
  for (int k = 1; k <= o.max_sweeps; ++k) {
    const double change = sweeper.sweep(r);
    if (change == 0) return finish(p, r, k, o.tolerance, SolveStatus::missed);
    if (stopping.due(change, k) && stopping.error(r, change, k) <= o.tolerance)
      return finish(p, r, k, o.tolerance, SolveStatus::missed);
  }
  return finish(p, r, o.max_sweeps, o.tolerance, SolveStatus::iteration_limit);
}

}  // namespace carom
