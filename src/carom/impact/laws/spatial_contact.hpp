#pragma once
// What goes into and comes out of the spatial processes at one contact: plain numbers, any scalar.

#include "carom/impact/outcome.hpp"

namespace carom::laws {

template <class T>
struct SpatialContact {
  T A11, A12, A22, b1, b2, c;  // G [1/kg]
  T v1, v2, v_n;               // before the impact, v_n < 0 [m/s]
  T mu_s, mu_d, e;
};

struct SpatialOptions {
  double zero_slip = 0;           // slip speed up to which the contact counts as not slipping [m/s]
  double rank_tolerance = 1e-13;  // relative size up to which a determinant of G counts as zero
};

// A moment inside the impact.
template <class T>
struct SpatialPoint {
  T p1{0}, p2{0}, p_n{0};  // impulse so far [N s]
  T v1, v2, v_n;           // [m/s]
  T work{0};               // normal work so far [J]
};

enum SpatialTie : unsigned {
  kSpatialStickLimit = 1,    // |A⁻¹b| = μ_s: took stick
  kSpatialAtRest = 2,        // no slip at the start with μ_d < |A⁻¹b| ≤ μ_s: took stick
  kSpatialUndetermined = 4,  // sticking with a singular A: took the least friction
  kSpatialOnIsocline = 8,    // started on an incoming isocline, to rounding, with μ_d < |A⁻¹b| ≤ μ_s: took stick
};

template <class T>
struct SpatialResult {
  SpatialPoint<T> end;
  T compression_work{0}, friction_work{0};  // ≤ 0
  double closest = 1;  // least slip speed passed without stopping, over the initial one
  bool holds = false;  // μ_d < |A⁻¹b| ≤ μ_s: zero slip would have held
  bool solved = true, locked = false, converged = true;
  unsigned ties = 0;
  int panels = 0;      // expansions used
};

struct NoSpatialObserver {
  static constexpr bool watches = false;
  template <class P> void event(ImpactEventKind, const P&) {}
  template <class P> void path(const P&) {}
  template <class P> void segment(SlipState, Phase, const P&, const P&) {}
};

}  // namespace carom::laws
