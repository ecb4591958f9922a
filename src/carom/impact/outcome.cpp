#include "carom/impact/outcome.hpp"

#include <array>

namespace carom {

std::string_view name(ImpactStatus status) {
  constexpr std::array<std::string_view, 4> names{"resolved", "separating", "not-converged", "no-solution"};
  return names[static_cast<std::size_t>(status)];
}

std::string_view name(SlipState state) {
  constexpr std::array<std::string_view, 5> names{"slip", "stick", "reverse", "jam", "separated"};
  return names[static_cast<std::size_t>(state)];
}

std::string_view name(ImpactEventKind kind) {
  constexpr std::array<std::string_view, 7> names{"slip-stops",       "slip-reverses",       "sticks",   "stick-breaks",
                                                  "compression-ends", "compression-resumes", "separates"};
  return names[static_cast<std::size_t>(kind)];
}

std::string_view name(Phase phase) { return phase == Phase::compression ? "compression" : "restitution"; }

}  // namespace carom
