#pragma once
// All real roots of a polynomial in [−1, 1], by bracketing: between two neighbouring roots of its derivative (found the same
// way) a polynomial is monotone, so no root is lost and none is invented. A double root shows as a stationary point whose value
// is rounding.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace carom::laws {

struct RootList {
  std::array<double, 8> at{};
  int count = 0;
  void add(double x) {
    if (count > 0 && std::abs(at[static_cast<std::size_t>(count - 1)] - x) <= 4 * std::numeric_limits<double>::epsilon()) return;
    at[static_cast<std::size_t>(count++)] = x;
  }
};

// Coefficients a[0] + a[1] x + …, degree ≤ 4.
inline RootList real_roots(const std::array<double, 5>& a, int degree) {
  const auto value = [&](double x) {
    double f = 0;
    for (int i = degree; i >= 0; --i) f = f * x + a[static_cast<std::size_t>(i)];
    return f;
  };
  RootList out;
  double size = 0;
  for (int i = 0; i <= degree; ++i) size += std::abs(a[static_cast<std::size_t>(i)]);
  if (degree == 0 || size == 0) return out;
  const double rounding = 8 * std::numeric_limits<double>::epsilon() * size;
  std::array<double, 5> slope{};
  for (int i = 1; i <= degree; ++i) slope[static_cast<std::size_t>(i - 1)] = i * a[static_cast<std::size_t>(i)];
  const RootList turns = real_roots(slope, degree - 1);
  double low = -1, f_low = value(low);
  for (int i = 0; i <= turns.count; ++i) {
    const double high = i < turns.count ? turns.at[static_cast<std::size_t>(i)] : 1.0, f_high = value(high);
    if (std::abs(f_low) <= rounding) out.add(low);
    if (f_low * f_high < 0 && std::abs(f_low) > rounding && std::abs(f_high) > rounding) {
      double x0 = low, x1 = high;
      for (int step = 0; step < 200 && x1 - x0 > std::numeric_limits<double>::epsilon() * std::max(std::abs(x0), std::abs(x1)); ++step) {
        const double middle = 0.5 * (x0 + x1);
        if (middle == x0 || middle == x1) break;
        ((value(middle) > 0) == (f_high > 0) ? x1 : x0) = middle;
      }
      out.add(0.5 * (x0 + x1));
    }
    low = high, f_low = f_high;
  }
  if (std::abs(f_low) <= rounding) out.add(low);
  return out;
}

}  // namespace carom::laws
