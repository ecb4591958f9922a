// The double pendulum in closed form: Morgan's (relative angles from +x) and Shen & Townsend's (absolute angles from the
// downward vertical, example 1).

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <numbers>

#include "carom/dynamics/delassus.hpp"
#include "carom/dynamics/inverse_dynamics.hpp"
#include "carom/dynamics/kinematics.hpp"
#include "carom/dynamics/mass_matrix.hpp"
#include "carom/model/builder.hpp"

namespace carom {
namespace {

using Eigen::Matrix2d;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;

// Two uniform rods of mass m and length r along their own x axes, hung at the origin.
Model double_pendulum(double m, double r) {
  const MassProperties rod = MassProperties::planar(m, {r / 2, 0}, m * r * r / 12);
  return ModelBuilder(World::planar)
      .gravity({0, -9.81, 0})
      .body("upper", rod)
      .body("lower", rod)
      .joint({.name = "shoulder", .kind = JointKind::revolute, .parent = "ground", .child = "upper"})
      .joint({.name = "elbow",
              .kind = JointKind::revolute,
              .parent = "upper",
              .child = "lower",
              .in_parent = {Eigen::Matrix3d::Identity(), {r, 0, 0}}})
      .build();
}

// The lower rod's end on a horizontal floor: t = x, n = y.
ContactPoint tip(double r) {
  return {1, {r, 0, 0}, kGround, Vector3d::Zero(), contact_frame(World::planar, Vector3d::UnitY())};
}

TEST(DoublePendulum, MorganMassMatrixAndJacobian) {
  const double m = 1.7, r = 0.6;
  const Model model = double_pendulum(m, r);
  Data data(model);
  for (const Vector2d& q : {Vector2d(0.3, 1.1), Vector2d(-2.0, 0.4), Vector2d(1.0, -2.7)}) {
    forward_kinematics(model, q, data);
    MatrixXd M, J;
    mass_matrix(model, data, M);
    const double c2 = std::cos(q[1]);
    Matrix2d expected;
    expected << c2 + 5.0 / 3, c2 / 2 + 1.0 / 3, c2 / 2 + 1.0 / 3, 1.0 / 3;
    EXPECT_LE((M - m * r * r * expected).cwiseAbs().maxCoeff(), 1e-15);
    const ContactPoint contact = tip(r);
    contact_jacobian(model, data, {&contact, 1}, J);
    const double s1 = std::sin(q[0]), c1 = std::cos(q[0]), s12 = std::sin(q.sum()), c12 = std::cos(q.sum());
    expected << -s1 - s12, -s12, c1 + c12, c12;
    EXPECT_LE((J - r * expected).cwiseAbs().maxCoeff(), 1e-15);
  }
}

TEST(DoublePendulum, BiasForcesInClosedForm) {
  const double m = 1.7, r = 0.6, g = 9.81;
  const Model model = double_pendulum(m, r);
  Data data(model);
  const State state{Vector2d(0.3, 1.1), Vector2d(0.8, -2.1)};
  forward_kinematics(model, state, data);
  Eigen::VectorXd b;
  bias_forces(model, data, b);
  const double h = 0.5 * m * r * r * std::sin(1.1), u1 = 0.8, u2 = -2.1;
  const double lower = 0.5 * m * g * r * std::cos(1.4);
  EXPECT_NEAR(b[0], -h * (2 * u1 * u2 + u2 * u2) + 1.5 * m * g * r * std::cos(0.3) + lower, 1e-13);
  EXPECT_NEAR(b[1], h * u1 * u1 + lower, 1e-13);
}

TEST(DoublePendulum, ShenTownsendExampleOne) {
  const double m = 3, l = 2, degree = std::numbers::pi / 180;
  const double q1 = 20 * degree, q2 = 30 * degree;
  const Model model = double_pendulum(m, l);
  Data data(model);
  forward_kinematics(model, Vector2d(q1 - 90 * degree, q2 - q1), data);
  // Absolute speeds are A times our relative ones.
  Matrix2d A, expected;
  A << 1, 0, 1, 1;
  MatrixXd M, J, G;
  mass_matrix(model, data, M);
  const double coupling = m * l * l / 2 * std::cos(q2 - q1);
  expected << 4 * m * l * l / 3, coupling, coupling, m * l * l / 3;
  EXPECT_LE((A.transpose().inverse() * M * A.inverse() - expected).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_NEAR(coupling, 5.908846518073248, 1e-15);

  const ContactPoint contact = tip(l);
  contact_jacobian(model, data, {&contact, 1}, J);
  expected << 1.8793852415718166, 1.7320508075688772, 0.6840402866513375, 0.9999999999999998;
  EXPECT_LE((J * A.inverse() - expected).cwiseAbs().maxCoeff(), 2e-15);
  delassus(model, data, {&contact, 1}, G);
  expected << 0.813446015232103, 0.5071028860035924, 0.5071028860035924, 0.3365200968346962;
  EXPECT_LE((G - expected).cwiseAbs().maxCoeff(), 2e-15);
}

}  // namespace
}  // namespace carom
