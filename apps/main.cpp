// carom: the program. Commands stand in apps/commands, one file each.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "carom/core/error.hpp"
#include "carom/io/value.hpp"
#include "command.hpp"

namespace carom::app {

int exit_code(const ImpactOutcome& outcome) {
  const ImpactResiduals& r = outcome.residuals;
  const bool answered = outcome.status == ImpactStatus::resolved || outcome.status == ImpactStatus::separating;
  return answered && std::max({r.momentum, r.cone, r.penetration}) <= kTolerance ? kAnswered : kNotToTolerance;
}

namespace {

// CLI11's own checks let NaN pass and name a limit of 300 digits.
CLI::Validator bounded(bool zero_too, const std::string& words) {
  return {[=](std::string& text) {
            double number = 0;
            const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
            const bool good = error == std::errc{} && end == text.data() + text.size() && std::isfinite(number) && (number > 0 || (zero_too && number == 0));
            return good ? std::string() : fmt::format("{}: must be a number {}", text, words);
          },
          words};
}

}  // namespace

CLI::Validator positive_number() { return bounded(false, "> 0"); }
CLI::Validator not_negative_number() { return bounded(true, "≥ 0"); }

void print(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }
void complain(std::string_view message) { fmt::print(stderr, "carom: {}\n", message); }

namespace {

// CLI11 would only say that a command is required.
void check_command(const CLI::App& program, std::string_view word) {
  if (word.empty() || word.front() == '-') return;
  std::vector<std::string> names;
  for (const CLI::App* command : program.get_subcommands(nullptr)) names.push_back(command->get_name());
  if (std::find(names.begin(), names.end(), word) != names.end()) return;
  const std::string_view guess = io::nearest(word, {names.begin(), names.end()});
  throw InputError("command", std::string(word), fmt::format("is not one of {}{}", fmt::join(names, ", "), guess.empty() ? "" : fmt::format("; did you mean {}?", guess)));
}

int run(int argc, char** argv) {
  CLI::App program("Rigid multibody systems that hit and rub: impact and Coulomb friction, with the energy balance shown.", "carom");
  program.set_version_flag("--version", "carom " CAROM_VERSION);
  program.require_subcommand(1);
  int code = kAnswered;
  for (const auto add : {add_run, add_impact, add_compare, add_reproduce, add_contact, add_laws, add_info, add_doctor}) add(program, code);
  if (argc > 1) check_command(program, argv[1]);
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return program.exit(error);
    complain(fmt::format("{} (carom --help)", error.what()));
    return kBadInput;
  }
  return code;
}

}  // namespace
}  // namespace carom::app

int main(int argc, char** argv) {
  try {
    return carom::app::run(argc, argv);
  } catch (const carom::InputError& error) {
    std::fprintf(stderr, "carom: %s\n", error.what());
    return carom::app::kBadInput;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "carom: %s\n", error.what());
    return 1;
  }
}
