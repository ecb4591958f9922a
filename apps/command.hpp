#pragma once
// What every command of the program shares.

#include <CLI/CLI.hpp>
#include <string_view>

#include "carom/impact/outcome.hpp"

namespace carom::app {

// Exit codes, the same for every command.
inline constexpr int kAnswered = 0;
inline constexpr int kBadInput = 2;
inline constexpr int kNotToTolerance = 3;

// Relative residual up to which an outcome counts as solved.
inline constexpr double kTolerance = 1e-9;

// kAnswered or kNotToTolerance.
int exit_code(const ImpactOutcome& outcome);

// For options: a finite number > 0, or ≥ 0.
CLI::Validator positive_number();
CLI::Validator not_negative_number();

void print(std::string_view text);        // to standard output
void complain(std::string_view message);  // a line on standard error

// Each adds its command; the command's callback puts the exit code into `code`.
void add_run(CLI::App& program, int& code);
void add_impact(CLI::App& program, int& code);
void add_compare(CLI::App& program, int& code);
void add_reproduce(CLI::App& program, int& code);
void add_contact(CLI::App& program, int& code);
void add_laws(CLI::App& program, int& code);
void add_info(CLI::App& program, int& code);
void add_doctor(CLI::App& program, int& code);

}  // namespace carom::app
