// carom compare PROBLEM|SCENE: the same impact, or the same motion, under several laws, side by side.

#include <fmt/format.h>

#include <algorithm>

#include "carom/io/answer_json.hpp"
#include "carom/io/plot.hpp"
#include "carom/io/problem_stream.hpp"
#include "carom/io/scene_forces.hpp"
#include "carom/io/scene_yaml.hpp"
#include "carom/io/text_file.hpp"
#include "carom/lab/compare.hpp"
#include "carom/lab/compare_runs.hpp"
#include "carom/lab/convergence.hpp"
#include "command.hpp"
#include "progress.hpp"

namespace carom::app {
namespace {

struct CompareArguments {
  std::string problem, plot, plane;
  std::vector<std::string> laws, schemes;
  std::vector<double> steps;
  double duration = 0;
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

void write_json(const Scene& scene, const std::vector<lab::RunTrial>& trials) {
  io::JsonWriter json;
  json.begin_object().member("name", scene.name).key("runs").begin_array();
  for (const lab::RunTrial& t : trials) {
    const RunSummary& s = t.summary;
    json.begin_object().member("way", t.label).member("status", name(s.status)).member("reason", s.reason).member("steps", static_cast<double>(s.steps)).member("impacts", static_cast<double>(t.blows));
    json.member("energy", s.energy.kinetic + s.energy.potential).member("impact_loss", s.impact_loss).member("worst_gain", s.worst_gain).member("worst_gap", s.worst_gap).member("apart", t.apart).end_object();
  }
  json.end_array().end_object();
  print(std::string(json.text()) + "\n");
}

void write_json(const Scene& scene, const std::vector<lab::Convergence>& studies) {
  io::JsonWriter json;
  json.begin_object().member("name", scene.name).key("studies").begin_array();
  for (const lab::Convergence& study : studies) {
    json.begin_object().member("scheme", study.scheme).member("reference", study.reference).member("status", name(study.summary.status)).member("order", study.fitted_order()).member("converges", study.converges()).key("runs").begin_array();
    for (std::size_t k = 0; k < study.runs.size(); ++k) {
      const lab::SteppedError& run = study.runs[k];
      json.begin_object().member("step", run.step).member("status", name(run.summary.status)).member("steps", static_cast<double>(run.summary.steps)).member("greatest", run.greatest).member("order", study.order(k));
      json.member("at_end", run.at_end).member("contacts_begun", static_cast<double>(run.contacts));
      if (run.first_impact >= 0) json.member("first_impact_off", run.first_impact);
      json.end_object();
    }
    json.end_array().end_object();
  }
  json.end_array().end_object();
  print(std::string(json.text()) + "\n");
}

int compare_runs(const CompareArguments& arguments, const Scene& scene, const std::vector<ImpactLaw>& laws) {
  Progress bar(1, "");
  const std::vector<lab::RunTrial> trials = lab::compare_runs(scene, laws, arguments.schemes, [&](double done) { bar.show(done); });
  bar.clear();
  if (!arguments.plot.empty()) io::write_plot(lab::run_comparison_figure(scene, trials), arguments.plot);
  const Table table = lab::run_comparison_table(trials);
  if (arguments.json) write_json(scene, trials);
  else if (arguments.markdown) print(to_markdown(table));
  else print(scene.name + "\n" + to_text(table) + lab::run_comparison_words(trials));
  return std::all_of(trials.begin(), trials.end(), [](const lab::RunTrial& t) { return t.summary.status == RunStatus::finished; }) ? kAnswered : kNotToTolerance;
}

int converge(const CompareArguments& arguments, const Scene& scene, const std::vector<ImpactLaw>& laws) {
  Progress bar(1, "");
  const std::vector<lab::Convergence> studies = lab::converge(scene, laws, arguments.schemes, arguments.steps, [&](double done) { bar.show(done); });
  bar.clear();
  if (!arguments.plot.empty()) io::write_plot(lab::convergence_figure(scene, studies), arguments.plot);
  if (arguments.json) write_json(scene, studies);
  else if (arguments.markdown) print(to_markdown(lab::convergence_summary(studies)));
  else print(scene.name + "\n" + to_text(lab::convergence_table(studies)) + "\n" + lab::convergence_words(studies));
  return std::all_of(studies.begin(), studies.end(), [](const lab::Convergence& s) { return s.finished(); }) ? kAnswered : kNotToTolerance;
}

int compare_scene(CompareArguments arguments) {
  std::erase(arguments.schemes, "event-driven");  // may be named; it is always there
  if (!arguments.plane.empty()) throw InputError("--plane", arguments.plane, "compares slip at one spatial contact, not scenes");
  Scene scene = io::read_scene(arguments.problem);
  if (arguments.duration > 0) scene.duration = arguments.duration;
  const auto laws = arguments.laws.empty() ? std::vector<ImpactLaw>{} : lab::named_laws(arguments.laws, {});
  for (const ImpactLaw& law : laws) io::check_law(law, scene.model.dimension());
  return arguments.steps.empty() ? compare_runs(arguments, scene, laws) : converge(arguments, scene, laws);
}

int run_compare(const CompareArguments& arguments) {
  if (arguments.problem != "-" && io::is_scene(io::read_text_file(arguments.problem))) return compare_scene(arguments);
  if (!arguments.schemes.empty() || !arguments.steps.empty() || arguments.duration > 0) throw InputError("PROBLEM", arguments.problem, "must be a scene for --schemes, --steps and --duration: a single impact has no time");
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
  command->add_option("--schemes", arguments->schemes, "a scene: moved by time-stepping too: stewart-trinkle, anitescu-potra, moreau-jean")->delimiter(',');
  command->add_option("--steps", arguments->steps, "step lengths of these schemes [s], such as 1e-2,5e-3,2.5e-3: how fast each comes to the event-driven motion, and its order")->delimiter(',')->check(positive_number());
  command->add_option("--duration", arguments->duration, "simulated time instead of the scene's [s]")->check(positive_number());
  command->add_option("--plot", arguments->plot, "a scene: height and energy against time, with --steps error against step; a problem: draw every law's slip, normal velocity and work (many contacts: velocities after, and work): FILE.svg or FILE.png");
  command->add_option("--plane", arguments->plane, "draw the hodograph of slip of every law (spatial): FILE.svg or FILE.png");
  command->add_flag("--json", arguments->json, "answer as JSON");
  command->add_flag("--markdown", arguments->markdown, "a short table in Markdown")->excludes("--json");
  command->callback([arguments, &code] { code = run_compare(*arguments); });
}

}  // namespace carom::app
