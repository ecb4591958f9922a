#pragma once
// Small exact pieces of the spatial impact at and near zero slip: the turning rate h to twice the working precision, the friction
// that keeps a contact sticking, and the direction in which slip leaves zero.

#include <algorithm>
#include <cmath>

#include "carom/math/dual.hpp"

namespace carom::laws {

// a b − c d with an error of about one unit in the last place (Kahan).
inline double product_difference(double a, double b, double c, double d) {
  const double cd = c * d;
  return std::fma(a, b, -cd) - std::fma(c, d, -cd);
}
template <int N>
Dual<N> product_difference(const Dual<N>& a, const Dual<N>& b, const Dual<N>& c, const Dual<N>& d) {
  Dual<N> out = a * b - c * d;
  out.value = product_difference(a.value, b.value, c.value, d.value);
  return out;
}

// An unevaluated sum hi + lo of about 106 bits.
struct DoubleDouble {
  double hi, lo;
};
inline DoubleDouble exact_sum(double a, double b) {
  const double s = a + b, t = s - a;
  return {s, (a - (s - t)) + (b - t)};
}
inline DoubleDouble exact_product(double a, double b) {
  const double p = a * b;
  return {p, std::fma(a, b, -p)};
}
inline DoubleDouble operator+(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble s = exact_sum(a.hi, b.hi);
  return exact_sum(s.hi, s.lo + a.lo + b.lo);
}
inline DoubleDouble operator-(DoubleDouble a) { return {-a.hi, -a.lo}; }
inline DoubleDouble operator*(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble p = exact_product(a.hi, b.hi);
  return exact_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}
inline DoubleDouble operator*(DoubleDouble a, double b) { return a * DoubleDouble{b, 0}; }

// h = û⊥·(b − μ A û) for û = v/|v|: near an isocline the terms cancel, and what is left decides how slip turns, so the
// difference is formed in doubled precision: h = (s (v × b) − μ v⊥·A v)/s², s = |v|.
inline double turning_rate(double A11, double A12, double A22, double b1, double b2, double v1, double v2, double mu) {
  const DoubleDouble v11 = exact_product(v1, v1), v22 = exact_product(v2, v2), square = v11 + v22;
  const double root = std::sqrt(square.hi);
  const DoubleDouble s = exact_sum(root, ((square + -exact_product(root, root)).hi) / (2 * root));
  const DoubleDouble cross = exact_product(v1, b2) + -exact_product(v2, b1);
  const DoubleDouble quad = (v11 + -v22) * A12 + exact_sum(A22, -A11) * exact_product(v1, v2);
  const DoubleDouble top = cross * s + -(quad * mu);
  return (top.hi + top.lo) / square.hi;
}
template <int N>
Dual<N> turning_rate(const Dual<N>& A11, const Dual<N>& A12, const Dual<N>& A22, const Dual<N>& b1, const Dual<N>& b2,
                     const Dual<N>& v1, const Dual<N>& v2, const Dual<N>& mu) {
  const Dual<N> square = v1 * v1 + v2 * v2;
  Dual<N> h = (v1 * b2 - v2 * b1) / sqrt(square) - mu * (A12 * (v1 * v1 - v2 * v2) + (A22 - A11) * v1 * v2) / square;
  h.value = turning_rate(A11.value, A12.value, A22.value, b1.value, b2.value, v1.value, v2.value, mu.value);
  return h;
}

// Friction per normal impulse, −(m1, m2) = −A⁺ b, that leaves a sticking contact at rest; k = dv_n/dp then.
template <class T>
struct StickSlope {
  T m1, m2, k;
  bool determined = true;  // false: A is singular, m is the least of many
};

template <class T>
StickSlope<T> stick_slope(const T& A11, const T& A12, const T& A22, const T& b1, const T& b2, const T& c, double rank_tolerance) {
  const double a11 = value_of(A11), a22 = value_of(A22), trace = a11 + a22;
  const T det = product_difference(A11, A22, A12, A12);
  StickSlope<T> out;
  if (trace <= rank_tolerance * value_of(c)) {
    out.m1 = out.m2 = T(0), out.determined = false;
  } else if (value_of(det) <= rank_tolerance * trace * trace) {  // one direction only: A = λ n nᵀ, b ∥ n
    const T square = (A11 + A22) * (A11 + A22);
    out.m1 = (A11 * b1 + A12 * b2) / square, out.m2 = (A12 * b1 + A22 * b2) / square, out.determined = false;
  } else {
    out.m1 = product_difference(b1, A22, b2, A12) / det, out.m2 = product_difference(b2, A11, b1, A12) / det;
  }
  out.k = c - (b1 * out.m1 + b2 * out.m2);
  if (value_of(out.k) <= rank_tolerance * value_of(c)) out.k = T(0);
  return out;
}

// The direction û in which slip leaves zero, b − μ A û = γ û with γ > 0: unique where |A⁺b| > μ.
template <class T>
struct Departure {
  T u1, u2, gamma;
};

template <class T>
Departure<T> departure(const T& A11, const T& A12, const T& A22, const T& b1, const T& b2, const T& mu) {
  const double a11 = value_of(A11), a12 = value_of(A12), a22 = value_of(A22), m = value_of(mu);
  const double beta1 = value_of(b1), beta2 = value_of(b2), size = std::sqrt(beta1 * beta1 + beta2 * beta2);
  const double spread = 0.5 * std::sqrt((a11 - a22) * (a11 - a22) + 4 * a12 * a12), mean = 0.5 * (a11 + a22);
  // |û(γ)| falls through 1 between these, û(γ) = (μ A + γ)⁻¹ b; Newton on 1/|û| (nearly linear in γ).
  double low = std::max(0.0, size - m * (mean + spread)), high = size - m * std::max(0.0, mean - spread), gamma = low;
  const auto solve = [&](auto g, auto& u1, auto& u2, const auto& M11, const auto& M12, const auto& M22, const auto& r1, const auto& r2) {
    const auto d11 = M11 + g, d22 = M22 + g;
    const auto det = product_difference(d11, d22, M12, M12);
    u1 = product_difference(r1, d22, r2, M12) / det, u2 = product_difference(r2, d11, r1, M12) / det;
  };
  const double M11 = m * a11, M12 = m * a12, M22 = m * a22;
  for (int i = 0; i < 60; ++i) {
    double u1 = 0, u2 = 0, w1 = 0, w2 = 0;
    solve(gamma, u1, u2, M11, M12, M22, beta1, beta2);
    const double length = std::sqrt(u1 * u1 + u2 * u2);
    double next = 0.5 * (low + high);
    if (std::isfinite(length)) {
      (length > 1 ? low : high) = gamma;
      solve(gamma, w1, w2, M11, M12, M22, u1, u2);
      next = gamma + (length - 1) * length * length / (u1 * w1 + u2 * w2);
    }
    if (!(next >= low && next <= high)) next = 0.5 * (low + high);
    const double moved = std::abs(next - gamma);
    gamma = next;
    if (moved <= 1e-15 * size) break;
  }
  T g(gamma), u1, u2, w1, w2;
  for (int i = 0; i < 2; ++i) {  // the last step in T: derivatives by the implicit function theorem
    solve(g, u1, u2, mu * A11, mu * A12, mu * A22, b1, b2);
    solve(g, w1, w2, mu * A11, mu * A12, mu * A22, u1, u2);
    g += (u1 * u1 + u2 * u2 - T(1)) / (T(2) * (u1 * w1 + u2 * w2));
  }
  using std::sqrt;
  const T length = sqrt(u1 * u1 + u2 * u2);
  return {u1 / length, u2 / length, g};
}

}  // namespace carom::laws
