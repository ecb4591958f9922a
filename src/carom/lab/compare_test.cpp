#include "carom/lab/compare.hpp"

#include <gtest/gtest.h>

#include "carom/core/error.hpp"

namespace carom::lab {
namespace {

ImpactProblem problem(double mu) {
  ImpactProblem out;
  out.G = (Eigen::Matrix2d() << 2, 0.3, 0.3, 1).finished();
  out.v_pre = Eigen::Vector2d(3, -1);
  out.mu_s = out.mu_d = Eigen::VectorXd::Constant(1, mu);
  out.e = Eigen::VectorXd::Constant(1, 0.5);
  return out;
}

TEST(Compare, LawsThatAgreeShareACurve) {
  const auto trials = compare(problem(0), named_laws({"routh"}));  // slip throughout: the hypotheses agree identically
  ASSERT_EQ(trials.size(), 3u);
  const Figure figure = comparison_figure(problem(0), trials);
  ASSERT_EQ(figure.panels[0].curves.size(), 2u);  // a line and its end
  EXPECT_EQ(figure.panels[0].curves[0].label, "routh, stronge (and 2 more)");
}

TEST(Compare, NamesMeanLawsAndHypotheses) {
  EXPECT_EQ(named_laws({"routh"}).size(), find_law("routh").restitutions.size());
  EXPECT_EQ(named_laws({"routh+poisson"}).front().restitution, "poisson");
  EXPECT_EQ(named_laws({"shen-townsend"}).size(), 1u);
  EXPECT_THROW(named_laws({"nobody"}), InputError);
}

TEST(Compare, EveryFittingLawAnswersOrSaysWhyNot) {
  for (const Trial& trial : compare(problem(0.4), fitting_laws(problem(0.4)))) EXPECT_TRUE(trial.answered || !trial.refusal.empty()) << trial.law.process;
}

TEST(Compare, OptionsGoToTheLawsThatKnowThem) {
  const LawOptions options{{"zero_slip", 0.5}, {"no_law_knows_this", 1.0}};
  for (const ImpactLaw& law : fitting_laws(problem(0.4), options)) EXPECT_FALSE(law.options.contains("no_law_knows_this")) << law.process;
}

}  // namespace
}  // namespace carom::lab
