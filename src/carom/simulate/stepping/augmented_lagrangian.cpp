#include "carom/simulate/stepping/augmented_lagrangian.hpp"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

constexpr int kInner = 15;
constexpr double kFirst = 10, kLeast = 0.01, kGreatest = 1e5;  // of ρ, relative
constexpr int kStalled = 15;  // successful iterations without a third less of the least error before giving up

// Vectors of Eigen give their memory back when an island has another size.
Eigen::Map<Eigen::VectorXd> as_vector(std::vector<double>& x) { return {x.data(), static_cast<Eigen::Index>(x.size())}; }

// P_K(a) and one element of its generalised derivative, D × D column-major.
template <int D>
void project(const double* a, double mu, double* p, double* derivative) {
  constexpr int n = D - 1;
  std::fill(derivative, derivative + D * D, 0.0);
  const double length = D == 3 ? std::sqrt(a[0] * a[0] + a[1] * a[1]) : std::abs(a[0]);
  if (length <= mu * a[n] && a[n] >= 0) {
    for (int k = 0; k < D; ++k) p[k] = a[k], derivative[k * D + k] = 1;
    return;
  }
  if (mu * length <= -a[n]) {
    for (int k = 0; k < D; ++k) p[k] = 0;
    return;
  }
  const double part = 1 / (1 + mu * mu), normal = part * (mu * length + a[n]);
  double ray[3] = {0, 0, 0};  // (μ e, 1)
  for (int k = 0; k < n; ++k) ray[k] = length > 0 ? mu * a[k] / length : 0;
  ray[n] = 1;
  for (int k = 0; k < D; ++k) p[k] = normal * ray[k];
  for (int b = 0; b < D; ++b)
    for (int c = 0; c < D; ++c) derivative[b * D + c] = part * ray[b] * ray[c];
  if (D == 2 || length == 0) return;
  const double across = normal * mu / length, ex = a[0] / length, ey = a[1] / length;
  derivative[0] += across * ey * ey, derivative[4] += across * ex * ex;
  derivative[1] -= across * ex * ey, derivative[3] -= across * ex * ey;
}

}  // namespace

template <int D>
double AugmentedLagrangian::evaluate(const std::vector<double>& x) {
  const StepProblem& problem = island_->problem();
  residual_ = x;
  for (std::size_t c = 0; c < cone_.size(); ++c) {
    const int i = island_->blocks()[c], first = island_->first(c), last = island_->first(c + 1);
    const double mu = problem.block[i].mu, rho = rho_factor_ * rho_[c];
    const double* y = island_->row(c);
    double u[D], a[D];
    for (int k = 0; k < D; ++k) u[k] = problem.q[static_cast<std::size_t>(i) * D + k];
    for (int e = first; e < last; ++e)
      for (int k = 0; k < D; ++k) u[k] += y[(e - first) * D + k] * x[island_->speed(e)];
    const double slip = D == 3 ? std::sqrt(u[0] * u[0] + u[1] * u[1]) : std::abs(u[0]);
    for (int k = 0; k < D; ++k) a[k] = r_[c * D + k] - rho * u[k];
    a[D - 1] -= rho * mu * slip;
    Cone& cone = cone_[c];
    project<D>(a, mu, cone.p, cone.derivative);
    // times ρ B: the last row of B also holds μ u_t/‖u_t‖.
    for (int b = 0; b < D; ++b)
      for (int k = 0; k < D; ++k)
        cone.derivative[b * D + k] = rho * (cone.derivative[b * D + k] + (b < D - 1 && slip > 0 ? cone.derivative[(D - 1) * D + k] * mu * u[b] / slip : 0));
    for (int e = first; e < last; ++e)
      for (int k = 0; k < D; ++k) residual_[island_->speed(e)] -= y[(e - first) * D + k] * cone.p[k];
  }
  return as_vector(residual_).norm();
}

// direction = −F′⁻¹ F.
template <int D>
bool AugmentedLagrangian::newton_direction() {
  island_->start();
  for (std::size_t c = 0; c < cone_.size(); ++c) {
    const int first = island_->first(c), last = island_->first(c + 1);
    const double *y = island_->row(c), *derivative = cone_[c].derivative;
    const auto target = island_->target(c);
    for (int f = first; f < last; ++f) {
      double column[D] = {};
      for (int b = 0; b < D; ++b)
        for (int a = 0; a < D; ++a) column[a] += derivative[b * D + a] * y[(f - first) * D + b];
      for (int e = first; e < last; ++e) {
        double value = 0;
        for (int k = 0; k < D; ++k) value += y[(e - first) * D + k] * column[k];
        target.add(e, f, value);
      }
    }
  }
  ++factorisations_;
  if (!island_->factorise()) return false;
  direction_ = residual_;
  as_vector(direction_) *= -1;
  island_->solve(direction_.data());
  return as_vector(direction_).allFinite();
}

// F = 0 to the tolerance; false: not found.
template <int D>
bool AugmentedLagrangian::minimise(double tolerance) {
  double size = evaluate<D>(x_);
  trial_.resize(x_.size());
  for (int k = 0; k < kInner && size > tolerance; ++k) {
    if (!newton_direction<D>()) return false;
    double step = 1, next = size;
    for (int halved = 0; halved < 12; ++halved, step *= 0.5) {
      as_vector(trial_) = as_vector(x_) + step * as_vector(direction_);
      next = evaluate<D>(trial_);
      if (next < (1 - 1e-3 * step) * size) break;
    }
    x_.swap(trial_);
    if (k > 3 && next > 0.98 * size) return false;
    size = next;
  }
  return size <= tolerance;
}

template <int D>
double AugmentedLagrangian::solve_in(double tolerance, int most_factorisations, std::vector<double>& r) {
  const std::size_t n = island_->count();
  rho_.resize(n), cone_.resize(n);
  r_ = r;
  x_.assign(island_->speeds(), 0.0);
  for (std::size_t c = 0; c < n; ++c) {
    const double normal = island_->problem().rows.own(island_->blocks()[c])[D * D - 1];
    rho_[c] = 1 / (normal > 0 ? normal : scale_);
    const double* y = island_->row(c);
    for (int e = island_->first(c); e < island_->first(c + 1); ++e, y += D)
      for (int k = 0; k < D; ++k) x_[island_->speed(e)] += y[k] * r_[c * D + k];
  }
  double least = island_->natural_map(r.data(), scale_), error = least, size = as_vector(x_).norm(), cap = kGreatest;
  for (const int i : island_->blocks())
    for (int k = 0; k < D; ++k) size = std::max(size, std::abs(island_->problem().q[static_cast<std::size_t>(i) * D + k]) / std::sqrt(scale_));
  rho_factor_ = kFirst;
  for (int stalled = 0; factorisations_ < most_factorisations && stalled < kStalled && least > tolerance;) {
    last_ = x_;
    if (!minimise<D>(std::max(0.01 * tolerance, 1e-3 * std::min(error, 1.0)) * size)) {
      x_ = last_;
      cap = rho_factor_ / 3, rho_factor_ /= 10;
      if (rho_factor_ < kLeast) break;
      continue;
    }
    for (std::size_t c = 0; c < n; ++c)
      for (int a = 0; a < D; ++a) r_[c * D + a] = cone_[c].p[a];
    const double before = error;
    error = island_->natural_map(r_.data(), scale_);
    stalled = error < 0.7 * least ? 0 : stalled + 1;
    if (error < least) least = error, r = r_;
    if (error > 0.1 * before) rho_factor_ = std::min(10 * rho_factor_, cap);
    if (rho_factor_ >= cap) cap = std::min(2 * cap, kGreatest);
  }
  return least;
}

double AugmentedLagrangian::solve(IslandSystem& island, double scale, double tolerance, int most_factorisations, std::vector<double>& r) {
  island_ = &island, scale_ = scale;
  factorisations_ = 0;
  return island.problem().d() == 3 ? solve_in<3>(tolerance, most_factorisations, r) : solve_in<2>(tolerance, most_factorisations, r);
}

}  // namespace carom
