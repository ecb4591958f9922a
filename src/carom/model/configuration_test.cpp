#include "carom/model/configuration.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <numbers>

#include "carom/model/builder.hpp"

namespace carom {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

Model one_body(JointKind kind) {
  return ModelBuilder(World::spatial)
      .body("a", {1, Vector3d::Zero(), Eigen::Matrix3d::Identity()})
      .joint({.name = "j", .kind = kind, .child = "a"})
      .build();
}

TEST(Configuration, NeutralHasUnitQuaternions) {
  VectorXd expected(7);
  expected << 0, 0, 0, 1, 0, 0, 0;
  EXPECT_EQ(neutral(one_body(JointKind::free)), expected);
  EXPECT_EQ(neutral(one_body(JointKind::planar)), VectorXd::Zero(3));
}

TEST(Configuration, ConstantSpinTurnsByItsAngle) {
  const Model model = one_body(JointKind::spherical);
  const Vector3d axis = Vector3d(1, 2, 2) / 3;
  const VectorXd q = integrate(model, neutral(model), 0.5 * axis, std::numbers::pi);
  EXPECT_NEAR(q[0], std::cos(std::numbers::pi / 4), 1e-15);
  EXPECT_LE((q.tail<3>() - std::sin(std::numbers::pi / 4) * axis).norm(), 1e-15);
}

TEST(Configuration, IntegrateFollowsQdotAndStaysUnit) {
  const Model model = one_body(JointKind::free);
  VectorXd q(7), u(6);
  q << 0.1, 0.2, 0.3, 0.5, -0.5, 0.7, 0.1;
  u << 1, 2, 3, 0.4, -0.7, 1.1;
  normalise(model, q);
  EXPECT_NEAR(q.tail<4>().norm(), 1, 1e-15);
  const double h = 1e-5;
  const VectorXd difference = (integrate(model, q, u, h) - integrate(model, q, u, -h)) / (2 * h);
  EXPECT_LE((difference - qdot(model, q, u)).cwiseAbs().maxCoeff(), 1e-9);
  for (int step = 0; step < 1000; ++step) q = integrate(model, q, u, 0.37);
  EXPECT_NEAR(q.tail<4>().norm(), 1, 1e-15);
}

TEST(Configuration, IntegrateIsReversible) {
  const Model model = one_body(JointKind::spherical);
  VectorXd q(4), u(3);
  q << 0.5, 0.5, -0.5, 0.5;
  for (const double size : {1e-12, 1e-5, 1.0, 3.0}) {
    u = size * Vector3d(0.3, -0.8, 0.2);
    EXPECT_LE((integrate(model, integrate(model, q, u, 1), u, -1) - q).norm(), 1e-15) << size;
  }
}

}  // namespace
}  // namespace carom
