// What a newcomer may do wrong at the command line and in scenes: one line that names the thing, exit code 2, nothing lost.

#include <gtest/gtest.h>

#include "cli/program.hpp"

namespace {

using cli::carom;

const char* const kBall = R"(world: planar
gravity: [0, -9.81]
ground: [{name: floor, half_space: {normal: [0, 1]}}]
materials: {rubber: {friction: 0.5, restitution: 0.8}}
bodies:
  ball: {mass: 1, shapes: [{disc: {radius: 0.1}}], position: [0, 1]}
duration: 0.2
)";

struct Bench {
  cli::Folder folder;
  std::string scene = folder.write("ball.yaml", kBall);
  std::string files = " -o " + folder.file("run.h5") + " --report " + folder.file("report.html") + " ";

  cli::Result run(const std::string& arguments) const { return carom("run " + scene + files + arguments); }
  cli::Result run_with(const std::string& more) const { return carom("run " + folder.write("more.yaml", kBall + more) + files); }
};

// One line that has the words; the longest lists the keys of a scene.
void expect_told(const cli::Result& result, const std::string& words) {
  EXPECT_EQ(result.code, 2) << words;
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  EXPECT_EQ(result.err.substr(0, 7), "carom: ") << result.err;
  EXPECT_LE(result.err.size(), 450u) << result.err;
  EXPECT_NE(result.err.find(words), std::string::npos) << result.err;
}

TEST(BadInput, NumbersOfOptions) {
  const Bench bench;
  for (const char* number : {"0", "-1", "nan", "inf", "x", "1e-3s"}) {
    expect_told(bench.run(std::string("--scheme moreau-jean --step ") + number), "--step");
    expect_told(bench.run(std::string("--duration ") + number), "--duration");
    expect_told(carom("compare " + bench.scene + " --schemes moreau-jean --steps " + number), "--steps");
  }
  expect_told(carom("info x.h5 --rows -1"), "--rows");
  expect_told(bench.run("--scheme moreau-jean --step 1e-300"), "integrator.step");
}

TEST(BadInput, WordsOfTheCommandLine) {
  const Bench bench;
  expect_told(carom("fly"), "fly");
  expect_told(carom("run --foo"), "--foo");
  expect_told(carom("compare"), "PROBLEM");
  expect_told(carom(""), "subcommand");
  expect_told(bench.run("--scheme verlet"), "verlet");
}

TEST(BadInput, ALawOfTheOtherDimensionEvenIfNothingIsHit) {
  const Bench bench;
  expect_told(bench.run("--law park"), "dimension");
  expect_told(carom("compare " + bench.scene + " --laws park"), "dimension");
}

TEST(BadInput, WhatIsWrittenNeverReplacesTheScene) {
  const Bench bench;
  expect_told(carom("run " + bench.scene + " -o " + bench.scene), "-o");
  expect_told(carom("run " + bench.scene + " -o " + bench.folder.file("r.h5") + " --report " + bench.folder.file("./ball.yaml")), "--report");
  expect_told(carom("run " + bench.scene + " -o " + bench.folder.file("r") + " --report " + bench.folder.file("r")), "--report");
  EXPECT_EQ(cli::read(bench.scene), kBall);
}

TEST(BadInput, ADiskThatIsFull) {
  const Bench bench;
  expect_told(carom("run " + bench.scene + " -o /dev/full --report " + bench.folder.file("r.html")), "/dev/full");
}

TEST(BadInput, RunFilesThatAreDamaged) {
  const Bench bench;
  ASSERT_EQ(bench.run("").code, 0);
  const std::string good = cli::read(bench.folder.file("run.h5"));
  int refused = 0;
  for (std::size_t k = 0; k < 64; ++k) {
    std::string bad = good;
    for (std::size_t i = 0; i < 20; ++i) bad[(k * 7919 + i * 104729) % bad.size()] ^= static_cast<char>(1 + (k + i) % 255);
    const auto result = carom("info " + bench.folder.write("bad.h5", bad));
    if (result.code == 0) continue;  // hit numbers, or what is not used
    ++refused;
    expect_told(result, "bad.h5");
  }
  EXPECT_GT(refused, 5);
  EXPECT_EQ(carom("info " + bench.folder.file("")).code, 2);
}

TEST(BadInput, ScenesThatAskForTooMuch) {
  const Bench bench;
  expect_told(bench.run_with("integrator: {type: moreau-jean, threads: 1000000000}\n"), "integrator.threads");
  expect_told(bench.run_with("integrator: {type: moreau-jean, solver: magic}\n"), "integrator.solver");
  expect_told(bench.run_with("integrator: {type: moreau-jean, step: 1e-300}\n"), "integrator.step");
  expect_told(bench.run_with("output: {sampling: 1e-300}\n"), "output.sampling");
}

TEST(BadInput, WhatIsNoTextIsNotPrinted) {
  const Bench bench;
  const std::string junk = "\x1c\x01\x7f" + std::string(4000, 'D');
  for (const char* command : {"run ", "impact ", "compare ", "contact "}) {
    const auto result = carom(command + bench.folder.write("junk.dat", junk));
    expect_told(result, "junk.dat");
    EXPECT_TRUE(std::none_of(result.err.begin(), result.err.end() - 1, [](unsigned char c) { return c < 0x20; })) << result.err;
  }
  std::filesystem::create_directory(bench.folder.file("folder"));
  for (const char* command : {"run ", "impact ", "compare ", "contact "}) expect_told(carom(command + bench.folder.file("folder")), "directory");
  expect_told(carom("contact " + bench.folder.write("empty.dat", "")), "empty");
}

TEST(BadInput, NamesAreThoseOfTheFile) {
  const Bench bench;
  const std::string planar = "world: planar\nbodies: {a: {mass: 1, inertia: 1}}\n";
  const auto told = [&](const std::string& text, const std::string& words) { expect_told(carom("run " + bench.folder.write("s.yaml", text) + bench.files), words); };
  told(planar + "constraints: [{name: r, type: weld, a: a, b: a}]\n", "constraints[0].b = a: must differ from a");
  told(planar + "constraints: [{name: r, type: slider, a: a, axis_b: [0, 0, 1]}]\n", "constraints[0] = turns out of the plane");
  told("world: spatial\nbodies: {b: {mass: 1, shapes: [{mesh: {file: none.stl}}]}}\n", "bodies.b.shapes[0].mesh.file");
}

}  // namespace
