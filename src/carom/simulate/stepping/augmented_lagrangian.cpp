#include "carom/simulate/stepping/augmented_lagrangian.hpp"

#include <algorithm>
#include <cmath>

#include "carom/complementarity/anderson.hpp"

namespace carom {
namespace {

using Eigen::VectorXd;

constexpr int kOuter = 60, kInner = 40;
constexpr int kGrowing = 5;         // outer iterations in which ρ may grow
constexpr int kStalled = 10;        // outer iterations without a third less of the least error before giving up
constexpr int kPatience = 3;        // … and before the fixed-point iteration of s is accelerated
constexpr int kAndersonWindow = 5;
constexpr double kSlopeLeft = 0.3;  // of the slope along a step

// P_K(a) and one element of its generalised derivative, d × d column-major.
void project(const double* a, int d, double mu, double* p, double* derivative) {
  const int n = d - 1;
  std::fill(derivative, derivative + d * d, 0.0);
  const double length = d == 3 ? std::sqrt(a[0] * a[0] + a[1] * a[1]) : std::abs(a[0]);
  if (length <= mu * a[n] && a[n] >= 0) {
    for (int k = 0; k < d; ++k) p[k] = a[k], derivative[k * d + k] = 1;
    return;
  }
  if (mu * length <= -a[n]) {
    for (int k = 0; k < d; ++k) p[k] = 0;
    return;
  }
  const double part = 1 / (1 + mu * mu), normal = part * (mu * length + a[n]);
  double ray[3] = {0, 0, 0};  // (μ e, 1)
  for (int k = 0; k < n; ++k) ray[k] = length > 0 ? mu * a[k] / length : 0;
  ray[n] = 1;
  for (int k = 0; k < d; ++k) p[k] = normal * ray[k];
  for (int b = 0; b < d; ++b)
    for (int c = 0; c < d; ++c) derivative[b * d + c] = part * ray[b] * ray[c];
  if (d == 2 || length == 0) return;
  const double across = normal * mu / length, ex = a[0] / length, ey = a[1] / length;
  derivative[0] += across * ey * ey, derivative[4] += across * ex * ex;
  derivative[1] -= across * ex * ey, derivative[3] -= across * ex * ey;
}

}  // namespace

void AugmentedLagrangian::number_speeds() {
  const RootRows& rows = p_->rows;
  speeds_.clear(), entry_.clear(), first_.assign(1, 0);
  for (const int i : blocks_)
    for (int e = rows.start[i]; e < rows.start[i + 1]; ++e) {
      const int j = rows.speed[e];
      if (j >= static_cast<int>(local_.size())) local_.resize(static_cast<std::size_t>(j) + 1, -1);
      if (local_[j] < 0) local_[j] = 0, speeds_.push_back(j);
    }
  std::sort(speeds_.begin(), speeds_.end());
  for (std::size_t k = 0; k < speeds_.size(); ++k) local_[speeds_[k]] = static_cast<int>(k);
  for (const int i : blocks_) {
    for (int e = rows.start[i]; e < rows.start[i + 1]; ++e) entry_.push_back(local_[rows.speed[e]]);
    first_.push_back(static_cast<int>(entry_.size()));
  }
  for (const int j : speeds_) local_[j] = -1;
}

// The pattern of H and where every product of two entries of a block goes in it; the same for all iterations.
void AugmentedLagrangian::plan_hessian() {
  const auto m = static_cast<Eigen::Index>(speeds_.size());
  if (m <= kDenseSpeeds) return;
  std::vector<Eigen::Triplet<double>> entries;
  for (Eigen::Index k = 0; k < m; ++k) entries.emplace_back(k, k, 1.0);
  for (std::size_t c = 0; c + 1 < first_.size(); ++c)
    for (int e = first_[c]; e < first_[c + 1]; ++e)
      for (int f = first_[c]; f < first_[c + 1]; ++f)
        if (entry_[f] >= entry_[e]) entries.emplace_back(entry_[f], entry_[e], 0.0);
  sparse_.resize(m, m);
  sparse_.setFromTriplets(entries.begin(), entries.end());
  place_.clear();
  const int *outer = sparse_.outerIndexPtr(), *inner = sparse_.innerIndexPtr();
  for (std::size_t c = 0; c + 1 < first_.size(); ++c)
    for (int e = first_[c]; e < first_[c + 1]; ++e)
      for (int f = first_[c]; f < first_[c + 1]; ++f) {
        const int column = entry_[e], row = entry_[f];
        place_.push_back(row < column ? -1 : static_cast<int>(std::lower_bound(inner + outer[column], inner + outer[column + 1], row) - inner));
      }
  sparse_factor_.analyzePattern(sparse_);
}

void AugmentedLagrangian::evaluate(const VectorXd& x) {
  const RootRows& rows = p_->rows;
  const int d = rows.d;
  gradient_ = x;
  for (std::size_t c = 0; c < blocks_.size(); ++c) {
    const int i = blocks_[c];
    const double* y = rows.Y.data() + static_cast<std::ptrdiff_t>(rows.start[i]) * d;
    double* u = u_.data() + c * d;
    for (int k = 0; k < d; ++k) u[k] = p_->q[static_cast<std::size_t>(i) * d + k];
    for (int e = first_[c]; e < first_[c + 1]; ++e)
      for (int k = 0; k < d; ++k) u[k] += y[(e - first_[c]) * d + k] * x[entry_[e]];
    const double rho = rho_factor_ * rho_[c];
    double a[3] = {0, 0, 0};
    for (int k = 0; k < d; ++k) a[k] = r_[c * d + k] - rho * (u[k] + (k == d - 1 ? s_[c] : 0));
    Cone& cone = cone_[c];
    project(a, d, p_->block[i].mu, cone.p, cone.derivative);
    for (int e = first_[c]; e < first_[c + 1]; ++e)
      for (int k = 0; k < d; ++k) gradient_[entry_[e]] -= y[(e - first_[c]) * d + k] * cone.p[k];
  }
}

// direction = −H⁻¹ gradient.
bool AugmentedLagrangian::newton_direction() {
  const RootRows& rows = p_->rows;
  const int d = rows.d;
  const auto m = static_cast<Eigen::Index>(speeds_.size());
  const bool dense = m <= kDenseSpeeds;
  if (dense) {
    dense_.setIdentity(m, m);
  } else {
    std::fill(sparse_.valuePtr(), sparse_.valuePtr() + sparse_.nonZeros(), 0.0);
    for (Eigen::Index k = 0; k < m; ++k) sparse_.valuePtr()[sparse_.outerIndexPtr()[k]] = 1;  // the diagonal is first in its column
  }
  std::size_t at = 0;
  for (std::size_t c = 0; c < blocks_.size(); ++c) {
    const double* y = rows.Y.data() + static_cast<std::ptrdiff_t>(rows.start[blocks_[c]]) * d;
    const double* D = cone_[c].derivative;
    const double rho = rho_factor_ * rho_[c];
    const int count = first_[c + 1] - first_[c];
    for (int e = 0; e < count; ++e) {
      double dy[3] = {0, 0, 0};
      for (int b = 0; b < d; ++b)
        for (int a = 0; a < d; ++a) dy[a] += rho * D[b * d + a] * y[e * d + b];
      for (int f = 0; f < count; ++f, ++at) {
        double value = 0;
        for (int k = 0; k < d; ++k) value += y[f * d + k] * dy[k];
        if (dense) dense_(entry_[first_[c] + f], entry_[first_[c] + e]) += value;
        else if (place_[at] >= 0) sparse_.valuePtr()[place_[at]] += value;
      }
    }
  }
  ++factorisations_;
  if (dense) {
    dense_factor_.compute(dense_);
    if (dense_factor_.info() != Eigen::Success) return false;
    direction_ = -dense_factor_.solve(gradient_);
  } else {
    sparse_factor_.factorize(sparse_);
    if (sparse_factor_.info() != Eigen::Success) return false;
    direction_ = -sparse_factor_.solve(gradient_);
  }
  return direction_.allFinite();
}

// φ is convex: along a direction its slope grows, and the step is taken to where the slope has lost most of its size.
void AugmentedLagrangian::minimise(double tolerance) {
  evaluate(x_);
  for (int k = 0; k < kInner && gradient_.norm() > tolerance; ++k) {
    if (!newton_direction()) return;
    const double slope = gradient_.dot(direction_);
    double low = 0, high = 1, slope_low = slope, step = 1;
    for (int halved = 0; halved < 20; ++halved) {
      trial_ = x_ + step * direction_;
      evaluate(trial_);
      const double now = gradient_.dot(direction_);
      if (now <= -kSlopeLeft * slope && (step == 1 || now >= kSlopeLeft * slope)) break;
      if (now < 0) low = step, slope_low = now;
      else high = step;
      const double guess = now > 0 ? low - slope_low * (step - low) / (now - slope_low) : 0.5 * (low + high);
      step = std::clamp(guess, low + 0.1 * (high - low), high - 0.1 * (high - low));
    }
    x_ = trial_;
  }
}

double AugmentedLagrangian::natural_map() const {
  const int d = p_->d();
  Residual sum;
  VectorXd z = VectorXd::Zero(static_cast<Eigen::Index>(speeds_.size()));
  for (std::size_t c = 0; c < blocks_.size(); ++c) {
    const double* y = p_->rows.Y.data() + static_cast<std::ptrdiff_t>(p_->rows.start[blocks_[c]]) * d;
    for (int e = first_[c]; e < first_[c + 1]; ++e)
      for (int k = 0; k < d; ++k) z[entry_[e]] += y[(e - first_[c]) * d + k] * r_[c * d + k];
  }
  for (std::size_t c = 0; c < blocks_.size(); ++c) {
    const double* y = p_->rows.Y.data() + static_cast<std::ptrdiff_t>(p_->rows.start[blocks_[c]]) * d;
    double u[3];
    for (int k = 0; k < d; ++k) u[k] = p_->q[static_cast<std::size_t>(blocks_[c]) * d + k];
    for (int e = first_[c]; e < first_[c + 1]; ++e)
      for (int k = 0; k < d; ++k) u[k] += y[(e - first_[c]) * d + k] * z[entry_[e]];
    add_residual(*p_, blocks_[c], r_.data() + c * d, u, 0, scale_, sum);
  }
  return sum.natural_map();
}

double AugmentedLagrangian::solve(const StepProblem& problem, std::span<const int> blocks, double scale, double tolerance, double* r) {
  p_ = &problem, blocks_ = blocks, scale_ = scale;
  factorisations_ = 0;
  const int d = problem.d();
  const std::size_t n = blocks.size();
  number_speeds();
  plan_hessian();
  rho_.resize(n), r_.resize(n * d), s_.assign(n, 0.0), u_.assign(n * d, 0.0), cone_.resize(n);
  x_.setZero(static_cast<Eigen::Index>(speeds_.size()));
  for (std::size_t c = 0; c < n; ++c) {
    const double* own = problem.rows.own(blocks[c]);
    rho_[c] = own[d * d - 1] > 0 ? 1 / own[d * d - 1] : 1 / scale;
    for (int k = 0; k < d; ++k) r_[c * d + k] = r[static_cast<std::ptrdiff_t>(blocks[c]) * d + k];
    const double* y = problem.rows.Y.data() + static_cast<std::ptrdiff_t>(problem.rows.start[blocks[c]]) * d;
    for (int e = first_[c]; e < first_[c + 1]; ++e)
      for (int k = 0; k < d; ++k) x_[entry_[e]] += y[(e - first_[c]) * d + k] * r_[c * d + k];
  }
  rho_factor_ = 10;
  Anderson anderson(static_cast<int>(n), kAndersonWindow);
  VectorXd slip(static_cast<Eigen::Index>(n));
  const auto renew_slip = [&](bool accelerated) {
    for (std::size_t c = 0; c < n; ++c) slip[static_cast<Eigen::Index>(c)] = problem.block[blocks[c]].mu * (d == 3 ? std::sqrt(u_[c * d] * u_[c * d] + u_[c * d + 1] * u_[c * d + 1]) : std::abs(u_[c * d]));
    if (accelerated) slip = anderson.next(Eigen::Map<const VectorXd>(s_.data(), slip.size()), slip).cwiseMax(0.0);
    Eigen::Map<VectorXd>(s_.data(), slip.size()) = slip;
  };
  evaluate(x_);
  renew_slip(false);
  std::vector<double> best = r_;
  double least = natural_map(), last = least;
  double size = x_.norm();
  int stalled = 0;
  for (const int i : blocks)
    for (int k = 0; k < d; ++k) size = std::max(size, std::abs(problem.q[static_cast<std::size_t>(i) * d + k]) / std::sqrt(scale));
  for (int k = 0; k < kOuter && least > tolerance; ++k) {
    minimise(std::max(0.01 * tolerance, 0.01 * std::min(last, 1.0) * 0.1) * size);
    for (std::size_t c = 0; c < n; ++c)
      for (int a = 0; a < d; ++a) r_[c * d + a] = cone_[c].p[a];
    renew_slip(stalled >= kPatience);
    const double error = natural_map();
    const double least_before = least;
    if (error < least) least = error, best = r_;
    if (!std::isfinite(error)) break;
    // Slow progress is that of the multipliers at first, which a greater ρ helps; later it is that of s, which it does not.
    if (error > 0.3 * last && k < kGrowing) rho_factor_ *= 10;
    stalled = error < 0.7 * least_before ? 0 : stalled + 1;
    if (stalled == kStalled) break;
    last = error;
  }
  for (std::size_t c = 0; c < n; ++c)
    for (int a = 0; a < d; ++a) r[static_cast<std::ptrdiff_t>(blocks[c]) * d + a] = best[c * d + a];
  return least;
}

}  // namespace carom
