#include "carom/simulate/stepping/interior_point.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr int kIterations = 40;
constexpr int kStalled = 4;       // iterations in a row with …
constexpr double kShort = 0.1;    // … steps shorter than this before giving up
constexpr double kInside = 0.99;  // of the way to the border

// Lorentz cone: x₀² − ‖x_t‖², the product, the solution of l ∘ x = b.
double determinant(const Vector3d& v) {
  const double t = std::hypot(v[1], v[2]);
  return (v[0] - t) * (v[0] + t);
}
Vector3d product(const Vector3d& a, const Vector3d& b) { return {a.dot(b), a[0] * b[1] + b[0] * a[1], a[0] * b[2] + b[0] * a[2]}; }
Vector3d quotient(const Vector3d& l, const Vector3d& b) {
  const double first = (l[0] * b[0] - l[1] * b[1] - l[2] * b[2]) / determinant(l);
  return {first, (b[1] - l[1] * first) / l[0], (b[2] - l[2] * first) / l[0]};
}

// The largest a with x + a d in the cone, x inside.
double way_to_border(const Vector3d& x, const Vector3d& d) {
  const double A = determinant(d), B = x[0] * d[0] - x[1] * d[1] - x[2] * d[2], C = determinant(x);
  double best = std::numeric_limits<double>::infinity();
  const auto consider = [&](double a) {
    if (a > 0 && a < best) best = a;
  };
  const double under = B * B - A * C;
  if (under >= 0) {
    const double q = -(B + std::copysign(std::sqrt(under), B));
    if (A != 0) consider(q / A);
    if (q != 0) consider(C / q);
  }
  if (d[0] < 0) consider(-x[0] / d[0]);
  return best;
}

}  // namespace

InteriorPoint::Vector InteriorPoint::velocity(std::size_t c, const double* z) const {
  Vector u = Vector::Zero();
  for (int e = island_->first(c); e < island_->first(c + 1); ++e) u += z[island_->speed(e)] * A_[e];
  return u;
}

// Velocities are divided by the scale and z by its root, so that impulses and velocities have one size.
void InteriorPoint::load(const std::vector<double>& r, double error) {
  const StepProblem& p = island_->problem();
  const int d = p.d();
  const double root = std::sqrt(scale_);
  const std::size_t n = island_->count();
  contact_.resize(n), A_.resize(static_cast<std::size_t>(island_->first(n)));
  z_.assign(island_->speeds(), 0.0), dz_.resize(z_.size());
  double size_q = 0, size_r = 0;
  for (std::size_t c = 0; c < n; ++c) {
    Contact& k = contact_[c];
    const int i = island_->blocks()[c];
    const double mu = k.mu = p.block[i].mu, part = mu > 0 ? 1 / mu : 1;
    const auto lorentz = [&](const double* v, double normal, double tangent) {
      return Vector(normal * v[d - 1], mu > 0 ? tangent * v[0] : 0, mu > 0 && d == 3 ? tangent * v[1] : 0);
    };
    k.q = lorentz(p.q.data() + static_cast<std::ptrdiff_t>(i) * d, part / scale_, 1 / scale_);
    k.x = lorentz(r.data() + c * d, mu > 0 ? mu : 1, 1);
    size_q += k.q.squaredNorm(), size_r += k.x.squaredNorm();
    const double* y = island_->row(c);
    for (int e = island_->first(c); e < island_->first(c + 1); ++e, y += d) {
      A_[e] = lorentz(y, part / root, 1 / root);
      z_[island_->speed(e)] += A_[e].dot(k.x);
    }
  }
  // Pushed inside the cones by about as much as the start errs.
  const double push = std::clamp(error, 1e-4, 1.0) * std::sqrt(std::max(size_q, size_r) / static_cast<double>(n));
  for (std::size_t c = 0; c < n; ++c) {
    Contact& k = contact_[c];
    k.y = velocity(c, z_.data()) + k.q;
    const double slip = std::hypot(k.y[1], k.y[2]);
    k.y[0] = std::max(k.y[0] + slip, slip + push);
    k.x[0] = std::max(k.x[0], std::hypot(k.x[1], k.x[2]) + push);
  }
}

// Residuals of z = Y r and of y, slip directions, scalings.
void InteriorPoint::linearise() {
  gradient_ = z_;
  for (std::size_t c = 0; c < contact_.size(); ++c) {
    Contact& k = contact_[c];
    for (int e = island_->first(c); e < island_->first(c + 1); ++e) gradient_[island_->speed(e)] -= A_[e].dot(k.x);
    const Vector u = velocity(c, z_.data()) + k.q;
    const double slip = std::hypot(u[1], u[2]);
    k.residual = k.y - u;
    k.residual[0] -= slip;
    k.slip = slip > 0 ? Vector(0, u[1] / slip, u[2] / slip) : Vector(Vector::Zero());
    const double size_y = std::sqrt(determinant(k.y)), size_x = std::sqrt(determinant(k.x));
    const Vector y = k.y / size_y, x = k.x / size_x;
    const Vector w = (y + Vector(x[0], -x[1], -x[2])) / std::sqrt(2 * (1 + y.dot(x)));
    const double eta = std::sqrt(size_y / size_x);
    const Vector t(0, w[1], w[2]);
    Matrix3d m = Matrix3d::Identity() + t * t.transpose() / (1 + w[0]);
    m(0, 0) = w[0];
    m(0, 1) = m(1, 0) = w[1], m(0, 2) = m(2, 0) = w[2];
    k.W = eta * m;
    m(0, 1) = m(1, 0) = -w[1], m(0, 2) = m(2, 0) = -w[2];
    k.inverse = m / eta;
    k.lambda = k.W * k.x;
  }
}

bool InteriorPoint::factorise() {
  island_->start();
  for (std::size_t c = 0; c < contact_.size(); ++c) {
    const Contact& k = contact_[c];
    Matrix3d D = k.inverse * k.inverse;
    const Vector first = D.col(0);
    D += first * k.slip.transpose();  // W⁻² B
    const auto target = island_->target(c);
    for (int f = island_->first(c); f < island_->first(c + 1); ++f) {
      const Vector column = D * A_[f];
      for (int e = island_->first(c); e < island_->first(c + 1); ++e) target.add(e, f, A_[e].dot(column));
    }
  }
  ++factorisations_;
  return island_->factorise();
}

// Δ of all variables towards x ∘ y = centre · τ; with the second-order term of the last direction when `corrected`.
void InteriorPoint::direction(double centre, bool corrected) {
  for (std::size_t j = 0; j < z_.size(); ++j) dz_[j] = -gradient_[j];
  for (std::size_t c = 0; c < contact_.size(); ++c) {
    Contact& k = contact_[c];
    Vector b = -product(k.lambda, k.lambda);
    b[0] += centre * tau_;
    if (corrected) b -= product(k.inverse * k.dy, k.W * k.dx);
    k.ds = quotient(k.lambda, b);
    const Vector load = k.inverse * (k.ds + k.inverse * k.residual);
    for (int e = island_->first(c); e < island_->first(c + 1); ++e) dz_[island_->speed(e)] += A_[e].dot(load);
  }
  island_->solve(dz_.data());
  for (std::size_t c = 0; c < contact_.size(); ++c) {
    Contact& k = contact_[c];
    const Vector du = velocity(c, dz_.data());
    k.dy = du - k.residual;
    k.dy[0] += k.slip.dot(du);
    k.dx = k.inverse * (k.ds - k.inverse * k.dy);
  }
}

double InteriorPoint::step_length() const {
  double a = std::numeric_limits<double>::infinity();
  for (const Contact& k : contact_) a = std::min({a, way_to_border(k.x, k.dx), way_to_border(k.y, k.dy)});
  return a;
}

// The mean of x · y after a step of this length along the direction.
double InteriorPoint::complementarity(double step) const {
  double sum = 0;
  for (const Contact& k : contact_) sum += (k.x + step * k.dx).dot(k.y + step * k.dy);
  return sum / static_cast<double>(contact_.size());
}

void InteriorPoint::move(double step, std::vector<double>& r) {
  const int d = island_->problem().d();
  for (std::size_t j = 0; j < z_.size(); ++j) z_[j] += step * dz_[j];
  for (std::size_t c = 0; c < contact_.size(); ++c) {
    Contact& k = contact_[c];
    k.x += step * k.dx, k.y += step * k.dy;
    r[c * d + d - 1] = k.mu > 0 ? k.x[0] / k.mu : k.x[0];
    for (int a = 0; a < d - 1; ++a) r[c * d + a] = k.x[a + 1];
  }
}

double InteriorPoint::solve(IslandSystem& island, double scale, double tolerance, std::vector<double>& r) {
  island_ = &island, scale_ = scale;
  factorisations_ = 0;
  double least = island.natural_map(r.data(), scale);
  if (least <= tolerance) return least;
  load(r, least);
  for (Contact& k : contact_) k.dx.setZero(), k.dy.setZero();
  r_.resize(r.size());
  for (int k = 0, stalled = 0; k < kIterations && stalled < kStalled && least > tolerance; ++k) {
    tau_ = complementarity(0);
    linearise();
    if (!(tau_ > 0) || !factorise()) break;
    direction(0, false);
    const double ratio = std::max(complementarity(std::min(1.0, step_length())), 0.0) / tau_;
    direction(ratio * ratio * ratio, true);
    const double step = std::min(1.0, kInside * step_length());
    if (!std::isfinite(step)) break;
    move(step, r_);
    const double error = island.natural_map(r_.data(), scale);
    if (!std::isfinite(error)) break;
    stalled = step < kShort ? stalled + 1 : 0;
    if (error < least) least = error, r = r_;
  }
  return least;
}

}  // namespace carom
