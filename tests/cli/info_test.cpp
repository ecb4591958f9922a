// carom info, and the progress bar of `carom run`.

#include <gtest/gtest.h>

#include "../../apps/progress.hpp"
#include "program.hpp"

namespace {

TEST(Info, PrintsTheReferenceOfScenes) {
  const cli::Result result = cli::carom("info --scene-reference");
  EXPECT_EQ(result.code, 0);
  EXPECT_TRUE(result.out == cli::read(std::string(CAROM_SOURCE_DIR) + "/docs/scene.md"));
}

TEST(Info, RefusesWhatIsNoRunFile) {
  EXPECT_EQ(cli::carom("info").code, 2);
  const cli::Folder folder;
  const cli::Result result = cli::carom("info '" + folder.write("x.h5", "no HDF5") + "'");
  EXPECT_EQ(result.code, 2);
  EXPECT_NE(result.err.find("cannot be opened as HDF5"), std::string::npos) << result.err;
}

TEST(Progress, TellsHowFarAndHowLong) {
  EXPECT_EQ(carom::app::shown_duration(2.1), "3 s");
  EXPECT_EQ(carom::app::shown_duration(125), "2 min 05 s");
  EXPECT_EQ(carom::app::shown_duration(3700), "1 h 01 min");
  const std::string line = carom::app::progress_line(0.5, 2, 10);
  EXPECT_NE(line.find(" 25 %"), std::string::npos) << line;
  EXPECT_NE(line.find("30 s left"), std::string::npos) << line;
  EXPECT_NE(carom::app::progress_line(0, 2, 10).find("  0 %"), std::string::npos);
}

TEST(Progress, IsSilentIntoAFile) {
  const cli::Folder folder;
  std::FILE* file = std::fopen(folder.file("out").c_str(), "w");
  {
    carom::app::Progress progress(1, file);
    usleep(120'000);
    progress.show(0.5);
  }
  std::fclose(file);
  EXPECT_EQ(cli::read(folder.file("out")), "");
}

}  // namespace
