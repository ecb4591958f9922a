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
// A Panel is one such expansion: `regular` about a point of the arc, reaching 0.4 of the way to the nearest singularity on either side, or `at_root`
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

  // Centred at x = 0: how far a point x > 0 of the arc is from the singularities of the whole chart (roots of x q D).
  struct Singularities {
    double re[3] = {}, square[3] = {};  // real parts and squared imaginary parts
    double distance(double x) const {
      double least = x * x;
      for (int i = 0; i < 3; ++i) least = std::min(least, (x - re[i]) * (x - re[i]) + square[i]);
      return std::sqrt(least);
    }
  };
  Singularities singularities() const {
    const double q0 = value_of(E_[1]), q1 = value_of(E_[2]), q2 = value_of(E_[3]), disc = q1 * q1 - 4 * q0 * q2;
    const double d0 = value_of(D_[0]), d1 = value_of(D_[1]), d2 = value_of(D_[2]);
    Singularities out;
    out.re[0] = -0.5 * d1 / d2, out.square[0] = std::max(0.0, d0 / d2 - out.re[0] * out.re[0]);
    if (disc < 0) {
      out.re[1] = out.re[2] = -0.5 * q1 / q2, out.square[1] = out.square[2] = -0.25 * disc / (q2 * q2);
    } else {
      const double half = -0.5 * (q1 + (q1 < 0 ? -1 : 1) * std::sqrt(disc));
      out.re[1] = half / q2, out.re[2] = q0 / half;  // ±∞ or NaN where a coefficient vanishes: no singularity
      for (int i = 1; i < 3; ++i)
        if (!std::isfinite(out.re[i])) out.re[i] = 1e300;
    }
    return out;
  }
  bool at_root() const { return at_root_; }
  const T& exponent() const { return exponent_; }  // c of s ~ x^c, when centred on an isocline
  T growth() const { return gamma_[0] / (D_[0] * D_[0]); }  // g at the centre

  // Expands with θ = (x − x0)/step. A regular panel runs from θ = −1 to 1. A panel at_root may run inward, from θ = 1 to 0, or
  // outward, from θ = begin to 1. `s`: slip speed at its beginning. False: too steep for this step, try a smaller one.
  [[nodiscard]] bool expand(const T& step, const T& s, const T& begin) {
    step_ = step, begin_ = begin;
    logarithmic_ = at_root_ && value_of(begin) < 1 && value_of(exponent_) < 0;
    recurrence();
    if (terms_ == 0) return false;
    const T t = step * begin, xq = cubic(t);
    scale_ = s / (xq * series(0, begin));
    const T factor = T(2) * X1_ * (at_root_ ? t : step);
    integrate(factor * scale_, factor * s * s / (xq * series(1, begin)));
    return true;
  }

  // A panel is walked along by the variable z in which p is nearly linear: θ itself, or at an isocline z = ((θ/begin)^c − 1)/c,
  // which is 0 at the beginning and −1/c where slip stops. (θ may underflow on the way; 1 + c z does not.) Outward while s falls
  // that z would saturate: there z = ln(θ/begin).
  double natural(double theta) const {
    if (!at_root_) return theta;
    const double c = value_of(exponent_), x = std::log(theta / value_of(begin_));
    return logarithmic_ || std::abs(c * x) < 1e-12 ? x : std::expm1(c * x) / c;
  }
  T stop() const { return T(-1) / exponent_; }

  // Sums from the beginning of the panel to z.
  SlipSums<T> sums(const T& z) const {
    const T t = theta(z);
    T a[4];
    polynomials(t, a);
    if (!at_root_) return {a[0] * t - total_[0], a[1] * t - total_[1], a[2] * t - total_[2], a[3] * t - total_[3]};
    return root_sums(z, t, a);
  }

  // dp/dz.
  T slope(const T& z) const {
    const T t = theta(z), rate = T(2) * X1_ * step_ * scale_ * series(0, t) * quadratic(D_, t);
    if (!at_root_) return rate;
    return logarithmic_ ? rate * begin_ * lift(z) : rate * begin_;
  }

  T speed(const T& z) const {
    const T th = theta(z), t = step_ * th, a = scale_ * series(0, th);
    if (!at_root_) return a * cubic(t);
    return a * lift(z) * begin_ * step_ * (E_[1] + t * (E_[2] + t * E_[3]));
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
  static constexpr std::array<double, kTerms + 4> kInverse = [] {  // 1/n
    std::array<double, kTerms + 4> out{};
    for (std::size_t n = 1; n < out.size(); ++n) out[n] = 1.0 / static_cast<double>(n);
    return out;
  }();
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

  // x q at t from the centre.
  T cubic(const T& t) const { return E_[0] + t * (E_[1] + t * (E_[2] + t * E_[3])); }

  T quadratic(const T (&f)[3], const T& theta) const {
    const T t = step_ * theta;
    return f[0] + t * (f[1] + t * f[2]);
  }

  T theta(const T& z) const {
    using std::exp;
    if (!at_root_) return z;
    if (logarithmic_) return begin_ * exp(z);
    const T cz = exponent_ * z;
    if (!(value_of(cz) > -1)) return T(0);
    if (std::abs(value_of(cz)) < 1e-12) return begin_ * exp(z);
    return begin_ * exp(log1p_of(cz) / exponent_);
  }

  // (θ/begin)^c.
  T lift(const T& z) const {
    using std::exp;
    return logarithmic_ ? exp(exponent_ * z) : T(1) + exponent_ * z;
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
    T alpha[5][2] = {}, beta[5] = {}, power = inverse;
    for (int j = 0; j + drop < 5; ++j) {  // w_n = Σ_j (α_j/n − β_j) w_{n−1−j}
      power *= step_;
      beta[j] = lead[j + 1 + drop] * power;
      const T shift = T(j + 1);
      alpha[j][0] = num[j + drop] * power + (shift - nu) * beta[j];
      alpha[j][1] = num2[j + drop] * power + (shift - nu2) * beta[j];
    }
    run(alpha, beta);
  }

  void run(const T (&alpha)[5][2], const T (&beta)[5]) {
    using std::abs;
    constexpr double kTiny = 1e-17;  // a block of terms below counts as nothing
    for (int j = 0; j < kPad; ++j) w_[j][0] = w_[j][1] = T(0);
    w_[kPad][0] = w_[kPad][1] = T(1);
    const double steep = at_root_ ? 12 : 6;  // Σ|terms| above loses digits
    double mass = 1, mass2 = 1;
    constexpr int kBlock = 4;  // terms between two looks at their size
    for (int n = 1; n + kBlock <= kTerms; n += kBlock) {
      double size = 0, size2 = 0;
      for (int m = n; m < n + kBlock; ++m) {
        const T(*w)[2] = w_ + kPad + m - 1;
        const T inverse(kInverse[m]);
        T sum[2] = {T(0), T(0)};
        for (int j = 4; j >= 0; --j)  // the newest term last: only one product and one sum wait for it
          for (int l = 0; l < 2; ++l) sum[l] += (alpha[j][l] * inverse - beta[j]) * w[-j][l];
        for (int l = 0; l < 2; ++l) w_[kPad + m][l] = sum[l];
        size += abs(value_of(sum[0])), size2 += abs(value_of(sum[1]));
      }
      mass += size, mass2 += size2;
      if (!(mass < steep && mass2 < steep * steep)) break;
      if (size + size2 < kTiny) {
        terms_ = n + 1;
        return;
      }
    }
    terms_ = 0;
  }

  // u_n: coefficients of the four sums.
  void integrate(const T& scale, const T& scale2) {
    T weight[3][4], power = scale, power2 = scale2;  // of w_n, w_{n−1}, w_{n−2} in each sum
    for (int i = 0; i < 3; ++i) {
      weight[i][0] = D_[i] * power, weight[i][1] = C_[i] * power, weight[i][2] = S_[i] * power, weight[i][3] = D_[i] * power2;
      power *= step_, power2 *= step_;
    }
    for (int i = 0; i < 3; ++i) w_[kPad + terms_ + i][0] = w_[kPad + terms_ + i][1] = T(0);
    for (int n = 0; n < terms_ + 2; ++n) {
      const T(*w)[2] = w_ + kPad + n;
      T inverse[2] = {T(kInverse[n + 1]), T(kInverse[n + 1])};
      if (at_root_) inverse[0] = T(1) / (T(n) + exponent_), inverse[1] = T(1) / (T(n) + T(2) * exponent_);
      for (int j = 0; j < 2; ++j) u_[n][j] = inverse[0] * (weight[0][j] * w[0][0] + weight[1][j] * w[-1][0] + weight[2][j] * w[-2][0]);
      for (int l = 0; l < 2; ++l) u_[n][2 + l] = inverse[l] * (weight[0][2 + l] * w[0][l] + weight[1][2 + l] * w[-1][l] + weight[2][2 + l] * w[-2][l]);
    }
    for (int n = terms_ + 2; n < terms_ + 4; ++n)
      for (int j = 0; j < 4; ++j) u_[n][j] = T(0);
    if (at_root_) set_apart(weight);
    polynomials(begin_, total_);
    for (int j = 0; !at_root_ && j < 4; ++j) total_[j] *= begin_;
  }

  // At an isocline term n integrates to u_n begin^n ((θ/begin)^{n+c} − 1)/(n + c). The first term, and the one whose n + c is
  // almost zero, are kept apart: they would cancel.
  void set_apart(const T (&weight)[3][4]) {
    skip_ = near_integer(-value_of(exponent_)), skip2_ = near_integer(-2 * value_of(exponent_));
    for (int j = 0; j < 4; ++j) first_[j] = weight[0][j], u_[0][j] = T(0);  // w_0 = 1
    const auto apart = [&](int n, int j) {
      const T(*w)[2] = w_ + kPad + n;
      const int l = j == 3 ? 1 : 0;
      kept_[j] = (weight[0][j] * w[0][l] + weight[1][j] * w[-1][l] + weight[2][j] * w[-2][l]) * whole_power(begin_, n);
      u_[n][j] = T(0);
    };
    for (int j = 0; skip_ > 0 && j < 3; ++j) apart(skip_, j);
    if (skip2_ > 0) apart(skip2_, 3);
  }

  static T whole_power(const T& x, int n) {
    T out(1);
    for (int i = 0; i < n; ++i) out *= x;
    return out;
  }

  // The term n ≥ 1 with |n − x| < ¼, or −1.
  int near_integer(double x) const {
    const double n = std::round(x);
    return n >= 1 && n < terms_ + 2 && std::abs(n - x) < 0.25 ? static_cast<int>(n) : -1;
  }

  // (ϑ^m − 1)/m from ln ϑ, also for m = 0.
  static T bend(const T& m, const T& logarithm) {
    const T x = m * logarithm;
    if (std::abs(value_of(x)) < 1e-9) return logarithm * (T(1) + T(0.5) * x);
    return expm1_of(x) / m;
  }

  SlipSums<T> root_sums(const T& z, const T& t, const T (&a)[4]) const {
    using std::log;
    const T up = lift(z), rise = logarithmic_ ? bend(exponent_, z) : z;  // rise = (up − 1)/c
    T out[4];
    for (int j = 0; j < 3; ++j) out[j] = up * a[j] - total_[j] + first_[j] * rise;
    out[3] = up * up * a[3] - total_[3] + first_[3] * rise * (up + T(1)) * T(0.5);
    if (skip_ > 0 || skip2_ > 0) {  // c < 0
      const T logarithm = log(t / begin_);
      const T b = bend(T(skip_) + exponent_, logarithm);
      for (int j = 0; j < 3; ++j) out[j] += skip_ > 0 ? kept_[j] * b : T(0);
      if (skip2_ > 0) out[3] += kept_[3] * bend(T(skip2_) + T(2) * exponent_, logarithm);
    }
    return {out[0], out[1], out[2], out[3]};
  }

  // Σ u_n t^n, even and odd powers apart: two short chains of operations instead of a long one.
  void polynomials(const T& t, T (&out)[4]) const {
    const T t2 = t * t;
    T even[4] = {T(0), T(0), T(0), T(0)}, odd[4] = {T(0), T(0), T(0), T(0)};
    for (int n = (terms_ + 2) / 2; n >= 0; --n)
      for (int j = 0; j < 4; ++j) even[j] = even[j] * t2 + u_[2 * n][j], odd[j] = odd[j] * t2 + u_[2 * n + 1][j];
    for (int j = 0; j < 4; ++j) out[j] = even[j] + t * odd[j];
  }

  // Σ w_n θ^n for w (lane 0) or w₂ (lane 1).
  T series(int lane, const T& theta) const {
    const T t2 = theta * theta;
    T even(0), odd(0);
    for (int n = (terms_ - 1) / 2; n >= 0; --n)
      even = even * t2 + w_[2 * n + kPad][lane], odd = odd * t2 + (2 * n + 1 < terms_ ? w_[2 * n + 1 + kPad][lane] : T(0));
    return even + theta * odd;
  }

  T x0_, X1_, step_, begin_, scale_, exponent_;
  T D_[3], C_[3], S_[3], K_[3], E_[4], gamma_[5];
  double radius_ = 0;
  bool at_root_ = false, logarithmic_ = false;
  int terms_ = 0, skip_ = -1, skip2_ = -1;
  T w_[kTerms + kPad + 4][2];  // terms of w and w₂
  T u_[kTerms + 4][4];     // coefficients of p, C, S, F; two more rows of zeros
  T first_[4], kept_[4], total_[4];
};

}  // namespace carom::laws
