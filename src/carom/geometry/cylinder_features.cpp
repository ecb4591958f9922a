#include "carom/geometry/cylinder_features.hpp"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

using Eigen::Vector3d;

// Segments that lean less than this against a cap (or against the axis) lie flat on the cap (or the side).
constexpr double kLying = 0.05;

// The least of the convex signed distance along the segment, by bisection of its slope n · along. False at an end.
bool nearest_inside(const Segment& g, const Placed<Cylinder>& c, double range, double& at) {
  const auto foot_at = [&](double s) { return footprint(World::spatial, c.solid, c.pose, g.at(s)); };
  const Footprint first = foot_at(0), last = foot_at(g.length);
  const double down = first.normal.dot(g.along), up = last.normal.dot(g.along);
  if (down >= 0 || up <= 0) return false;
  // Both tangents lie below the distance.
  const double meet = (last.distance - first.distance - up * g.length) / (down - up);
  if (first.distance + down * meet > range) return false;
  double low = 0, high = g.length;
  for (int k = 0; k < 60 && high - low > 1e-16 * g.length; ++k) {
    const double middle = (low + high) / 2;
    (foot_at(middle).normal.dot(g.along) < 0 ? low : high) = middle;
  }
  at = (low + high) / 2;
  return true;
}

void add_spot(SegmentSpot& spot, const Segment& g, const Placed<Cylinder>& c, double s) {
  if (!(s > 0 && s < g.length)) return;
  spot.used = true;
  spot.s = s;
  spot.foot = footprint(World::spatial, c.solid, c.pose, g.at(s));
}

// Where a segment along the axis passes the ends of the side.
void side_ends(const Segment& g, const Placed<Cylinder>& c, std::array<SegmentSpot, kSegmentSpots>& spots) {
  const Vector3d axis = c.pose.rotation.col(2);
  const double slope = g.along.dot(axis), z = axis.dot(g.from - c.pose.translation);
  const auto radius_at = [&](double s) { return inside(c.pose, g.at(s)).head<2>().norm(); };
  for (const int end : {0, 1}) {
    const double s = ((end == 0 ? -1 : 1) * c.solid.half_height - z) / slope;
    if (!(s > 0 && s < g.length) || radius_at(s) < 0.9 * c.solid.radius) continue;
    SegmentSpot& spot = spots[kSideBelow + end];
    spot.used = true;
    spot.s = s;
    spot.foot = side_footprint(c, g.at(s));
  }
}

// Where a segment across the axis passes the rim of the cap under it.
void cap_ends(const Segment& g, const Placed<Cylinder>& c, std::array<SegmentSpot, kSegmentSpots>& spots) {
  const Vector3d from = inside(c.pose, g.from), along = c.pose.rotation.transpose() * g.along;
  const double a = along.head<2>().squaredNorm(), b = along.head<2>().dot(from.head<2>());
  const double discriminant = b * b - a * (from.head<2>().squaredNorm() - c.solid.radius * c.solid.radius);
  if (discriminant <= 0) return;
  for (const int end : {0, 1}) {
    const double s = (-b + (end == 0 ? -1 : 1) * std::sqrt(discriminant)) / a;
    const double z = from.z() + s * along.z(), over = std::abs(z) - c.solid.half_height;
    if (!(s > 0 && s < g.length) || over < -1e-3 * std::min(c.solid.radius, c.solid.half_height)) continue;
    SegmentSpot& spot = spots[kCapFirst + end];
    spot.used = true;
    spot.s = s;
    spot.foot = cap_footprint(c, g.at(s));
  }
}

}  // namespace

Curve rim(const Placed<Cylinder>& c, int cap) {
  const Vector3d axis = c.pose.rotation.col(2);
  return {c.pose.translation + (cap == 0 ? -1 : 1) * c.solid.half_height * axis, c.pose.rotation.col(0), c.pose.rotation.col(1),
          c.solid.radius};
}

double rim_rise(const Placed<Cylinder>& c, int cap, const Vector3d& radial, const Vector3d& n) {
  const double inward = (cap == 0 ? 1 : -1) * n.dot(c.pose.rotation.col(2));
  return std::min(-n.dot(radial), inward);
}

Footprint cap_footprint(const Placed<Cylinder>& c, const Vector3d& x) {
  Footprint foot;
  const double z = c.pose.rotation.col(2).dot(x - c.pose.translation);
  foot.normal = (z < 0 ? -1 : 1) * c.pose.rotation.col(2);
  foot.distance = std::abs(z) - c.solid.half_height;
  foot.point = x - foot.distance * foot.normal;
  return foot;
}

Footprint side_footprint(const Placed<Cylinder>& c, const Vector3d& x) {
  Footprint foot;
  const Vector3d axis = c.pose.rotation.col(2), d = x - c.pose.translation, across = d - axis.dot(d) * axis;
  const double rho = across.norm();
  foot.normal = rho > 1e-14 ? Vector3d(across / rho) : Vector3d(c.pose.rotation.col(0));
  foot.distance = rho - c.solid.radius;
  foot.point = x - foot.distance * foot.normal;
  const Vector3d around = axis.cross(foot.normal);
  foot.curvature = around * around.transpose() / c.solid.radius;
  return foot;
}

std::array<SegmentSpot, kSegmentSpots> segment_spots(const Segment& g, const Placed<Cylinder>& c, double range) {
  std::array<SegmentSpot, kSegmentSpots> spots{};
  const double lean = std::abs(g.along.dot(c.pose.rotation.col(2)));
  if (lean < kLying) cap_ends(g, c, spots);
  if (std::sqrt(std::max(0.0, 1 - lean * lean)) < kLying) side_ends(g, c, spots);
  double s = 0;
  if (nearest_inside(g, c, range, s)) add_spot(spots[kNearest], g, c, s);
  // On a segment that lies flat to rounding the nearest point has no place of its own; the ends tell the distance.
  const double slope = std::min(lean, std::sqrt(std::max(0.0, 1 - lean * lean)));
  const bool ends_tell = std::any_of(spots.begin() + kSideBelow, spots.end(), [&](const SegmentSpot& spot) {
    return spot.used && spot.foot.distance <= spots[kNearest].foot.distance + 1e-13 * g.length;
  });
  if (slope < 1e-9 && ends_tell) spots[kNearest].used = false;
  return spots;
}

Gap gap_under_edge(int feature, const Footprint& on_cylinder, const Vector3d& x, const Vector3d& along) {
  Gap gap;
  gap.feature = feature;
  gap.distance = on_cylinder.distance;
  gap.normal = -on_cylinder.normal;
  gap.point_a = on_cylinder.point;
  gap.point_b = x;
  gap.curvature_a = on_cylinder.curvature;
  gap.edge_a = on_cylinder.edge;
  // The part of the edge across n: the edge may rise along n where it is held at a point that is not its lowest.
  const Vector3d across = along - along.dot(gap.normal) * gap.normal;
  gap.edge_b = {across.norm() > 1e-6 ? Vector3d(across.normalized()) : along, 0};
  gap.curvature_b = edge_curvature(World::spatial, gap.normal, gap.edge_b.along);
  gap.vertex_a = on_cylinder.vertex;
  return gap;
}

}  // namespace carom
