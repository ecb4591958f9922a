#include "carom/impact/measurement.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "carom/core/error.hpp"
#include "carom/impact/law.hpp"
#include "support/ball_chain.hpp"

namespace {

using namespace carom;
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

Measurement of(MeasuredQuantity quantity, std::initializer_list<double> values) {
  Measurement out{quantity, Eigen::VectorXd(static_cast<Eigen::Index>(values.size())), ""};
  std::copy(values.begin(), values.end(), out.values.begin());
  return out;
}

std::string refused_field(const Measurement& measured, const ImpactProblem& problem) {
  try {
    validate(measured, problem);
  } catch (const InputError& error) {
    return error.field();
  }
  return "";
}

TEST(Measurement, RmsOverWhatWasMeasured) {
  const ImpactProblem chain = carom::testing::ball_chain(3, 0);
  ImpactOutcome out;
  out.v_post = Eigen::Vector4d(0, 0.5, 0, 0.25);
  out.qdot_post = Eigen::Vector3d(0.1, 0.6, 0.85);
  EXPECT_DOUBLE_EQ(rms_error(of(MeasuredQuantity::qdot, {0.1, 0.2, 0.85}), chain, out), std::sqrt(0.16 / 3));
  EXPECT_DOUBLE_EQ(rms_error(of(MeasuredQuantity::qdot, {kNone, 0.2, kNone}), chain, out), 0.4);
  EXPECT_DOUBLE_EQ(rms_error(of(MeasuredQuantity::normal_velocity, {0.5, 0}), chain, out), std::sqrt(0.0625 / 2));
  EXPECT_DOUBLE_EQ(rms_error(of(MeasuredQuantity::velocity, {kNone, 0.5, 0.25, 0.25}), chain, out), std::sqrt(0.0625 / 3));
}

TEST(Measurement, RefusesWhatDoesNotBelongToTheProblem) {
  const ImpactProblem chain = carom::testing::ball_chain(3, 0);
  ImpactProblem bare = chain;
  bare.system.reset();
  EXPECT_EQ(refused_field(of(MeasuredQuantity::qdot, {1, 2, 3}), chain), "");
  EXPECT_EQ(refused_field(of(MeasuredQuantity::qdot, {1, 2}), chain), "measured.qdot");
  EXPECT_EQ(refused_field(of(MeasuredQuantity::qdot, {1, 2, 3}), bare), "measured.qdot");
  EXPECT_EQ(refused_field(of(MeasuredQuantity::velocity, {1, 2}), chain), "measured.velocity");
  EXPECT_EQ(refused_field(of(MeasuredQuantity::normal_velocity, {kNone, kNone}), chain), "measured.normal_velocity");
  EXPECT_EQ(refused_field(of(MeasuredQuantity::normal_velocity, {0, std::numeric_limits<double>::infinity()}), chain), "measured.normal_velocity[1]");
}

}  // namespace
