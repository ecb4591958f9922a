// Pictures: written, of the kind asked for, and refused by name where they cannot be.

#include <gtest/gtest.h>

#include "cli/program.hpp"

namespace {

using cli::carom;

const std::string kFile = CAROM_SOURCE_DIR "/examples/01_kane_levinson/mechanism.yaml";

TEST(Plot, SvgAndPngAreWritten) {
  const cli::Folder folder;
  const auto result = carom("impact " + kFile + " --plot " + folder.file("a.svg") + " --plane " + folder.file("b.png"));
  ASSERT_EQ(result.code, 0) << result.err;
  const std::string svg = cli::read(folder.file("a.svg")), png = cli::read(folder.file("b.png"));
  EXPECT_NE(svg.find("</svg>"), std::string::npos);
  for (const char* words : {"normal work", "velocity [m/s]", "slip reverses"}) EXPECT_NE(svg.find(words), std::string::npos) << words;
  EXPECT_EQ(png.substr(1, 3), "PNG");
  EXPECT_GT(png.size(), 5000u);
}

TEST(Plot, RunDrawsItsMotion) {
  const cli::Folder folder;
  const auto result = carom("run " CAROM_SOURCE_DIR "/examples/14_painleve_rod/scene.yaml -o " + folder.file("run.h5") + " --report " + folder.file("r.html") + " --plot " + folder.file("m.svg"));
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_NE(cli::read(folder.file("m.svg")).find("first outline blue"), std::string::npos);
}

TEST(Plot, RefusesWhatItCannotDraw) {
  const cli::Folder folder;
  for (const std::string& name : {folder.file("a.pdf"), folder.file("a"), std::string("/no/such/folder/a.svg")}) {
    const auto result = carom("impact " + kFile + " --plot " + name);
    EXPECT_EQ(result.code, 2) << name;
    EXPECT_NE(result.err.find(name), std::string::npos) << result.err;
  }
}

TEST(Plot, CompareDrawsTheHodographOfEveryLaw) {
  const cli::Folder folder;
  const std::string problem = folder.write("p.json", R"({"dimension": 3, "delassus": [[8,-2,-1],[-2,3,1],[-1,1,5]], "velocity": [7,7,-15], "restitution": 0.5, "friction": 0.4})");
  const auto result = cli::carom("compare " + problem + " --plane " + folder.file("h.svg"));
  EXPECT_EQ(result.code, 0) << result.err;
  const std::string picture = cli::read(folder.file("h.svg"));
  for (const char* word : {"isoclines", "routh", "park", "anitescu"}) EXPECT_NE(picture.find(word), std::string::npos) << word;
}

}  // namespace
