// carom reproduce [PAPER…|all]: what the papers print, what carom computes, a verdict on every number.

#include <fmt/format.h>

#include <filesystem>

#include "carom/core/error.hpp"
#include "carom/io/json_writer.hpp"
#include "carom/io/plot.hpp"
#include "carom/io/report_html.hpp"
#include "carom/lab/reproduce/papers.hpp"
#include "command.hpp"

namespace carom::app {
namespace {

struct ReproduceArguments {
  std::vector<std::string> papers;
  std::string folder = "out/reproduce";
  bool json = false, no_files = false;
};

std::vector<const lab::Paper*> chosen(const std::vector<std::string>& ids) {
  std::vector<const lab::Paper*> papers;
  for (const std::string& id : ids)
    if (id != "all") papers.push_back(&lab::find_paper(id));
  if (papers.empty())
    for (const lab::Paper& paper : lab::all_papers()) papers.push_back(&paper);
  return papers;
}

void write_json(io::JsonWriter& json, const lab::Reproduction& result) {
  json.begin_object().member("paper", result.paper).member("title", result.title);
  json.key("findings").begin_array();
  for (const lab::FindingGroup& group : result.groups)
    for (const lab::Finding& finding : group.findings)
      json.begin_object().member("where", group.heading).member("item", finding.item).member("published", finding.published).member("computed", finding.computed).member("verdict", name(finding.verdict)).member("note", finding.note).end_object();
  json.end_array();
  for (const auto verdict : {lab::Verdict::reproduced, lab::Verdict::explained, lab::Verdict::differs})
    json.member(verdict == lab::Verdict::differs ? "differs" : name(verdict), result.count(verdict));
  json.end_object();
}

// Pictures and a page; returns what was written.
std::string write_files(const lab::Reproduction& result, const std::filesystem::path& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) throw InputError("-o", folder.string(), "cannot be made: " + failed.message());
  for (const lab::NamedFigure& each : result.figures) io::write_plot(each.figure, (folder / fmt::format("{}_{}.svg", result.paper, each.name)).string());
  const std::string page = (folder / (result.paper + ".html")).string();
  io::write_report(lab::to_report(result), page);
  return fmt::format("written: {} and {} pictures beside it\n", page, result.figures.size());
}

int run_reproduce(const ReproduceArguments& arguments) {
  int code = kAnswered;
  io::JsonWriter json;
  json.begin_array();
  for (const lab::Paper* paper : chosen(arguments.papers)) {
    const lab::Reproduction result = paper->reproduce();
    if (result.count(lab::Verdict::differs) > 0) code = kNotToTolerance;
    if (arguments.json) write_json(json, result);
    else print(to_text(lab::to_report(result)) + "\n");
    if (arguments.no_files) continue;
    const std::string written = write_files(result, arguments.folder);
    if (!arguments.json) print(written + "\n");
  }
  json.end_array();
  if (arguments.json) print(std::string(json.text()) + "\n");
  return code;
}

}  // namespace

void add_reproduce(CLI::App& program, int& code) {
  auto arguments = std::make_shared<ReproduceArguments>();
  std::vector<std::string> ids;
  for (const lab::Paper& paper : lab::all_papers()) ids.push_back(paper.id);
  CLI::App* command = program.add_subcommand("reproduce", "Numbers and pictures of the papers: published, computed, verdict");
  command->add_option("PAPER", arguments->papers, fmt::format("all, {}; default: all", fmt::join(ids, ", ")));
  command->add_option("-o,--out", arguments->folder, "folder for pictures and pages")->capture_default_str();
  command->add_flag("--no-files", arguments->no_files, "print only");
  command->add_flag("--json", arguments->json, "answer as JSON");
  command->callback([arguments, &code] { code = run_reproduce(*arguments); });
}

}  // namespace carom::app
