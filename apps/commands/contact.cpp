// carom contact FILE…: complementarity and frictional contact problems of others, solved, with a certificate that no solver wrote.

#include <fmt/format.h>

#include <chrono>

#include "carom/complementarity/registry.hpp"
#include "carom/core/table.hpp"
#include "carom/io/json_writer.hpp"
#include "carom/io/siconos_dat.hpp"
#include "command.hpp"

namespace carom::app {
namespace {

struct ContactArguments {
  std::vector<std::string> files;
  std::string solver = "default";
  double tolerance = 1e-8;
  bool json = false, all = false;
};

struct Answer {
  std::string file, kind;
  ContactSummary summary;
  double seconds;
};

std::string kind_of(const AnyProblem& problem) {
  struct {
    std::string operator()(const Lcp& p) const { return fmt::format("LCP, {} unknowns", p.q.size()); }
    std::string operator()(const Mlcp&) const { return "mixed LCP"; }
    std::string operator()(const FrictionContact& p) const { return fmt::format("friction, {}-D, {} contacts", p.dimension, p.contacts()); }
    std::string operator()(const GlobalFrictionContact& p) const { return fmt::format("global friction, {}-D, {} contacts", p.dimension, p.mu.size()); }
  } name;
  return std::visit(name, problem);
}

Answer solve(const std::string& file, const AnyProblem& problem, std::string_view solver, double tolerance) {
  const auto start = std::chrono::steady_clock::now();
  ContactSummary summary = solve_contact(problem, solver, {.tolerance = tolerance});
  return {file, kind_of(problem), std::move(summary), std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()};
}

bool takes(const SolverInfo& solver, const AnyProblem& problem) {
  if (std::holds_alternative<Lcp>(problem)) return solver.lcp;
  if (std::holds_alternative<Mlcp>(problem)) return solver.mlcp;
  return solver.friction;
}

void write_json(io::JsonWriter& json, const Answer& answer) {
  const Certificate& c = answer.summary.certificate;
  json.begin_object().member("file", answer.file).member("problem", answer.kind).member("status", std::string(name(answer.summary.status))).member("solver", answer.summary.solver);
  json.key("certificate").begin_object().member("natural_map", c.natural_map).member("cone", c.cone).member("complementarity", c.complementarity).end_object();
  json.member("iterations", answer.summary.iterations).member("seconds", answer.seconds).end_object();
}

int run_contact(const ContactArguments& arguments) {
  std::vector<Answer> answers;
  for (const std::string& file : arguments.files) {
    const AnyProblem problem = load_contact_problem(file);
    if (!arguments.all) {
      answers.push_back(solve(file, problem, arguments.solver, arguments.tolerance));
      continue;
    }
    for (const SolverInfo& solver : solvers())
      if (takes(solver, problem)) answers.push_back(solve(file, problem, solver.id, arguments.tolerance));
  }
  int code = kAnswered;
  io::JsonWriter json;
  const bool many = answers.size() > 1;
  if (many) json.begin_array();
  Table table{{{"problem"}, {"kind"}, {"solver"}, {"status"}, {"natural map", Align::right}, {"cone", Align::right}, {"complementarity", Align::right}, {"iterations", Align::right}, {"seconds", Align::right}}, {}};
  for (const Answer& answer : answers) {
    if (!answer.summary.usable()) code = kNotToTolerance;
    const Certificate& c = answer.summary.certificate;
    const auto number = [](double x) { return fmt::format("{:.2e}", x); };
    table.rows.push_back({answer.file.substr(answer.file.find_last_of('/') + 1), answer.kind, answer.summary.solver, std::string(name(answer.summary.status)), number(c.natural_map), number(c.cone), number(c.complementarity), std::to_string(answer.summary.iterations), fmt::format("{:.4f}", answer.seconds)});
    if (arguments.json) write_json(json, answer);
  }
  if (many) json.end_array();
  print(arguments.json ? std::string(json.text()) + "\n" : to_text(table));
  return code;
}

}  // namespace

void add_contact(CLI::App& program, int& code) {
  auto arguments = std::make_shared<ContactArguments>();
  std::vector<std::string_view> ids{"default"};
  for (const SolverInfo& solver : solvers())
    if (solver.id != "default") ids.push_back(solver.id);
  CLI::App* command = program.add_subcommand("contact", "A complementarity or frictional contact problem (Siconos .dat, FCLIB .hdf5), with certificate");
  command->add_option("FILE", arguments->files, "one or more problem files")->required();
  command->add_option("--solver", arguments->solver, fmt::format("{}", fmt::join(ids, ", ")))->capture_default_str();
  command->add_option("--tol", arguments->tolerance, "natural map to reach")->capture_default_str();
  command->add_flag("--all", arguments->all, "every solver made for this kind of problem");
  command->add_flag("--json", arguments->json, "answer as JSON");
  command->callback([arguments, &code] { code = run_contact(*arguments); });
}

}  // namespace carom::app
