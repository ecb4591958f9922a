#pragma once
// Which edges of two boxes may cross within range. A box has four edges along each of its axes: what two directions have in common is found once
// for sixteen pairs of edges, and a pair is left with a few sums. Only pairs that rounding cannot bring back are left out, so the gaps of those that
// remain are those of all.

#include <array>
#include <cstdint>

#include "carom/geometry/gap_pairs.hpp"

namespace carom {

// Per edge of A: edges of B, bit j for edge j.
using EdgePairs = std::array<std::uint16_t, 12>;

// Pairs of edges that cross inside both, on the sides of the bodies that could be the first to touch (kTilt), at no more than `range` if apart and, if
// past each other, in the other box, or beside it by as much as they lean, if by no more than `leaning`.
struct BoxCrossings {
  EdgePairs pairs{};
  EdgePairs deep{};  // those farther past each other than `deep`
  bool some_deep = false;
};
BoxCrossings box_crossings(const Placed<Polytope>& a, const Placed<Polytope>& b, double range, double deep, double leaning);

}  // namespace carom
