#pragma once
// Directions of slip that friction leaves alone: the isoclines of a spatial impact.
//
// In the frame whose first axis is the initial slip û₀, with slip angle ψ from it, friction turns slip at the rate (s dψ/dp)
//   h(ψ) = û⊥·(b − μ A û) = b2 cos ψ − b1 sin ψ + μ [(A11 − A22) sin ψ cos ψ − A12 (cos²ψ − sin²ψ)].
// With X = sin ψ/2, Y = cos ψ/2 this is a binary quartic Σ h_i X^i Y^{4−i}: 2 or 4 real roots, attracting and repelling in turn.
//
// In principal axes of A, mirrored so that b = (β1, β2) ≥ 0, h = β2 c − β1 s + κ s c with κ = μ (A_1 − A_2) ≥ 0 has exactly one
// attracting root in the first quadrant, one repelling root in the third, none in the second, and in the fourth two or none: two
// iff β1^{2/3} + β2^{2/3} < κ^{2/3} (an astroid). So every root has a bracket, and Newton's method inside it cannot be lost.

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/math/dual.hpp"

namespace carom::laws {

// A direction in the plane, as its cosine and sine.
struct Direction {
  double c, s;
};

// A direction as (X, Y) ∝ (sin ψ/2, cos ψ/2); any length.
template <class T>
struct HalfAngle {
  T X, Y;
};

// Root of p c + q s + r s c between the directions lo and hi of one quadrant (0 ≤ lo < hi ≤ π/2); `sign` is the function's
// sign just after lo.
inline Direction bracketed_root(double p, double q, double r, Direction lo, Direction hi, Direction guess, double sign) {
  constexpr double kEps = std::numeric_limits<double>::epsilon();
  Direction u = guess;
  for (int i = 0; i < 80; ++i) {
    const double f = p * u.c + q * u.s + r * u.s * u.c;
    const double slope = q * u.c - p * u.s + r * (u.c * u.c - u.s * u.s);
    (f * sign > 0 ? lo : hi) = u;
    const double turn = -f / slope;
    Direction next{u.c - u.s * turn, u.s + u.c * turn};
    const bool inside = std::abs(turn) < 1 && next.c * lo.s <= next.s * lo.c && next.s * hi.c <= next.c * hi.s;
    if (!inside) next = {lo.c + hi.c, lo.s + hi.s};
    const double length = std::sqrt(next.c * next.c + next.s * next.s);
    next = {next.c / length, next.s / length};
    const double moved = std::abs(next.c * u.s - next.s * u.c);
    u = next;
    if (moved <= 2 * kEps * std::min(1.0, 1e3 * std::min(u.s, u.c) + kEps) || f == 0) break;
    if (inside && moved < 1e-9) break;  // Newton's next step would be below rounding
  }
  return u;
}

// The attracting root in the first quadrant of β2 c − β1 s + κ s c, β ≥ 0, κ ≥ 0.
inline Direction quadrant_root(double beta1, double beta2, double kappa) {
  if (beta2 == 0) {
    if (kappa <= beta1) return {1, 0};
    const double c = beta1 / kappa;
    return {c, std::sqrt((1 - c) * (1 + c))};
  }
  if (beta1 == 0) return {0, 1};
  const double y = beta2 + 0.7 * kappa, length = std::sqrt(beta1 * beta1 + y * y);
  return bracketed_root(beta2, -beta1, kappa, {1, 0}, {0, 1}, {beta1 / length, y / length}, 1);
}

// The isoclines on either side of the start, as directions relative to û₀ = (1, 0): slip turns from `from` to `to`.
struct Arc {
  Direction to, from;  // attracting, repelling
};

// `turns` is the sign of h at the start, b and A in the frame of û₀. Needs μ > 0 and h not identically zero.
inline Arc surrounding_arc(double A11, double A12, double A22, double b1, double b2, double mu, double turns) {
  const double diff = A11 - A22, spread = std::sqrt(diff * diff + 4 * A12 * A12);
  double cd = 1, sd = 0;  // direction of the larger principal axis
  if (spread > 0) {
    if (diff >= 0) cd = std::sqrt(0.5 * (1 + diff / spread)), sd = A12 / (spread * cd);
    else sd = std::sqrt(0.5 * (1 - diff / spread)), cd = A12 / (spread * sd);
  }
  const double kappa = mu * spread;
  double beta1 = cd * b1 + sd * b2, beta2 = cd * b2 - sd * b1;
  const double f1 = beta1 < 0 ? -1 : 1, f2 = beta2 < 0 ? -1 : 1;
  beta1 *= f1, beta2 *= f2;
  const double u1 = f1 * cd, u2 = -f2 * sd;       // û₀ in the mirrored principal frame
  const bool rises = turns * f1 * f2 > 0;         // sign of h there
  const auto back = [&](double c, double s) {     // … and back
    return Direction{cd * f1 * c - sd * f2 * s, sd * f1 * c + cd * f2 * s};
  };
  const auto first = [&] { const Direction r = quadrant_root(beta1, beta2, kappa); return back(r.c, r.s); };
  const auto third = [&] { const Direction r = quadrant_root(beta2, beta1, kappa); return back(-r.s, -r.c); };

  Direction m{std::cbrt(beta1), std::cbrt(beta2)};
  double length = std::sqrt(m.c * m.c + m.s * m.s);
  m = length > 0 ? Direction{m.c / length, m.s / length} : Direction{std::sqrt(0.5), std::sqrt(0.5)};
  const bool four = beta2 * m.c + beta1 * m.s - kappa * m.s * m.c < 0;
  if (!four) return {first(), third()};
  const auto middle = [](Direction a, Direction b) {
    const double c = a.c + b.c, s = a.s + b.s, size = std::sqrt(c * c + s * s);
    return Direction{c / size, s / size};
  };
  const auto inner = [&] {  // repelling, nearer to the first axis
    if (beta2 == 0) return back(1, 0);
    const Direction r = bracketed_root(beta2, beta1, -kappa, {1, 0}, m, middle({1, 0}, m), 1);
    return back(r.c, -r.s);
  };
  const auto outer = [&] {  // attracting, nearer to the second axis
    if (beta1 == 0) return back(0, -1);
    const Direction r = bracketed_root(beta2, beta1, -kappa, m, {0, 1}, middle(m, {0, 1}), -1);
    return back(r.c, -r.s);
  };
  if (!rises) {
    if (u1 > 0 && u2 < 0) return {outer(), inner()};
    return {first(), third()};
  }
  if (u2 < 0 && (u1 <= 0 || -u2 * m.c > u1 * m.s)) return {outer(), third()};
  return {first(), inner()};
}

// The same root relative to û₀ in half angles, refined on the quartic h itself (whose h_0 may carry more digits than a
// difference of angles could), on the side of the start given by `side` (the sign of X).
template <class T>
HalfAngle<T> refine_root(const T (&h)[5], Direction u, double side) {
  const bool near = u.c >= 0;  // |ψ| ≤ π/2: t = X/Y, else t = Y/X
  double t = near ? u.s / (1 + u.c) : u.s / (1 - u.c);
  const auto coefficient = [&](int i) -> const T& { return h[near ? i : 4 - i]; };
  T root(t);
  for (int i = 0; i < 2; ++i) {
    T f = coefficient(4);
    double slope = 0;
    for (int j = 3; j >= 0; --j) slope = slope * t + value_of(f), f = f * T(t) + coefficient(j);
    const T next = T(t) - f / T(slope);
    const double step = std::abs(value_of(next) - t);
    if (!(step <= 1e-4 * (1 + std::abs(t)))) break;  // a nearly double root: keep the bracketed one
    root = next;
    t = value_of(next);
  }
  HalfAngle<T> out = near ? HalfAngle<T>{root, T(1)} : HalfAngle<T>{T(1), root};
  if (value_of(out.X) * side < 0) out = {-out.X, -out.Y};
  return out;
}

}  // namespace carom::laws
