#include "carom/simulate/contact_builder.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <numbers>

#include "carom/core/error.hpp"
#include "carom/impact/law.hpp"
#include "carom/model/builder.hpp"

namespace carom {
namespace {

// Shen & Townsend's example 1 in relative angles from the x axis.
TEST(ContactBuilder, DoublePendulumGivesThePublishedImpact) {
  const MassProperties rod = MassProperties::planar(3, {1, 0}, 1);
  const Model model = ModelBuilder(World::planar)
                          .body("upper", rod)
                          .body("lower", rod)
                          .joint({.name = "shoulder", .kind = JointKind::revolute, .child = "upper"})
                          .joint({.name = "elbow", .kind = JointKind::revolute, .parent = "upper", .child = "lower", .in_parent = {Eigen::Matrix3d::Identity(), {2, 0, 0}}})
                          .build();
  const double degree = std::numbers::pi / 180;
  const State state{Eigen::Vector2d(-70 * degree, 10 * degree), Eigen::Vector2d(-0.1, -0.1)};
  const TouchingContact contact{touching_at(model, state.q, 1, {2, 0, 0}, kGround, Eigen::Vector3d::UnitY()), 0.5, 0.4, 0.5};
  const ImpactProblem problem = impact_problem(model, state, {&contact, 1});
  Eigen::Matrix2d G;
  G << 0.813446015232103, 0.5071028860035924, 0.5071028860035924, 0.3365200968346962;  // tests/reference/data/planar.json
  EXPECT_LE((problem.G - G).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_NEAR(problem.v_pre(0), -0.5343486856709572, 1e-15);
  EXPECT_NEAR(problem.v_pre(1), -0.2684040286651337, 1e-15);
  EXPECT_LE((problem.system->J * problem.system->M.inverse() * problem.system->J.transpose() - G).cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_EQ(speed_names(model), (std::vector<std::string>{"shoulder", "elbow"}));

  const ImpactOutcome outcome = resolve(problem, {"routh", "poisson", {}});
  EXPECT_NEAR(outcome.qdot_post(0), -0.20149932273157234, 1e-13);                          // absolute angle rates
  EXPECT_NEAR(outcome.qdot_post(0) + outcome.qdot_post(1), 0.22961144520648136, 1e-13);
  EXPECT_LE((problem.system->J * outcome.qdot_post - outcome.v_post).norm(), 1e-14);
}

TEST(ContactBuilder, ContactOfTwoBodiesMovesBoth) {
  const MassProperties disc = MassProperties::planar(2, {0, 0}, 1);
  const Model model = ModelBuilder(World::planar)
                          .body("a", disc)
                          .body("b", disc)
                          .joint({.name = "fa", .kind = JointKind::planar, .child = "a"})
                          .joint({.name = "fb", .kind = JointKind::planar, .child = "b"})
                          .build();
  State state{Eigen::VectorXd::Zero(6), Eigen::VectorXd::Zero(6)};
  state.q(1) = 2;      // a above b
  state.u(1) = -1;
  const TouchingContact contact{touching_at(model, state.q, 0, {0, -1, 0}, 1, Eigen::Vector3d::UnitY()), 0, 0, 1};
  EXPECT_LE((contact.point.point_b - Eigen::Vector3d(0, 1, 0)).norm(), 1e-15);
  const ImpactOutcome outcome = resolve(impact_problem(model, state, {&contact, 1}), {"routh", "newton", {}});
  EXPECT_NEAR(outcome.qdot_post(1), 0, 1e-15);
  EXPECT_NEAR(outcome.qdot_post(4), -1, 1e-15);
  EXPECT_EQ(speed_names(model)[5], "fb.angle");
}

TEST(ContactBuilder, SpeedsThatBreakAConstraintAreRefused) {
  const MassProperties disc = MassProperties::planar(1, {0, 0}, 1);
  const Model model = ModelBuilder(World::planar)
                          .body("a", disc)
                          .joint({.name = "f", .kind = JointKind::planar, .child = "a"})
                          .coincidence("pin", "a", {0, 0, 0}, "ground", {0, 0, 0})
                          .build();
  State state{Eigen::VectorXd::Zero(3), Eigen::Vector3d(0, -1, 0)};
  const TouchingContact contact{touching_at(model, state.q, 0, {1, 0, 0}, kGround, Eigen::Vector3d::UnitY()), 0, 0, 1};
  EXPECT_THROW(impact_problem(model, state, {&contact, 1}), InputError);
  state.u = Eigen::Vector3d(0, 0, -1);
  const ImpactOutcome outcome = resolve(impact_problem(model, state, {&contact, 1}), {"routh", "newton", {}});
  EXPECT_NEAR(outcome.qdot_post(2), 1, 1e-14);
}

}  // namespace
}  // namespace carom
