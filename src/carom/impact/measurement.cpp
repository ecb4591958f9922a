#include "carom/impact/measurement.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "carom/core/error.hpp"

namespace carom {

std::string_view name(MeasuredQuantity quantity) {
  constexpr std::array<std::string_view, 3> names{"velocity", "normal_velocity", "qdot"};
  return names[static_cast<std::size_t>(quantity)];
}

std::string_view symbol(MeasuredQuantity quantity) {
  constexpr std::array<std::string_view, 3> symbols{"v⁺", "v_n⁺", "q̇⁺"};
  return symbols[static_cast<std::size_t>(quantity)];
}

void validate(const Measurement& measured, const ImpactProblem& problem) {
  const std::string field = fmt::format("measured.{}", name(measured.quantity));
  if (measured.quantity == MeasuredQuantity::qdot && !problem.system)
    throw InputError(field, "", "needs mass_matrix, jacobian and qdot: without them a problem has no generalised speeds");
  const Eigen::Index size = measured.quantity == MeasuredQuantity::velocity          ? problem.v_pre.size()
                            : measured.quantity == MeasuredQuantity::normal_velocity ? problem.contacts()
                                                                                     : problem.system->qdot_pre.size();
  if (measured.values.size() != size)
    throw InputError(field, fmt::format("{} values", measured.values.size()), fmt::format("must have {} values, null where nothing was measured", size));
  bool any = false;
  for (Eigen::Index i = 0; i < size; ++i) {
    if (std::isinf(measured.values(i))) throw InputError(fmt::format("{}[{}]", field, i), fmt::format("{}", measured.values(i)), "must be finite, or null");
    any = any || !std::isnan(measured.values(i));
  }
  if (!any) throw InputError(field, "", "must give at least one value");
}

Eigen::VectorXd predicted(MeasuredQuantity quantity, const ImpactProblem& problem, const ImpactOutcome& outcome) {
  if (quantity == MeasuredQuantity::velocity) return outcome.v_post;
  if (quantity == MeasuredQuantity::qdot) return outcome.qdot_post;
  Eigen::VectorXd normal(problem.contacts());
  for (int c = 0; c < problem.contacts(); ++c) normal(c) = outcome.v_post(problem.normal(c));
  return normal;
}

double rms_error(const Measurement& measured, const ImpactProblem& problem, const ImpactOutcome& outcome) {
  const Eigen::VectorXd computed = predicted(measured.quantity, problem, outcome);
  double sum = 0;
  int count = 0;
  for (Eigen::Index i = 0; i < computed.size(); ++i) {
    if (std::isnan(measured.values(i))) continue;
    sum += (computed(i) - measured.values(i)) * (computed(i) - measured.values(i));
    ++count;
  }
  return std::sqrt(sum / count);
}

}  // namespace carom
