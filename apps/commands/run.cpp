// carom run [SCENE]: the main job. A scene goes in; its motion, with every impact resolved inside, comes out.

#include <fmt/format.h>

#include <filesystem>

#include "builtin_scene.hpp"
#include "carom/core/error.hpp"
#include "carom/io/plot.hpp"
#include "carom/io/report_html.hpp"
#include "carom/io/run_file.hpp"
#include "carom/io/scene_forces.hpp"
#include "carom/io/scene_yaml.hpp"
#include "carom/io/text_file.hpp"
#include "carom/lab/compare_runs.hpp"
#include "carom/lab/run_report.hpp"
#include "carom/simulate/simulate.hpp"
#include "command.hpp"
#include "progress.hpp"

namespace carom::app {
namespace {

constexpr std::size_t kImpactsShown = 25;

struct RunArguments {
  std::string scene, out = "out/run.h5", report = "out/report.html", plot, law, restitution, scheme;
  double duration = 0, step = 0;
};

// Writes the run file and keeps what the report needs; shows how far the run is.
class RunRecorder : public MemoryRecorder {
 public:
  RunRecorder(const std::string& path, const Scene& scene, const io::RunOrigin& origin) : file_(path, scene, origin), bar_(scene.duration) {}
  void sample(const Sample& s) override { MemoryRecorder::sample(s), file_.sample(s); }
  void event(const RunEvent& e) override { MemoryRecorder::event(e), file_.event(e); }
  void impact(const ImpactRecord& r) override { MemoryRecorder::impact(r), file_.impact(r); }
  void finish(const RunSummary& s) override { bar_.clear(), file_.finish(s); }
  bool progress(double time) override {
    bar_.show(time);
    return file_.progress(time);
  }

 private:
  io::RunFileWriter file_;
  Progress bar_;
};

void make_folder_of(const std::string& path, const std::string& option) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code failed;
  if (!folder.empty()) std::filesystem::create_directories(folder, failed);
  if (failed) throw InputError(option, path, "cannot be made: " + failed.message());
}

bool same_file(const std::string& a, const std::string& b) {
  std::error_code failed;
  return std::filesystem::weakly_canonical(a, failed) == std::filesystem::weakly_canonical(b, failed);
}

// What is written must not take the place of the scene, nor of another thing that is written.
void refuse_same_files(const RunArguments& arguments) {
  const std::vector<std::pair<std::string, std::string>> written{{"-o", arguments.out}, {"--report", arguments.report}, {"--plot", arguments.plot}};
  for (std::size_t i = 0; i < written.size(); ++i) {
    const auto& [option, path] = written[i];
    if (path.empty() && option != "--plot") throw InputError(option, path, "must name a file");
    if (path.empty()) continue;
    if (!arguments.scene.empty() && arguments.scene != "-" && same_file(path, arguments.scene)) throw InputError(option, path, "is the scene itself, which would be lost");
    for (std::size_t j = 0; j < i; ++j)
      if (same_file(path, written[j].second)) throw InputError(option, path, "is the file of " + written[j].first + " too");
  }
}

Scene chosen_scene(const RunArguments& arguments, const std::string& text) {
  Scene scene = arguments.scene.empty() ? io::read_scene_text(text, "<built-in scene>") : io::read_scene(arguments.scene);
  if (!arguments.law.empty()) scene.law = {arguments.law, arguments.restitution, {}}, scene.pair_laws.clear();
  else if (!arguments.restitution.empty()) scene.law.restitution = arguments.restitution;
  if (arguments.scheme == "event-driven") scene.integrator.time_stepping = false;
  else if (!arguments.scheme.empty()) scene = lab::time_stepping(scene, arguments.scheme);
  if (arguments.step > 0 && !scene.integrator.time_stepping) throw InputError("--step", fmt::format("{}", arguments.step), "is for time-stepping: needs --scheme");
  if (arguments.step > 0) scene.integrator.stepping.step = arguments.step;
  if (arguments.duration > 0) scene.duration = arguments.duration;
  io::check_law(scene.law, scene.model.dimension());
  return scene;
}

int run_run(const RunArguments& arguments) {
  refuse_same_files(arguments);
  const std::string text = arguments.scene.empty() ? std::string(kBuiltinScene) : arguments.scene == "-" ? "" : io::read_text_file(arguments.scene);
  const Scene scene = chosen_scene(arguments, text);
  validate(scene);  // before an older run file is replaced
  if (!arguments.plot.empty()) io::check_plot_name(arguments.plot);  // not only after a long run
  make_folder_of(arguments.report, "--report");
  make_folder_of(arguments.out, "-o");
  io::RunOrigin origin;
  origin.version = CAROM_VERSION, origin.compiler = __VERSION__, origin.build = CAROM_BUILD_TYPE, origin.flags = CAROM_FLAGS;
  origin.scene_file = arguments.scene, origin.scene_text = text;
  RunRecorder record(arguments.out, scene, origin);
  const RunSummary summary = simulate(scene, record);
  print(scene.name + "\n\n" + lab::run_summary(scene, summary) + "\n");
  for (const std::string& note : scene.notes) print("Note: " + note + "\n");
  if (!record.impacts.empty()) {
    print(to_text(lab::impact_table(scene, record, kImpactsShown), "  "));
    if (record.impacts.size() > kImpactsShown) print(fmt::format("  … and {} more\n", record.impacts.size() - kImpactsShown));
  }
  if (const Table events = lab::event_table(scene, record, kImpactsShown); !events.rows.empty()) print("\n" + to_text(events, "  "));
  io::write_report(lab::run_report(scene, record, summary), arguments.report);
  if (!arguments.plot.empty()) io::write_plot(lab::path_figure(scene, record), arguments.plot);
  print(fmt::format("\nwritten: {}, {}{}{}\n", arguments.out, arguments.report, arguments.plot.empty() ? "" : ", ", arguments.plot));
  const bool to_tolerance = !scene.integrator.time_stepping || summary.worst_certificate <= scene.integrator.stepping.tolerance;
  return summary.status == RunStatus::finished && to_tolerance ? kAnswered : kNotToTolerance;
}

}  // namespace

void add_run(CLI::App& program, int& code) {
  auto arguments = std::make_shared<RunArguments>();
  CLI::App* command = program.add_subcommand("run", "Simulate a scene: every impact resolved inside, with the energy balance");
  command->add_option("SCENE", arguments->scene, "scene.yaml, .urdf or MJCF .xml; default: the built-in double pendulum on the floor");
  command->add_option("-o,--out", arguments->out, "the run file (HDF5); `carom info` reads it")->capture_default_str();
  command->add_option("--report", arguments->report, "the HTML page")->capture_default_str();
  command->add_option("--plot", arguments->plot, "a picture of the motion: FILE.svg or FILE.png");
  command->add_option("--law", arguments->law, "impact law instead of the scene's");
  command->add_option("--restitution", arguments->restitution, "hypothesis of restitution: newton, poisson, stronge");
  command->add_option("--scheme", arguments->scheme, "how time moves instead of the scene's way: event-driven, stewart-trinkle, anitescu-potra, moreau-jean");
  command->add_option("--step", arguments->step, "length of its steps instead of the scene's or 0.001 [s]")->check(positive_number());
  command->add_option("--duration", arguments->duration, "simulated time instead of the scene's [s]")->check(positive_number());
  command->callback([arguments, &code] { code = run_run(*arguments); });
}

}  // namespace carom::app
