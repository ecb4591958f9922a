#include "carom/lab/impact_figure.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "carom/impact/law.hpp"

namespace carom::lab {
namespace {

ImpactProblem planar() {
  ImpactProblem problem;
  problem.dimension = 2;
  problem.G = (Eigen::Matrix2d() << 0.813446015232103, 0.5071028860035924, 0.5071028860035924, 0.3365200968346962).finished();
  problem.v_pre = Eigen::Vector2d(-0.5343486856709572, -0.2684040286651337);
  problem.mu_s = Eigen::VectorXd::Constant(1, 0.5);
  problem.mu_d = Eigen::VectorXd::Constant(1, 0.4);
  problem.e = Eigen::VectorXd::Constant(1, 0.5);
  return problem;
}

ImpactProblem spatial(const Eigen::Matrix3d& G, double mu) {
  ImpactProblem problem;
  problem.dimension = 3;
  problem.G = G;
  problem.v_pre = Eigen::Vector3d(1, 0.5, -1);
  problem.mu_s = problem.mu_d = Eigen::VectorXd::Constant(1, mu);
  problem.e = Eigen::VectorXd::Constant(1, 0.5);
  return problem;
}

TEST(ImpactFigure, CurvesRunFromStartToEnd) {
  const ImpactProblem problem = planar();
  const ImpactOutcome outcome = resolve(problem, {"routh", "stronge", {}});
  const Figure figure = impact_figure(problem, outcome);
  ASSERT_EQ(figure.panels.size(), 2u);
  const Curve &v_t = figure.panels[0].curves[0], &v_n = figure.panels[0].curves[1], &work = figure.panels[1].curves[0];
  EXPECT_EQ(v_t.ys.front(), problem.v_pre(0));
  EXPECT_NEAR(v_t.ys.back(), outcome.v_post(0), 1e-15);
  EXPECT_NEAR(v_n.ys.back(), outcome.v_post(1), 1e-15);
  EXPECT_NEAR(v_n.xs.back(), outcome.p(1), 1e-15);
  EXPECT_NEAR(work.ys.back(), outcome.energy.normal_work, 1e-15);
  EXPECT_NEAR(*std::min_element(work.ys.begin(), work.ys.end()), outcome.energy.compression_work, 1e-15);
  ASSERT_EQ(figure.panels[0].bands.size(), 2u);
  EXPECT_EQ(figure.panels[0].bands[0].label, "slip");
  EXPECT_EQ(figure.panels[0].bands[1].label, "reverse");
  EXPECT_EQ(figure.panels[1].verticals[1].label, "slip reverses");
}

TEST(ImpactFigure, VelocityPlaneNamesMorgansPoints) {
  const ImpactProblem problem = planar();
  const Figure figure = velocity_plane_figure(problem, resolve(problem, {"routh", "stronge", {}}));
  std::string letters;
  for (const Note& note : figure.panels[0].notes) letters += note.text;
  EXPECT_EQ(letters, "acde");
}

TEST(Isoclines, AreTheRootsOfTheirFunction) {
  Eigen::Matrix3d G;
  G << 2, 0.3, 0.1, 0.3, 1, -0.2, 0.1, -0.2, 1.5;
  const ImpactProblem problem = spatial(G, 0.6);
  const std::vector<double> roots = isoclines(problem);
  EXPECT_TRUE(roots.size() == 2 || roots.size() == 4) << roots.size();
  for (const double phi : roots) {
    const Eigen::Vector2d u(std::cos(phi), std::sin(phi)), across(-u.y(), u.x());
    EXPECT_NEAR(across.dot(Eigen::Vector2d(G.block<2, 1>(0, 2)) - 0.6 * G.topLeftCorner<2, 2>() * u), 0, 1e-14);
  }
}

TEST(Isoclines, ASphereHasNone) { EXPECT_TRUE(isoclines(spatial(Eigen::Vector3d(3.5, 3.5, 1).asDiagonal(), 0.6)).empty()); }

// Without friction slip runs along b: two isoclines, along it and against it.
TEST(Isoclines, WithoutFrictionTheyFollowTheCoupling) {
  Eigen::Matrix3d G = Eigen::Matrix3d::Identity();
  G(0, 2) = G(2, 0) = 0.3;
  G(1, 2) = G(2, 1) = 0.4;
  const std::vector<double> roots = isoclines(spatial(G, 0));
  ASSERT_EQ(roots.size(), 2u);
  EXPECT_NEAR(roots[0], std::atan2(0.4, 0.3), 1e-14);
  EXPECT_NEAR(roots[1], std::atan2(0.4, 0.3) + std::numbers::pi, 1e-14);
}

}  // namespace
}  // namespace carom::lab
