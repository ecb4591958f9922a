#include "carom/impact/problem.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "carom/core/error.hpp"
#include "carom/impact/law.hpp"
#include "support/planar_problems.hpp"

namespace {

using namespace carom;

ImpactProblem good() { return carom::testing::planar_problem((Eigen::Matrix2d() << 2, 0.6, 0.6, 1).finished(), {1, -1}, 0.5, 0.4, 0.5); }

struct Refusal {
  std::function<void(ImpactProblem&)> spoil;
  const char* field;
  const char* value;
};

TEST(ImpactProblem, RefusesNonsenseNamingFieldValueAndRange) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  const Refusal refusals[] = {
      {[](auto& p) { p.dimension = 4; }, "dimension", "4"},
      {[](auto& p) { p.v_pre.resize(3); }, "velocity", "3 values"},
      {[&](auto& p) { p.v_pre(1) = nan; }, "velocity", "nan"},
      {[&](auto& p) { p.G(0, 0) = inf; }, "delassus", "inf"},
      {[](auto& p) { p.G(0, 1) = 0.7; }, "delassus[1][0]", "0.6"},
      {[](auto& p) { p.G(0, 1) = p.G(1, 0) = 1.5; }, "delassus", "eigenvalue"},
      {[](auto& p) { p.G << 1, 0, 0, 0; }, "delassus[1][1]", "0"},
      {[](auto& p) { p.G.resize(3, 3); }, "delassus", "3 x 3"},
      {[](auto& p) { p.mu_d(0) = -0.1; }, "friction.kinetic", "-0.1"},
      {[](auto& p) { p.mu_s(0) = 0.3; }, "friction.static", "0.3"},
      {[](auto& p) { p.e(0) = 1.2; }, "restitution", "1.2"},
      {[](auto& p) { p.e(0) = -0.2; }, "restitution", "-0.2"},
      {[&](auto& p) { p.e(0) = nan; }, "restitution", "nan"},
      {[](auto& p) { p.e.resize(2); }, "restitution", "2 values"},
      {[](auto& p) { p.stiffness = Eigen::VectorXd::Zero(1); }, "stiffness", "0"},
      {[](auto& p) { p.exponent = Eigen::VectorXd::Constant(1, 0.5); }, "exponent", "0.5"},
  };
  EXPECT_NO_THROW(validate(good()));
  for (const Refusal& refusal : refusals) {
    ImpactProblem problem = good();
    refusal.spoil(problem);
    try {
      validate(problem);
      ADD_FAILURE() << "accepted a bad " << refusal.field;
    } catch (const InputError& error) {
      EXPECT_EQ(error.field(), refusal.field);
      EXPECT_NE(error.value().find(refusal.value), std::string::npos) << error.what();
      EXPECT_FALSE(error.allowed().empty());
    }
  }
}

TEST(ImpactProblem, SeparatingContactsGetNoImpulse) {
  ImpactProblem problem = good();
  for (const double v_n : {0.0, 0.3}) {
    problem.v_pre(1) = v_n;
    const ImpactOutcome out = resolve(problem);
    EXPECT_EQ(out.status, ImpactStatus::separating);
    EXPECT_EQ(out.v_post, problem.v_pre);
    EXPECT_EQ(out.p.norm(), 0);
  }
}

TEST(ImpactLaw, RefusesCombinationsByName) {
  const auto message = [](const ImpactLaw& law) -> std::string {
    try {
      (void)resolve(good(), law);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message({.process = "roth", .restitution = "", .options = {}}).find("must be one of routh"), std::string::npos);
  EXPECT_NE(message({.process = "conventional", .restitution = "stronge", .options = {}}).find("takes only newton"), std::string::npos);
  EXPECT_NE(message({.process = "morgan", .restitution = "poisson", .options = {}}).find("stronge"), std::string::npos);
  EXPECT_NE(message({.process = "routh", .restitution = "hertz", .options = {}}).find("hertz"), std::string::npos);
  EXPECT_NE(message({.process = "routh", .restitution = "", .options = {{"zero_slp", 1.0}}}).find("no such option"), std::string::npos);
  EXPECT_NE(message({.process = "routh", .restitution = "", .options = {{"zero_slip", -1.0}}}).find("-1"), std::string::npos);
  EXPECT_NE(message({.process = "routh", .restitution = "", .options = {{"zero_slip", true}}}).find("a number"), std::string::npos);
}

TEST(ImpactLaw, EveryLawIsDescribedInFull) {
  for (const LawInfo& law : all_laws()) {
    EXPECT_FALSE(law.id.empty() || law.summary.empty() || law.citation.empty() || law.dimensions.empty() || law.restitutions.empty()) << law.id;
    EXPECT_NE(law.solve, nullptr) << law.id;
    for (const OptionInfo& option : law.options) EXPECT_FALSE(option.meaning.empty()) << law.id << "." << option.name;
  }
}

TEST(ImpactProblem, GeneralisedSpeedsKeepBilateralConstraints) {
  // A free particle (3 speeds) held to q̇₃ = 0 by a constraint row: the row must stay satisfied.
  ImpactProblem problem;
  GeneralisedSystem system;
  system.M = Eigen::Vector3d(2, 2, 2).asDiagonal();
  system.M(0, 2) = system.M(2, 0) = 0.5;
  system.J = Eigen::MatrixXd::Identity(2, 3);
  system.qdot_pre = Eigen::Vector3d(1, -2, 0);
  system.constraint = Eigen::RowVector3d(0, 0, 1);
  // With q̇₃ = 0 the reduced mass is diag(2, 2): G = diag(0.5, 0.5).
  problem = carom::testing::planar_problem(0.5 * Eigen::Matrix2d::Identity(), {1, -2}, 0.3, 0.3, 0.5);
  problem.system = system;
  const ImpactOutcome out = resolve(problem);
  EXPECT_NEAR(out.qdot_post(2), 0, 1e-15);
  EXPECT_NEAR((system.J * out.qdot_post - out.v_post).norm(), 0, 1e-14);
}

}  // namespace
