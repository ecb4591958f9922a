// The exact spatial impact against 40-digit values: Park, Chung & Youm's experiment and special branches (data/impact3d.json).

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "carom/impact/law.hpp"

namespace carom {
namespace {

using nlohmann::json;

const json& data() {
  static const json file = json::parse(std::ifstream(std::string(CAROM_SOURCE_DIR) + "/tests/reference/data/impact3d.json"));
  return file;
}

double number(const json& x) { return x.is_string() ? std::stod(x.get<std::string>()) : x.get<double>(); }
Eigen::Vector3d vector(const json& x) { return {number(x[0]), number(x[1]), number(x[2])}; }

// One case of the file; `paper` entries have the paper's sign, v_z > 0 approaching.
struct Case {
  std::string name;
  ImpactProblem problem;
  const json* entry;
  double flip;
  Eigen::Vector3d expected(const json& x) const { return vector(x).cwiseProduct(Eigen::Vector3d(1, 1, flip)); }
};

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const char* block : {"paper", "special"})
    for (const json& entry : data()[block]) {
      Case c;
      const bool paper = std::string(block) == "paper";
      c.name = paper ? "paper j = " + std::to_string(entry["j"].get<int>()) : entry["name"].get<std::string>();
      c.flip = paper ? -1 : 1;
      c.entry = &entry;
      const Eigen::Vector3d S(1, 1, c.flip);
      c.problem.dimension = 3;
      c.problem.G.resize(3, 3);
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) c.problem.G(i, j) = S(i) * entry["H"][i][j].get<double>() * S(j);
      c.problem.v_pre = c.expected(entry["v_minus"]);
      c.problem.mu_d = Eigen::VectorXd::Constant(1, entry[paper ? "mu" : "mu_d"].get<double>());
      c.problem.mu_s = Eigen::VectorXd::Constant(1, entry[paper ? "mu" : "mu_s"].get<double>());
      c.problem.e = Eigen::VectorXd::Constant(1, entry["e"].get<double>());
      cases.push_back(std::move(c));
    }
  return cases;
}

// 1e-12 relative: the demand on the law; the series themselves are good to a few units of rounding.
constexpr double kExact = 1e-12;

double relative_error(const Case& c, const json& expected, const ImpactOutcome& outcome) {
  const Eigen::Vector3d v = c.expected(expected["v"]), p = c.expected(expected["P"]);
  return std::max((outcome.v_post - v).norm() / std::max(v.norm(), c.problem.v_pre.norm()), (outcome.p - p).norm() / p.norm());
}

TEST(SpatialOracle, RouthOnEveryCase) {
  double worst = 0;
  for (const Case& c : all_cases())
    for (const char* restitution : {"newton", "poisson", "stronge"}) {
      const json& expected = (*c.entry)["routh"][restitution];
      const ImpactOutcome outcome = resolve(c.problem, {"routh", restitution, {}, true});
      const double error = relative_error(c, expected, outcome);
      EXPECT_LE(error, kExact) << c.name << ' ' << restitution;
      worst = std::max(worst, error);
      EXPECT_EQ(outcome.status, ImpactStatus::resolved) << c.name;
      EXPECT_NEAR(outcome.energy.normal_work, number(expected["W_n"]), kExact * outcome.energy.kinetic) << c.name << ' ' << restitution;
      EXPECT_LE(outcome.energy.closure, kExact) << c.name;
      EXPECT_LE(outcome.residuals.momentum, kExact) << c.name;
      int compressions = 0;
      double p_c = 0;
      bool stops = false;
      double stop = 0;
      for (const ImpactEvent& event : outcome.events) {
        if (event.kind == ImpactEventKind::compression_ends) ++compressions, p_c = event.impulse;
        if (event.kind == ImpactEventKind::slip_stops) stops = true, stop = event.impulse;
      }
      EXPECT_EQ(compressions, expected["n_compressions"].get<int>()) << c.name << ' ' << restitution;
      EXPECT_NEAR(p_c, number(expected["p_c"]), kExact * p_c) << c.name << ' ' << restitution;
      if (expected["stick_p"].is_string() && number(expected["stick_p"]) > 0) {
        EXPECT_TRUE(stops) << c.name;
        EXPECT_NEAR(stop, number(expected["stick_p"]), kExact * stop) << c.name << ' ' << restitution;
      } else {
        EXPECT_FALSE(stops) << c.name;
      }
    }
  std::cout << "routh against 40 digits: worst relative error " << worst << '\n';
}


// routh-ode at relative tolerance 1e-12 with its own step control: global errors stay within a hundred of them.
TEST(SpatialOracle, RouthOdeOnEveryCase) {
  const LawOptions tight{{"relative", 1e-12}, {"absolute", 1e-13}, {"slip_stop", 1e-9}};
  double worst = 0;
  for (const Case& c : all_cases())
    for (const char* restitution : {"newton", "poisson", "stronge"}) {
      const ImpactOutcome outcome = resolve(c.problem, {"routh-ode", restitution, tight, true});
      const double error = relative_error(c, (*c.entry)["routh"][restitution], outcome);
      EXPECT_LE(error, 1e-10) << c.name << ' ' << restitution;
      EXPECT_LE(outcome.energy.closure, 1e-10) << c.name << ' ' << restitution;
      worst = std::max(worst, error);
    }
  std::cout << "routh-ode (1e-12) against 40 digits: worst relative error " << worst << '\n';
}

TEST(SpatialOracle, MirtichOnEveryCaseButDualCompressionAndJam) {
  const LawOptions tight{{"relative", 1e-12}, {"absolute", 1e-13}};
  double worst = 0;
  for (const Case& c : all_cases()) {
    const ImpactOutcome outcome = resolve(c.problem, {"mirtich", "stronge", tight, true});
    if (c.name == "dual_compression" || c.name == "jamb_initial_then_stick") {
      EXPECT_EQ(outcome.status, ImpactStatus::no_solution) << c.name;
      EXPECT_FALSE(outcome.warnings.empty());
      continue;
    }
    const double error = relative_error(c, (*c.entry)["routh"]["stronge"], outcome);
    EXPECT_LE(error, 1e-9) << c.name;
    worst = std::max(worst, error);
  }
  std::cout << "mirtich (1e-12) against 40 digits: worst relative error " << worst << '\n';
}

// The names of modes and events in the order in which they happened, as the reference file lists them.
std::vector<std::string> mode_history(const ImpactOutcome& outcome) {
  std::vector<std::string> out;
  std::size_t event = 0;
  const auto tell_events = [&](double impulse) {
    for (; event < outcome.events.size() && outcome.events[event].impulse <= impulse; ++event) {
      if (outcome.events[event].kind == ImpactEventKind::slip_stops) out.push_back(outcome.segments.empty() ? "" : "Stick");
      if (outcome.events[event].kind == ImpactEventKind::compression_ends) out.emplace_back("EndComp");
      if (outcome.events[event].kind == ImpactEventKind::separates) out.emplace_back("EndExp");
    }
  };
  for (const ImpactSegment& segment : outcome.segments) {
    if (std::find(out.begin(), out.end(), segment.mode) == out.end()) out.push_back(segment.mode);
    tell_events(segment.p_end(2));
    if (!out.empty() && out.back() == "Stick") out.back() = segment.phase == Phase::compression ? "CStick" : "EStick";
  }
  return out;
}

TEST(SpatialOracle, ParkOnEveryCaseWithItsModes) {
  double worst = 0;
  for (const Case& c : all_cases()) {
    const json& expected = (*c.entry)["park_poisson"];
    const ImpactOutcome outcome = resolve(c.problem, {"park", "poisson", {}, true});
    ASSERT_EQ(outcome.status, ImpactStatus::resolved) << c.name;
    const double error = relative_error(c, expected, outcome);
    EXPECT_LE(error, 1e-10) << c.name;
    worst = std::max(worst, error);
    EXPECT_EQ(mode_history(outcome), expected["modes"].get<std::vector<std::string>>()) << c.name;
    EXPECT_LE(outcome.energy.closure, kExact) << c.name;
  }
  std::cout << "park against its reference: worst relative error " << worst << '\n';
}

TEST(SpatialOracle, AnitescuPotraOnEveryCase) {
  double worst = 0;
  const auto check = [&](const Case& c, const json& expected, double edges, const char* cone) {
    const ImpactOutcome outcome = resolve(c.problem, {"anitescu-potra", "poisson", {{"edges", edges}, {"cone", std::string(cone)}}, true});
    ASSERT_EQ(outcome.status, ImpactStatus::resolved) << c.name;
    const double error = relative_error(c, expected, outcome);
    EXPECT_LE(error, 1e-9) << c.name << ' ' << edges << ' ' << cone;
    worst = std::max(worst, error);
  };
  for (const Case& c : all_cases())
    for (const char* cone : {"printed", "corrected"}) {
      if (c.flip > 0) check(c, (*c.entry)[fmt::format("anitescu_p16_{}", cone)], 16, cone);
      else for (const int edges : {8, 32}) check(c, (*c.entry)["anitescu"][fmt::format("p{}_{}", edges, cone)], edges, cone);
    }
  std::cout << "anitescu-potra against its reference: worst relative error " << worst << '\n';
}

}  // namespace
}  // namespace carom
