// `carom impact`: the JSON contract, batches, and every kind of bad input.

#include <gtest/gtest.h>

#include <cmath>

#include "cli/program.hpp"

namespace {

using cli::carom;
using nlohmann::json;

json kane_levinson() {
  return json::parse(R"({"dimension": 2, "delassus": [[0.813446015232103, 0.5071028860035924], [0.5071028860035924, 0.3365200968346962]],
    "velocity": [-0.5343486856709572, -0.2684040286651337], "restitution": 0.5, "friction": {"static": 0.5, "kinetic": 0.4},
    "law": "routh", "restitution_law": "poisson"})");
}

TEST(Impact, AnswersTheContract) {
  const auto result = carom("impact - --json", kane_levinson().dump(2));
  ASSERT_EQ(result.code, 0) << result.err;
  const json answer = result.json();
  EXPECT_EQ(answer["status"], "resolved");
  EXPECT_EQ(answer["law"], "routh");
  EXPECT_EQ(answer["restitution_law"], "poisson");
  ASSERT_EQ(answer["velocity"].size(), 2u);
  EXPECT_NEAR(answer["velocity"][0], 0.019003835768509458, 1e-14);
  EXPECT_NEAR(answer["velocity"][1], 0.09177779072512625, 1e-14);
  EXPECT_NEAR(answer["impulse"][1], 0.7464496978138294, 1e-14);
  EXPECT_NEAR(answer["energy"]["change"], -0.12130022934163595, 1e-14);
  for (const char* key : {"normal_work", "friction_work", "compression_work", "restitution_work"})
    EXPECT_TRUE(answer["energy"][key].is_number()) << key;
  for (const char* key : {"momentum", "cone", "penetration"}) EXPECT_LE(answer["residuals"][key], 1e-14) << key;
  EXPECT_EQ(answer["warnings"], json::array());
  std::vector<std::string> kinds;
  for (const json& event : answer["events"]) {
    kinds.push_back(event["event"]);
    EXPECT_EQ(event["contact"], 0);
    EXPECT_TRUE(event["impulse"].is_number());
    EXPECT_EQ(event["velocity"].size(), 2u);
  }
  EXPECT_EQ(kinds, (std::vector<std::string>{"compression-ends", "slip-stops", "slip-reverses", "separates"}));
}

TEST(Impact, NumbersReadBackToTheSameBits) {
  const json once = carom("impact - --json", kane_levinson().dump()).json();
  const double v = once["velocity"][0];
  EXPECT_NE(std::string(carom("impact - --json", kane_levinson().dump()).out).find(fmt::format("{}", v)), std::string::npos);
}

TEST(Impact, FlagsOverrideTheFile) {
  const json answer = carom("impact - --json --law kane-levinson --restitution newton", kane_levinson().dump()).json();
  EXPECT_EQ(answer["law"], "kane-levinson");
  EXPECT_NEAR(answer["energy"]["change"], 0.16342746861381413, 1e-12);
  EXPECT_EQ(answer["warnings"].size(), 1u);
}

TEST(Impact, YamlSaysTheSame) {
  const std::string yaml =
      "dimension: 2\ndelassus:\n  - [0.813446015232103, 0.5071028860035924]\n  - [0.5071028860035924, 0.3365200968346962]\n"
      "velocity: [-0.5343486856709572, -0.2684040286651337]\nrestitution: 0.5\nfriction: {static: 0.5, kinetic: 0.4}\n"
      "restitution_law: poisson\n";
  EXPECT_EQ(carom("impact - --json", yaml).json(), carom("impact - --json", kane_levinson().dump()).json());
}

TEST(Impact, ArrayIsAnsweredByAnArrayInOrder) {
  json batch = json::array();
  for (int i = 0; i < 5; ++i) {
    batch.push_back(kane_levinson());
    batch.back()["restitution"] = 0.1 * i;
    batch.back()["name"] = fmt::format("item {}", i);
  }
  for (const int indent : {-1, 2}) {
    const auto result = carom("impact - --json", batch.dump(indent));
    ASSERT_EQ(result.code, 0) << result.err;
    const json answers = result.json();
    ASSERT_EQ(answers.size(), 5u);
    for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(answers[i]["name"], fmt::format("item {}", i));
  }
  EXPECT_EQ(carom("impact - --json", "[]").json(), json::array());
}

TEST(Impact, LinesAreAnsweredByLines) {
  const std::string line = kane_levinson().dump();
  const auto result = carom("impact - --json", line + "\n\n" + line + "\n" + line);
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(std::count(result.out.begin(), result.out.end(), '\n'), 3);
  EXPECT_EQ(json::parse(result.out.substr(0, result.out.find('\n')))["status"], "resolved");
}

TEST(Impact, BadItemLosesNothing) {
  json bad = kane_levinson();
  bad["restitution"] = 1.5;
  const std::string good = kane_levinson().dump();
  const auto lines = carom("impact - --json", good + "\n" + bad.dump() + "\n{\"dimension\": 2, \n" + good + "\n");
  EXPECT_EQ(lines.code, 2);
  EXPECT_NE(lines.err.find("<stdin>:2:"), std::string::npos) << lines.err;
  EXPECT_NE(lines.err.find("problem 1: restitution = 1.5: must lie in [0, 1]"), std::string::npos) << lines.err;
  EXPECT_NE(lines.err.find("<stdin>:3:"), std::string::npos) << lines.err;
  std::istringstream stream(lines.out);
  std::vector<std::string> statuses;
  for (std::string line; std::getline(stream, line);) statuses.push_back(json::parse(line)["status"]);
  EXPECT_EQ(statuses, (std::vector<std::string>{"resolved", "error", "error", "resolved"}));

  const auto array = carom("impact - --json", "[" + good + ",\n" + bad.dump() + ",\n" + good + "]");
  EXPECT_EQ(array.code, 2);
  EXPECT_NE(array.err.find("<stdin>:2:"), std::string::npos) << array.err;
  EXPECT_EQ(array.json()[1]["status"], "error");
  EXPECT_EQ(array.json()[2]["status"], "resolved");
}

TEST(Impact, SystemGivesGeneralisedSpeeds) {
  const json answer = carom("impact --json " CAROM_SOURCE_DIR "/examples/01_kane_levinson/problem.json").json();
  EXPECT_NEAR(answer["qdot"][0], -0.20149932273157234, 1e-13);
  EXPECT_NEAR(answer["qdot"][1], 0.22961144520648136, 1e-13);
}

TEST(Impact, TellsAPersonTheHistoryAndTheBalance) {
  const auto result = carom("impact -", kane_levinson().dump());
  EXPECT_EQ(result.code, 0);
  for (const char* words : {"routh with poisson restitution", "slips until p_n = 0.641875 N s, then slips the other way", "compression ends at p_n = 0.497633 N s", "ΔT = -0.1213 J"})
    EXPECT_NE(result.out.find(words), std::string::npos) << words << "\n" << result.out;
}

struct Bad {
  const char* what;
  json patch;          // merged into the good problem
  const char* message; // must be in the complaint
};

TEST(Impact, RefusesBadInputByNameValueAndRange) {
  const std::vector<Bad> cases{
      {"asymmetric", {{"delassus", {{1, 0.5}, {0.25, 1}}}}, "delassus[1][0] = 0.25: must equal delassus[0][1] = 0.5"},
      {"indefinite", {{"delassus", {{1, 2}, {2, 1}}}}, "negative eigenvalue"},
      {"no normal mobility", {{"delassus", {{1, 0}, {0, 0}}}}, "delassus[1][1] = 0: must be > 0"},
      {"static below kinetic", {{"friction", {{"static", 0.2}}}}, "friction.static = 0.2: must be >= friction.kinetic = 0.4"},
      {"negative friction", {{"friction", -0.1}}, "-0.1: must be >= 0"},
      {"restitution above one", {{"restitution", 1.2}}, "restitution = 1.2: must lie in [0, 1]"},
      {"restitution below zero", {{"restitution", -0.2}}, "restitution = -0.2: must lie in [0, 1]"},
      {"too many velocities", {{"velocity", {1, 2, 3}}}, "velocity = 3 values: must have 2 values per contact"},
      {"matrix size", {{"delassus", {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}}, "delassus = 3 x 3 matrix: must be 2 x 2"},
      {"ragged matrix", {{"delassus", {{1, 0}, {0}}}}, "delassus[1] = a list of 1 values: must have 2 values"},
      {"unknown key", {{"restituton", 0.5}}, "restituton = 0.5: unknown key; did you mean restitution?"},
      {"unknown friction key", {{"friction", {{"static", 1}, {"kinetc", 1}}}}, "friction.kinetc"},
      {"dimension", {{"dimension", 4}}, "dimension = 4: must be 2"},
      {"word for number", {{"restitution", "half"}}, "restitution = \"half\": must be a number"},
      {"null", {{"velocity", {nullptr, 1}}}, "velocity[0] = null: must be a number"},
      {"unknown law", {{"law", "ruth"}}, "law = ruth: must be one of"},
      {"unknown hypothesis", {{"restitution_law", "newtn"}}, "newtn"},
      {"law that does not fit", {{"law", "kane-levinson"}}, "poisson"},
      {"unknown option", {{"options", {{"zero_slop", 1}}}}, "options.zero_slop"},
      {"option range", {{"options", {{"zero_slip", -1}}}}, "zero_slip = -1"},
  };
  for (const Bad& bad : cases) {
    json problem = kane_levinson();
    for (const auto& [key, value] : bad.patch.items()) {
      if (value.is_object() && problem.contains(key)) problem[key].update(value);
      else problem[key] = value;
    }
    const auto result = carom("impact - --json", problem.dump(1));
    EXPECT_EQ(result.code, 2) << bad.what;
    EXPECT_NE(result.err.find(bad.message), std::string::npos) << bad.what << ": " << result.err;
    EXPECT_NE(result.err.find("<stdin>:"), std::string::npos) << bad.what << ": " << result.err;
  }
}

TEST(Impact, MissingFieldsAreNamed) {
  for (const char* key : {"dimension", "delassus", "velocity", "restitution", "friction"}) {
    json problem = kane_levinson();
    problem.erase(key);
    const auto result = carom("impact -", problem.dump());
    EXPECT_EQ(result.code, 2);
    EXPECT_NE(result.err.find(std::string(key) + ": is missing"), std::string::npos) << result.err;
  }
}

TEST(Impact, RefusesTextThatIsNoNumber) {
  const std::string good = kane_levinson().dump(1);
  for (const char* word : {"NaN", "nan", "Infinity", "-Infinity", "1e999", "-inf"}) {
    std::string text = good;
    const std::string from = "\"restitution\": 0.5";
    text.replace(text.find(from), from.size(), std::string("\"restitution\": ") + word);
    const auto result = carom("impact -", text);
    EXPECT_EQ(result.code, 2);
    EXPECT_NE(result.err.find(std::string("restitution = ") + word + ": must be a finite number"), std::string::npos) << result.err;
  }
  const auto yaml = carom("impact -", "dimension: 2\nvelocity: [.nan, -1]\ndelassus: [[1, 0], [0, 1]]\nrestitution: 0\nfriction: 0\n");
  EXPECT_EQ(yaml.code, 2);
  EXPECT_NE(yaml.err.find("<stdin>:2:12: velocity[0] = nan"), std::string::npos) << yaml.err;
}

TEST(Impact, NamesTheLineOfTheField) {
  json problem = kane_levinson();
  problem["restitution"] = 7;
  const cli::Folder folder;
  const std::string text = problem.dump(1), file = folder.write("problem.json", text);
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(text.find("\"restitution\"")), '\n');
  const auto result = carom("impact " + file);
  EXPECT_NE(result.err.find(fmt::format("problem.json:{}:", line)), std::string::npos) << result.err;
}

TEST(Impact, DuplicateKeysAndBrokenTextAreRefused) {
  EXPECT_NE(carom("impact -", "{\"dimension\": 2, \"dimension\": 3}").err.find("dimension: stands twice"), std::string::npos);
  EXPECT_NE(carom("impact -", "dimension: 2\ndimension: 3\n").err.find("dimension: stands twice"), std::string::npos);
  for (const char* text : {"", "  \n", "{", "[", "[{}", "[1]", "{} x", "[{}] x", "{\"dimension\": }", "a: [", "- 1", "3", std::string(1000, '[').c_str()}) {
    const auto result = carom("impact - --json", text);
    EXPECT_EQ(result.code, 2) << text;
    EXPECT_FALSE(result.err.empty()) << text;
  }
  EXPECT_EQ(carom("impact /no/such/file").code, 2);
  EXPECT_EQ(carom("impact /").code, 2);
  EXPECT_EQ(carom("impact").code, 2);
  EXPECT_EQ(carom("no-such-command").code, 2);
}

TEST(Impact, UnsolvedIsExitCodeThree) {
  json problem = kane_levinson();
  problem["delassus"] = {{1, 1}, {1, 1}};
  problem["velocity"] = {0, -1};
  problem["friction"] = 2;
  const auto result = carom("impact - --json", problem.dump());
  EXPECT_EQ(result.code, 3) << result.out;
  EXPECT_EQ(result.json()["status"], "no-solution");
}

TEST(Impact, SeparatingContactIsLeftAlone) {
  json problem = kane_levinson();
  problem["velocity"] = {0.5, 0.25};
  const auto result = carom("impact - --json", problem.dump());
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.json()["status"], "separating");
  EXPECT_EQ(result.json()["velocity"], problem["velocity"]);
}

}  // namespace
