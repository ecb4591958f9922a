#include "carom/simulate/stepping/limit_surface.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <numbers>

namespace carom {
namespace {

using Eigen::Matrix2d;
using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::Vector3d;

// ‖(W + λ)⁻¹ c‖ = radius, by Newton's method on 1/‖·‖ in the eigenbasis of W (Moré & Sorensen), from the left.
Vector2d secular(const Matrix2d& W, const Vector2d& c, double radius) {
  const double half = 0.5 * (W(0, 0) - W(1, 1)), off = W(0, 1), mean = 0.5 * (W(0, 0) + W(1, 1));
  const double spread = std::hypot(half, off);
  Vector2d e = off == 0 ? (half >= 0 ? Vector2d(1, 0) : Vector2d(0, 1)) : Vector2d(half + (half >= 0 ? spread : -spread), off).normalized();
  double s1 = half >= 0 || off == 0 ? mean + spread : mean - spread;  // eigenvalue of e
  double s2 = 2 * mean - s1;
  s1 = std::max(s1, 0.0), s2 = std::max(s2, 0.0);
  const Vector2d f(-e.y(), e.x());
  const double c1 = e.dot(c), c2 = f.dot(c);
  double lambda = std::max(0.0, c.norm() / radius - std::max(s1, s2));
  for (int k = 0; k < 60; ++k) {
    const double x1 = c1 / (s1 + lambda), x2 = c2 / (s2 + lambda), norm = std::hypot(x1, x2);
    if (!std::isfinite(norm)) {
      lambda = std::max(2 * lambda, 1e-12 * (c.norm() / radius));
      continue;
    }
    const double slope = (x1 * x1 / (s1 + lambda) + x2 * x2 / (s2 + lambda)) / norm;
    const double step = (norm - radius) / radius * norm / slope;
    lambda = std::max(0.0, lambda + step);
    if (std::abs(step) <= 1e-15 * lambda) break;
  }
  const Vector2d r = -(c1 / (s1 + lambda)) * e - (c2 / (s2 + lambda)) * f;
  return r * (radius / r.norm());
}

}  // namespace

PolygonDirections::PolygonDirections(int edges) : d_(2, edges) {
  for (int k = 0; k < edges; ++k) {
    const double angle = 2 * std::numbers::pi * k / edges;
    d_.col(k) = Vector2d(std::cos(angle), std::sin(angle));
  }
}

PolygonDirections::Wedge PolygonDirections::wedge(const Vector2d& x) const {
  const int n = edges();
  const double turn = std::atan2(x.y(), x.x()) / (2 * std::numbers::pi);
  int k = static_cast<int>(std::floor((turn < 0 ? turn + 1 : turn) * n)) % n;
  const auto coordinates = [&](int at) {
    const Vector2d p = d_.col(at), s = d_.col((at + 1) % n);
    const double det = p.x() * s.y() - p.y() * s.x();
    return Wedge{at, (x.x() * s.y() - x.y() * s.x()) / det, (p.x() * x.y() - p.y() * x.x()) / det};
  };
  Wedge w = coordinates(k);
  // Rounding of the angle may miss by one.
  if (w.a < 0) w = coordinates((k + 1) % n);
  else if (w.b < 0) w = coordinates((k + n - 1) % n);
  w.a = std::max(w.a, 0.0), w.b = std::max(w.b, 0.0);
  return w;
}

Vector2d PolygonDirections::project(const Vector2d& x, double radius) const {
  if (!(radius > 0)) return Vector2d::Zero();
  const Wedge w = wedge(x);
  if (w.a + w.b <= radius) return x;
  // The nearest point lies on the side of this wedge or, near a vertex, on one of its neighbours.
  const int n = edges();
  Vector2d best = Vector2d::Zero();
  double least = std::numeric_limits<double>::infinity();
  for (int shift = -1; shift <= 1; ++shift) {
    const int k = (w.k + shift + n) % n;
    const Vector2d p = radius * d_.col(k), side = radius * d_.col((k + 1) % n) - p;
    const Vector2d candidate = p + std::clamp(side.dot(x - p) / side.squaredNorm(), 0.0, 1.0) * side;
    const double distance = (candidate - x).squaredNorm();
    if (distance < least) least = distance, best = candidate;
  }
  return best;
}

const PolygonDirections& polygon(int edges) {
  static std::mutex guard;
  static std::map<int, std::unique_ptr<PolygonDirections>> made;
  const std::lock_guard lock(guard);
  auto& entry = made[edges];
  if (!entry) entry = std::make_unique<PolygonDirections>(edges);
  return *entry;
}

Vector2d solve_disc(const Matrix2d& W, const Vector2d& c, double radius) {
  if (!(radius > 0) || c.isZero(0)) return Vector2d::Zero();
  const double det = W.determinant();
  if (det > 1e-14 * W.trace() * W.trace()) {
    Vector2d r = -(W.inverse() * c);
    if (r.squaredNorm() <= radius * radius) return r;
  } else if (!(W.trace() > 0)) {
    return Vector2d::Zero();
  }
  return secular(W, c, radius);
}

Vector2d solve_polygon(const Matrix2d& W, const Vector2d& c, double radius, const PolygonDirections& directions) {
  if (!(radius > 0) || !(W.trace() > 0)) return Vector2d::Zero();
  if (W.determinant() > 1e-14 * W.trace() * W.trace()) {
    Vector2d r = -(W.inverse() * c);
    const auto w = directions.wedge(r);
    if (w.a + w.b <= radius) return r;
  }
  // Convex: the least of the best points of all sides.
  Vector2d best = Vector2d::Zero();
  double least = std::numeric_limits<double>::infinity();
  const int n = directions.edges();
  for (int k = 0; k < n; ++k) {
    const Vector2d p = radius * directions[k], side = radius * directions[(k + 1) % n] - p;
    const double bend = side.dot(W * side), slope = side.dot(W * p + c);
    const double along = bend > 0 ? std::clamp(-slope / bend, 0.0, 1.0) : (slope < 0 ? 1.0 : 0.0);
    const Vector2d r = p + along * side;
    const double value = 0.5 * r.dot(W * r) + c.dot(r);
    if (value < least) least = value, best = r;
  }
  return best;
}

Vector3d solve_polygonal_contact(const Matrix3d& W, const Vector3d& q, double mu, const PolygonDirections& directions) {
  const double wnn = W(2, 2);
  if (q[2] >= 0 || !(wnn > 0)) return Vector3d::Zero();
  if (mu == 0) return {0, 0, -q[2] / wnn};
  // Sticking: u = 0.
  const Matrix2d S = W.topLeftCorner<2, 2>() - W.topRightCorner<2, 1>() * W.bottomLeftCorner<1, 2>() / wnn;
  const Vector2d c = q.head<2>() - W.topRightCorner<2, 1>() * (q[2] / wnn);
  if (S.determinant() > 1e-14 * S.trace() * S.trace()) {
    const Vector2d t = -(S.inverse() * c);
    const double n = -(q[2] + W.bottomLeftCorner<1, 2>().dot(t)) / wnn;
    const auto w = directions.wedge(t);
    if (n >= 0 && w.a + w.b <= mu * n) return {t.x(), t.y(), n};
  }
  // Sliding: r_t = μ r_n x with x on the polygon's rim. Along each side x = d_k + s (d_{k+1} − d_k) the normal impulse is
  // r_n = −q_n / (W_nn + μ W_nt x), and the side component of u_t is zero inside the side, or the vertex is the most opposed.
  const int count = directions.edges();
  Vector3d best = Vector3d::Zero();
  double least = std::numeric_limits<double>::infinity();
  const auto consider = [&](const Vector2d& x, int first, int second) {
    const double n = -q[2] / (wnn + mu * W.bottomLeftCorner<1, 2>().dot(x));
    if (!(n >= 0) || !std::isfinite(n)) return;
    const Vector3d r(mu * n * x.x(), mu * n * x.y(), n);
    const Vector2d u = W.topRows<2>() * r + q.head<2>();
    // How far another direction opposes u better: neighbours tell, the directions stand around a circle.
    const double here = directions[first].dot(u);
    double worse = std::max(0.0, here);
    for (const int k : {first - 1, first + 1, second - 1, second + 1}) worse = std::max(worse, here - directions[(k + count) % count].dot(u));
    worse = std::max(worse, std::abs(here - directions[second].dot(u)));
    if (worse < least) least = worse, best = r;
  };
  for (int k = 0; k < count; ++k) {
    const int next = (k + 1) % count;
    const Vector2d p = directions[k], side = directions[next] - p;
    consider(p, k, k);
    // side · u_t = side · (n (μ W_tt x + W_tn) + q_t) = 0 with n = −q_n / (W_nn + μ W_nt x): linear in s.
    const auto value = [&](const Vector2d& x) {
      return -q[2] * side.dot(mu * (W.topLeftCorner<2, 2>() * x) + W.topRightCorner<2, 1>()) +
             side.dot(q.head<2>()) * (wnn + mu * W.bottomLeftCorner<1, 2>().dot(x));
    };
    const double at_p = value(p), slope = value(p + side) - at_p;
    const double s = slope != 0 ? -at_p / slope : -1;
    if (s > 0 && s < 1) consider(p + s * side, k, next);
  }
  return best;
}

}  // namespace carom
