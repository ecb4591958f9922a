// Gaps of capsules with capsules and polytopes: of the segments at their cores, less the radii. A pair of segments is nearest
// at an end of one, or where both cross; a segment and a polytope at an end, at a corner, or where it crosses an edge.
//
// Capsule–capsule features: 0, 1 the ends of A over B; 2, 3 the ends of B over the middle of A; 4 the crossing. An end over an end
// is told when each is the nearest to the other.
// Capsule–polytope: 0, 1 the ends of A over B; 2 + i the corner i of B over the middle of A; 2 + corners + e the edge e of B.
//
// Bare segments of a planar world have no inside. A pair that has passed into each other is told by the segments' crossing,
// and its depth is that of the feature which went in least; two bare segments that are parallel cannot tell.

#include <algorithm>
#include <array>
#include <cmath>

#include "carom/geometry/axes.hpp"
#include "carom/geometry/gap_pairs.hpp"
#include "carom/geometry/penetration.hpp"
#include "carom/geometry/segment.hpp"

namespace carom {
namespace {

using Eigen::Vector3d;

Segment core(const Placed<Capsule>& c, World world) {
  const Vector3d end = c.solid.half_length * (c.pose.rotation * capsule_axis(world));
  return {c.pose.translation - end, c.pose.translation + end};
}

// Does the body that runs from x by `way` lie on the side n, up to kTilt?
bool rises(const Vector3d& way, const Vector3d& n) { return n.dot(way) >= -kTilt * way.norm(); }

// Turns a footprint of a point on the far side of a bare segment to the side that the point came from.
void turn_over(Footprint& foot, double radius) {
  const double core_distance = foot.distance + radius;
  foot.point -= 2 * radius * foot.normal;
  foot.normal = -foot.normal;
  foot.distance = -core_distance - radius;
}

// Where two planar segments cross, the end that is least far beyond the other: index 0, 1 of a, 2, 3 of b; −1: no crossing.
int shallowest_end(const Segment& a, const Segment& b) {
  double s = 0, t = 0;
  if (!crossing(a, b, s, t)) return -1;
  const double sine = a.along.cross(b.along).norm();
  const std::array<double, 4> depths = {s * sine, (a.length - s) * sine, t * sine, (b.length - t) * sine};
  return static_cast<int>(std::min_element(depths.begin(), depths.end()) - depths.begin());
}

// Is the foot of x strictly inside the segment?
bool over_middle(const Segment& s, const Vector3d& x) {
  const double at = s.along.dot(x - s.from);
  return at > 0 && at < s.length;
}

// The end of A whose nearest point of B is an end: is it the nearest of A to that end, with B on the far side along n?
bool ends_meet(const Segment& A, const Vector3d& end_a, const Segment& B, const Vector3d& n) {
  const bool first = B.along.dot(end_a - B.from) <= 0;
  const Vector3d &end_b = first ? B.from : B.to, &other_b = first ? B.to : B.from;
  const bool before = A.along.dot(end_b - A.from) <= 0;
  return !over_middle(A, end_b) && before == (&end_a == &A.from) && rises(other_b - end_b, -n);
}

void add_crossing(int feature, const Placed<Capsule>& a, const Segment& A, const Placed<Capsule>& b, const Segment& B, GapList& list) {
  double s = 0, t = 0;
  if (!crossing(A, B, s, t)) return;
  const Vector3d d = A.at(s) - B.at(t);
  Gap gap;
  gap.feature = feature;
  gap.normal = A.along.cross(B.along).normalized();
  if (gap.normal.dot(d) < 0) gap.normal = -gap.normal;
  const double core_distance = gap.normal.dot(d);
  gap.distance = core_distance - a.solid.radius - b.solid.radius;
  gap.point_a = A.at(s) - a.solid.radius * gap.normal;
  gap.point_b = B.at(t) + b.solid.radius * gap.normal;
  const Eigen::Matrix3d tangent = tangent_projector(list.world, gap.normal);
  gap.curvature_a = (tangent - A.along * A.along.transpose()) / a.solid.radius;
  gap.curvature_b = (tangent - B.along * B.along.transpose()) / b.solid.radius;
  list.add(gap);
}

// The corners of B over the middle of A in a planar world, where A may be a bare segment: corners that are on the other side
// of it than B's centroid, inside B, have gone through.
void add_planar_corners(const Placed<Capsule>& a, const Segment& A, const Placed<Polytope>& b, double shallowest, GapList& list) {
  const Polytope& p = b.solid;
  const Vector3d across = any_across(World::planar, A.along);
  Vector3d centre = Vector3d::Zero();
  for (int i = 0; i < p.vertex_count(); ++i) centre += p.vertex(i) / p.vertex_count();
  const double side = across.dot(b.pose * centre - A.from) < 0 ? -1 : 1;
  const auto has_passed = [&](const Vector3d& x, double height) {
    int face = 0;
    return height < 0 && over_middle(A, x) &&
           p.plane_distance(inside(b.pose, A.at(A.along.dot(x - A.from))), face) <= kFlush * p.size();
  };
  for (int i = 0; i < p.vertex_count(); ++i) {
    const Vector3d x = b.pose * p.vertex(i);
    const double height = side * across.dot(x - A.from);
    if (has_passed(x, height)) shallowest = std::min(shallowest, -height);
  }
  for (int i = 0; i < p.vertex_count(); ++i) {
    const Vector3d x = b.pose * p.vertex(i);
    if (!over_middle(A, x)) continue;
    const double height = side * across.dot(x - A.from);
    Footprint foot = footprint(list.world, a.solid, a.pose, x);
    const bool passed = has_passed(x, height);
    if (passed && -height > 2 * shallowest + 1e-6 * p.size()) continue;
    if (passed) turn_over(foot, a.solid.radius);
    if (p.above_at(i, b.pose.rotation.transpose() * foot.normal, kTilt)) list.add_ball_of_b(2 + i, x, 0, foot);
  }
}

void add_spatial_corners(const Placed<Capsule>& a, const Segment& A, const Placed<Polytope>& b, GapList& list) {
  for (int i = 0; i < b.solid.vertex_count(); ++i) {
    const Vector3d x = b.pose * b.solid.vertex(i);
    if (!over_middle(A, x)) continue;
    const Footprint foot = footprint(list.world, a.solid, a.pose, x);
    if (foot.distance > list.range || !b.solid.above_at(i, b.pose.rotation.transpose() * foot.normal, kTilt)) continue;
    list.add_ball_of_b(2 + i, x, 0, foot);
  }
}

// The side of the capsule, about `on_core`, over the point `on_edge` of an edge.
Gap side_on_edge(int feature, const Placed<Capsule>& a, const Segment& A, const Vector3d& on_core, const Vector3d& on_edge,
                 const Vector3d& along, const Vector3d& n) {
  Gap gap;
  gap.feature = feature;
  gap.distance = n.dot(on_core - on_edge) - a.solid.radius;
  gap.normal = n;
  gap.point_a = on_core - a.solid.radius * n;
  gap.point_b = on_edge;
  gap.curvature_a = (tangent_projector(World::spatial, n) - A.along * A.along.transpose()) / a.solid.radius;
  gap.curvature_b = edge_curvature(World::spatial, n, along);
  gap.edge_b = {along, 0};
  return gap;
}

void add_edges(const Placed<Capsule>& a, const Segment& A, const Placed<Polytope>& b, GapList& list) {
  for (int e = 0; e < b.solid.edge_count(); ++e) {
    const Segment edge(b.pose * b.solid.vertex(b.solid.edge(e).from), b.pose * b.solid.vertex(b.solid.edge(e).to));
    double s = 0, t = 0;
    if (!crossing(A, edge, s, t)) continue;
    const Vector3d d = A.at(s) - edge.at(t);
    Vector3d n = A.along.cross(edge.along).normalized();
    if (n.dot(d) < 0) n = -n;
    if (n.dot(d) - a.solid.radius > list.range || !b.solid.above_along(e, -(b.pose.rotation.transpose() * n), kTilt)) continue;
    list.add(side_on_edge(2 + b.solid.vertex_count() + e, a, A, A.at(s), edge.at(t), edge.along, n));
  }
}

// The core has gone through the polytope: the shallowest way back.
void add_penetration(const Placed<Capsule>& a, const Segment& A, const Placed<Polytope>& b, GapList& list) {
  const std::optional<WayApart> way = way_apart(A, b);
  if (!way) return;
  if (way->corner_a >= 0) {
    Footprint foot;
    const Vector3d end = way->corner_a == 0 ? A.from : A.to;
    foot.distance = -way->depth;
    foot.normal = way->normal;
    foot.point = end + way->depth * way->normal;
    return list.put(ball_gap(list.world, way->corner_a, end, a.solid.radius, foot));
  }
  if (way->corner_b >= 0) {
    Footprint foot;
    const Vector3d x = b.pose * b.solid.vertex(way->corner_b);
    foot.normal = -way->normal;
    foot.distance = -way->depth - a.solid.radius;
    foot.point = x - foot.distance * foot.normal;
    return list.put(mirrored(ball_gap(list.world, 2 + way->corner_b, x, 0, foot)));
  }
  const HullEdge& edge = b.solid.edge(way->edge_b);
  const Vector3d along = b.pose.rotation * (b.solid.vertex(edge.to) - b.solid.vertex(edge.from)).normalized();
  const Vector3d middle = A.at(A.length / 2);
  list.put(side_on_edge(2 + b.solid.vertex_count() + way->edge_b, a, A, middle, middle + way->depth * way->normal, along, way->normal));
}

}  // namespace

void capsule_gaps(Placed<Capsule> a, Placed<Capsule> b, GapList& list) {
  const Segment A = core(a, list.world), B = core(b, list.world);
  const int passed = list.world == World::planar ? shallowest_end(A, B) : -1;
  for (int k = 0; k < 2; ++k) {
    const Vector3d &end = k == 0 ? A.from : A.to, &other = k == 0 ? A.to : A.from;
    Footprint foot = footprint(list.world, b.solid, b.pose, end);
    if (passed == k) turn_over(foot, b.solid.radius);
    if (rises(other - end, foot.normal) && (over_middle(B, end) || ends_meet(A, end, B, foot.normal)))
      list.add_ball(k, end, a.solid.radius, foot);
  }
  for (int k = 0; k < 2; ++k) {
    const Vector3d &end = k == 0 ? B.from : B.to, &other = k == 0 ? B.to : B.from;
    if (!over_middle(A, end)) continue;
    Footprint foot = footprint(list.world, a.solid, a.pose, end);
    if (passed == 2 + k) turn_over(foot, a.solid.radius);
    if (rises(other - end, foot.normal)) list.add_ball_of_b(2 + k, end, b.solid.radius, foot);
  }
  if (list.world == World::spatial) add_crossing(4, a, A, b, B, list);
}

void capsule_gaps(Placed<Capsule> a, Placed<Polytope> b, GapList& list) {
  const Segment A = core(a, list.world);
  double shallowest = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 2; ++k) {
    const Vector3d &end = k == 0 ? A.from : A.to, &other = k == 0 ? A.to : A.from;
    const Footprint foot = footprint(list.world, b.solid, b.pose, end, list.range + a.solid.radius);
    if (foot.distance < 0) shallowest = std::min(shallowest, -foot.distance);
    if (foot.distance < 0 || rises(other - end, foot.normal)) list.add_ball(k, end, a.solid.radius, foot);
  }
  if (list.world == World::planar) {
    add_planar_corners(a, A, b, shallowest, list);
  } else {
    add_spatial_corners(a, A, b, list);
    add_edges(a, A, b, list);
  }
  const Gap* nearest = list.nearest();
  if (!nearest || nearest->distance > -a.solid.radius) add_penetration(a, A, b, list);
}

}  // namespace carom
