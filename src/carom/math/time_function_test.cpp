#include "carom/math/time_function.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace carom {
namespace {

TEST(TimeFunction, DerivativesAgreeWithDifferences) {
  const TimeFunction f{.offset = 1, .rate = -2, .acceleration = 3, .sines = {{0.5, 2, 0.3}, {0.1, 7, 1}}, .times = {0, 1, 3}, .values = {0, 2, -1}};
  const double h = 1e-5;
  for (const double t : {0.2, 0.9, 1.7, 2.5, 4.0}) {
    EXPECT_NEAR(f.first(t), (f.value(t + h) - f.value(t - h)) / (2 * h), 1e-6);      // h²·f‴/6 ≈ 1e-7
    EXPECT_NEAR(f.second(t), (f.first(t + h) - f.first(t - h)) / (2 * h), 1e-5);
  }
}

TEST(TimeFunction, TableIsConstantOutsideAndTellsItsCorners) {
  const TimeFunction f{.times = {1, 2}, .values = {5, 7}};
  EXPECT_EQ(f.value(0), 5);
  EXPECT_EQ(f.value(1.5), 6);
  EXPECT_EQ(f.value(9), 7);
  EXPECT_EQ(f.first(0.5), 0);
  EXPECT_EQ(f.first(1), 2);
  EXPECT_EQ(f.next_corner(0), 1);
  EXPECT_EQ(f.next_corner(1), 2);
  EXPECT_EQ(f.next_corner(2), std::numeric_limits<double>::infinity());
  EXPECT_FALSE(f.is_zero());
  EXPECT_TRUE(TimeFunction{}.is_zero());
}

}  // namespace
}  // namespace carom
