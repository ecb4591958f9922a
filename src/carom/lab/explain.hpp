#pragma once
// An outcome in words and tables, for a person.

#include <string>
#include <string_view>
#include <vector>

#include "carom/core/table.hpp"
#include "carom/impact/outcome.hpp"
#include "carom/impact/problem.hpp"

namespace carom::lab {

// Six significant digits, as everywhere in tables for a person.
std::string short_number(double x);

// "(0.0465003, 0.112719)"; components below 1e-12 of the largest are rounding and shown as 0.
std::string short_vector(const Eigen::VectorXd& x);

// What one contact did: "slips until p_n = 0.7978 N s, then reverses". Empty without a history.
std::string slip_history(const ImpactProblem& problem, const ImpactOutcome& outcome, int contact);

// Velocity and impulse, component by component.
Table velocity_table(const ImpactProblem& problem, const ImpactOutcome& outcome);

// q̇ before and after; `names` may be empty.
Table speed_table(const ImpactProblem& problem, const ImpactOutcome& outcome, const std::vector<std::string>& names);

// Everything about an outcome, as `carom impact` prints it.
std::string explain(const ImpactProblem& problem, const ImpactOutcome& outcome, const std::vector<std::string>& speed_names = {});

}  // namespace carom::lab
