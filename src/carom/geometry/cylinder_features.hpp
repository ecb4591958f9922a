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

// Where edge and rim pass each other inside the cylinder the nearest surface is no longer between cap and side: the common
// perpendicular of edge and rim takes its place. A is the cylinder; `other` a curve near its parameter t, other_rise(n) the least
// slope of its body along n. False where there is none.
struct CurvePair {
  double distance = 0;
  Eigen::Vector3d point_a, point_b, normal, radial;
  int cap = 0;
};
template <class Rise>
bool rim_against(const Placed<Cylinder>& a, const Eigen::Vector3d& x, const Curve& other, double t, Rise&& other_rise, CurvePair& out) {
  const Eigen::Vector3d local = inside(a.pose, x);
  out.cap = local.z() < 0 ? 0 : 1;
  const Curve circle = rim(a, out.cap);
  double s = std::atan2(local.y(), local.x());
  if (!common_perpendicular(circle, s, other, t)) return false;
  out.point_a = circle.at(s);
  out.point_b = other.at(t);
  out.radial = (out.point_a - circle.origin) / circle.radius;
  const Eigen::Vector3d cross = circle.tangent(s).normalized().cross(other.tangent(t).normalized());
  if (cross.norm() < 1e-6) return false;
  out.normal = cross.normalized();
  const auto rise = [&](const Eigen::Vector3d& n) { return std::min(rim_rise(a, out.cap, out.radial, n), other_rise(Eigen::Vector3d(-n))); };
  if (rise(-out.normal) > rise(out.normal)) out.normal = -out.normal;
  out.distance = out.normal.dot(out.point_a - out.point_b);
  return rise(out.normal) >= -1e-9;
}

// The footprint of an inner point on the cap, or on the side, whichever `admits` (a test of the normal) lets pass and is nearer;
// the plain footprint when none does.
template <class Admits>
Footprint admissible_footprint(const Placed<Cylinder>& c, const Eigen::Vector3d& x, Admits&& admits) {
  const Footprint nearest = footprint(World::spatial, c.solid, c.pose, x);
  if (nearest.distance > 0 || admits(nearest.normal)) return nearest;
  const Eigen::Vector3d local = inside(c.pose, x);
  const bool on_side = std::abs(nearest.normal.dot(c.pose.rotation.col(2))) < 0.5;
  Footprint other;
  if (on_side) {
    const double up = local.z() < 0 ? -1 : 1;
    other.distance = std::abs(local.z()) - c.solid.half_height;
    other.normal = up * c.pose.rotation.col(2);
  } else {
    // Far outside along the radius, the side is what is nearest.
    const Eigen::Vector3d radial(local.x(), local.y(), 0);
    if (radial.norm() < 1e-9 * c.solid.radius) return nearest;
    const Eigen::Vector3d beyond = radial.normalized() * 2 * c.solid.radius + Eigen::Vector3d(0, 0, local.z());
    other = footprint(World::spatial, c.solid, c.pose, c.pose * beyond);
    other.distance = radial.norm() - c.solid.radius;
  }
  other.point = x - other.distance * other.normal;
  return admits(other.normal) ? other : nearest;
}

// A gap whose A-side is a footprint on the cylinder and whose B-side is the point x of an edge along `along`.
Gap gap_under_edge(int feature, const Footprint& on_cylinder, const Eigen::Vector3d& x, const Eigen::Vector3d& along);

}  // namespace carom
