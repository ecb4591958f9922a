// carom run [SCENE]: the main job. An impact of a mechanism under every law that fits, told, drawn and written as a page.

#include <fmt/format.h>

#include <filesystem>

#include "builtin_scene.hpp"
#include "carom/core/report.hpp"
#include "carom/io/plot.hpp"
#include "carom/io/problem_stream.hpp"
#include "carom/io/report_html.hpp"
#include "carom/lab/compare.hpp"
#include "carom/lab/explain.hpp"
#include "carom/lab/impact_figure.hpp"
#include "command.hpp"

namespace carom::app {
namespace {

struct RunArguments {
  std::string scene, folder = "out", report;
};

io::ProblemItem read_scene(const std::string& path) {
  if (path.empty()) return io::read_text(kBuiltinScene, "<built-in scene>");
  io::ProblemStream problems(path);
  if (problems.layout() != io::Layout::single) throw InputError("SCENE", path, "must be one mechanism or problem; `carom impact` resolves batches");
  io::ProblemItem item;
  problems.next(item);
  try {
    validate(item.problem);
  } catch (const InputError& error) {
    throw problems.placed(error);
  }
  return item;
}

Report make_report(const io::ProblemItem& item, const ImpactOutcome& outcome, const std::vector<lab::Trial>& trials) {
  Report report{item.name.empty() ? "An impact" : item.name, {}};
  Section chosen{fmt::format("The impact with {}, {} restitution", outcome.law, outcome.restitution), "", {lab::velocity_table(item.problem, outcome)}, {}};
  if (outcome.qdot_post.size() > 0) chosen.tables.push_back(lab::speed_table(item.problem, outcome, item.speed_names));
  chosen.figures.push_back(lab::impact_figure(item.problem, outcome));
  for (int c = 0; c < item.problem.contacts(); ++c) chosen.text += fmt::format("Contact {} {}.\n\n", c, lab::slip_history(item.problem, outcome, c));
  chosen.text += fmt::format("Energy: ΔT = {:+.6g} J = W_n {:+.6g} J + W_t {:+.6g} J.", outcome.energy.change, outcome.energy.normal_work, outcome.energy.friction_work);
  Section laws{"The same impact under every law that fits", lab::comparison_warnings(trials), {lab::comparison_table(item.problem, trials)}, {}};
  if (item.problem.contacts() == 1) laws.figures.push_back(lab::comparison_figure(item.problem, trials));
  report.sections = {std::move(chosen), std::move(laws)};
  return report;
}

int run_run(const RunArguments& arguments) {
  const io::ProblemItem item = read_scene(arguments.scene);
  const ImpactOutcome outcome = resolve(item.problem, item.law);
  const std::vector<lab::Trial> trials = lab::compare(item.problem, lab::fitting_laws(item.problem, item.law.options));
  print(item.name + "\n\n" + lab::explain(item.problem, outcome, item.speed_names));
  print("\nThe same impact under every law that fits\n\n" + to_text(lab::comparison_table(item.problem, trials), "  ") + "\n");
  print(lab::comparison_warnings(trials));

  const std::filesystem::path folder = arguments.folder;
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) throw InputError("-o", arguments.folder, "cannot be made: " + failed.message());
  const std::string stem = arguments.scene.empty() ? "double_pendulum" : std::filesystem::path(arguments.scene).stem().string();
  const std::string picture = (folder / (stem + ".svg")).string(), page = arguments.report.empty() ? (folder / "report.html").string() : arguments.report;
  io::write_plot(lab::impact_figure(item.problem, outcome), picture);
  io::write_report(make_report(item, outcome, trials), page);
  print(fmt::format("\nwritten: {}, {}\n", picture, page));
  return exit_code(outcome);
}

}  // namespace

void add_run(CLI::App& program, int& code) {
  auto arguments = std::make_shared<RunArguments>();
  CLI::App* command = program.add_subcommand("run", "The main job: an impact under every law that fits, with picture and report");
  command->add_option("SCENE", arguments->scene, "mechanism or problem; default: the built-in double pendulum of Kane and Levinson");
  command->add_option("-o,--out", arguments->folder, "folder for what is written")->capture_default_str();
  command->add_option("--report", arguments->report, "the HTML page; default: report.html in that folder");
  command->callback([arguments, &code] { code = run_run(*arguments); });
}

}  // namespace carom::app
