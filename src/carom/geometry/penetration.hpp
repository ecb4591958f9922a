#pragma once
// Bodies that overlap without any corner inside or edges crossing at their nearest points, such as a bar run through a plate.
// The shallowest way apart is then along the normal of a face or across two edges (the faces of A − B); it is told as one gap,
// of the corner that stands out most along it.

#include <optional>

#include "carom/geometry/gap_pairs.hpp"
#include "carom/geometry/segment.hpp"

namespace carom {

// The direction along which a and b overlap least, or nothing when they are apart along one of the directions tried.
struct WayApart {
  double depth = 0;        // ≥ 0 [m]
  Eigen::Vector3d normal;  // from B to A
  int corner_a = -1, corner_b = -1;  // the one that stands out most, when the face of the other body is met
  int edge_a = -1, edge_b = -1;      // else
};
std::optional<WayApart> way_apart(const Placed<Polytope>& a, const Placed<Polytope>& b);
// The same of a segment, which has ends 0, 1 as its corners and edge 0.
std::optional<WayApart> way_apart(const Segment& a, const Placed<Polytope>& b);

}  // namespace carom
