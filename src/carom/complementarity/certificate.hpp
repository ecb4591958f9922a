#pragma once
// What a solution is worth, computed from the problem and the solver's vector alone. No solver's own claim enters here.

#include <string_view>

namespace carom {

// Every figure is relative, 0 for an exact solution and +Inf when the vector holds NaN or Inf.
struct Certificate {
  double natural_map = 0;      // ‖natural map‖₂ over the scale of the problem (each problem's header says which)
  double cone = 0;             // worst distance of the unknown and of its dual from their cones
  double complementarity = 0;  // worst |⟨unknown, dual⟩| of one row or contact
};

enum class SolveStatus {
  solved,           // the natural map is within the tolerance asked for
  missed,           // the solver ended by its own rule, but the certificate misses the tolerance
  iteration_limit,  // stopped by the limit on iterations
  ray,              // Lemke: ended on a secondary ray; no solution found
  not_applicable    // the problem is outside what this solver treats
};
std::string_view name(SolveStatus status);

}  // namespace carom
