#include "carom/math/dual.hpp"

#include <gtest/gtest.h>

using D = carom::Dual<2>;

TEST(Dual, AgreesWithCentralDifferences) {
  const auto f = [](auto x, auto y) {
    using std::abs, std::cos, std::exp, std::log, std::sin, std::sqrt;
    return sqrt(x * x + y) / (sin(x) - y * exp(-x)) + abs(-y) * log(x) * cos(y);
  };
  const double x = 1.3, y = 0.7, h = 1e-6;
  const D d = f(D::variable(x, 0), D::variable(y, 1));
  EXPECT_DOUBLE_EQ(d.value, f(x, y));
  // Central differences: error about h² f''' + eps/h ≈ 1e-10.
  EXPECT_NEAR(d.grad[0], (f(x + h, y) - f(x - h, y)) / (2 * h), 1e-8);
  EXPECT_NEAR(d.grad[1], (f(x, y + h) - f(x, y - h)) / (2 * h), 1e-8);
}
