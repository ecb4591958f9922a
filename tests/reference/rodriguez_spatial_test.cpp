// Law rodriguez-bowling in space, against tests/reference/data/multi3d.json: two independent integrators of the project's founders.

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "carom/impact/law.hpp"
#include "carom/lab/reproduce/rodriguez_scenes.hpp"

namespace {

using carom::ImpactOutcome;
using carom::ImpactProblem;
using namespace carom::lab;
using nlohmann::json;

// The file's own promise: 1e-5 relative between correct event drivers with the same rule.
constexpr double kTolerance = 1e-5;

const json& oracle() {
  static const json data = json::parse(std::ifstream(CAROM_SOURCE_DIR "/tests/reference/data/multi3d.json"));
  return data;
}

Eigen::VectorXd vector(const json& x) {
  Eigen::VectorXd out(static_cast<Eigen::Index>(x.size()));
  for (std::size_t i = 0; i < x.size(); ++i) out(static_cast<Eigen::Index>(i)) = x[i].get<double>();
  return out;
}

ImpactOutcome solve(const ImpactProblem& problem, const std::string& mode) {
  return carom::resolve(problem, {.process = "rodriguez-bowling", .restitution = "", .options = {{"mode", mode}}});
}

void expect_speeds(const ImpactOutcome& out, const Eigen::VectorXd& expected, const std::string& what) {
  EXPECT_LE((out.qdot_post - expected).cwiseAbs().maxCoeff(), kTolerance * expected.cwiseAbs().maxCoeff()) << what << ": " << out.qdot_post.transpose() << " vs " << expected.transpose();
}

int events(const ImpactOutcome& out) { return std::stoi(out.segments.back().mode.substr(6)); }

// Consecutive pairs with |C|, as (7.12) and (7.16): the file's tree BC, CD.
TEST(RodriguezSpatial, SphereInACorner) {
  for (const char* key : {"no_stick", "stick_then_slip_C", "two_events", "symmetric_closed_form"}) {
    const json& x = oracle().at("taskA").at("ex4").at("cases").at(key);
    const json& tree = x.at("trees").at("BC,CD");
    const ImpactOutcome out = solve(corner_sphere(vector(x.at("u_pre"))), "paper");
    expect_speeds(out, vector(tree.at("u_post")), key);
    EXPECT_EQ(events(out), tree.at("n_events").get<int>()) << key;
    double work = 0;
    for (const json& event : tree.at("events")) work += event.at("W_n").get<double>();
    EXPECT_NEAR(out.energy.normal_work, work, kTolerance * std::abs(work)) << key;
    EXPECT_LE(out.energy.closure, 1e-10) << key;
  }
}

TEST(RodriguezSpatial, SymmetricSphereInClosedForm) {
  const double v = 4.4294469180700204, mu = 0.35, e = 0.5;
  const ImpactOutcome out = solve(corner_sphere((Eigen::VectorXd(6) << v, -v, -v, 0, 0, 0).finished()), "paper");
  EXPECT_NEAR(out.qdot_post(2), e * v * std::sqrt((1 - std::sqrt(2) * mu) / (1 + std::sqrt(2) * mu)), 1e-7);
}

// No impulse couples the three components when there is no friction.
TEST(RodriguezSpatial, FrictionlessSphereReturnsEachComponent) {
  const Eigen::VectorXd u = (Eigen::VectorXd(6) << 3, -2, -4, 0.3, -0.2, 0.1).finished();
  const ImpactOutcome out = solve(corner_sphere(u, 0, 0, 1), "physical");
  EXPECT_LE((out.qdot_post - (Eigen::VectorXd(6) << -3, 2, 4, 0.3, -0.2, 0.1).finished()).norm(), 1e-9);
}

// The default re-checks every point, as the file does: case 1 takes three events, not the dissertation's two.
TEST(RodriguezSpatial, RockingBlock) {
  for (const int which : {1, 2, 3}) {
    const json& x = oracle().at("taskA").at("ex5").at("cases").at(std::to_string(which));
    const ImpactProblem problem = spatial_block(which, vector(x.at("u_pre")));
    EXPECT_LE((problem.v_pre - vector(x.at("V_pre"))).cwiseAbs().maxCoeff(), 1e-6) << which;
    const ImpactOutcome out = solve(problem, which == 2 ? "paper" : "physical");
    expect_speeds(out, vector(x.at("u_post")), "case " + std::to_string(which));
    EXPECT_EQ(events(out), x.at("n_events").get<int>()) << which;
  }
}

TEST(RodriguezSpatial, ObliqueRockingBlock) {
  for (const int which : {1, 3}) {
    const json& x = oracle().at("taskA").at("ex5").at("oblique").at(std::to_string(which));
    const ImpactOutcome out = solve(spatial_block(which, vector(x.at("u_pre"))), "physical");
    expect_speeds(out, vector(x.at("u_post")), "oblique " + std::to_string(which));
    EXPECT_EQ(events(out), x.at("n_events").get<int>()) << which;
  }
}

}  // namespace
