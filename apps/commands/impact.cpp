// carom impact PROBLEM|-: impacts, resolved and explained.

#include <fmt/format.h>

#include <chrono>

#include "carom/io/answer_json.hpp"
#include "carom/io/plot.hpp"
#include "carom/io/problem_stream.hpp"
#include "carom/lab/explain.hpp"
#include "carom/lab/impact_figure.hpp"
#include "command.hpp"

namespace carom::app {
namespace {

struct ImpactArguments {
  std::string problem, law, restitution, plot, plane;
  bool json = false, history = false, timing = false;
};

// Seconds spent in each part of the work; the clock is read only when asked for.
class Stopwatch {
 public:
  explicit Stopwatch(bool on) : on_(on) { lap(nullptr); }
  void lap(double* into) {
    if (!on_) return;
    const auto now = std::chrono::steady_clock::now();
    if (into) *into += std::chrono::duration<double>(now - last_).count();
    last_ = now;
  }

 private:
  bool on_;
  std::chrono::steady_clock::time_point last_;
};

struct Seconds {
  double parsing = 0, solving = 0, writing = 0;
};

// Writes answers as they come: one explained for a person, a table for many, or JSON in the layout of the problems.
class AnswerSink {
 public:
  AnswerSink(const ImpactArguments& arguments, io::Layout layout) : arguments_(arguments), layout_(layout) {
    if (arguments_.json && layout_ == io::Layout::array) print("[");
    if (!arguments_.json && layout_ != io::Layout::single) fmt::print("{:>8}  {:<12}  {:<34}  {:<34}  {:>12}\n", "problem", "status", "v⁺ [m/s]", "p [N s]", "ΔT [J]");
  }

  void answer(const io::ProblemItem& item, const ImpactOutcome& outcome) {
    if (arguments_.json) {
      io::write_answer(begin(), outcome, {arguments_.history, item.speed_names, item.name});
      return end();
    }
    ++count_;
    if (layout_ == io::Layout::single) return print((item.name.empty() ? "" : item.name + "\n") + lab::explain(item.problem, outcome, item.speed_names));
    fmt::print("{:>8}  {:<12}  {:<34}  {:<34}  {:>12.6g}\n", item.name.empty() ? std::to_string(count_ - 1) : item.name, name(outcome.status),
               lab::short_vector(outcome.v_post), lab::short_vector(outcome.p), outcome.energy.change);
  }

  void error(const InputError& error) {
    complain(error.what());
    if (layout_ == io::Layout::single) return;
    if (!arguments_.json) {
      fmt::print("{:>8}  error\n", count_++);
      return;
    }
    io::write_error(begin(), error.what());
    end();
  }

  void finish() {
    if (arguments_.json && layout_ == io::Layout::array) print(count_ > 0 ? "\n]\n" : "]\n");
  }

 private:
  io::JsonWriter& begin() {
    if (layout_ == io::Layout::array) print(count_ > 0 ? ",\n " : "\n ");
    ++count_;
    json_.clear();
    return json_;
  }
  void end() {
    print(json_.text());
    if (layout_ != io::Layout::array) print("\n");
  }

  const ImpactArguments& arguments_;
  io::Layout layout_;
  io::JsonWriter json_;
  int count_ = 0;
};

void draw(const ImpactArguments& arguments, const io::ProblemItem& item, const ImpactOutcome& outcome) {
  if (!arguments.plot.empty()) io::write_plot(lab::impact_figure(item.problem, outcome), arguments.plot);
  if (arguments.plane.empty()) return;
  if (item.problem.contacts() != 1) throw InputError("--plane", arguments.plane, fmt::format("draws one contact, the problem has {}", item.problem.contacts()));
  io::write_plot(item.problem.dimension == 2 ? lab::velocity_plane_figure(item.problem, outcome) : lab::hodograph_figure(item.problem, outcome), arguments.plane);
}

int run_impact(const ImpactArguments& arguments) {
  Stopwatch watch(arguments.timing);
  Seconds seconds;
  io::ProblemStream problems(arguments.problem);
  if (problems.layout() != io::Layout::single && !(arguments.plot.empty() && arguments.plane.empty()))
    throw InputError("--plot", arguments.plot + arguments.plane, "draws a single problem, not a batch");
  AnswerSink sink(arguments, problems.layout());
  int code = kAnswered;
  long count = 0;
  for (io::ProblemItem item;; ++count) {
    try {
      const bool found = problems.next(item);
      if (!arguments.law.empty()) item.law.process = arguments.law;
      if (!arguments.restitution.empty()) item.law.restitution = arguments.restitution;
      watch.lap(&seconds.parsing);
      if (!found) break;
      ImpactOutcome outcome;
      try {
        outcome = resolve(item.problem, item.law);
      } catch (const InputError& error) {
        throw problems.placed(error);
      }
      watch.lap(&seconds.solving);
      sink.answer(item, outcome);
      draw(arguments, item, outcome);
      watch.lap(&seconds.writing);
      if (code != kBadInput) code = std::max(code, exit_code(outcome));
    } catch (const InputError& error) {
      sink.error(error);
      code = kBadInput;
    }
  }
  sink.finish();
  if (arguments.timing)
    fmt::print(stderr, "{} problems: parsing {:.3f} s, solving {:.3f} s, writing {:.3f} s; {:.2f} µs each\n", count, seconds.parsing, seconds.solving,
               seconds.writing, 1e6 * (seconds.parsing + seconds.solving + seconds.writing) / static_cast<double>(std::max(count, 1L)));
  return code;
}

}  // namespace

void add_impact(CLI::App& program, int& code) {
  auto arguments = std::make_shared<ImpactArguments>();
  CLI::App* command = program.add_subcommand("impact", "Resolve impacts: one explained, or a batch (JSON array, JSON lines)");
  command->add_option("PROBLEM", arguments->problem, "JSON or YAML file; - reads standard input")->required();
  command->add_option("--law", arguments->law, "law instead of the file's; `carom laws` lists them");
  command->add_option("--restitution", arguments->restitution, "restitution hypothesis instead of the file's: newton, poisson, stronge");
  command->add_option("--plot", arguments->plot, "draw velocity and normal work against impulse: FILE.svg or FILE.png");
  command->add_option("--plane", arguments->plane, "draw the path in the velocity plane (planar) or the hodograph of slip (spatial)");
  command->add_flag("--json", arguments->json, "answer as JSON, in the layout of the problems");
  command->add_flag("--history", arguments->history, "with --json: the segments of the branch history too");
  command->add_flag("--timing", arguments->timing, "seconds parsing, solving and writing, on standard error");
  command->callback([arguments, &code] { code = run_impact(*arguments); });
}

}  // namespace carom::app
