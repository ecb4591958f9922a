// `carom impact` on a mechanism file.

#include <gtest/gtest.h>

#include "cli/program.hpp"

namespace {

using cli::carom;

const std::string kFile = CAROM_SOURCE_DIR "/examples/01_kane_levinson/mechanism.yaml";

std::string changed(const std::string& from, const std::string& to) {
  std::string text = cli::read(kFile);
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(Mechanism, GivesTheSameImpactAsItsMatrices) {
  const auto mechanism = carom("impact --json --restitution poisson " + kFile).json();
  const auto matrices = carom("impact --json --restitution poisson " CAROM_SOURCE_DIR "/examples/01_kane_levinson/problem.json").json();
  for (const int i : {0, 1}) {
    EXPECT_NEAR(mechanism["velocity"][i], matrices["velocity"][i].get<double>(), 1e-14);
    EXPECT_NEAR(mechanism["impulse"][i], matrices["impulse"][i].get<double>(), 1e-14);
  }
  EXPECT_EQ(mechanism["qdot_names"], (nlohmann::json{"shoulder", "elbow"}));
  EXPECT_NEAR(mechanism["qdot"][0], -0.20149932273157234, 1e-13);
  EXPECT_NEAR(mechanism["qdot"][0].get<double>() + mechanism["qdot"][1].get<double>(), 0.22961144520648136, 1e-13);
}

TEST(Mechanism, TellsAPersonTheJointSpeeds) {
  const auto result = carom("impact " + kFile);
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_NE(result.out.find("shoulder"), std::string::npos);
  EXPECT_NE(result.out.find("q̇⁺"), std::string::npos);
}

TEST(Mechanism, RefusesNonsenseByFieldAndLine) {
  struct Case {
    const char *from, *to, *message;
  };
  for (const Case& c : {Case{"mass: 3, rod", "mass: -3, rod", "bodies.upper.mass"}, {"length: 2", "length: 0", "bodies.upper.rod.length = 0: must be > 0"},
                        {"length: 2", "lenght: 2", "did you mean length?"}, {"type: revolute", "type: hinge", "joints[0].type = hinge: must be"},
                        {"elbow: 10", "knee: 10", "state.q_deg.knee"}, {"restitution: 0.5", "restitution: 1.5", "contact.restitution = 1.5: must lie in [0, 1]"},
                        {"static: 0.5", "static: 0.3", "contact.friction.static = 0.3"}, {"body: lower", "body: middle", "contact.body = middle"},
                        {"world: planar", "world: flat", "world = flat: must be planar or spatial"}, {"normal: [0, 1]", "normal: [0, 0]", "contact.normal"},
                        {"elbow: -0.1", "elbow: .inf", "state.qdot.elbow"}, {"child: lower, ", "", "joints[1].child: is missing"}}) {
    const auto result = carom("impact -", changed(c.from, c.to));
    EXPECT_EQ(result.code, 2) << c.to;
    EXPECT_NE(result.err.find(c.message), std::string::npos) << c.to << ": " << result.err;
    EXPECT_NE(result.err.find("<stdin>:"), std::string::npos) << c.to << ": " << result.err;
  }
}

// A four-bar linkage closed by a constraint: its coupler hits the floor.
TEST(Mechanism, LoopsAreClosedAndProjected) {
  const std::string text = R"(world: planar
bodies:
  crank: {mass: 1, rod: {length: 1}}
  coupler: {mass: 2, rod: {length: 2}}
  rocker: {mass: 1, rod: {length: 1.5}}
joints:
  - {name: crank, type: revolute, child: crank}
  - {name: coupler, type: revolute, parent: crank, child: coupler, at: [1, 0]}
  - {name: rocker, type: revolute, child: rocker, at: [2, 0]}
constraints:
  - {name: loop, type: coincidence, a: coupler, at_a: [2, 0], b: rocker, at_b: [1.5, 0]}
state:
  q_deg: {crank: 60, coupler: -50, rocker: 70}
  qdot: {crank: -1}
  assemble: true
contact: {body: coupler, point: [1, 0], normal: [0, 1], friction: 0.1, restitution: 0.5}
)";
  const auto result = carom("impact - --json", text);
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_LE(result.json()["residuals"]["momentum"], 1e-12);
  EXPECT_EQ(carom("impact -", std::string(text).replace(text.find("  assemble: true\n"), 17, "")).code, 2);
}

TEST(Mechanism, SpatialBodyIsRead) {
  const std::string text = R"(world: spatial
bodies: {ball: {mass: 2, sphere: {radius: 0.5}}}
joints: [{name: ball, type: free, child: ball}]
state: {q: {ball: [0, 0, 0.5, 1, 0, 0, 0]}, qdot: {ball: [0, 0, -1, 0, 0, 0]}}
contact: {body: ball, point: [0, 0, -0.5], normal: [0, 0, 1], friction: 0.1, restitution: 0.5}
law: no-such-law
)";
  const auto result = carom("impact -", text);
  EXPECT_EQ(result.code, 2);
  EXPECT_NE(result.err.find("<stdin>:6:"), std::string::npos) << result.err;  // everything but the law is in order
}

}  // namespace
