// carom info, and the progress bar of `carom run`.

#include <gtest/gtest.h>

#include "../../apps/progress.hpp"
#include "carom/io/run_file.hpp"
#include "carom/io/scene_yaml.hpp"
#include "carom/simulate/simulate.hpp"
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

// A ball that bounces twice, in a run file.
std::string bouncing_ball(const cli::Folder& folder, bool to_the_end) {
  const std::string text =
      "world: planar\ngravity: [0, -9.81]\nmaterials: {m: {restitution: 0.5}}\nground: [{half_space: {}, name: floor}]\n"
      "bodies: {ball: {mass: 1, shapes: [{disc: {radius: 0.1}}], position: [0, 1.1]}}\nduration: 1\n";
  const carom::Scene scene = carom::io::read_scene_text(text, "ball.yaml");
  carom::io::RunFileWriter writer(folder.file("run.h5"), scene, {.version = "9.8.7", .scene_text = text});
  if (to_the_end) {
    (void)carom::simulate(scene, writer);
  } else {
    writer.sample({0.25, scene.start.q, scene.start.u, {}, {carom::Placement{}}});
  }
  return folder.file("run.h5");
}

TEST(Info, TellsManifestSummaryImpactsAndEvents) {
  const cli::Folder folder;
  const std::string run = bouncing_ball(folder, true);
  const cli::Result text = cli::carom("info '" + run + "'");
  EXPECT_EQ(text.code, 0) << text.err;
  for (const char* part : {"finished at t = 1 s", "9.8.7", "integrator.relative", "scene.sha256", "ball/floor#0", "impact", "-4.42945", "2.21472"})
    EXPECT_NE(text.out.find(part), std::string::npos) << part << "\n" << text.out;

  const cli::Result json = cli::carom("info --json --csv '" + folder.file("csv") + "' '" + run + "'");
  EXPECT_EQ(json.code, 0) << json.err;
  EXPECT_TRUE(json.json()["complete"]);
  EXPECT_EQ(json.json()["manifest"]["carom"], "9.8.7");
  EXPECT_NEAR(json.json()["impacts"][0]["time"].get<double>(), std::sqrt(2 / 9.81), 1e-9);
  EXPECT_NEAR(json.json()["impacts"][0]["change"].get<double>(), -0.75 * 9.81, 1e-8);
  EXPECT_TRUE(cli::read(folder.file("csv/impact_contacts.csv")).starts_with("impact,contact,v_pre_t,v_pre_n,"));
}

TEST(Info, SaysThatARunWasNotFinished) {
  const cli::Folder folder;
  const cli::Result result = cli::carom("info '" + bouncing_ball(folder, false) + "'");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_NE(result.out.find("not finished"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("t = 0.25 s"), std::string::npos) << result.out;
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
    carom::app::Progress progress(1, "s", file);
    usleep(120'000);
    progress.show(0.5);
  }
  std::fclose(file);
  EXPECT_EQ(cli::read(folder.file("out")), "");
}

}  // namespace
