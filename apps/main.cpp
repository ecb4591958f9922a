// carom: the program. Commands stand in apps/commands, one file each.

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <exception>

#include "carom/core/error.hpp"
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

}  // namespace carom::app

int main(int argc, char** argv) {
  using namespace carom;
  CLI::App program("Rigid multibody systems that hit and rub: impact and Coulomb friction, with the energy balance shown.", "carom");
  program.set_version_flag("--version", "carom " CAROM_VERSION);
  program.require_subcommand(1);
  int code = app::kAnswered;
  for (const auto add : {app::add_run, app::add_impact, app::add_compare, app::add_reproduce, app::add_contact, app::add_laws, app::add_info, app::add_doctor}) add(program, code);
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return program.exit(error);
    const std::string first = argc > 1 ? argv[1] : "";
    const bool unknown = !first.empty() && first[0] != '-' && program.get_subcommands().empty();
    app::complain(fmt::format("{} (carom --help)", unknown ? first + ": unknown command" : std::string(error.what())));
    return app::kBadInput;
  } catch (const InputError& error) {
    app::complain(error.what());
    return app::kBadInput;
  } catch (const std::exception& error) {
    app::complain(error.what());
    return 1;
  }
  return code;
}
