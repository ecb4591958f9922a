#pragma once
// What the gaps of cylinders are made of: rims, segments over a cylinder, corners over a cylinder.

#include <array>

#include "carom/geometry/curve.hpp"
#include "carom/geometry/gap_pairs.hpp"

namespace carom {

// The rim of cap c (0 below, 1 above) as a circle that begins at the cylinder's x axis.
Curve rim(const Placed<Cylinder>& c, int cap);

// The least slope with which the cylinder rises along n from the point of that rim in the direction `radial` (unit).
double rim_rise(const Placed<Cylinder>& c, int cap, const Eigen::Vector3d& radial, const Eigen::Vector3d& n);

// The point of a segment nearest the cylinder, if it is no end; and, for segments that lie flat, the points where they leave the
// cap or the end of the side under them, so that a line of contact has two ends.
struct SegmentSpot {
  bool used = false;
  double s = 0;         // along the segment [m]
  Footprint foot;       // of that point of the segment
};
enum SegmentSpotKind { kNearest, kSideBelow, kSideAbove, kCapFirst, kCapLast, kSegmentSpots };
// Nothing farther than `range` is looked for.
std::array<SegmentSpot, kSegmentSpots> segment_spots(const Segment& segment, const Placed<Cylinder>& c, double range);

// Where edge and rim touch, the difference of their points has no direction, and once they have passed each other the nearest
// surface is no longer between cap and side. Nearer than kTouch radii the common perpendicular of edge and rim takes its place. A is the cylinder; `other` a curve near its parameter t, other_rise(n) the least
// slope of its body along n. False where there is none.
inline constexpr double kTouch = 1e-6;
struct CurvePair {
  double distance = 0;
  Eigen::Vector3d point_a, point_b, normal, radial;
  int cap = 0;
};
template <class Rise>
bool rim_against(const Placed<Cylinder>& a, const Eigen::Vector3d& x, const Curve& other, double t, Rise&& other_rise, CurvePair& out) {
  const Eigen::Vector3d local = inside(a.pose, x);
  out.cap = local.z() < 0 ? 0 : 1;
  // On either side of touching the rim x is about as far from the rim as from the surface.
  const double over_cap = std::abs(local.z()) - a.solid.half_height, over_side = local.head<2>().norm() - a.solid.radius;
  const double from_rim = std::hypot(over_cap, over_side), slack = 1e-12 * (a.solid.radius + a.solid.half_height);
  if (from_rim > 1.5 * std::abs(std::max(over_cap, over_side)) + slack) return false;
  const Curve circle = rim(a, out.cap);
  double s = std::atan2(local.y(), local.x());
  if (!common_perpendicular(circle, s, other, t)) return false;
  out.point_a = circle.at(s);
  out.point_b = other.at(t);
  out.radial = (out.point_a - circle.origin) / circle.radius;
  const Eigen::Vector3d cross = circle.tangent(s).normalized().cross(other.tangent(t).normalized());
  // Another place where the curves are near is none of ours; near parallel ones meet farther from x.
  if (cross.norm() < 1e-6 || (out.point_a - x).norm() * cross.norm() > 20 * (from_rim + slack)) return false;
  out.normal = cross.normalized();
  const auto rise = [&](const Eigen::Vector3d& n) { return std::min(rim_rise(a, out.cap, out.radial, n), other_rise(Eigen::Vector3d(-n))); };
  if (rise(-out.normal) > rise(out.normal)) out.normal = -out.normal;
  out.distance = out.normal.dot(out.point_a - out.point_b);
  return rise(out.normal) >= -kTilt;
}

// The footprint of a point on the cap under it and on the side beside it, wherever else it may be nearer.
Footprint cap_footprint(const Placed<Cylinder>& c, const Eigen::Vector3d& x);
Footprint side_footprint(const Placed<Cylinder>& c, const Eigen::Vector3d& x);

// The footprint of x; inside the cylinder, that of cap and side through which x's own body, which rises along n by rise(n), can
// have come in, and the nearer if it can be both.
template <class Rise>
Footprint admissible_footprint(const Placed<Cylinder>& c, const Eigen::Vector3d& x, Rise&& rise) {
  Footprint nearest = footprint(World::spatial, c.solid, c.pose, x);
  if (nearest.distance > 0) return nearest;
  const Footprint cap = cap_footprint(c, x), side = side_footprint(c, x);
  const double cap_rise = rise(cap.normal), side_rise = rise(side.normal);
  const bool equal = std::abs(cap.distance - side.distance) < 1e-9 * c.solid.radius;
  if (equal || (cap_rise < -kTilt) != (side_rise < -kTilt)) return cap_rise > side_rise ? cap : side;
  return nearest;
}

// A gap whose A-side is a footprint on the cylinder and whose B-side is the point x of an edge along `along`.
Gap gap_under_edge(int feature, const Footprint& on_cylinder, const Eigen::Vector3d& x, const Eigen::Vector3d& along);

}  // namespace carom
