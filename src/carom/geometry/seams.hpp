#pragma once
// Shapes of one body that lie flush against each other: slabs of a floor, a step on it. What the others cover of a box or hull cannot be touched, but
// its edges and corners are in the open, level with the surface beside them: what slides over a seam would strike them, and what comes along a floor to
// the foot of a step could just as well have come from below.

#include <span>

#include "carom/geometry/shape.hpp"

namespace carom {

struct PlacedShape {
  Shape shape{};
  Placement pose{};
};

// The shape with the faces marked that `others` cover together (Box::covered, Hull::covered). Boxes that stand on the others, or in them, grow into these
// by up to a hundredth of their size: points that have gone in there a little still find the faces above. No new surface comes to the open.
PlacedShape without_seams(World world, const PlacedShape& shape, std::span<const PlacedShape> others);

}  // namespace carom
