// `carom contact`: problem files of others, the JSON contract, bad input.

#include <gtest/gtest.h>

#include "cli/program.hpp"

namespace {

using cli::carom;
using nlohmann::json;

const std::string kData = CAROM_SOURCE_DIR "/data/siconos_problems/";

TEST(Contact, AnswersWithACertificate) {
  for (const char* file : {"fc3d/FC3D_Example1.dat", "fc3d/Rover1039.dat", "lcp/lcp_CPS_1.dat", "fc2d/FC2D_SliderCrankLagrangian00000.dat"}) {
    const auto result = carom("contact " + kData + file + " --json");
    ASSERT_EQ(result.code, 0) << file << result.err;
    const json answer = result.json();
    EXPECT_EQ(answer["status"], "solved") << file;
    EXPECT_LE(answer["certificate"]["natural_map"].get<double>(), 1e-8) << file;
    for (const char* key : {"solver", "iterations", "seconds"}) EXPECT_TRUE(answer.contains(key)) << key;
    for (const char* key : {"cone", "complementarity"}) EXPECT_TRUE(answer["certificate"].contains(key)) << key;
  }
}

TEST(Contact, EverySolverOfAKindSideBySide) {
  const auto result = carom("contact " + kData + "lcp/lcp_CPS_1.dat --all --json");
  const json answers = result.json();
  ASSERT_TRUE(answers.is_array());
  EXPECT_GE(answers.size(), 3u);
}

TEST(Contact, BadInputIsNamed) {
  const auto unknown = carom("contact " + kData + "fc3d/FC3D_Example1.dat --solver magic");
  EXPECT_EQ(unknown.code, 2);
  EXPECT_NE(unknown.err.find("magic"), std::string::npos);
  EXPECT_EQ(carom("contact no_such_file.dat").code, 2);
  const cli::Folder folder;
  const std::string broken = folder.write("broken.dat", "3\n1 2 three\n");

  const auto refused = carom("contact " + broken);
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("broken.dat"), std::string::npos);
}

}  // namespace
