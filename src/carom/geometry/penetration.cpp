#include "carom/geometry/penetration.hpp"

#include <algorithm>

#include "carom/geometry/axes.hpp"
#include "carom/geometry/separation.hpp"

namespace carom {
namespace {

using Eigen::Vector3d;

// Keeps the direction of greatest separation; `apart` once one is positive.
struct Search {
  std::optional<WayApart> best{};
  bool apart = false;

  void consider(double separation, const WayApart& way) {
    if (separation > 0) apart = true;
    if (best && -separation >= best->depth) return;
    best = way;
    best->depth = -separation;
  }
  std::optional<WayApart> result() const { return apart ? std::nullopt : best; }
};

// The faces of `solid` with the corner of `other` that is lowest over each.
void search_faces(const Placed<Polytope>& solid, const Placed<Polytope>& other, bool solid_is_b, Search& search) {
  int corner = 0;
  for (int f = 0; f < solid.solid.face_count() && !search.apart; ++f) {
    const Vector3d n = solid.pose.rotation * solid.solid.face(f).normal;
    corner = support(other.solid, -(other.pose.rotation.transpose() * n), corner);
    const Vector3d x = inside(solid.pose, other.pose * other.solid.vertex(corner));
    WayApart way;
    way.normal = solid_is_b ? n : Vector3d(-n);
    (solid_is_b ? way.corner_a : way.corner_b) = corner;
    search.consider(solid.solid.over_plane(f, x), way);
  }
}

struct EdgeAxes {
  Vector3d from, along, into_left, into_right;
  double rise(const Vector3d& n) const { return std::min(n.dot(into_left), n.dot(into_right)); }
};

EdgeAxes edge_axes(const Placed<Polytope>& p, int e) {
  const HullEdge& edge = p.solid.edge(e);
  const Vector3d from = p.pose * p.solid.vertex(edge.from);
  const Vector3d along = (p.pose * p.solid.vertex(edge.to) - from).normalized();
  return {from, along, (p.pose.rotation * p.solid.face(edge.left).normal).cross(along),
          along.cross(p.pose.rotation * p.solid.face(edge.right).normal)};
}

// The two sides of a planar segment with the corner of the polygon that reaches farthest over each.
void search_sides(const Segment& a, const Placed<Polytope>& b, Search& search) {
  for (const double sign : {1.0, -1.0}) {
    const Vector3d n = sign * any_across(World::planar, a.along);
    WayApart way;
    way.normal = n;
    way.corner_b = support(b.solid, b.pose.rotation.transpose() * n, 0);
    search.consider(n.dot(a.from - b.pose * b.solid.vertex(way.corner_b)), way);
  }
}

}  // namespace

std::optional<WayApart> way_apart(const Placed<Polytope>& a, const Placed<Polytope>& b) {
  Search search;
  search_faces(b, a, true, search);
  search_faces(a, b, false, search);
  for (int i = 0; i < a.solid.edge_count() && !search.apart; ++i) {
    const EdgeAxes A = edge_axes(a, i);
    for (int j = 0; j < b.solid.edge_count() && !search.apart; ++j) {
      const EdgeAxes B = edge_axes(b, j);
      const Vector3d cross = A.along.cross(B.along);
      if (cross.norm() < kParallel) continue;
      for (const double sign : {1.0, -1.0}) {
        const Vector3d n = sign * cross.normalized();
        if (A.rise(n) < 0 || B.rise(-n) < 0) continue;
        WayApart way;
        way.normal = n;
        way.edge_a = i;
        way.edge_b = j;
        search.consider(n.dot(A.from - B.from), way);
      }
    }
  }
  return search.result();
}

std::optional<WayApart> way_apart(const Segment& a, const Placed<Polytope>& b) {
  Search search;
  for (int f = 0; f < b.solid.face_count() && !search.apart; ++f) {
    const Vector3d n = b.pose.rotation * b.solid.face(f).normal;
    WayApart way;
    way.normal = n;
    way.corner_a = n.dot(a.along) < 0 ? 1 : 0;
    const Vector3d x = inside(b.pose, way.corner_a == 1 ? a.to : a.from);
    search.consider(b.solid.over_plane(f, x), way);
  }
  if (b.solid.edge_count() == 0) search_sides(a, b, search);
  for (int j = 0; j < b.solid.edge_count() && !search.apart; ++j) {
    const EdgeAxes B = edge_axes(b, j);
    const Vector3d cross = a.along.cross(B.along);
    if (cross.norm() < kParallel) continue;
    for (const double sign : {1.0, -1.0}) {
      const Vector3d n = sign * cross.normalized();
      if (B.rise(-n) < 0) continue;
      WayApart way;
      way.normal = n;
      way.edge_a = 0;
      way.edge_b = j;
      search.consider(n.dot(a.from - B.from), way);
    }
  }
  return search.result();
}

}  // namespace carom
