// Pages with numbers: every `carom compare … --markdown` that a page shows is run, and what it prints must stand in the page.
// (That the numbers are right is shown elsewhere: tests/reference/multi_oracle_test.cpp and corner_test.cpp.)

#include <gtest/gtest.h>

#include "cli/program.hpp"

namespace {

// The page's commands, with the files they name made absolute.
std::vector<std::string> commands(const std::string& page, const std::string& folder) {
  std::vector<std::string> out;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("    carom compare ", 0) != 0 || line.find("--markdown") == std::string::npos) continue;
    std::istringstream words(line.substr(0, line.find('#')));
    std::string word, command;
    words >> word;  // carom
    while (words >> word) command += (word.ends_with(".yaml") ? folder + "/" + word : word) + " ";
    out.push_back(command);
  }
  return out;
}

class Page : public ::testing::TestWithParam<const char*> {};

TEST_P(Page, ShowsWhatTheProgramPrints) {
  const std::filesystem::path path = std::filesystem::path(CAROM_SOURCE_DIR) / GetParam();
  const std::string page = cli::read(path);
  const auto all = commands(page, path.parent_path().string());
  ASSERT_FALSE(all.empty());
  for (const std::string& command : all) {
    const auto result = cli::carom(command);
    ASSERT_EQ(result.code, 0) << result.err;
    EXPECT_NE(page.find(result.out), std::string::npos) << command << "prints\n" << result.out;
  }
}

INSTANTIATE_TEST_SUITE_P(Pages, Page,
                         ::testing::Values("examples/02_three_ball_cradle/README.md", "examples/03_five_ball_chain/README.md", "examples/04_rocking_block/README.md",
                                           "examples/05_ball_in_corner/README.md", "examples/06_ball_in_corner_3d/README.md", "docs/many_contacts.md", "docs/convergence.md"));

// … and the picture beside it can be drawn again.
TEST_P(Page, PictureIsThere) {
  if (std::string(GetParam()).rfind("examples/", 0) != 0) return;
  const std::filesystem::path folder = (std::filesystem::path(CAROM_SOURCE_DIR) / GetParam()).parent_path();
  const cli::Folder scratch;
  ASSERT_EQ(cli::carom("compare " + (folder / "mechanism.yaml").string() + " --plot " + scratch.file("compare.png")).code, 0);
  EXPECT_EQ(cli::read(folder / "compare.png").substr(1, 3), "PNG");
}

// The README's own scene, and every command it shows with it.
TEST(Readme, ItsSceneRunsAsShown) {
  const std::string page = cli::read(CAROM_SOURCE_DIR "/README.md");
  const cli::Folder folder;
  std::string scene;
  std::vector<std::string> shown;
  std::istringstream lines(page.substr(page.find("    # ball.yaml")));
  for (std::string line; std::getline(lines, line) && line.rfind("## ", 0) != 0;) {
    if (line.rfind("    ./carom ", 0) == 0) shown.push_back(line.substr(12, line.find('#') - 12));
    else if (shown.empty() && line.rfind("    ", 0) == 0) scene += line.substr(4) + "\n";
  }
  ASSERT_EQ(shown.size(), 4u);
  folder.write("ball.yaml", scene);
  for (std::string command : shown) {
    command.insert(command.find("ball.yaml"), folder.file(""));
    if (command.rfind("run ", 0) == 0) command += " -o " + folder.file("run.h5") + " --report " + folder.file("report.html");
    const auto result = cli::carom(command);
    EXPECT_EQ(result.code, 0) << command << result.err;
  }
}

}  // namespace
