#include "carom/math/counter_rng.hpp"

#include <gtest/gtest.h>

using carom::CounterRng;

TEST(CounterRng, IsAFunctionOfItsKeysAlone) {
  CounterRng a(1, 2, 3), b(1, 2, 3), other_run(1, 3, 3), other_stream(1, 2, 4);
  EXPECT_EQ(a.bits(), b.bits());
  EXPECT_EQ(a.bits(), b.bits());
  EXPECT_NE(CounterRng(1, 2, 3).bits(), other_run.bits());
  EXPECT_NE(CounterRng(1, 2, 3).bits(), other_stream.bits());
}

TEST(CounterRng, MomentsOfUniformAndNormal) {
  CounterRng rng(7, 0);
  const int n = 200000;
  double mean = 0, var = 0, z = 0, zz = 0;
  for (int i = 0; i < n; ++i) {
    const double u = rng.uniform(), g = rng.normal();
    mean += u / n, var += (u - 0.5) * (u - 0.5) / n, z += g / n, zz += g * g / n;
  }
  // Five standard errors of each estimate.
  EXPECT_NEAR(mean, 0.5, 5 * 0.2887 / std::sqrt(n));
  EXPECT_NEAR(var, 1.0 / 12, 5 * 0.0745 / std::sqrt(n));
  EXPECT_NEAR(z, 0, 5 / std::sqrt(n));
  EXPECT_NEAR(zz, 1, 5 * 1.4143 / std::sqrt(n));
}
