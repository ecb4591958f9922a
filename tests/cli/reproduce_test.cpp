// `carom reproduce`: verdicts, files, and the reference values of Morgan's impacts against their source.

#include <gtest/gtest.h>

#include <cmath>
#include <map>

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
