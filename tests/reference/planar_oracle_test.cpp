// Planar laws against tests/reference/data/planar.json (independent prototypes in 40-digit arithmetic; see the README there).

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "carom/impact/law.hpp"
#include "support/planar_problems.hpp"

namespace {

using carom::ImpactOutcome;
using carom::ImpactProblem;
using carom::testing::planar_problem;
using nlohmann::json;

// Closed form in doubles against rounded 40-digit values: a few operations, well inside this.
constexpr double kTolerance = 1e-12;

const json& oracle() {
  static const json data = json::parse(std::ifstream(CAROM_SOURCE_DIR "/tests/reference/data/planar.json"));
  return data;
}

Eigen::Vector2d vector(const json& x) { return {x[0].get<double>(), x[1].get<double>()}; }
Eigen::Matrix2d matrix(const json& x) {
  Eigen::Matrix2d m;
  m.row(0) = vector(x[0]), m.row(1) = vector(x[1]);
  return m;
}

void expect_near(const Eigen::VectorXd& computed, const Eigen::Vector2d& expected, const std::string& what) {
  EXPECT_LE((computed - expected).norm(), kTolerance * (1 + expected.norm())) << what << ": " << computed.transpose() << " vs " << expected.transpose();
}

ImpactOutcome solve(const ImpactProblem& problem, const std::string& law, const std::string& restitution) {
  return carom::resolve(problem, {.process = law, .restitution = restitution, .options = {}});
}

TEST(PlanarOracle, ShenTownsendExampleOneUnderEveryLaw) {
  const json& example = oracle().at("shen_townsend_example1");
  for (const json& row : example.at("rows")) {
    const ImpactProblem problem = planar_problem(matrix(example.at("G_tn")), vector(example.at("v_minus")), row.at("mu_s"), row.at("mu"), row.at("e"));
    const std::string what = row.at("published").dump();
    for (const char* hypothesis : {"newton", "poisson", "stronge"}) {
      const ImpactOutcome out = solve(problem, "routh", hypothesis);
      const json& expected = row.at("routh").at(hypothesis);
      expect_near(out.p, {expected.at("p_t").get<double>(), expected.at("p_n").get<double>()}, what + hypothesis);
      expect_near(out.v_post, vector(expected.at("v_plus")), what + hypothesis);
      EXPECT_NEAR(out.energy.change, expected.at("dT").get<double>(), kTolerance) << what << hypothesis;
      EXPECT_NEAR(out.energy.compression_work, expected.at("W_c").get<double>(), kTolerance) << what << hypothesis;
      EXPECT_NEAR(out.energy.normal_work, expected.at("E_n").get<double>(), kTolerance) << what << hypothesis;
    }
    const json& table3 = row.at("shen_townsend");
    expect_near(solve(problem, "shen-townsend", "").v_post, vector(table3.at("v_plus")), what);
    for (const auto& [key, law] : {std::pair{"KL", "kane-levinson"}, std::pair{"conventional", "conventional"}}) {
      const ImpactOutcome out = solve(problem, law, "");
      // The stick impulse is a solve with det G / (G_tt G_nn) = 0.06: 1e-12 still holds, relative to |p|.
      expect_near(out.p, {row.at(key).at("p_t").get<double>(), row.at(key).at("p_n").get<double>()}, what + law);
      EXPECT_NEAR(out.energy.change, row.at(key).at("dT").get<double>(), kTolerance) << what << law;
      EXPECT_EQ(out.segments.front().state.front() == carom::SlipState::slip, row.at(key).at("slip").get<bool>()) << what << law;
    }
  }
}

TEST(PlanarOracle, ShenTownsendExampleTwo) {
  for (const char* radius : {"r4", "r2"}) {
    const json& x = oracle().at("shen_townsend_example2").at(radius);
    const ImpactProblem problem = planar_problem(matrix(x.at("G")), vector(x.at("v")), 0.3, 0.3, 0.8);
    expect_near(solve(problem, "shen-townsend", "").p, {x.at("tau").get<double>(), x.at("Fs").get<double>()}, radius);
    expect_near(solve(problem, "routh", "newton").p, vector(x.at("newton")), radius);
    expect_near(solve(problem, "routh", "stronge").p, vector(x.at("stronge")), radius);
  }
}

TEST(PlanarOracle, MorganImpacts) {
  for (const json& x : oracle().at("morgan_impacts")) {
    const std::string id = x.at("id");
    const ImpactProblem problem = planar_problem(matrix(x.at("G")), vector(x.at("v_minus")), x.at("mu_s"), x.at("mu_d"), x.at("e"));
    const ImpactOutcome out = solve(problem, "morgan", "");
    expect_near(out.v_post, vector(x.at("v_plus")), id);
    expect_near(out.p, {x.at("p_t").get<double>(), x.at("p_n").get<double>()}, id);
    EXPECT_NEAR(out.energy.normal_work, x.at("E_n_final").get<double>(), kTolerance) << id;
    EXPECT_NEAR(out.energy.friction_work, x.at("E_f_final").get<double>(), kTolerance) << id;
    EXPECT_NEAR(out.energy.change, x.at("dT").get<double>(), kTolerance) << id;
    for (const char* hypothesis : {"poisson", "newton"}) {
      const ImpactOutcome other = solve(problem, "routh", hypothesis);
      expect_near(other.p, vector(x.at(hypothesis).at("p")), id + hypothesis);
      expect_near(other.v_post, vector(x.at(hypothesis).at("v")), id + hypothesis);
    }
    // Every event of the reference (its first is the start) is in the history, with impulse, velocity and work.
    for (std::size_t i = 1; i < x.at("events").size(); ++i) {
      const json& event = x.at("events")[i];
      const bool found = std::any_of(out.events.begin(), out.events.end(), [&](const carom::ImpactEvent& ours) {
        return std::abs(ours.impulse - event.at("p_n").get<double>()) < kTolerance &&
               (ours.velocity - Eigen::Vector2d(event.at("v_t").get<double>(), event.at("v_n").get<double>())).norm() < kTolerance &&
               std::abs(ours.normal_work - event.at("E_n").get<double>()) < kTolerance;
      });
      EXPECT_TRUE(found) << id << " event " << event.at("kind");
    }
  }
}

TEST(PlanarOracle, SpecialBranches) {
  for (const auto& [id, x] : oracle().at("contact_space_special").items()) {
    const ImpactProblem problem = planar_problem(matrix(x.at("G")), vector(x.at("v")), x.at("mu_s"), x.at("mu_d"), x.at("e"));
    for (const char* hypothesis : {"newton", "poisson", "stronge"}) {
      const ImpactOutcome out = solve(problem, "routh", hypothesis);
      const json& expected = x.at(hypothesis);
      expect_near(out.p, vector(expected.at("p")), id + hypothesis);
      expect_near(out.v_post, vector(expected.at("v")), id + hypothesis);
      EXPECT_NEAR(out.energy.change, expected.at("dT").get<double>(), kTolerance) << id << hypothesis;
    }
  }
}

TEST(PlanarOracle, NewtonsGainsAreFoundAndFlagged) {
  for (const auto& [id, x] : oracle().at("newton_gain_cases").items()) {
    const ImpactProblem problem = planar_problem(matrix(x.at("G")), vector(x.at("v")), x.at("mu_s"), x.at("mu_d"), x.at("e"));
    const auto warns_of_gain = [](const ImpactOutcome& out) {
      return std::any_of(out.warnings.begin(), out.warnings.end(), [](const std::string& w) { return w.find("kinetic energy grew") != std::string::npos; });
    };
    for (const char* hypothesis : {"newton", "poisson", "stronge"}) {
      const ImpactOutcome out = solve(problem, "routh", hypothesis);
      const json& expected = x.at(hypothesis);
      expect_near(out.p, vector(expected.at("p")), id + hypothesis);
      EXPECT_NEAR(out.energy.change, expected.at("dT").get<double>(), kTolerance * (1 + std::abs(out.energy.change))) << id << hypothesis;
      EXPECT_EQ(warns_of_gain(out), std::string(hypothesis) == "newton") << id << hypothesis;
    }
    for (const auto& [key, law] : {std::pair{"conv_initial", "conventional"}, std::pair{"KL_final", "kane-levinson"}}) {
      const ImpactOutcome out = solve(problem, law, "");
      EXPECT_NEAR(out.energy.change, x.at(key).at("dT").get<double>(), kTolerance * (1 + std::abs(out.energy.change))) << id << law;
      EXPECT_TRUE(warns_of_gain(out)) << id << law;
    }
    EXPECT_NEAR(solve(problem, "routh", "newton").energy.kinetic, x.at("T_c").get<double>(), kTolerance) << id;
  }
}

}  // namespace
