#include "carom/complementarity/certificate.hpp"

namespace carom {

std::string_view name(SolveStatus status) {
  switch (status) {
    case SolveStatus::solved: return "solved";
    case SolveStatus::missed: return "missed";
    case SolveStatus::iteration_limit: return "iteration-limit";
    case SolveStatus::ray: return "ray";
    case SolveStatus::not_applicable: return "not-applicable";
  }
  return "unknown";
}

}  // namespace carom
