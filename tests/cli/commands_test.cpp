// The other commands: run, compare, laws, doctor.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "cli/program.hpp"

namespace {

using cli::carom;
using nlohmann::json;

const std::string kExample = CAROM_SOURCE_DIR "/examples/01_kane_levinson/";

TEST(Run, DoesTheMainJobFromAnyDirectory) {
  const cli::Folder folder;
  const auto result = carom("run -o " + folder.file("out"));
  ASSERT_EQ(result.code, 0) << result.err;
  for (const char* words : {"kane-levinson", "routh", "ΔT", "shoulder"}) EXPECT_NE(result.out.find(words), std::string::npos) << words;
  EXPECT_NE(cli::read(folder.file("out/double_pendulum.svg")).find("</svg>"), std::string::npos);
  const std::string page = cli::read(folder.file("out/report.html"));
  for (const char* words : {"<!DOCTYPE html>", "<svg", "kane-levinson", "</html>"}) EXPECT_NE(page.find(words), std::string::npos) << words;
  EXPECT_EQ(page.find("src="), std::string::npos) << "the page must need nothing else";
}

TEST(Run, TakesASceneAndAReportFile) {
  const cli::Folder folder;
  const auto result = carom("run " + kExample + "problem.json -o " + folder.file("o") + " --report " + folder.file("page.html"));
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_TRUE(std::filesystem::exists(folder.file("o/problem.svg")));
  EXPECT_TRUE(std::filesystem::exists(folder.file("page.html")));
  EXPECT_EQ(carom("run /no/such/scene.yaml -o " + folder.file("o")).code, 2);
  EXPECT_EQ(carom("run -o /proc/none").code, 2);
}

TEST(Compare, TakesEveryLawThatFits) {
  const json laws = carom("laws --json").json(), answer = carom("compare --json " + kExample + "problem.json").json();
  std::set<std::string> expected, found;
  for (const json& law : laws)
    if (std::find(law["dimensions"].begin(), law["dimensions"].end(), 2) != law["dimensions"].end())
      for (const json& hypothesis : law["restitution_laws"]) expected.insert(law["id"].get<std::string>() + "+" + hypothesis.get<std::string>());
  for (const json& each : answer["answers"]) {
    if (each["status"] == "error") continue;
    found.insert(each["law"].get<std::string>() + "+" + each["restitution_law"].get<std::string>());
  }
  EXPECT_EQ(found.size(), answer["answers"].size());
  EXPECT_EQ(found, expected);
}

TEST(Compare, TakesNamedLaws) {
  const json answer = carom("compare --json --laws shen-townsend,routh+newton,kane-levinson " + kExample + "problem.json").json();
  ASSERT_EQ(answer["answers"].size(), 3u);
  EXPECT_EQ(answer["answers"][0]["restitution_law"], "poisson");
  EXPECT_EQ(answer["answers"][1]["restitution_law"], "newton");
  EXPECT_EQ(answer["answers"][2]["law"], "kane-levinson");
  EXPECT_EQ(carom("compare --laws ruth " + kExample + "problem.json").code, 2);
  const auto text = carom("compare " + kExample + "mechanism.yaml");
  EXPECT_NE(text.out.find("+58.7 %"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("kinetic energy grew"), std::string::npos);
}

TEST(Compare, DrawsAPicture) {
  const cli::Folder folder;
  EXPECT_EQ(carom("compare " + kExample + "mechanism.yaml --plot " + folder.file("c.svg")).code, 0);
  EXPECT_NE(cli::read(folder.file("c.svg")).find("kane-levinson"), std::string::npos);
}

TEST(Laws, TellsAllAndOne) {
  const auto all = carom("laws");
  EXPECT_EQ(all.code, 0);
  EXPECT_NE(all.out.find("kane-levinson"), std::string::npos);
  EXPECT_NE(carom("laws morgan").out.find("zero_slip"), std::string::npos);
  EXPECT_EQ(carom("laws nobody").code, 2);
  for (const json& law : carom("laws --json").json())
    for (const char* key : {"id", "dimensions", "many_contacts", "restitution_laws", "never_gains_energy", "options", "summary", "citation"})
      EXPECT_TRUE(law.contains(key)) << key;
}

TEST(Doctor, ChecksItself) {
  const auto result = carom("doctor");
  EXPECT_EQ(result.code, 0);
  for (const char* words : {"compiler", "gnuplot", "self-check  passed"}) EXPECT_NE(result.out.find(words), std::string::npos) << words;
  EXPECT_NE(carom("--version").out.find("carom "), std::string::npos);
  EXPECT_EQ(carom("--help").code, 0);
}

}  // namespace
