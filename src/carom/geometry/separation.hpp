#pragma once
// A direction along which two polytopes are, nearly, as far apart as they are: what is farther apart than `range` along it
// need not be looked at.

#include "carom/geometry/gap_pairs.hpp"

namespace carom {

// Along `normal` (unit, world) A lies above lowest_a and B below highest_b. Their difference never exceeds the distance.
struct Slab {
  Eigen::Vector3d normal;
  double lowest_a = 0, highest_b = 0;
};

// The corner of p farthest along `way` (in p's frame), looked for from corner `start` on.
int support(const Polytope& p, const Eigen::Vector3d& way, int start);

// The slab along a given unit normal.
Slab slab_along(const Eigen::Vector3d& normal, const Placed<Polytope>& a, const Placed<Polytope>& b);

// Of two boxes: the slab along that axis of either that parts them most.
Slab slab_along_axes(const Placed<Polytope>& a, const Placed<Polytope>& b);

// The same across an axis of each: how far they are apart along one of these directions; negative: along none, by how much at least. Nearly parallel axes
// tell nothing.
double apart_across_axes(const Placed<Polytope>& a, const Placed<Polytope>& b);

// Gilbert's iteration for the point of A − B nearest the origin (Gilbert 1966): v ← the nearest point to the origin between v
// and the corner of A − B lowest along v. Stops early once the slab is wider than range.
Slab separating_slab(const Placed<Polytope>& a, const Placed<Polytope>& b, double range);

}  // namespace carom
