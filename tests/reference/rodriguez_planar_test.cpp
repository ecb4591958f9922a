// Law rodriguez-bowling in the plane, against Rodriguez's dissertation and tests/reference/data/multi2d.json (see the README there).

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "carom/core/error.hpp"
#include "carom/impact/law.hpp"
#include "carom/lab/reproduce/rodriguez_scenes.hpp"

namespace {

using carom::ImpactOutcome;
using carom::ImpactProblem;
using carom::ImpactSegment;
using carom::LawOptions;
using carom::Phase;
using carom::SlipState;
using namespace carom::lab;
using nlohmann::json;

// The file gives eight digits.
constexpr double kDigits = 5e-8;

const json& oracle() {
  static const json data = json::parse(std::ifstream(CAROM_SOURCE_DIR "/tests/reference/data/multi2d.json"));
  return data;
}

Eigen::VectorXd vector(const json& x) {
  Eigen::VectorXd out(static_cast<Eigen::Index>(x.size()));
  for (std::size_t i = 0; i < x.size(); ++i) out(static_cast<Eigen::Index>(i)) = x[i].get<double>();
  return out;
}

void expect_near(const Eigen::VectorXd& computed, const Eigen::VectorXd& expected, double tolerance, const std::string& what) {
  ASSERT_EQ(computed.size(), expected.size()) << what;
  EXPECT_LE((computed - expected).cwiseAbs().maxCoeff(), tolerance * (1 + expected.cwiseAbs().maxCoeff())) << what << ": " << computed.transpose() << " vs " << expected.transpose();
}

ImpactOutcome solve(const ImpactProblem& problem, LawOptions options) {
  return carom::resolve(problem, {.process = "rodriguez-bowling", .restitution = "", .options = std::move(options)});
}
ImpactOutcome paper(const ImpactProblem& problem, LawOptions options = {}) {
  options["mode"] = std::string("paper");
  return solve(problem, std::move(options));
}

// Velocity of all contacts at the end of an event.
Eigen::VectorXd after(const ImpactOutcome& out, const std::string& event) {
  Eigen::VectorXd v;
  for (const ImpactSegment& segment : out.segments)
    if (segment.mode == event) v = segment.v_end;
  return v;
}

TEST(RodriguezPlanar, CornerBallBySlipPathAndEquation47) {
  for (const char* key : {"thesis_eq47_e0.715", "thesis_eq47_e_fit"}) {
    const json& x = oracle().at("ex1_corner_ball").at(key);
    const ImpactOutcome out = paper(corner_ball({8, -4.43, 0}, 0.6, 0.35, 0.5), {{"e_star", x.at("e").get<double>()}});
    expect_near(out.qdot_post, vector(x.at("q_post")), kDigits, key);
    expect_near(out.v_post, vector(x.at("v_post_t1_n1_t2_n2gap")), kDigits, key);
    EXPECT_NEAR(out.energy.change, x.at("dT").get<double>(), 1e-12) << key;
    EXPECT_NEAR(out.energy.normal_work, x.at("Wn_true").get<double>(), 1e-12) << key;
    EXPECT_NEAR(out.energy.friction_work, x.at("Wt_true").get<double>(), 1e-12) << key;
    for (int c = 0; c < 2; ++c) {
      EXPECT_NEAR(out.energy.contacts[c].normal, x.at("local_Wn")[c].get<double>(), 1e-6) << key;
      EXPECT_NEAR(out.energy.contacts[c].friction, x.at("local_Wt")[c].get<double>(), 1e-6) << key;
      EXPECT_NEAR(out.energy.contacts[c].compression, x.at("local_compr")[c].get<double>(), 1e-6) << key;
      EXPECT_NEAR(out.energy.contacts[c].restitution, x.at("local_rest")[c].get<double>(), 1e-6) << key;
    }
    // The three stretches: ratio C = Δp_n2/Δp_n1 and slip states; wall sticks at p_s2, ground reverses at p_s1; ends at p_f.
    std::vector<double> ratios;
    for (const ImpactSegment& s : out.segments) {
      const double ratio = (s.p_end(3) - s.p_begin(3)) / (s.p_end(1) - s.p_begin(1));
      if (ratios.empty() || std::abs(ratio - ratios.back()) > 1e-9) ratios.push_back(ratio);
    }
    ASSERT_EQ(ratios.size(), 3U) << key;
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(ratios[i], x.at("C")[i].get<double>(), 1e-12) << key;
    EXPECT_EQ(out.segments.back().state, (std::vector{SlipState::reverse, SlipState::stick})) << key;
    EXPECT_NEAR(out.segments.back().p_begin(1), x.at("p_c").get<double>(), 1e-12) << key;
    EXPECT_NEAR(out.p(1), x.at("p_f").get<double>(), 1e-12) << key;
  }
  // The printed state (Table 6.1, three digits) belongs to the fitted e*.
  const double fit = oracle().at("ex1_corner_ball").at("thesis_eq47_e_fit").at("e");
  expect_near(paper(corner_ball({8, -4.43, 0}, 0.6, 0.35, 0.5), {{"e_star", fit}}).qdot_post, Eigen::Vector3d(-5.504, 4.893, -9.786), 5e-4 / 10, "Table 6.1");
}

TEST(RodriguezPlanar, CornerBallOfASphere) {
  const json& x = oracle().at("ex1_corner_ball").at("sphere_eq47_e0.715");
  expect_near(paper(corner_ball({8, -4.43, 0}, 0.6, 0.35, 0.715, 0.4)).qdot_post, vector(x.at("q_post")), kDigits, "sphere");
}

// The printed method mixes the two directions of a frictionless square corner; no impulse couples them.
TEST(RodriguezPlanar, FrictionlessCorner) {
  const json& x = oracle().at("counterexample_frictionless_corner");
  for (const auto& [e, key] : {std::pair{1.0, "e1"}, std::pair{0.715, "e0.715"}}) {
    const ImpactProblem problem = corner_ball({8, -4.43, 0}, 0, 0, e);
    expect_near(paper(problem).qdot_post, vector(x.at(std::string("thesis_") + key)), 1e-12, key);
    expect_near(solve(problem, {}).qdot_post, vector(x.at(std::string("physical_") + key)), 1e-12, key);
  }
  ImpactProblem mixed = corner_ball({8, -4.43, 0}, 0, 0, 1);
  mixed.e << 0.5, 0.25;
  expect_near(solve(mixed, {}).qdot_post, Eigen::Vector3d(-2, 2.215, 0), 1e-12, "each component has its own restitution");
}

TEST(RodriguezPlanar, FrictionlessBlock) {
  for (const char* key : {"reported_e", "exact_e"}) {
    const json& x = oracle().at("ex2_block").at(key);
    const double e1 = x.at("e")[0], e2 = x.at("e")[1];
    const ImpactOutcome printed = paper(rocking_block(0, 0, 0), {{"e_star_1", e1}, {"e_star_2", e2}});
    const Eigen::VectorXd first = after(printed, "event 1"), second = after(printed, "event 2");
    expect_near(Eigen::Vector2d(first(1), first(3)), vector(x.at("after_event1")), 1e-12, key);
    // Point 1 is left at its velocity of event 1, as the dissertation does; in truth event 2 drives it into the ground.
    expect_near(Eigen::Vector2d(first(1), second(3)), vector(x.at("frozen_result")), 1e-12, key);
    EXPECT_NEAR(printed.v_post(1), x.at("true_v1_after_event2").get<double>(), 1e-12) << key;
    EXPECT_EQ(printed.status, carom::ImpactStatus::not_converged) << key;
    const ImpactOutcome full = solve(rocking_block(0, 0, 0), {{"e_star_1", e1}, {"e_star", e2}});
    expect_near(Eigen::Vector2d(full.v_post(1), full.v_post(3)), vector(x.at("full_sequence")), kDigits, key);
    EXPECT_EQ(full.segments.back().mode, "event 3") << key;
  }
  const ImpactOutcome elastic = solve(rocking_block(0, 0, 0, 1), {});
  expect_near(Eigen::Vector2d(elastic.v_post(1), elastic.v_post(3)), Eigen::Vector2d(1, 0), 1e-12, "e = 1");
}

TEST(RodriguezPlanar, FrictionalBlock) {
  const json& x = oracle().at("ex2_block").at("friction_eq47");
  const ImpactProblem problem = rocking_block(x.at("vt0"), 0.6, 0.35);
  const ImpactOutcome out = paper(problem, {{"e_star_1", -0.883}, {"e_star_2", 0.662}});
  const Eigen::VectorXd first = after(out, "event 1"), second = after(out, "event 2");
  EXPECT_NEAR(out.segments.front().p_end(1), x.at("p_f").get<double>(), 1e-12);
  expect_near(Eigen::Vector2d(first(1), first(3)), vector(x.at("after_event1")), kDigits, "event 1");
  EXPECT_NEAR(first(0), x.at("vt_after1").get<double>(), 1e-12);
  EXPECT_NEAR(second(3), x.at("event2_v2_with_e0662").get<double>(), 1e-12);
  const ImpactOutcome fit = paper(problem, {{"e_star_1", -0.883}, {"e_star_2", x.at("e2_needed_for_0600").get<double>()}});
  EXPECT_NEAR(after(fit, "event 2")(3), 0.6, 1e-12);
  EXPECT_NEAR(out.v_post(1), x.at("true_v1_after_event2").get<double>(), 1e-12);
}

TEST(RodriguezPlanar, ThreeBallCradle) {
  const ImpactOutcome elastic = paper(cradle({1, 1, 1}, 1.304, 1));
  EXPECT_NEAR(elastic.p(1), 1.318, 5e-4 + 1e-9);  // Fig. 6.13: |p_nf| = 1.318, |p_nc| = 0.659
  EXPECT_NEAR(elastic.segments.front().p_end(1), 0.659, 5e-4);
  expect_near(elastic.qdot_post, Eigen::Vector3d(0, 0, 1.304 / 0.3), 1e-12, "momentum passes through");
  for (const auto& [key, e1, e2] : {std::tuple{"e_0.85_0.85", 0.85, 0.85}, std::tuple{"e_0.711_0.711", 0.711, 0.711}, std::tuple{"e_0.715_0.488", 0.715, 0.488}}) {
    const json& x = oracle().at("ex3_cradle").at(key);
    const ImpactOutcome out = paper(cradle({0.166, 0.166, 0.166}, 1, 0.5), {{"e_star_1", e1}, {"e_star_2", e2}});
    expect_near(out.qdot_post * 0.3, vector(x.at("v")), 1e-12, key);
    expect_near(Eigen::Vector2d(out.p(3), out.p(1) - out.p(3)), vector(x.at("p")), 1e-12, key);
    EXPECT_EQ(out.segments.back().mode, "event 2") << key;
  }
}

TEST(RodriguezPlanar, FiveBallCradle) {
  const json& d = oracle().at("appD");
  expect_near(paper(cradle({1, 1, 1, 1, 1}, 1, 1)).qdot_post * 0.3, (Eigen::VectorXd(5) << 0, 0, 0, 0, 1).finished(), 1e-12, "case 1");
  const ImpactOutcome two = paper(cradle({1, 1, 1, 1, 1}, 1.304, 0.8));
  expect_near(two.qdot_post * 0.3, vector(d.at("case2").at("v")), kDigits, "case 2");
  EXPECT_EQ(two.segments.back().mode, "event 4");
  const std::vector<double> abaca{0.045, 0.053, 0.045, 0.053, 0.045};
  expect_near(paper(cradle(abaca, 1, 0.4)).qdot_post * 0.3, vector(d.at("case3").at("e04")), kDigits, "case 3, e* = 0.4");
  expect_near(paper(cradle(abaca, 1, 0.05)).qdot_post * 0.3, vector(d.at("case3").at("e005")), kDigits, "case 3, e* = 0.05");
  const json& four = d.at("case3").at("best_4e");
  LawOptions options;
  for (int k = 0; k < 4; ++k) options["e_star_" + std::to_string(k + 1)] = four[k].get<double>();
  expect_near(paper(cradle(abaca, 1, 0.5), options).qdot_post * 0.3, vector(d.at("case3").at("best_4e_v")), kDigits, "case 3, four e*");
}

// With true signs the pair rule of a chain asks for tension; the contact that approaches then goes alone: ball by ball.
TEST(RodriguezPlanar, PhysicalChainIsHitBallByBall) {
  const json& laws = oracle().at("laws");
  expect_near(solve(cradle({1, 1, 1}, 1, 1), {}).qdot_post * 0.3, vector(laws.at("3ball_e1").at("sequential")), 1e-12, "3 balls, e = 1");
  expect_near(solve(cradle({1, 1, 1}, 1, 0.85), {}).qdot_post * 0.3, vector(laws.at("3ball_e0.85").at("sequential")), kDigits, "3 balls, e = 0.85");
  expect_near(solve(cradle({1, 1, 1, 1, 1}, 1, 1), {}).qdot_post * 0.3, vector(laws.at("5ball_e1").at("sequential")), 1e-12, "5 balls, e = 1");
}

// One contact has no pair: the law is then Stronge's, `routh`, and needs no geometry.
TEST(RodriguezPlanar, OneContactIsRouth) {
  ImpactProblem problem = corner_ball({8, -4.43, 3}, 0.6, 0.35, 0.5);
  problem.G = problem.G.topLeftCorner(2, 2).eval(), problem.v_pre = problem.v_pre.head(2).eval();
  problem.mu_s = problem.mu_s.head(1).eval(), problem.mu_d = problem.mu_d.head(1).eval(), problem.e = problem.e.head(1).eval();
  problem.geometry.reset(), problem.system.reset();
  const ImpactOutcome routh = carom::resolve(problem, {.process = "routh", .restitution = "stronge", .options = {}});
  expect_near(solve(problem, {}).v_post, routh.v_post, 1e-14, "velocity");
  expect_near(solve(problem, {}).p, routh.p, 1e-14, "impulse");
}

TEST(RodriguezPlanar, RefusesWhatItCannotUse) {
  ImpactProblem bare = corner_ball({8, -4.43, 0}, 0.6, 0.35, 0.5);
  const auto field = [](const ImpactProblem& problem, LawOptions options) {
    try {
      (void)solve(problem, std::move(options));
    } catch (const carom::InputError& error) {
      return error.field();
    }
    return std::string("accepted");
  };
  EXPECT_EQ(field(bare, {{"e_star", 1.5}}), "options.e_star");
  ImpactProblem moved = bare;
  moved.geometry->points(0, 1) = 0.7;
  EXPECT_EQ(field(moved, {}), "points");
  bare.geometry.reset();
  EXPECT_EQ(field(bare, {}), "points");
}

}  // namespace
