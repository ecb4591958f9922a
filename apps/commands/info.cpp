// carom info: what a run file holds, and the reference of scene files.

#include <fmt/format.h>

#include "carom/core/error.hpp"
#include "carom/core/table.hpp"
#include "carom/io/run_file.hpp"
#include "carom/io/scene_keys.hpp"
#include "command.hpp"

namespace carom::app {
namespace {

struct InfoArguments {
  std::string run, csv;
  bool json = false, scene_reference = false;
  int most = 20;
};

std::string manifest_text(const io::RunFile& run) {
  Table table{{{"setting"}, {"value"}}, {}};
  for (const auto& [name, value] : run.manifest) table.rows.push_back({name, std::visit([](const auto& v) { return fmt::format("{}", v); }, value)});
  return to_text(table, "  ");
}

std::string summary_text(const io::RunFile& run) {
  std::string text = fmt::format("{} bodies, {} coordinates, {} speeds; {} samples, {} events, {} impacts\n", run.bodies.size(),
                                 run.coordinates.size(), run.speeds.size(), run.samples.size(), run.events.size(), run.impacts.size());
  for (const std::string& dataset : run.damaged) text += fmt::format("damaged when the run was killed: {}\n", dataset);
  if (!run.summary)
    return text + fmt::format("not finished: the run was stopped from outside, or goes on; the last sample is at t = {} s\n",
                              run.samples.empty() ? 0 : run.samples.back().time);
  const RunSummary& s = *run.summary;
  text += fmt::format("{} at t = {} s{}\n", name(s.status), s.end_time, s.reason.empty() ? "" : ": " + s.reason);
  text += fmt::format(
      "{} steps, {} rejected; energy: drift of smooth motion {:.3g} relative, lost in impacts {:.6g} J, worst gain {:.3g} J; worst gap {:.3g} m\n",
      s.steps, s.rejected, s.smooth_drift, s.impact_loss, s.worst_gain, s.worst_gap);
  for (const std::string& warning : s.warnings) text += "warning: " + warning + "\n";
  return text;
}

// The first rows of a list, and how many more there are.
template <class Rows>
std::string listed(Table table, const Rows& rows, std::size_t most, auto row) {
  for (std::size_t i = 0; i < std::min(most, rows.size()); ++i) table.rows.push_back(row(i));
  return to_text(table, "  ") + (rows.size() > most ? fmt::format("  … and {} more (--rows, --csv)\n", rows.size() - most) : "");
}

std::string events_text(const io::RunFile& run, std::size_t most) {
  return listed({{{"t [s]", Align::right}, {"event"}, {"contact"}, {"note"}}, {}}, run.events, most, [&](std::size_t i) -> std::vector<std::string> {
    const RunEvent& e = run.events[i];
    const std::string series = e.bounces > 0 ? fmt::format("{} bounces, ratio {:.6g} ", e.bounces, e.ratio) : "";
    return {fmt::format("{:.9g}", e.time), std::string(name(e.kind)), name(run, e.contact), series + e.note};
  });
}

std::string impacts_text(const io::RunFile& run, std::size_t most) {
  return listed({{{"", Align::right},
                  {"t [s]", Align::right},
                  {"contacts"},
                  {"law"},
                  {"v_n before", Align::right},
                  {"v_n after", Align::right},
                  {"ΔT [J]", Align::right}},
                 {}},
                run.impacts, most, [&](std::size_t i) -> std::vector<std::string> {
                  const ImpactRecord& r = run.impacts[i];
                  const int n = r.problem.normal(0);
                  std::string contacts = r.contacts.empty() ? "" : name(run, r.contacts[0]);
                  if (r.contacts.size() > 1) contacts += fmt::format(" and {} more", r.contacts.size() - 1);
                  const auto normal = [&](const Eigen::VectorXd& v) { return v.size() > n ? fmt::format("{:.6g}", v[n]) : ""; };
                  return {fmt::format("{}", i),
                          fmt::format("{:.9g}", r.time),
                          contacts,
                          fmt::format("{}, {}", r.outcome.law, r.outcome.restitution),
                          normal(r.problem.v_pre),
                          normal(r.outcome.v_post),
                          fmt::format("{:.6g}", r.outcome.energy.change)};
                });
}

int run_info(const InfoArguments& arguments) {
  if (arguments.scene_reference) {
    print(io::scene_reference());
    return kAnswered;
  }
  if (arguments.run.empty()) throw InputError("RUN", "", "is missing: a file that `carom run` has written");
  const io::RunFile run = io::read_run(arguments.run);
  std::vector<std::string> written;
  if (!arguments.csv.empty()) written = io::write_csv(run, arguments.csv);
  if (arguments.json) {
    print(io::run_json(run));
    return kAnswered;
  }
  const auto most = static_cast<std::size_t>(arguments.most);
  print(summary_text(run));
  print("\nManifest\n\n" + manifest_text(run));
  if (!run.impacts.empty()) print("\nImpacts\n\n" + impacts_text(run, most));
  if (!run.events.empty()) print("\nEvents\n\n" + events_text(run, most));
  if (!written.empty()) print(fmt::format("\nwritten: {}\n", fmt::join(written, ", ")));
  return kAnswered;
}

}  // namespace

void add_info(CLI::App& program, int& code) {
  auto arguments = std::make_shared<InfoArguments>();
  CLI::App* command = program.add_subcommand("info", "What a run file holds: manifest, summary, impacts, events; as text, JSON or CSV");
  command->add_option("RUN", arguments->run, "run file (HDF5)");
  command->add_option("--csv", arguments->csv, "folder for trajectory.csv, events.csv, impacts.csv, impact_contacts.csv, impact_segments.csv");
  command->add_flag("--json", arguments->json, "answer as JSON");
  command->add_option("--rows", arguments->most, "impacts and events listed")->capture_default_str()->check(not_negative_number());
  command->add_flag("--scene-reference", arguments->scene_reference, "print every key of a scene file as a page of Markdown (docs/scene.md)");
  command->callback([arguments, &code] { code = run_info(*arguments); });
}

}  // namespace carom::app
