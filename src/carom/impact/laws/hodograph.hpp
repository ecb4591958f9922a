#pragma once
// Slip inside a spatial impact, solved: the hodograph between two isoclines.
//
// Slip v_t = s (cos ψ, sin ψ) under Coulomb friction obeys, with dp = s dτ and p the normal impulse,
//   dψ/dτ = h(ψ),   d ln s/dτ = g(ψ) = û·(b − μ A û),   k(ψ) = dv_n/dp = c − μ b·û        [Keller 1986; Morgan 4.9 in polar form]
// Let the isocline E be x = 0 and the isocline O be x = ∞ of the Möbius coordinate x(ψ) = sin((ψ−ψ_E)/2) / sin((ψ−ψ_O)/2), scaled
// so that the start is x = 1. Then X = sin ψ/2 and Y = cos ψ/2 are (up to a common factor) linear in x, h = x q(x)/D² with
// D = X² + Y² and q quadratic, and with the quartic Γ = g D²
//   dψ/dx = 2 X₁/D,   d ln s/dx = 2 X₁ Γ / (x q D),   dp/dx = 2 X₁ D w,   w = s/(x q).
// w and w₂ = s²/(x q) satisfy first-order linear equations with polynomial coefficients, so their Taylor coefficients obey a
// recurrence of five terms (no products of series), at x = 0 one of four terms for w = x^{c−1} ω(x), c = g/h′ at E. Integrated
// term by term they give everything the impact needs:
//   p = ∫dp,   C = ∫cos ψ dp,   S = ∫sin ψ dp,   F = ∫s dp;   friction impulse −μ (C, S), friction work −μ F.
// A Panel is one such expansion: `regular` about a point of the arc, stepping half-way to the nearest singularity, or `at_root`
// about an isocline, valid up to it: there slip stops (c > 0, x → 0 at finite p), or goes on for ever.
//
// Failure: none in exact arithmetic; where exponents are huge (h almost zero) panels shrink so that terms grow little.

#include <array>
#include <cmath>
#include <limits>

#include "carom/impact/laws/isoclines.hpp"
#include "carom/math/dual.hpp"

namespace carom::laws {

// Coefficients of slip's flow in the frame of the initial slip.
template <class T>
struct SlipFlow {
  T A11, A12, A22, b1, b2, c, mu;
  T h[5], g[5], k[3];  // forms in (X, Y): h D², g D² = Σ · X^i Y^{4−i};  k D = Σ · X^i Y^{2−i}

  // `h0`: h at ψ = 0, possibly known to more digits than b2 − μ A12.
  void prepare(const T& h0) {
    const T d = mu * (A11 - A22), a = mu * A12;
    h[0] = h0, h[1] = T(2) * (d - b1), h[2] = T(6) * a, h[3] = T(-2) * (d + b1), h[4] = -b2 - a;
    g[0] = b1 - mu * A11, g[1] = T(2) * b2 - T(4) * a, g[2] = mu * (T(2) * A11 - T(4) * A22);
    g[3] = T(2) * b2 + T(4) * a, g[4] = -b1 - mu * A11;
    k[0] = c - mu * b1, k[1] = T(-2) * mu * b2, k[2] = c + mu * b1;
  }
};

// The coordinate x along an arc: 0 at isocline E, ∞ at isocline O, 1 at the start.
template <class T>
struct Chart {
  T X1, Y1, Y0;
  Chart() = default;
  Chart(const HalfAngle<T>& E, const HalfAngle<T>& O) {
    const T det = E.X * O.Y - O.X * E.Y;
    X1 = E.X * O.X / det, Y1 = E.X * O.Y / det, Y0 = -O.X * E.Y / det;
  }
  HalfAngle<T> at(const T& x) const {
    if (value_of(x) < 0.5) return {X1 * (x - T(1)), Y0 + Y1 * x};
    const T d = x - T(1);
    return {X1 * d, T(1) + Y1 * d};
  }
};

// What gathers along a stretch of slip.
template <class T>
struct SlipSums {
  T p, C, S, F;
};

inline double expm1_of(double x) { return std::expm1(x); }
template <int N>
Dual<N> expm1_of(const Dual<N>& x) { return x.chain(std::expm1(x.value), std::exp(x.value)); }

inline double log1p_of(double x) { return std::log1p(x); }
template <int N>
Dual<N> log1p_of(const Dual<N>& x) { return x.chain(std::log1p(x.value), 1 / (1 + x.value)); }

template <class T>
class Panel {
 public:
  static constexpr int kTerms = 96;  // at most

  // Prepares the expansion about x0; x0 = 0 is the isocline E.
  void centre(const SlipFlow<T>& flow, const Chart<T>& chart, const T& x0) {
    using std::abs, std::sqrt;
    x0_ = x0, X1_ = chart.X1;
    const HalfAngle<T> u = chart.at(x0);
    const T XX[3] = {u.X * u.X, T(2) * u.X * chart.X1, chart.X1 * chart.X1};
    const T YY[3] = {u.Y * u.Y, T(2) * u.Y * chart.Y1, chart.Y1 * chart.Y1};
    const T XY[3] = {u.X * u.Y, u.X * chart.Y1 + u.Y * chart.X1, chart.X1 * chart.Y1};
    for (int i = 0; i < 3; ++i) {
      D_[i] = YY[i] + XX[i], C_[i] = YY[i] - XX[i], S_[i] = T(2) * XY[i];
      K_[i] = flow.k[0] * YY[i] + flow.k[1] * XY[i] + flow.k[2] * XX[i];
    }
    T Q[5];
    form(flow.h, XX, XY, YY, Q);
    form(flow.g, XX, XY, YY, gamma_);
    const T q2 = Q[3], q1 = Q[2] - x0 * q2, q0 = Q[1] - x0 * q1;  // Q = (x0 + t) (q0 + q1 t + q2 t²)
    E_[0] = x0 * q0, E_[1] = q0 + x0 * q1, E_[2] = q1 + x0 * q2, E_[3] = q2;
    radius_ = std::min(std::sqrt(value_of(D_[0] / D_[2])), smallest_root(value_of(q0), value_of(q1), value_of(q2)));
    at_root_ = value_of(x0) == 0;
    exponent_ = at_root_ ? T(2) * X1_ * gamma_[0] / (q0 * D_[0]) : T(1);
    if (!at_root_) radius_ = std::min(radius_, value_of(x0));
  }

  double radius() const { return radius_; }
  bool at_root() const { return at_root_; }
  const T& exponent() const { return exponent_; }  // c of s ~ x^c, when centred on an isocline
  // g at the centre has the sign of this.
  double growth() const { return value_of(gamma_[0]); }

  // Expands with θ = (x − x0)/step. A regular panel begins at θ = 0 and ends at θ = 1. A panel at_root may run inward, from θ = 1
  // to 0, or outward, from θ = begin to 1. `s`: slip speed at its beginning. False: too steep for this step, try a smaller one.
  [[nodiscard]] bool expand(const T& step, const T& s, const T& begin) {
    step_ = step, begin_ = begin;
    recurrence();
    if (terms_ == 0) return false;
    const T x = x0_ + step * begin;  // where s is given
    const T t = step * begin;
    T q = E_[0] / x0_, sum(1), sum2(1);
    if (at_root_) {
      sum = series(w_, begin), sum2 = series(w2_, begin);
      q = E_[1] + t * (E_[2] + t * E_[3]);
    }
    scale_ = s / (x * q) / sum;
    const T factor = T(2) * X1_ * (at_root_ ? x : step);
    integrate(factor * scale_, factor * s * s / (x * q) / sum2);
    return true;
  }

  // A panel is walked along by the variable z in which p is nearly linear: θ itself, or at an isocline z = ((θ/begin)^c − 1)/c,
  // which is 0 at the beginning and −1/c where slip stops. (θ may underflow on the way; 1 + c z does not.)
  double natural(double theta) const {
    if (!at_root_) return theta;
    const double c = value_of(exponent_), x = std::log(theta / value_of(begin_));
    return std::abs(c * x) < 1e-12 ? x : std::expm1(c * x) / c;
  }
  T stop() const { return T(-1) / exponent_; }

  // Sums from the beginning of the panel to z.
  SlipSums<T> sums(const T& z) const {
    const T t = theta(z);
    T a[4] = {T(0), T(0), T(0), T(0)};
    for (int n = terms_ + 1; n >= 0; --n)
      for (int j = 0; j < 4; ++j) a[j] = a[j] * t + u_[n][j];
    if (!at_root_) return {a[0] * t, a[1] * t, a[2] * t, a[3] * t};
    return root_sums(z, t, a);
  }

  // dp/dz.
  T slope(const T& z) const {
    const T t = theta(z), rate = T(2) * X1_ * step_ * scale_ * series(w_, t) * quadratic(D_, t);
    return at_root_ ? rate * begin_ : rate;
  }

  T speed(const T& z) const {
    const T th = theta(z), t = step_ * th, a = scale_ * series(w_, th);
    if (!at_root_) return a * (E_[0] + t * (E_[1] + t * (E_[2] + t * E_[3])));
    return a * (T(1) + exponent_ * z) * begin_ * step_ * (E_[1] + t * (E_[2] + t * E_[3]));
  }

  T x(const T& z) const { return x0_ + step_ * theta(z); }
  // Direction of slip: cos ψ, sin ψ.
  std::array<T, 2> direction(const T& z) const {
    const T t = theta(z), d = quadratic(D_, t);
    return {quadratic(C_, t) / d, quadratic(S_, t) / d};
  }

  // Where k changes sign between θ = low and high, in increasing order of θ; v_n is monotone in between. Returns how many.
  int turning_points(double low, double high, double (&z)[2]) const {
    const double t = value_of(step_), a = value_of(K_[2]) * t * t, b = value_of(K_[1]) * t, c = value_of(K_[0]);
    const double disc = b * b - 4 * a * c;
    int n = 0;
    if (!(disc > 0)) return 0;
    const double q = -0.5 * (b + (b < 0 ? -1 : 1) * std::sqrt(disc));
    for (const double root : {a != 0 ? q / a : low, q != 0 ? c / q : low})
      if (root > low && root < high) z[n++] = root;
    if (n == 2 && z[0] > z[1]) std::swap(z[0], z[1]);
    for (int i = 0; i < n; ++i) z[i] = natural(z[i]);
    return n;
  }

 private:
  static constexpr int kPad = 5;  // zeros before the first term, so that the recurrence needs no cases

  static void form(const T (&f)[5], const T (&XX)[3], const T (&XY)[3], const T (&YY)[3], T (&out)[5]) {
    T a[3], b[3];
    for (int i = 0; i < 3; ++i) a[i] = f[0] * YY[i] + f[1] * XY[i] + f[2] * XX[i], b[i] = f[3] * XY[i] + f[4] * XX[i];
    out[0] = YY[0] * a[0] + XX[0] * b[0];
    out[1] = YY[0] * a[1] + YY[1] * a[0] + XX[0] * b[1] + XX[1] * b[0];
    out[2] = YY[0] * a[2] + YY[1] * a[1] + YY[2] * a[0] + XX[0] * b[2] + XX[1] * b[1] + XX[2] * b[0];
    out[3] = YY[1] * a[2] + YY[2] * a[1] + XX[1] * b[2] + XX[2] * b[1];
    out[4] = YY[2] * a[2] + XX[2] * b[2];
  }

  // Modulus of the root of q0 + q1 t + q2 t² that is nearest to 0.
  static double smallest_root(double q0, double q1, double q2) {
    const double disc = q1 * q1 - 4 * q0 * q2;
    if (disc < 0) return std::sqrt(std::abs(q0 / q2));
    const double bottom = std::abs(q1) + std::sqrt(disc);
    return bottom > 0 ? 2 * std::abs(q0) / bottom : std::numeric_limits<double>::infinity();
  }

  T quadratic(const T (&f)[3], const T& theta) const {
    const T t = step_ * theta;
    return f[0] + t * (f[1] + t * f[2]);
  }

  T theta(const T& z) const {
    using std::exp;
    if (!at_root_) return z;
    const T cz = exponent_ * z;
    if (!(value_of(cz) > -1)) return T(0);
    if (std::abs(value_of(cz)) < 1e-12) return begin_ * exp(z);
    return begin_ * exp(log1p_of(cz) / exponent_);
  }

  // Taylor terms of w and w₂ (without x^{c−1}, x^{2c−1} at an isocline), first term 1.
  void recurrence() {
    const int drop = at_root_ ? 1 : 0;
    T lead[6] = {}, num[5] = {}, num2[5] = {};  // x q D; numerators of (ln w)′ and (ln w₂)′ over it
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 3; ++j) lead[i + j] += E_[i] * D_[j];
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) num[i + j] -= T(i + 1) * E_[i + 1] * D_[j];
    for (int i = 0; i < 5; ++i) {
      const T g = T(2) * X1_ * gamma_[i];
      num2[i] = num[i] + g + g, num[i] += g;
    }
    const T inverse = T(1) / lead[drop];
    const T nu = at_root_ ? exponent_ - T(1) : T(0), nu2 = at_root_ ? nu + exponent_ : T(0);
    T alpha[5] = {}, alpha2[5] = {}, beta[5] = {}, power = inverse;
    for (int j = 0; j + drop < 5; ++j) {  // term j multiplies w_{n−1−j}
      power *= step_;
      beta[j] = lead[j + 1 + drop] * power;
      alpha[j] = num[j + drop] * power - nu * beta[j];
      alpha2[j] = num2[j + drop] * power - nu2 * beta[j];
    }
    run(alpha, alpha2, beta);
  }

  void run(const T (&alpha)[5], const T (&alpha2)[5], const T (&beta)[5]) {
    using std::abs;
    constexpr double kTiny = 2e-18, kSteep = 12;  // a term below counts as nothing; Σ|terms| above loses digits
    T* w = w_.data() + kPad;
    T* w2 = w2_.data() + kPad;
    for (int j = 1; j <= kPad; ++j) w[-j] = w2[-j] = T(0);
    w[0] = w2[0] = T(1);
    double mass = 1, mass2 = 1;
    int quiet = 0;
    for (int n = 1; n < kTerms; ++n) {
      T a(0), a2(0);
      for (int j = 4; j >= 0; --j) {
        const T f = beta[j] * T(n - 1 - j);
        a += (alpha[j] - f) * w[n - 1 - j];
        a2 += (alpha2[j] - f) * w2[n - 1 - j];
      }
      const double inverse = 1.0 / n;
      w[n] = a * T(inverse), w2[n] = a2 * T(inverse);
      const double size = abs(value_of(w[n])), size2 = abs(value_of(w2[n]));
      mass += size, mass2 += size2;
      if (!(mass < kSteep && mass2 < kSteep * kSteep)) break;
      quiet = size + size2 < kTiny ? quiet + 1 : 0;
      if (quiet == 4) {
        terms_ = n + 1;
        return;
      }
    }
    terms_ = 0;
  }

  // u_n: coefficients of the four sums.
  void integrate(const T& scale, const T& scale2) {
    T d[3], c[3], s[3], power = scale;
    const T ratio = scale2 / scale;
    for (int i = 0; i < 3; ++i) d[i] = D_[i] * power, c[i] = C_[i] * power, s[i] = S_[i] * power, power *= step_;
    const T* w = w_.data() + kPad;
    const T* w2 = w2_.data() + kPad;
    skip_ = at_root_ ? near_integer(-value_of(exponent_)) : -1;
    skip2_ = at_root_ ? near_integer(-2 * value_of(exponent_)) : -1;
    for (int n = 0; n < terms_ + 2; ++n) {
      const T a = n < terms_ ? w[n] : T(0), b = n - 1 < terms_ ? w[n - 1] : T(0), e = w[n - 2];
      const T f = n < terms_ ? w2[n] : T(0), f1 = n - 1 < terms_ ? w2[n - 1] : T(0), f2 = w2[n - 2];
      u_[n][0] = d[0] * a + d[1] * b + d[2] * e;
      u_[n][1] = c[0] * a + c[1] * b + c[2] * e;
      u_[n][2] = s[0] * a + s[1] * b + s[2] * e;
      u_[n][3] = ratio * (d[0] * f + d[1] * f1 + d[2] * f2);
      divide(n);
    }
    if (!at_root_) return;
    for (int j = 0; j < 4; ++j) total_[j] = T(0);
    for (int n = terms_ + 1; n >= 0; --n)
      for (int j = 0; j < 4; ++j) total_[j] = total_[j] * begin_ + u_[n][j];
  }

  // At an isocline term n integrates to u_n begin^n ((θ/begin)^{n+c} − 1)/(n + c). The first term, and the one whose n + c is
  // almost zero, are kept apart: they would cancel.
  void divide(int n) {
    if (!at_root_) {
      const T inverse(1.0 / (n + 1));
      for (int j = 0; j < 4; ++j) u_[n][j] *= inverse;
      return;
    }
    if (n == 0) {
      for (int j = 0; j < 4; ++j) first_[j] = u_[n][j], u_[n][j] = T(0);
      return;
    }
    if (n == skip_) {
      for (int j = 0; j < 3; ++j) kept_[j] = u_[n][j] * whole_power(begin_, n), u_[n][j] = T(0);
    } else {
      const T inverse = T(1) / (T(n) + exponent_);
      for (int j = 0; j < 3; ++j) u_[n][j] *= inverse;
    }
    if (n == skip2_) kept_[3] = u_[n][3] * whole_power(begin_, n), u_[n][3] = T(0);
    else u_[n][3] /= T(n) + T(2) * exponent_;
  }

  static T whole_power(const T& x, int n) {
    T out(1);
    for (int i = 0; i < n; ++i) out *= x;
    return out;
  }

  // The n ≥ 1 with |n − x| < ¼, or −1.
  static int near_integer(double x) {
    const double n = std::round(x);
    return n >= 1 && n < kTerms && std::abs(n - x) < 0.25 ? static_cast<int>(n) : -1;
  }

  // (ϑ^m − 1)/m from ln ϑ, also for m = 0.
  static T bend(const T& m, const T& logarithm) {
    const T x = m * logarithm;
    if (std::abs(value_of(x)) < 1e-9) return logarithm * (T(1) + T(0.5) * x);
    return expm1_of(x) / m;
  }

  SlipSums<T> root_sums(const T& z, const T& t, const T (&a)[4]) const {
    using std::log;
    const T lift = T(1) + exponent_ * z;  // (θ/begin)^c
    T out[4];
    for (int j = 0; j < 3; ++j) out[j] = lift * a[j] - total_[j] + first_[j] * z;
    out[3] = lift * lift * a[3] - total_[3] + first_[3] * z * (lift + T(1)) * T(0.5);
    if (skip_ > 0 || skip2_ > 0) {  // c < 0
      const T logarithm = log(t / begin_);
      const T b = bend(T(skip_) + exponent_, logarithm);
      for (int j = 0; j < 3; ++j) out[j] += skip_ > 0 ? kept_[j] * b : T(0);
      if (skip2_ > 0) out[3] += kept_[3] * bend(T(skip2_) + T(2) * exponent_, logarithm);
    }
    return {out[0], out[1], out[2], out[3]};
  }

  T series(const std::array<T, kTerms + kPad>& w, const T& theta) const {
    T a(0);
    for (int n = terms_ - 1; n >= 0; --n) a = a * theta + w[static_cast<std::size_t>(n + kPad)];
    return a;
  }

  T x0_, X1_, step_, begin_, scale_, exponent_;
  T D_[3], C_[3], S_[3], K_[3], E_[4], gamma_[5];
  double radius_ = 0;
  bool at_root_ = false;
  int terms_ = 0, skip_ = -1, skip2_ = -1;
  std::array<T, kTerms + kPad> w_, w2_;
  T u_[kTerms + 2][4], first_[4], kept_[4], total_[4];
};

}  // namespace carom::laws
