// The other commands: run, compare, laws, doctor.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "cli/program.hpp"

namespace {

using cli::carom;
using nlohmann::json;

const std::string kExample = CAROM_SOURCE_DIR "/examples/01_kane_levinson/";

// `carom run …` with both files in a folder.
cli::Result run_into(const cli::Folder& folder, const std::string& arguments) {
  return carom("run " + arguments + " -o " + folder.file("out/run.h5") + " --report " + folder.file("pages/report.html"));
}

TEST(Program, SuggestsACommand) {
  const auto typo = carom("rum");
  EXPECT_EQ(typo.code, 2);
  for (const char* words : {"rum", "did you mean run?", "reproduce"}) EXPECT_NE(typo.err.find(words), std::string::npos) << typo.err;
}

TEST(Run, DoesTheMainJobFromAnyDirectory) {
  const cli::Folder folder;
  const auto result = run_into(folder, "");
  ASSERT_EQ(result.code, 0) << result.err;
  for (const char* words : {"Double pendulum on the floor", "finished at t = 3 s", "accumulation", "0.458418904", "ΔT", "written: "})
    EXPECT_NE(result.out.find(words), std::string::npos) << words;
  EXPECT_EQ(cli::read(folder.file("out/run.h5")).substr(1, 3), "HDF");
  const std::string page = cli::read(folder.file("pages/report.html"));
  for (const char* words : {"<!DOCTYPE html>", "<svg", "Double pendulum", "</html>"}) EXPECT_NE(page.find(words), std::string::npos) << words;
  EXPECT_EQ(page.find("src="), std::string::npos) << "the page must need nothing else";
  EXPECT_EQ(carom("info " + folder.file("out/run.h5")).code, 0);
}

TEST(Run, TakesASceneALawAndADuration) {
  const cli::Folder folder;
  const std::string scene = CAROM_SOURCE_DIR "/examples/05_ball_in_corner/scene.yaml";
  const auto result = run_into(folder, scene + " --duration 0.5");
  ASSERT_EQ(result.code, 0) << result.err;
  for (const char* words : {"Ball in a corner", "finished at t = 0.5 s", "1 impact", "lzb"}) EXPECT_NE(result.out.find(words), std::string::npos) << words;
  const auto other = run_into(folder, scene + " --duration 0.5 --law moreau");
  ASSERT_EQ(other.code, 0) << other.err;
  EXPECT_NE(other.out.find("moreau"), std::string::npos);
  // Newton's hypothesis at the pendulum's first impact: v_n⁺ = 0.5 · 5.9011.
  const auto newton = run_into(folder, "--duration 0.5 --law routh --restitution newton");
  ASSERT_EQ(newton.code, 0) << newton.err;
  EXPECT_NE(newton.out.find("2.9505"), std::string::npos) << newton.out;
}

TEST(Run, SaysWhatIsWrongWithItsInput) {
  const cli::Folder folder;
  EXPECT_EQ(run_into(folder, "/no/such/scene.yaml").code, 2);
  EXPECT_EQ(run_into(folder, "--law nobody").code, 2);
  EXPECT_EQ(run_into(folder, "--duration -1").code, 2);
  EXPECT_EQ(carom("run -o /proc/none/run.h5 --report " + folder.file("page.html")).code, 2);
  // A mechanism with its `contact` is one impact, not a scene: say which command takes it.
  const auto mechanism = run_into(folder, kExample + "mechanism.yaml");
  EXPECT_EQ(mechanism.code, 2);
  for (const char* words : {"mechanism.yaml:16", "contact", "carom impact"}) EXPECT_NE(mechanism.err.find(words), std::string::npos) << mechanism.err;
  const auto typo = run_into(folder, folder.write("typo.yaml", "world: planar\nbodies:\n  ball: {mass: 1, shapes: [{disk: {radius: 1}}]}\n"));
  EXPECT_EQ(typo.code, 2);
  EXPECT_NE(typo.err.find("disc"), std::string::npos) << typo.err;
}

TEST(Run, TellsWhenItDidNotFinish) {
  const cli::Folder folder;
  const std::string scene = folder.write("limited.yaml", cli::read(CAROM_SOURCE_DIR "/examples/07_double_pendulum/scene.yaml") + "integrator: {max_events: 3}\n");
  const auto result = run_into(folder, scene);
  EXPECT_EQ(result.code, 3);
  EXPECT_NE(result.out.find("stopped at t = "), std::string::npos) << result.out;
  EXPECT_TRUE(std::filesystem::exists(folder.file("out/run.h5"))) << "what was reached is kept";
}

// Exit code 3 also where steps missed the tolerance of their contact problem; the run is kept.
TEST(Run, TellsWhenStepsMissTheirTolerance) {
  const cli::Folder folder;
  const std::string boxes = "world: spatial\ngravity: [0, 0, -9.81]\nground: [{name: floor, half_space: {normal: [0, 0, 1]}}]\nbodies:\n"
                            "  a: {mass: 1, shapes: [{box: {size: [1, 1, 1]}}], position: [0, 0, 0.5]}\n"
                            "  b: {mass: 1, shapes: [{box: {size: [1, 1, 1]}}], position: [0.1, 0, 1.5]}\nduration: 0.01\n";
  const auto missed = run_into(folder, folder.write("missed.yaml", boxes + "integrator: {type: stewart-trinkle, solver: nsgs, tolerance: 1.0e-17}\n"));
  EXPECT_EQ(missed.code, 3) << missed.err;
  EXPECT_NE(missed.out.find("missed the tolerance"), std::string::npos) << missed.out;
  EXPECT_TRUE(std::filesystem::exists(folder.file("out/run.h5")));
  EXPECT_EQ(run_into(folder, folder.write("met.yaml", boxes + "integrator: {type: stewart-trinkle}\n")).code, 0);
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
  EXPECT_NE(cli::read(folder.file("c.svg")).find("conventional, newton (and 1 more)"), std::string::npos);  // kane-levinson agrees with it here
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

TEST(Compare, MovesASceneInSeveralWays) {
  const cli::Folder folder;
  const std::string picture = folder.file("ways.svg");
  const auto result = carom("compare " CAROM_SOURCE_DIR "/examples/08_bouncing_ball/scene.yaml --laws routh+stronge,routh+newton --schemes stewart-trinkle --plot " + picture);
  EXPECT_EQ(result.code, 0) << result.err;
  for (const char* words : {"event-driven, routh+stronge", "event-driven, routh+newton", "stewart-trinkle, h = 0.001 s", "finished"}) EXPECT_NE(result.out.find(words), std::string::npos) << words;
  EXPECT_TRUE(std::filesystem::exists(picture));
  EXPECT_EQ(carom("compare " CAROM_SOURCE_DIR "/examples/08_bouncing_ball/scene.yaml --schemes euler").code, 2);
}

const std::string kBall = CAROM_SOURCE_DIR "/examples/08_bouncing_ball/scene.yaml";

TEST(RunScene, ByATimeSteppingScheme) {
  const cli::Folder folder;
  const std::string files = " -o " + folder.file("r.h5") + " --report " + folder.file("r.html");
  const auto stepped = carom("run " + kBall + " --duration 1 --scheme moreau-jean --step 2e-3" + files);
  ASSERT_EQ(stepped.code, 0) << stepped.err;
  EXPECT_NE(stepped.out.find("after 500 steps (moreau-jean, h = 0.002 s)"), std::string::npos) << stepped.out;
  EXPECT_NE(carom("run " + kBall + " --scheme euler" + files).err.find("must be stewart-trinkle, anitescu-potra or moreau-jean"), std::string::npos);
  EXPECT_NE(carom("run " + kBall + " --step 1e-3" + files).err.find("needs --scheme"), std::string::npos);
}

TEST(CompareScene, AsJsonAndMarkdown) {
  const json answer = carom("compare " + kBall + " --duration 1 --schemes moreau-jean --json").json();
  ASSERT_EQ(answer["runs"].size(), 2u);
  EXPECT_EQ(answer["runs"][0]["way"], "event-driven");
  EXPECT_EQ(answer["runs"][0]["impacts"], answer["runs"][1]["impacts"]) << "contacts begun are the impacts of time-stepping";
  EXPECT_LT(answer["runs"][1]["apart"], 0.01);
  EXPECT_EQ(carom("compare " + kBall + " --duration 1 --schemes moreau-jean --markdown").out.rfind("| way | status |", 0), 0u);
}

TEST(CompareScene, StepsShowTheOrder) {
  const cli::Folder folder;
  const std::string command = "compare " + kBall + " --duration 1 --schemes moreau-jean,stewart-trinkle --steps 1e-2,1e-3,5e-3,2e-3,5e-4,2e-4";
  const auto result = carom(command + " --plot " + folder.file("h.svg"));
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_NE(result.out.find("moreau-jean against event-driven: error ~ h^"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("stewart-trinkle against event-driven: does not converge"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("stewart-trinkle has no restitution"), std::string::npos) << result.out;
  EXPECT_GT(cli::read(folder.file("h.svg")).size(), 2000u);
  const json answer = carom(command + " --json").json();
  const json& first = answer["studies"][0];
  EXPECT_EQ(first["scheme"], "moreau-jean");
  EXPECT_TRUE(first["converges"]);
  EXPECT_FALSE(answer["studies"][1]["converges"]);
  ASSERT_EQ(first["runs"].size(), 6u);
  EXPECT_EQ(first["runs"][0]["step"], 0.01) << "longest first";
  EXPECT_EQ(first["runs"][5]["step"], 0.0002);
}

TEST(CompareScene, RefusesWhatItCannotDo) {
  EXPECT_NE(carom("compare " + kBall + " --steps 1e-2,1e-3").err.find("needs --schemes"), std::string::npos);
  EXPECT_EQ(carom("compare " + kBall + " --schemes moreau-jean --steps 0").code, 2);
  EXPECT_EQ(carom("compare " + kBall + " --plane x.svg").code, 2);
  const auto problem = carom("compare " + kExample + "problem.json --schemes moreau-jean");
  EXPECT_EQ(problem.code, 2);
  EXPECT_NE(problem.err.find("must be a scene"), std::string::npos) << problem.err;
}

TEST(Doctor, ChecksItself) {
  const auto result = carom("doctor");
  EXPECT_EQ(result.code, 0);
  for (const char* words : {"compiler", "gnuplot", "self-check  passed"}) EXPECT_NE(result.out.find(words), std::string::npos) << words;
  EXPECT_NE(carom("--version").out.find("carom "), std::string::npos);
  EXPECT_EQ(carom("--help").code, 0);
}

}  // namespace
