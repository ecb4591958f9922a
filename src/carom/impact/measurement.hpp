#pragma once
// What was measured after an impact, to stand beside what the laws say. No law sees it.

#include <Eigen/Core>
#include <string>
#include <string_view>

#include "carom/impact/outcome.hpp"
#include "carom/impact/problem.hpp"

namespace carom {

enum class MeasuredQuantity {
  velocity,         // v⁺ of all contacts, n·dimension values [m/s]
  normal_velocity,  // v_n⁺, one value per contact [m/s]
  qdot,             // q̇⁺, generalised speeds; the problem must carry its system
};
std::string_view name(MeasuredQuantity);    // as in files: "normal_velocity"
std::string_view symbol(MeasuredQuantity);  // as in tables: "v_n⁺"

struct Measurement {
  MeasuredQuantity quantity = MeasuredQuantity::velocity;
  Eigen::VectorXd values;  // NaN where nothing was measured
  std::string source;      // who measured it; may be empty
};

// Refuses a measurement of another size than the problem's, without a single value, infinite, or of q̇ where the problem has none.
void validate(const Measurement& measured, const ImpactProblem& problem);

// What the outcome says of the measured quantity, in the measurement's order.
Eigen::VectorXd predicted(MeasuredQuantity quantity, const ImpactProblem& problem, const ImpactOutcome& outcome);

// Root mean square of predicted − measured over the values that were measured, in their unit.
double rms_error(const Measurement& measured, const ImpactProblem& problem, const ImpactOutcome& outcome);

}  // namespace carom
