// Gaps of cylinders with capsules and polytopes.
//
// Capsule–cylinder features: 0, 1 the ends of the capsule; 2 + kind the spots of its segment (SegmentSpotKind).
// Cylinder–polytope: i the corner i of the polytope; kFaces + 8 f + 4 c + k the rim point k of cap c over face f (the points of
// over_half_space.cpp); kEdges + 8 e + kind the spots of edge e, kind 0 also where edge and rim cross.
// A convex polyhedron is nearest to a cylinder at a corner, at a point of an edge, or at a rim point over a face.

#include <algorithm>
#include <cmath>
#include <optional>

#include "carom/geometry/axes.hpp"
#include "carom/geometry/cylinder_features.hpp"
#include "carom/geometry/penetration.hpp"

namespace carom {
namespace {

using Eigen::Vector3d;

constexpr int kFaces = 1'000'000, kEdges = 2'000'000;

void add_corners(const Placed<Cylinder>& a, const Placed<Polytope>& b, GapList& list) {
  for (int i = 0; i < b.solid.vertex_count(); ++i) {
    const Vector3d x = b.pose * b.solid.vertex(i);
    if ((x - a.pose.translation).norm() > std::hypot(a.solid.radius, a.solid.half_height) + list.range) continue;
    const auto rise = [&](const Vector3d& n) { return b.solid.rise_at(i, b.pose.rotation.transpose() * n); };
    const Footprint foot = admissible_footprint(a, x, rise);
    if (foot.distance > list.range || (foot.distance > kFlush * a.solid.radius && rise(foot.normal) < -kTilt)) continue;
    list.add_ball_of_b(i, x, 0, foot);
  }
}

// The rim points over the faces. Inside the polytope a point counts for a face only if that is about the shallowest way out.
void add_rims(const Placed<Cylinder>& a, const Placed<Polytope>& b, GapList& list) {
  const double flush = kFlush * b.solid.size();
  for (int f = 0; f < b.solid.face_count(); ++f) {
    const Vector3d n = b.pose.rotation * b.solid.face(f).normal;
    const double height = b.solid.face(f).normal.dot(inside(b.pose, a.pose.translation)) - b.solid.offset(f);
    const double cosine = std::abs(n.dot(a.pose.rotation.col(2))), sine = std::sqrt(std::max(0.0, 1 - cosine * cosine));
    const double reach = a.solid.radius * sine + a.solid.half_height * cosine;
    if (height - reach > list.range || height + reach < 0) continue;  // all above, or all below: that face is not met
    for (const int cap : {0, 1})
      for (const RimPoint& point : rim_points(a.solid, a.pose, cap, n)) {
        const Vector3d x = inside(b.pose, point.point);
        const double distance = b.solid.face(f).normal.dot(x) - b.solid.offset(f);
        if (!point.used || distance > list.range || !b.solid.over_face(f, x, flush)) continue;
        int shallowest = 0;
        if (distance < 0 && distance < 2 * b.solid.plane_distance(x, shallowest) - 1e-6 * b.solid.size()) continue;
        list.add(rim_gap(kFaces + 8 * f + 4 * cap + point.index, point, n, distance));
      }
  }
}

// Edge and rim about where they touch, on either side.
bool add_crossed(int feature, const Placed<Cylinder>& a, const Placed<Polytope>& b, int e, const Segment& g, double s, GapList& list) {
  const Curve line{g.from, g.along};
  const auto rise = [&](const Vector3d& n) { return b.solid.rise_along(e, b.pose.rotation.transpose() * n); };
  CurvePair pair;
  if (!rim_against(a, g.at(s), line, s, rise, pair) || pair.distance > kTouch * a.solid.radius) return false;
  const double along = g.along.dot(pair.point_b - g.from);
  if (!(along > 0 && along < g.length)) return false;
  Gap gap;
  gap.feature = feature;
  gap.distance = pair.distance;
  gap.normal = pair.normal;
  gap.point_a = pair.point_a;
  gap.point_b = pair.point_b;
  const Vector3d tangent = a.pose.rotation.col(2).cross(pair.radial);
  gap.curvature_a = edge_curvature(World::spatial, gap.normal, tangent, -gap.normal.dot(pair.radial) / a.solid.radius);
  gap.curvature_b = edge_curvature(World::spatial, gap.normal, g.along);
  gap.edge_a = {tangent, -gap.normal.dot(pair.radial) / a.solid.radius}, gap.edge_b = {g.along, 0};
  list.add(gap);
  return true;
}

void add_edge(const Placed<Cylinder>& a, const Placed<Polytope>& b, int e, GapList& list) {
  const HullEdge& edge = b.solid.edge(e);
  const Segment g(b.pose * b.solid.vertex(edge.from), b.pose * b.solid.vertex(edge.to));
  const double reach = std::hypot(a.solid.radius, a.solid.half_height) + g.length / 2 + list.range;
  if ((g.at(g.length / 2) - a.pose.translation).squaredNorm() > reach * reach) return;
  const auto rise = [&](const Vector3d& n) { return b.solid.rise_along(e, b.pose.rotation.transpose() * n); };
  const auto spots = segment_spots(g, a, list.range);
  for (int kind = 0; kind < kSegmentSpots; ++kind) {
    const SegmentSpot& spot = spots[kind];
    if (!spot.used || spot.foot.distance > list.range) continue;
    const int feature = kEdges + 8 * e + kind;
    const Vector3d x = g.at(spot.s);
    if (kind == kNearest && spot.foot.distance <= kTouch * a.solid.radius) {
      if (add_crossed(feature, a, b, e, g, spot.s, list)) continue;
      list.add(gap_under_edge(feature, admissible_footprint(a, x, rise), x, g.along));
    } else if (rise(spot.foot.normal) >= -kTilt) {
      list.add(gap_under_edge(feature, spot.foot, x, g.along));
    }
  }
}

// The axis has gone through the polytope: told by the rim of the cap from which it sticks out least.
void add_penetration(const Placed<Cylinder>& a, const Placed<Polytope>& b, GapList& list) {
  const Vector3d half = a.solid.half_height * a.pose.rotation.col(2);
  const Segment axis(a.pose.translation - half, a.pose.translation + half);
  const std::optional<WayApart> way = way_apart(axis, b);
  if (!way) return;
  const int cap = way->normal.dot(axis.along) < 0 ? 1 : 0;
  const RimPoint lowest = rim_points(a.solid, a.pose, cap, way->normal)[0];
  Gap gap;
  gap.feature = kFaces + 8 * b.solid.face_count() + cap;
  gap.normal = way->normal;
  gap.distance = -way->depth + way->normal.dot(lowest.point - (cap == 0 ? axis.from : axis.to));
  gap.point_a = lowest.point;
  gap.point_b = lowest.point - gap.distance * gap.normal;
  gap.curvature_a = lowest.curvature;
  gap.edge_a = lowest.edge;
  list.add(gap);
}

}  // namespace

void cylinder_gaps(Placed<Capsule> a, Placed<Cylinder> b, GapList& list) {
  const Vector3d half = a.solid.half_length * (a.pose.rotation * capsule_axis(list.world));
  const Segment core(a.pose.translation - half, a.pose.translation + half);
  const double radius = a.solid.radius;
  for (const int k : {0, 1}) {
    const Vector3d &end = k == 0 ? core.from : core.to, &other = k == 0 ? core.to : core.from;
    const Footprint foot = footprint(list.world, b.solid, b.pose, end);
    if (foot.distance < 0 || foot.normal.dot(other - end) >= -kTilt * core.length) list.add_ball(k, end, radius, foot);
  }
  const auto spots = segment_spots(core, b, list.range + radius);
  for (int kind = 0; kind < kSegmentSpots; ++kind) {
    const SegmentSpot& spot = spots[kind];
    if (!spot.used || spot.foot.distance - radius > list.range) continue;
    Gap gap = ball_gap(list.world, 2 + kind, core.at(spot.s), radius, spot.foot);
    const Vector3d across = core.along - core.along.dot(gap.normal) * gap.normal;
    gap.curvature_a -= across * across.transpose() / (radius * across.squaredNorm());
    list.add(gap);
  }
}

void cylinder_gaps(Placed<Cylinder> a, Placed<Polytope> b, GapList& list) {
  add_corners(a, b, list);
  add_rims(a, b, list);
  for (int e = 0; e < b.solid.edge_count(); ++e) add_edge(a, b, e, list);
  const Gap* nearest = list.nearest();
  if (!nearest || nearest->distance > 0) add_penetration(a, b, list);
}

}  // namespace carom
