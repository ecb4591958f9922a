// Run files: what is recorded comes back to the bit, and a killed run leaves what it had flushed.

#include "carom/io/run_file.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <Eigen/Geometry>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "carom/core/error.hpp"
#include "carom/io/scene_yaml.hpp"
#include "carom/io/sha256.hpp"

namespace carom {
namespace {

namespace fs = std::filesystem;

const char* const kScene = R"(world: spatial
materials: {m: {friction: 0.5, restitution: 0.5}}
ground: [{half_space: {}, name: floor}]
bodies:
  ball: {mass: 1, shapes: [{sphere: {radius: 0.1}}], position: [0, 0, 1]}
  rod: {mass: 1, inertia: [1, 1, 1]}
joints: [{name: hinge, type: revolute, child: rod, at: [0, 5, 5], limit: [-1, 1]}]
)";

// A place for a file that goes away with the test.
class Scratch {
 public:
  Scratch() {
    std::string name = (fs::temp_directory_path() / "carom_run_XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~Scratch() { fs::remove_all(folder_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  std::string path(const char* name) const { return (folder_ / name).string(); }

 private:
  fs::path folder_;
};

std::string bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

Sample sample(const Scene& scene, double t) {
  Sample s{t, Eigen::VectorXd::Constant(scene.model.nq(), t), Eigen::VectorXd::Constant(scene.model.nv(), -t), {1, 2, 3, 4, 5, t}, {}};
  for (int i = 0; i < scene.model.bodies(); ++i)
    s.poses.push_back({Eigen::AngleAxisd(t, Eigen::Vector3d(1, 2, 3).normalized()).toRotationMatrix(), Eigen::Vector3d(t, i, 0)});
  return s;
}

// A real impact of a ball that slides and spins, with a curved path inside; and one with two contacts.
ImpactRecord impact(const Scene& scene, double t, int contacts) {
  ImpactRecord r;
  r.time = t;
  const int n = 3 * contacts;
  r.problem.dimension = 3;
  r.problem.G = Eigen::MatrixXd::Identity(n, n);
  r.problem.G(0, 2) = r.problem.G(2, 0) = 0.3;
  r.problem.G(1, 2) = r.problem.G(2, 1) = 0.1;
  r.problem.v_pre.resize(n);
  for (int c = 0; c < contacts; ++c) r.problem.v_pre.segment<3>(3 * c) << 0.5 + t, 0.2, -1;
  r.problem.mu_s = r.problem.mu_d = Eigen::VectorXd::Constant(contacts, 0.3);
  r.problem.e = Eigen::VectorXd::Constant(contacts, 0.5);
  r.problem.stiffness = Eigen::VectorXd::Constant(contacts, 2);
  r.problem.exponent = Eigen::VectorXd::Constant(contacts, 1);
  r.problem.geometry = ContactGeometry{Eigen::MatrixXd::Constant(3, contacts, 0.25), Eigen::Vector3d::UnitZ().replicate(1, contacts),
                                       std::vector<std::array<int, 2>>(static_cast<std::size_t>(contacts), {0, -1})};
  r.outcome = resolve(r.problem, {contacts == 1 ? "routh" : "moreau", "", {}});
  r.outcome.qdot_post = Eigen::VectorXd::Constant(scene.model.nv(), t);
  r.outcome.warnings = {"a warning"};
  r.contacts.assign(static_cast<std::size_t>(contacts), {0, 1, 0});
  if (contacts > 1) r.contacts[1] = {ContactId::kLimit, 0, 1};
  r.kinetic_before = 2;
  r.kinetic_after = 1;
  return r;
}

void record(const Scene& scene, io::RunFileWriter& writer) {
  for (int i = 0; i < 5000; ++i) writer.sample(sample(scene, 0.001 * i));
  writer.impact(impact(scene, 0.5, 1));
  writer.event({0.5, EventKind::impact, {0, 1, 0}, 0, 0, 0, -1e-12, "note, with \"quotes\""});
  writer.impact(impact(scene, 0.6, 2));
  writer.event({0.7, EventKind::accumulation, {0, 1, 0}, -1, 7, 0.5, 0, ""});
}

void expect_same(const ImpactRecord& a, const ImpactRecord& b) {
  EXPECT_EQ(a.time, b.time);
  EXPECT_EQ(a.contacts, b.contacts);
  EXPECT_EQ(a.problem.G, b.problem.G);
  EXPECT_EQ(a.problem.v_pre, b.problem.v_pre);
  EXPECT_EQ(a.problem.mu_s, b.problem.mu_s);
  EXPECT_EQ(a.problem.stiffness, b.problem.stiffness);
  EXPECT_EQ(a.problem.geometry->points, b.problem.geometry->points);
  EXPECT_EQ(a.problem.geometry->bodies, b.problem.geometry->bodies);
  EXPECT_EQ(a.outcome.status, b.outcome.status);
  EXPECT_EQ(a.outcome.v_post, b.outcome.v_post);
  EXPECT_EQ(a.outcome.p, b.outcome.p);
  EXPECT_EQ(a.outcome.qdot_post, b.outcome.qdot_post);
  EXPECT_EQ(a.outcome.law, b.outcome.law);
  EXPECT_EQ(a.outcome.warnings, b.outcome.warnings);
  EXPECT_EQ(a.outcome.energy.change, b.outcome.energy.change);
  EXPECT_EQ(a.outcome.energy.contacts[0].friction, b.outcome.energy.contacts[0].friction);
  ASSERT_EQ(a.outcome.events.size(), b.outcome.events.size());
  for (std::size_t i = 0; i < a.outcome.events.size(); ++i) {
    EXPECT_EQ(a.outcome.events[i].kind, b.outcome.events[i].kind);
    EXPECT_EQ(a.outcome.events[i].velocity, b.outcome.events[i].velocity);
    EXPECT_EQ(a.outcome.events[i].normal_work, b.outcome.events[i].normal_work);
  }
  ASSERT_EQ(a.outcome.segments.size(), b.outcome.segments.size());
  for (std::size_t i = 0; i < a.outcome.segments.size(); ++i) {
    EXPECT_EQ(a.outcome.segments[i].state, b.outcome.segments[i].state);
    EXPECT_EQ(a.outcome.segments[i].mode, b.outcome.segments[i].mode);
    EXPECT_EQ(a.outcome.segments[i].p_end, b.outcome.segments[i].p_end);
    EXPECT_EQ(a.outcome.segments[i].v_begin, b.outcome.segments[i].v_begin);
    EXPECT_EQ(a.outcome.segments[i].v_path, b.outcome.segments[i].v_path);
    EXPECT_EQ(a.outcome.segments[i].p_path, b.outcome.segments[i].p_path);
  }
}

TEST(RunFile, EverythingComesBack) {
  const Scene scene = io::read_scene_text(kScene, "ball.yaml");
  const Scratch scratch;
  const std::string path = scratch.path("run.h5");
  RunSummary summary;
  summary.status = RunStatus::stopped;
  summary.reason = "by the test";
  summary.end_time = 5;
  summary.steps = 123;
  summary.events_by_kind = {1, 0, 0, 0, 0, 0, 1, 0, 0};
  summary.impact_loss = 0.25;
  summary.energy.kinetic = 7;
  summary.warnings = {"one", "two and more"};
  {
    io::RunFileWriter writer(path, scene, {.version = "1.2.3", .flags = "-O2", .scene_file = "ball.yaml", .scene_text = kScene, .seed = 42});
    record(scene, writer);
    writer.finish(summary);
  }
  const io::RunFile run = io::read_run(path);
  ASSERT_EQ(run.samples.size(), 5000);
  EXPECT_EQ(run.samples[4321].q, sample(scene, 4.321).q);
  EXPECT_EQ(run.samples[4321].energy.check, 4.321);
  EXPECT_TRUE(run.samples[4321].poses[1].rotation.isApprox(sample(scene, 4.321).poses[1].rotation, 1e-14));
  EXPECT_EQ(run.samples[4321].poses[1].translation, Eigen::Vector3d(4.321, 1, 0));
  ASSERT_EQ(run.impacts.size(), 2);
  expect_same(run.impacts[0], impact(scene, 0.5, 1));
  expect_same(run.impacts[1], impact(scene, 0.6, 2));
  EXPECT_GT(run.impacts[0].outcome.segments.size(), 1);
  ASSERT_EQ(run.events.size(), 2);
  EXPECT_EQ(run.events[0].note, "note, with \"quotes\"");
  EXPECT_EQ(run.events[1].kind, EventKind::accumulation);
  EXPECT_EQ(run.events[1].bounces, 7);
  EXPECT_EQ(io::name(run, {0, 1, 0}), name(scene, {0, 1, 0}));
  EXPECT_EQ(io::name(run, {ContactId::kLimit, 0, 1}), name(scene, {ContactId::kLimit, 0, 1}));
  ASSERT_TRUE(run.summary.has_value());
  EXPECT_EQ(run.summary->status, RunStatus::stopped);
  EXPECT_EQ(run.summary->reason, "by the test");
  EXPECT_EQ(run.summary->steps, 123);
  EXPECT_EQ(run.summary->events_by_kind, summary.events_by_kind);
  EXPECT_EQ(run.summary->warnings, summary.warnings);
  EXPECT_EQ(run.summary->energy.kinetic, 7);
  EXPECT_EQ(run.scene_text, kScene);
  const std::map<std::string, io::Setting> manifest(run.manifest.begin(), run.manifest.end());
  EXPECT_EQ(manifest.at("scene.sha256"), io::Setting(io::sha256(kScene)));
  EXPECT_EQ(manifest.at("seed"), io::Setting(std::int64_t{42}));
  EXPECT_EQ(manifest.at("carom"), io::Setting(std::string("1.2.3")));
  EXPECT_EQ(manifest.at("integrator.relative"), io::Setting(scene.integrator.event.relative));
  EXPECT_EQ(manifest.at("law"), io::Setting(std::string("default")));
}

TEST(RunFile, TheSameRunGivesTheSameBytes) {
  const Scene scene = io::read_scene_text(kScene, "ball.yaml");
  const Scratch scratch;
  for (const char* name : {"a.h5", "b.h5"}) {
    io::RunFileWriter writer(scratch.path(name), scene, {.flush_interval = 1e9});
    record(scene, writer);
    writer.finish({});
    usleep(1'050'000);  // into another second: no time of day may stand in the file
  }
  EXPECT_TRUE(bytes(scratch.path("a.h5")) == bytes(scratch.path("b.h5")));
}

// A child writes without end and is killed at several moments; what it had flushed is read.
TEST(RunFile, AKilledRunIsReadableUpToTheLastFlush) {
  const Scene scene = io::read_scene_text(kScene, "ball.yaml");
  const Scratch scratch;
  for (int round = 0; round < 20; ++round) {
    const std::string path = scratch.path("killed.h5");
    fs::remove(path);
    int announce[2];
    ASSERT_EQ(pipe(announce), 0);
    const pid_t child = fork();
    if (child == 0) {
      io::RunFileWriter writer(path, scene, {.flush_interval = 0});
      for (int i = 0;; ++i) {
        writer.impact(impact(scene, 0.001 * i, 1 + i % 2));
        writer.event({0.001 * i, EventKind::impact, {0, 1, 0}, i, 0, 0, 0, ""});
        writer.sample(sample(scene, 0.001 * i));
        if (i == 20 && write(announce[1], "x", 1) != 1) _exit(1);
      }
    }
    close(announce[1]);
    char ready = 0;
    ASSERT_EQ(read(announce[0], &ready, 1), 1);
    close(announce[0]);
    usleep(static_cast<useconds_t>(3000 + 7001 * (round % 8)));
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status));
    const io::RunFile run = io::read_run(path);
    EXPECT_TRUE(run.damaged.empty());
    EXPECT_GE(run.samples.size(), 20);
    EXPECT_GE(run.impacts.size(), 20);
    EXPECT_GE(run.events.size(), 20);
    EXPECT_FALSE(run.summary.has_value());
    for (std::size_t i = 0; i < run.samples.size(); ++i) ASSERT_EQ(run.samples[i].time, 0.001 * static_cast<double>(i));
    expect_same(run.impacts.back(), impact(scene, run.impacts.back().time, 1 + static_cast<int>(run.impacts.size() - 1) % 2));
  }
}

// A kill may cut a write where it passes a page: no header of a dataset crosses one (the root's, the first, is written once).
TEST(RunFile, NoHeaderCrossesAPage) {
  const Scene scene = io::read_scene_text(kScene, "ball.yaml");
  const Scratch scratch;
  io::RunFileWriter(scratch.path("run.h5"), scene, {}).flush();
  const std::string file = bytes(scratch.path("run.h5"));
  int headers = 0;
  for (std::size_t at = file.find("OHDR", 512); at != std::string::npos; at = file.find("OHDR", at + 1), ++headers) EXPECT_EQ(at % 512, 0);
  EXPECT_GT(headers, 60);
}

TEST(RunFile, WithoutFinishTheFileHasNoSummary) {
  const Scene scene = io::read_scene_text(kScene, "ball.yaml");
  const Scratch scratch;
  {
    io::RunFileWriter writer(scratch.path("run.h5"), scene, {});
    record(scene, writer);
  }
  const io::RunFile run = io::read_run(scratch.path("run.h5"));
  EXPECT_EQ(run.samples.size(), 5000);
  EXPECT_FALSE(run.summary.has_value());
}

TEST(RunFile, CsvHasARowForEverything) {
  const Scene scene = io::read_scene_text(kScene, "ball.yaml");
  const Scratch scratch;
  {
    io::RunFileWriter writer(scratch.path("run.h5"), scene, {});
    record(scene, writer);
  }
  const io::RunFile run = io::read_run(scratch.path("run.h5"));
  io::write_csv(run, scratch.path("csv/deep"));
  const auto lines = [&](const char* name) {
    const std::string text = bytes(scratch.path("csv/deep/") + name);
    return std::count(text.begin(), text.end(), '\n');
  };
  EXPECT_EQ(lines("trajectory.csv"), 5001);
  EXPECT_EQ(lines("events.csv"), 3);
  EXPECT_EQ(lines("impacts.csv"), 3);
  EXPECT_EQ(lines("impact_contacts.csv"), 4);
  EXPECT_GE(lines("impact_segments.csv"), 3);
  EXPECT_NE(bytes(scratch.path("csv/deep/events.csv")).find("0.5,impact,ball/floor#0,0,0,0,-1e-12,\"note, with \"\"quotes\"\"\""), std::string::npos);
}

TEST(RunFile, RefusesWhatIsNoRunFile) {
  const Scratch scratch;
  const auto complaint = [&](const std::string& path) -> std::string {
    try {
      io::read_run(path);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(complaint(scratch.path("none.h5")).find("is not there"), std::string::npos);
  std::ofstream(scratch.path("text.h5")) << "hello";
  EXPECT_NE(complaint(scratch.path("text.h5")).find("cannot be opened as HDF5"), std::string::npos);
  EXPECT_NE(complaint(std::string(CAROM_SOURCE_DIR) + "/data/siconos_problems/fc3d/Capsules-i125-1213.hdf5").find("not a run file"),
            std::string::npos);
  // Cut short at many places: an error or what is left, never a crash.
  const Scene scene = io::read_scene_text(kScene, "ball.yaml");
  {
    io::RunFileWriter writer(scratch.path("run.h5"), scene, {});
    record(scene, writer);
  }
  const std::string whole = bytes(scratch.path("run.h5"));
  for (int part = 0; part < 20; ++part) {
    std::ofstream(scratch.path("cut.h5"), std::ios::binary) << whole.substr(0, whole.size() * static_cast<std::size_t>(part) / 20);
    complaint(scratch.path("cut.h5"));
  }
}

TEST(Sha256, OfTheStandard) {
  EXPECT_EQ(io::sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(io::sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(io::sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

}  // namespace
}  // namespace carom
