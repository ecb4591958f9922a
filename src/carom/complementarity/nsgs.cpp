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
    r = anderson.next(r, image);
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
  diagonal_.resize(nc);
  for (int i = 0; i < nc; ++i) {
    diagonal_[i] = p_.W.diagonal(i);
    if (p_.dimension == 3)
      spatial_.emplace_back(p_.W.block(diagonal_[i]), p_.mu[i]);
    else
      planar_.emplace_back(p_.W.block(diagonal_[i]), p_.mu[i]);
  }
}

double NsgsSweeper::sweep(VectorXd& r) { return p_.dimension == 3 ? sweep_spatial(r.data()) : sweep_planar(r.data()); }

double NsgsSweeper::sweep_spatial(double* r) {
  const int *start = p_.W.start.data(), *column = p_.W.column.data();
  const double* value = p_.W.value.data();
  double change = 0;
  for (int i = 0; i < p_.contacts(); ++i) {
    double s[3] = {p_.q[3 * i], p_.q[3 * i + 1], p_.q[3 * i + 2]};
    const auto add = [&](int from, int to) {
      for (int k = from; k < to; ++k) {
        const double *b = value + 9L * k, *v = r + 3L * column[k];
        s[0] += b[0] * v[0] + b[3] * v[1] + b[6] * v[2];
        s[1] += b[1] * v[0] + b[4] * v[1] + b[7] * v[2];
        s[2] += b[2] * v[0] + b[5] * v[1] + b[8] * v[2];
      }
    };
    add(start[i], diagonal_[i]);
    add(diagonal_[i] + 1, start[i + 1]);
    double x[3];
    spatial_[i].solve(s, x, lambda_[i]);
    double* ri = r + 3L * i;
    const double d0 = x[0] - ri[0], d1 = x[1] - ri[1], d2 = x[2] - ri[2];
    change += d0 * d0 + d1 * d1 + d2 * d2;
    ri[0] = x[0], ri[1] = x[1], ri[2] = x[2];
  }
  return std::sqrt(change);
}

double NsgsSweeper::sweep_planar(double* r) {
  const int *start = p_.W.start.data(), *column = p_.W.column.data();
  const double* value = p_.W.value.data();
  double change = 0;
  for (int i = 0; i < p_.contacts(); ++i) {
    double s[2] = {p_.q[2 * i], p_.q[2 * i + 1]};
    const auto add = [&](int from, int to) {
      for (int k = from; k < to; ++k) {
        const double *b = value + 4L * k, *v = r + 2L * column[k];
        s[0] += b[0] * v[0] + b[2] * v[1];
        s[1] += b[1] * v[0] + b[3] * v[1];
      }
    };
    add(start[i], diagonal_[i]);
    add(diagonal_[i] + 1, start[i + 1]);
    double x[2];
    planar_[i].solve(s, x, lambda_[i]);
    double* ri = r + 2L * i;
    const double d0 = x[0] - ri[0], d1 = x[1] - ri[1];
    change += d0 * d0 + d1 * d1;
    ri[0] = x[0], ri[1] = x[1];
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
