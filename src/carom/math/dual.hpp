#pragma once
// Forward-mode derivatives: Dual<N> is a value with its gradient along N seeds. The single-contact laws are templates over
// the scalar; run with Dual<N> they return v⁺ and p together with their derivatives. Comparisons look at the value alone, so
// a branch is differentiated on the side that the value took.

#include <array>
#include <cmath>
#include <cstddef>

namespace carom {

template <int N>
struct Dual {
  double value = 0;
  std::array<double, N> grad{};

  Dual() = default;
  Dual(double v) : value(v) {}  // NOLINT(google-explicit-constructor): a constant has no gradient
  static Dual variable(double v, int seed) {
    Dual d(v);
    d.grad[static_cast<std::size_t>(seed)] = 1;
    return d;
  }

  // f(x) with value f and slope df.
  Dual chain(double f, double df) const {
    Dual out(f);
    for (int i = 0; i < N; ++i) out.grad[i] = df * grad[i];
    return out;
  }

  Dual operator-() const { return chain(-value, -1); }
  Dual& operator+=(const Dual& b) { return *this = *this + b; }
  Dual& operator-=(const Dual& b) { return *this = *this - b; }
  Dual& operator*=(const Dual& b) { return *this = *this * b; }
  Dual& operator/=(const Dual& b) { return *this = *this / b; }

  friend Dual operator+(const Dual& a, const Dual& b) { return combine(a, b, a.value + b.value, 1, 1); }
  friend Dual operator-(const Dual& a, const Dual& b) { return combine(a, b, a.value - b.value, 1, -1); }
  friend Dual operator*(const Dual& a, const Dual& b) { return combine(a, b, a.value * b.value, b.value, a.value); }
  friend Dual operator/(const Dual& a, const Dual& b) {
    const double q = a.value / b.value;
    return combine(a, b, q, 1 / b.value, -q / b.value);
  }
  friend bool operator<(const Dual& a, const Dual& b) { return a.value < b.value; }
  friend bool operator>(const Dual& a, const Dual& b) { return a.value > b.value; }
  friend bool operator<=(const Dual& a, const Dual& b) { return a.value <= b.value; }
  friend bool operator>=(const Dual& a, const Dual& b) { return a.value >= b.value; }
  friend bool operator==(const Dual& a, const Dual& b) { return a.value == b.value; }

 private:
  static Dual combine(const Dual& a, const Dual& b, double f, double da, double db) {
    Dual out(f);
    for (int i = 0; i < N; ++i) out.grad[i] = da * a.grad[i] + db * b.grad[i];
    return out;
  }
};

// The plain number behind a scalar of either kind.
inline double value_of(double x) { return x; }
template <int N>
double value_of(const Dual<N>& x) { return x.value; }

template <int N>
Dual<N> sqrt(const Dual<N>& x) {
  const double r = std::sqrt(x.value);
  return x.chain(r, r > 0 ? 0.5 / r : 0.0);
}
template <int N>
Dual<N> abs(const Dual<N>& x) { return x.value < 0 ? -x : x; }
template <int N>
Dual<N> sin(const Dual<N>& x) { return x.chain(std::sin(x.value), std::cos(x.value)); }
template <int N>
Dual<N> cos(const Dual<N>& x) { return x.chain(std::cos(x.value), -std::sin(x.value)); }
template <int N>
Dual<N> exp(const Dual<N>& x) { const double f = std::exp(x.value); return x.chain(f, f); }
template <int N>
Dual<N> log(const Dual<N>& x) { return x.chain(std::log(x.value), 1 / x.value); }

}  // namespace carom
