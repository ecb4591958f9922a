// carom compare PROBLEM|SCENE: the same impact, or the same motion, under several laws, side by side.

#include <fmt/format.h>

#include "carom/io/answer_json.hpp"
#include "carom/io/plot.hpp"
#include "carom/io/problem_stream.hpp"
#include "carom/io/scene_yaml.hpp"
#include "carom/io/text_file.hpp"
#include "carom/lab/compare.hpp"
#include "carom/lab/compare_runs.hpp"
#include "command.hpp"

namespace carom::app {
namespace {

struct CompareArguments {
  std::string problem, plot, plane;
  std::vector<std::string> laws, schemes;
  bool json = false, markdown = false;
};

void write_json(const io::ProblemItem& item, const std::vector<lab::Trial>& trials) {
  io::JsonWriter json;
  json.begin_object();
  if (!item.name.empty()) json.member("name", item.name);
  if (item.measured) {
    json.key("measured").begin_object().member(name(item.measured->quantity), item.measured->values);
    if (!item.measured->source.empty()) json.member("source", item.measured->source);
    json.end_object();
  }
  json.key("answers").begin_array();
  for (const lab::Trial& trial : trials) {
    io::AnswerOptions options{false, item.speed_names, ""};
    if (trial.answered && item.measured && trial.outcome.status != ImpactStatus::no_solution) options.rms = rms_error(*item.measured, item.problem, trial.outcome);
    if (trial.answered) io::write_answer(json, trial.outcome, options);
    else io::write_error(json, trial.refusal);
  }
  json.end_array().end_object();
  print(json.text());
  print("\n");
}

void compare_one(const CompareArguments& arguments, const io::ProblemItem& item) {
  const auto laws = arguments.laws.empty() ? lab::fitting_laws(item.problem, item.law.options) : lab::named_laws(arguments.laws, item.law.options);
  if (laws.empty()) throw InputError("law", "", fmt::format("no law handles dimension {} with {} contacts", item.problem.dimension, item.problem.contacts()));
  const std::vector<lab::Trial> trials = lab::compare(item.problem, laws);
  if (!arguments.plot.empty())
    io::write_plot(item.problem.contacts() == 1 ? lab::comparison_figure(item.problem, trials) : lab::many_contact_figure(item.problem, trials, item.measured), arguments.plot);
  if (!arguments.plane.empty() && (item.problem.contacts() != 1 || item.problem.dimension != 3)) throw InputError("--plane", arguments.plane, "compares slip at one spatial contact");
  if (!arguments.plane.empty()) io::write_plot(lab::comparison_hodograph(item.problem, trials), arguments.plane);
  if (arguments.json) return write_json(item, trials);
  if (arguments.markdown) {
    print(fmt::format("{}{}\n", item.name.empty() ? "" : "**" + item.name + "**\n\n", to_markdown(lab::comparison_summary(item.problem, trials, item.measured))));
    return;
  }
  if (!item.name.empty()) print(item.name + "\n");
  print(to_text(lab::comparison_table(item.problem, trials, item.measured)));
  const std::string warnings = lab::comparison_warnings(trials);
  if (!warnings.empty()) print("\n" + warnings);
}

int compare_scene(const CompareArguments& arguments) {
  const Scene scene = io::read_scene(arguments.problem);
  const std::vector<lab::RunTrial> trials = lab::compare_runs(scene, arguments.laws.empty() ? std::vector<ImpactLaw>{} : lab::named_laws(arguments.laws, {}), arguments.schemes);
  print(scene.name + "\n" + to_text(lab::run_comparison_table(trials)));
  for (const lab::RunTrial& t : trials)
    if (!t.summary.reason.empty()) print(fmt::format("{}: {}\n", t.label, t.summary.reason));
  if (!arguments.plot.empty()) io::write_plot(lab::run_comparison_figure(scene, trials), arguments.plot);
  return kAnswered;
}

int run_compare(const CompareArguments& arguments) {
  if (arguments.problem != "-" && io::is_scene(io::read_text_file(arguments.problem))) return compare_scene(arguments);
  io::ProblemStream problems(arguments.problem);
  int code = kAnswered;
  for (io::ProblemItem item;;) {
    try {
      if (!problems.next(item)) return code;
      try {
        compare_one(arguments, item);
      } catch (const InputError& error) {
        if (error.field() == "law" || error.field() == "plot" || error.field() == "--plane") throw;
        throw problems.placed(error);
      }
    } catch (const InputError& error) {
      complain(error.what());
      code = kBadInput;
    }
  }
}

}  // namespace

void add_compare(CLI::App& program, int& code) {
  auto arguments = std::make_shared<CompareArguments>();
  CLI::App* command = program.add_subcommand("compare", "The same impact, or the same motion, under several laws, side by side");
  command->add_option("PROBLEM", arguments->problem, "problem (JSON or YAML; - reads standard input) or scene.yaml")->required();
  command->add_option("--laws", arguments->laws, "laws to compare: routh, routh+poisson, an alias; default: every law that fits")->delimiter(',');
  command->add_option("--schemes", arguments->schemes, "a scene moved by time-stepping too: stewart-trinkle, anitescu-potra, moreau-jean")->delimiter(',');
  command->add_option("--plot", arguments->plot, "a scene: height and energy against time; a problem: draw every law's slip, normal velocity and work (many contacts: velocities after, and work): FILE.svg or FILE.png");
  command->add_option("--plane", arguments->plane, "draw the hodograph of slip of every law (spatial): FILE.svg or FILE.png");
  command->add_flag("--json", arguments->json, "answer as JSON");
  command->add_flag("--markdown", arguments->markdown, "a short table in Markdown")->excludes("--json");
  command->callback([arguments, &code] { code = run_compare(*arguments); });
}

}  // namespace carom::app
