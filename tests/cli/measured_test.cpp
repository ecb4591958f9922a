// `carom compare` beside a measurement, and what is refused of one.

#include <gtest/gtest.h>

#include <cmath>

#include "cli/program.hpp"

namespace {

using cli::carom;
using nlohmann::json;

// Two balls of 1 kg, the first at 1 m/s, e = 0.5: every law without friction gives q̇⁺ = (0.25, 0.75) and v_n⁺ = 0.5.
std::string two_balls(const std::string& measured) {
  return R"({"dimension": 2, "mass_matrix": [[1,0],[0,1]], "jacobian": [[0,0],[-1,1]], "qdot": [1, 0], "restitution": 0.5, "friction": 0,
 "measured": )" + measured + "}";
}

TEST(Measured, GivesARowAndAnRmsColumn) {
  const auto result = carom("compare - --laws lzb,moreau", two_balls(R"({"qdot": [0.25, 0.65], "source": "a friend"})"));
  ASSERT_EQ(result.code, 0) << result.err;
  for (const char* words : {"RMS", "q̇⁺", "measured", "a friend", "(0.25, 0.65)", "(0.25, 0.75)", "0.0707"}) EXPECT_NE(result.out.find(words), std::string::npos) << words << "\n" << result.out;
}

TEST(Measured, IsInTheJsonAnswer) {
  struct Case {
    const char* measured;
    double rms;
  };
  for (const Case& c : {Case{R"({"qdot": [0.25, 0.65]})", std::sqrt(0.01 / 2)}, {R"({"qdot": [null, 0.65]})", 0.1}, {R"({"velocity": [null, 0.4]})", 0.1}, {R"({"normal_velocity": [0.2]})", 0.3}}) {
    const json answer = carom("compare - --json --laws lzb", two_balls(c.measured)).json();
    EXPECT_NEAR(answer["answers"][0]["rms"], c.rms, 1e-9) << c.measured;
    EXPECT_EQ(answer["measured"], json::parse(c.measured));
  }
}

TEST(Measured, DoesNotChangeTheImpact) {
  const json with = carom("impact - --json", two_balls(R"({"qdot": [9, 9]})")).json();
  EXPECT_NEAR(with["qdot"][0], 0.25, 1e-12);
  EXPECT_FALSE(with.contains("rms"));
}

TEST(Measured, RefusesNonsenseByFieldAndLine) {
  struct Case {
    const char *measured, *message;
  };
  for (const Case& c : {Case{R"({"qdot": [1]})", "measured.qdot = 1 values: must have 2 values, null where nothing was measured"},
                        {R"({"qdot": [null, null]})", "must give at least one value"},
                        {R"({"qdot": [1, "x"]})", "measured.qdot[1]"},
                        {R"({"normal_velocity": [1, 2]})", "measured.normal_velocity = 2 values: must have 1 values"},
                        {R"({"qdot": [1, 2], "velocity": [1, 2]})", "must not stand beside velocity"},
                        {R"({"speed": [1, 2]})", "measured.speed"},
                        {R"({"source": "a friend"})", "must give velocity, normal_velocity or qdot"},
                        {R"({"qdot": {"a": 1}})", "must be a list"}}) {
    const auto result = carom("compare -", two_balls(c.measured));
    EXPECT_EQ(result.code, 2) << c.measured;
    EXPECT_NE(result.err.find(c.message), std::string::npos) << c.measured << ": " << result.err;
    EXPECT_NE(result.err.find("<stdin>:2:"), std::string::npos) << result.err;
  }
  const std::string bare = R"({"dimension": 2, "delassus": [[1,0],[0,1]], "velocity": [0,-1], "restitution": 0.5, "friction": 0, "measured": {"qdot": [1]}})";
  EXPECT_NE(carom("compare -", bare).err.find("without them a problem has no generalised speeds"), std::string::npos);
}

// A mechanism's speeds may be given by name; those left out are not compared.
TEST(Measured, SpeedsOfAMechanismByName) {
  const std::string text = cli::read(CAROM_SOURCE_DIR "/examples/01_kane_levinson/mechanism.yaml");
  const json answer = carom("compare - --json --laws routh+poisson", text + "measured: {qdot: {shoulder: -0.2}}\n").json();
  EXPECT_NEAR(answer["answers"][0]["rms"], 0.00149932273157234, 1e-12);  // Shen & Townsend's q̇⁺ = −0.201499…
  EXPECT_EQ(answer["measured"]["qdot"], (json{-0.2, nullptr}));
  const auto wrong = carom("compare -", text + "measured: {qdot: {knee: 1}}\n");
  EXPECT_EQ(wrong.code, 2);
  EXPECT_NE(wrong.err.find("measured.qdot.knee"), std::string::npos) << wrong.err;
}

TEST(Measured, IsInThePicture) {
  const cli::Folder folder;
  const std::string problem = folder.write("p.json", R"({"dimension": 2, "mass_matrix": [[1,0,0],[0,1,0],[0,0,1]], "jacobian": [[0,0,0],[-1,1,0],[0,0,0],[0,-1,1]],
    "qdot": [1, 0, 0], "restitution": 0.85, "friction": 0, "measured": {"qdot": [0.036, 0.106, 0.857]}})");
  ASSERT_EQ(carom("compare " + problem + " --plot " + folder.file("c.svg")).code, 0);
  const std::string picture = cli::read(folder.file("c.svg"));
  for (const char* words : {"measured", "lzb, stronge", "normal work"}) EXPECT_NE(picture.find(words), std::string::npos) << words;
}

}  // namespace
