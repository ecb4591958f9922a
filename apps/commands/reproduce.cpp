// carom reproduce [PAPER…|all]: what the papers print, what carom computes, a verdict on every number.

#include <fmt/format.h>

#include <filesystem>

#include "carom/core/error.hpp"
#include "carom/io/json_writer.hpp"
#include "carom/io/plot.hpp"
#include "carom/io/report_html.hpp"
#include "carom/lab/reproduce/papers.hpp"
#include "command.hpp"
#include "progress.hpp"

namespace carom::app {
namespace {

struct ReproduceArguments {
  std::vector<std::string> papers;
  std::string folder = "out/reproduce";
  bool json = false, no_files = false;
};

std::vector<const lab::Paper*> chosen(const std::vector<std::string>& ids) {
  std::vector<const lab::Paper*> papers;
  bool all = ids.empty();
  for (const std::string& id : ids) {
    if (id == "all") all = true;
    else papers.push_back(&lab::find_paper(id));
  }
  if (!all) return papers;
  papers.clear();
  for (const lab::Paper& paper : lab::all_papers()) papers.push_back(&paper);
  return papers;
}

void write_json(io::JsonWriter& json, const lab::Reproduction& result) {
  json.begin_object().member("paper", result.paper).member("title", result.title);
  json.key("findings").begin_array();
  for (const lab::FindingGroup& group : result.groups)
    for (const lab::Finding& finding : group.findings)
      json.begin_object().member("where", group.heading).member("item", finding.item).member("published", finding.published).member("computed", finding.computed).member("verdict", name(finding.verdict)).member("note", finding.note).member("reason", finding.reason).end_object();
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
  const std::vector<const lab::Paper*> papers = chosen(arguments.papers);
  std::vector<lab::Reproduction> results;
  std::vector<std::string> written;
  Progress bar(static_cast<double>(papers.size()), "papers");
  for (const lab::Paper* paper : papers) {
    bar.show(static_cast<double>(results.size()));
    results.push_back(paper->reproduce());
    written.push_back(arguments.no_files ? "" : write_files(results.back(), arguments.folder) + "\n");
  }
  bar.clear();
  if (arguments.json) {
    io::JsonWriter json;
    json.begin_array();
    for (const lab::Reproduction& result : results) write_json(json, result);
    json.end_array();
    print(std::string(json.text()) + "\n");
    return kAnswered;
  }
  for (std::size_t k = 0; k < results.size(); ++k) print(to_text(lab::to_report(results[k])) + "\n" + written[k]);
  print(lab::reproduction_summary(results));
  return kAnswered;  // what differs is a finding, not a failure of this program
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
