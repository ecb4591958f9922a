// `carom reproduce`: verdicts, files, and the reference values of Morgan's impacts against their source.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <sstream>

#include "cli/program.hpp"

namespace {

using cli::carom;
using nlohmann::json;

TEST(Reproduce, ShenTownsendHasTwoExplainedRoundings) {
  const auto result = carom("reproduce shen-townsend --json --no-files");
  ASSERT_EQ(result.code, 0) << result.err;
  const json answer = result.json()[0];
  EXPECT_EQ(answer["differs"], 0);
  EXPECT_EQ(answer["explained"], 2);
  std::map<std::string, std::string> explained;
  for (const json& finding : answer["findings"])
    if (finding["verdict"] == "explained") explained[finding["published"]] = finding["computed"];
  EXPECT_EQ(explained, (std::map<std::string, std::string>{{"-0.1034", "-0.1033271726"}, {"0.5971", "0.5971597583"}}));
}

TEST(Reproduce, MorganStandsOnTheReferenceFile) {
  const auto result = carom("reproduce morgan --json --no-files");
  ASSERT_EQ(result.code, 0) << result.err;
  const json answer = result.json()[0], reference = json::parse(cli::read(CAROM_SOURCE_DIR "/tests/reference/data/planar.json"));
  EXPECT_EQ(answer["differs"], 0);
  EXPECT_EQ(answer["explained"], 0);
  int compared = 0;
  for (const json& impact : reference["morgan_impacts"])
    for (const json& finding : answer["findings"]) {
      if (finding["where"].get<std::string>().rfind(impact["id"].get<std::string>() + ":", 0) != 0) continue;
      const std::string item = finding["item"];
      if (item == "path") {
        EXPECT_EQ(finding["published"], impact["path"]);
        EXPECT_EQ(finding["computed"], impact["path"]);
      } else {
        const std::map<std::string, double> values{{"v_t⁺ [m/s]", impact["v_plus"][0]}, {"v_n⁺ [m/s]", impact["v_plus"][1]}, {"p_t [N s]", impact["p_t"]}, {"p_n [N s]", impact["p_n"]},
                                                   {"q̇₁⁺ [rad/s]", impact["u_plus"][0]}, {"q̇₂⁺ [rad/s]", impact["u_plus"][1]}, {"W_c [J]", impact["W_n_compression"]}, {"ΔT [J]", impact["dT"]}};
        for (const char* column : {"published", "computed"})  // printed to 15 digits
          EXPECT_NEAR(std::stod(finding[column].get<std::string>()), values.at(item), 1e-12 * std::max(1.0, std::abs(values.at(item)))) << impact["id"] << " " << item;
      }
      ++compared;
    }
  EXPECT_EQ(compared, 6 * 9);
}

// What holds and what does not among Park, Chung & Youm's claims was established by independent 40-digit prototypes.
TEST(Reproduce, ParkCountsOfSticking) {
  const auto result = carom("reproduce park --json --no-files");
  ASSERT_EQ(result.code, 0) << result.err;
  std::map<std::string, std::pair<std::string, std::string>> claims;
  const json answer = result.json()[0];
  for (const json& finding : answer["findings"]) claims[finding["item"]] = {finding["computed"], finding["note"]};
  const auto sticks = [&](const char* e) { return claims.at(std::string("μ = 1, ε = ") + e + ": Routh and Park stick persistently for all directions"); };
  EXPECT_EQ(sticks("0.1"), std::pair(std::string("false"), std::string("17 and 17 of 32 directions")));
  EXPECT_EQ(sticks("0.5"), std::pair(std::string("false"), std::string("27 and 27 of 32 directions")));
  EXPECT_EQ(sticks("0.9"), std::pair(std::string("true"), std::string("32 and 32 of 32 directions")));
  for (const char* e : {"0.1", "0.5", "0.9"}) {
    const auto& [verdict, note] = claims.at(std::string("μ = 1, ε = ") + e + ": Anitescu-Potra slides for every direction");
    EXPECT_EQ(verdict, "true") << note;
  }
}

// The table at the end: its numbers are those of the single findings, and nothing is open without a reason.
TEST(Reproduce, AllEndsInOneTable) {
  const auto text = carom("reproduce all --no-files"), named = carom("reproduce park all --no-files");
  const json answer = carom("reproduce all --no-files --json").json();
  ASSERT_EQ(text.code, 0) << text.err;
  EXPECT_EQ(named.out, text.out);
  ASSERT_EQ(answer.size(), 5u);
  const std::string tail = text.out.substr(text.out.find("numbers checked"));
  const auto numbers_of = [&](const std::string& row) {  // what stands behind the row's title
    std::istringstream words(tail.substr(tail.find("\n" + row) + 1 + row.size()));
    std::array<int, 4> out{};
    for (int& number : out) words >> number;
    return out;
  };
  std::array<int, 4> sum{};
  std::size_t open_rows = 0;
  for (const json& paper : answer) {
    std::array<int, 4> counted{};
    std::map<std::pair<std::string, std::string>, int> open;
    for (const json& finding : paper["findings"]) {
      ++counted[0];
      ++counted[finding["verdict"] == "reproduced" ? 1 : finding["verdict"] == "explained" ? 2 : 3];
      if (finding["verdict"] != "DIFFERS") continue;
      const std::string reason = finding["reason"];
      EXPECT_FALSE(reason.empty()) << finding["item"];
      EXPECT_NE(tail.find(reason), std::string::npos) << reason;
      ++open[{finding["where"], reason}];
    }
    open_rows += open.size();
    EXPECT_EQ(counted, numbers_of(paper["title"])) << paper["title"];
    EXPECT_EQ(counted[1], paper["reproduced"]);
    EXPECT_EQ(counted[2], paper["explained"]);
    EXPECT_EQ(counted[3], paper["differs"]);
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += counted[k];
  }
  EXPECT_EQ(sum, numbers_of("all"));
  const std::string listed = tail.substr(tail.find("Open, and why:"));
  EXPECT_EQ(static_cast<std::size_t>(std::count(listed.begin(), listed.end(), '\n')), open_rows + 3) << "a heading, the columns, a rule";
}

TEST(Reproduce, WritesPagesAndPictures) {
  const cli::Folder folder;
  const auto result = carom("reproduce all -o " + folder.file("out"));
  ASSERT_EQ(result.code, 0) << result.err;
  for (const char* name : {"park_fig2.svg", "park_fig4.svg", "park.html", "morgan_T1.svg", "morgan_T6.svg", "shen-townsend_impact.svg", "rodriguez_fig6.3.svg", "rodriguez_figD.9.svg", "rodriguez_fig8.7.svg", "morgan.html",
                           "shen-townsend.html", "rodriguez.html"})
    EXPECT_GT(cli::read(folder.file(std::string("out/") + name)).size(), 2000u) << name;
  EXPECT_EQ(carom("reproduce nobody --no-files").code, 2);
}

}  // namespace
