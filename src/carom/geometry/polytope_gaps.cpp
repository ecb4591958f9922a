// Gaps between boxes and hulls, in the plane and in space.
//
// Features: i — corner i of A over B; kCornersOfB + i — corner i of B over A; kEdges + i · (edges of B) + j — edge i of A
// across edge j of B. Two convex bodies are nearest at a corner of one, or where two edges cross; parallel features are
// realised by their corners. Inside each other, a corner is as deep as the nearest face it can have come through, and a pair of
// edges as their lines along the common perpendicular: n = ±(e_A × e_B) with A above and B below, whichever side they are on.
//
// Where corners and edges are flush, corner meets corner and edges cross at their ends: one place that several features tell of. It is
// one gap, of the feature of the lowest number.
//
// Corners and edges that could not be the first to touch along their normal, by more than kTilt, are left out. What is farther
// than `range` along a separating direction is left out before anything is computed.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "carom/geometry/axes.hpp"
#include "carom/geometry/box_crossings.hpp"
#include "carom/geometry/gap_pairs.hpp"
#include "carom/geometry/penetration.hpp"
#include "carom/geometry/segment.hpp"
#include "carom/geometry/separation.hpp"

namespace carom {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int kCornersOfB = 1'000'000, kEdges = 2'000'000;

// Gaps are at one place when they are nearer together than this, of the smaller size: no force that moves over so little has another
// torque, and bodies that creep keep their feature. Along one normal [rad]; of one distance up to kFlush.
constexpr double kOnePlace = 1e-7, kOneNormal = 1e-6;

// Crossings that have gone in may lie beside the bodies by up to kTilt of their depth, as their normal leans out from between the faces; up to
// this depth, of the smaller size, so that the edges are looked at in bounds no wider than that.
constexpr double kLeaning = 0.05;
double leaning_depth(const Polytope& a, const Polytope& b) { return kLeaning * std::min(a.size(), b.size()); }

// Has a feature told of this place along this normal already?
bool is_known(const Polytope& a, const Polytope& b, const Vector3d& on_a, const Vector3d& on_b, const Vector3d& n, double distance, const GapList& list) {
  const auto found = list.found();
  if (found.empty()) return false;
  const double size = std::min(a.size(), b.size()), near2 = kOnePlace * size * (kOnePlace * size);
  return std::any_of(found.begin(), found.end(), [&](const Gap& gap) {
    return (gap.point_a - on_a).squaredNorm() <= near2 && (gap.point_b - on_b).squaredNorm() <= near2 &&
           (gap.normal - n).squaredNorm() <= kOneNormal * kOneNormal && std::abs(gap.distance - distance) <= kFlush * size;
  });
}

// The corners of `mine` over `other` that reach below `ceiling` along `up` (world), the other's side being below.
void add_corners(const Placed<Polytope>& mine, const Placed<Polytope>& other, const Vector3d& up, double ceiling, bool mine_is_a,
                 GapList& list) {
  const Matrix3d to_mine = mine.pose.rotation.transpose() * other.pose.rotation;
  const Vector3d up_here = mine.pose.rotation.transpose() * up;
  const double below = ceiling - up.dot(mine.pose.translation);
  for (int i = 0; i < mine.solid.vertex_count(); ++i) {
    if (up_here.dot(mine.solid.vertex(i)) > below) continue;
    const Vector3d x = mine.pose * mine.solid.vertex(i);
    const Corner corner{mine.solid, i, to_mine};
    const Footprint foot = footprint(list.world, other.solid, other.pose, x, list.range, &corner);
    if (foot.distance > list.range) continue;
    if (foot.distance > kFlush * other.solid.size() && !mine.solid.above_at(i, mine.pose.rotation.transpose() * foot.normal, kTilt)) continue;
    if (mine_is_a) list.add_ball(i, x, 0, foot);
    else if (!is_known(other.solid, mine.solid, foot.point, x, -foot.normal, foot.distance, list)) list.add_ball_of_b(kCornersOfB + i, x, 0, foot);
  }
}

// An edge in the world with the directions from it into its two faces.
struct PlacedEdge {
  Segment segment;
  Vector3d into_left, into_right;
  int index;
  // The least slope with which the body rises from the edge along n.
  double rise(const Vector3d& n) const { return std::min(n.dot(into_left), n.dot(into_right)); }
};

PlacedEdge placed_edge(const Placed<Polytope>& p, int e) {
  const HullEdge& edge = p.solid.edge(e);
  const Segment segment(p.pose * p.solid.vertex(edge.from), p.pose * p.solid.vertex(edge.to));
  return {segment, (p.pose.rotation * p.solid.face(edge.left).normal).cross(segment.along),
          segment.along.cross(p.pose.rotation * p.solid.face(edge.right).normal), e};
}

// The edges of p that reach below `ceiling` along `up` and into the bounds of `other`, in its frame and grown by `reach`: no others come so near.
void collect_edges(const Placed<Polytope>& p, const Placed<Polytope>& other, const Vector3d& up, double ceiling, double reach, std::vector<PlacedEdge>& out) {
  thread_local std::vector<unsigned> beyond;  // per vertex: the planes that it lies beyond, a bit each
  out.clear();
  const Matrix3d to_other = other.pose.rotation.transpose() * p.pose.rotation;
  const Vector3d origin = inside(other.pose, p.pose.translation), up_there = other.pose.rotation.transpose() * up;
  const double below = ceiling - up.dot(other.pose.translation), margin = std::max(reach, 0.0);
  const Bounds extent = other.solid.extent();
  const Eigen::Array3d low = extent.low.array() - margin, high = extent.high.array() + margin;
  beyond.clear();
  for (int i = 0; i < p.solid.vertex_count(); ++i) {
    const Vector3d x = to_other * p.solid.vertex(i) + origin;
    unsigned bits = up_there.dot(x) > below ? 1u : 0u;
    for (int k = 0; k < 3; ++k) bits |= (x[k] < low[k] ? 2u << (2 * k) : 0u) | (x[k] > high[k] ? 4u << (2 * k) : 0u);
    beyond.push_back(bits);
  }
  for (int e = 0; e < p.solid.edge_count(); ++e) {
    const HullEdge& edge = p.solid.edge(e);
    if ((beyond[edge.from] & beyond[edge.to]) != 0) continue;
    out.push_back(placed_edge(p, e));
  }
}

// Inside the solid, or on it, or beside it by less than `slack`.
bool holds(const Placed<Polytope>& p, const Vector3d& x, double slack) {
  int face = 0;
  return p.solid.plane_distance(inside(p.pose, x), face) <= 1e-9 * p.solid.size() + slack;
}

void add_edge_pair(const Placed<Polytope>& a, const PlacedEdge& A, const Placed<Polytope>& b, const PlacedEdge& B, GapList& list, std::vector<Gap>& leaning) {
  double s = 0, t = 0;
  if (!crossing(A.segment, B.segment, s, t)) return;
  Vector3d n = A.segment.along.cross(B.segment.along).normalized();
  const double up = std::min(A.rise(n), B.rise(-n)), down = std::min(A.rise(-n), B.rise(n));
  if (std::max(up, down) < -kTilt) return;
  if (down > up) n = -n;
  const Vector3d on_a = A.segment.at(s), on_b = B.segment.at(t);
  const double distance = n.dot(on_a - on_b);
  if (distance > list.range) return;
  const auto held = [&](double slack) { return holds(b, on_a, slack) && holds(a, on_b, slack); };
  const bool leans = distance < 0 && !held(0);
  if (leans && (distance < -leaning_depth(a.solid, b.solid) || !held(-kTilt * distance))) return;
  const Vector3d across_from_a = on_a - distance * n;
  if (is_known(a.solid, b.solid, on_a, across_from_a, n, distance, list)) return;
  Gap gap;
  gap.feature = kEdges + A.index * b.solid.edge_count() + B.index;
  gap.distance = distance;
  gap.normal = n;
  gap.point_a = on_a;
  gap.point_b = across_from_a;
  gap.curvature_a = edge_curvature(list.world, n, A.segment.along);
  gap.curvature_b = edge_curvature(list.world, n, B.segment.along);
  gap.edge_a = {A.segment.along, 0}, gap.edge_b = {B.segment.along, 0};
  if (leans) leaning.push_back(gap);
  else list.add(gap);
}

// Merged faces are plane, and so the corners found along a direction the farthest, only to about 1e-7 of the size.
double merging(const Placed<Polytope>& a, const Placed<Polytope>& b) { return 1e-6 * (a.solid.size() + b.solid.size()); }

// A slab to leave out features by; any will do, as what is nearer than the range is found with all of them.
struct LikelySlab {
  Slab slab;
  bool rough;  // not as narrow where the bodies overlap as one that is looked for
};

// The slab across the direction of the last look if it parts the bodies by more than `reach` still, or if they touched across it. Of boxes, else,
// one along their axes; of others one that is looked for.
LikelySlab likely_slab(const Placed<Polytope>& a, const Placed<Polytope>& b, double reach, const GapList& list) {
  const PairMemory* memory = list.memory;
  if (memory && !memory->across.isZero(0)) {
    const Slab slab = slab_along((memory->in_a ? a : b).pose.rotation * memory->across, a, b);
    const double width = slab.lowest_a - slab.highest_b;
    if (width > reach || memory->near) return {slab, width < -merging(a, b)};
  }
  if (a.solid.is_box() && b.solid.is_box()) return {slab_along_axes(a, b), true};
  return {separating_slab(a, b, list.range), false};
}

void look_for_slab(const Placed<Polytope>& a, const Placed<Polytope>& b, const GapList& list, LikelySlab& slab) {
  if (slab.rough) slab = {separating_slab(a, b, list.range), false};
}

// A bound on how deep the bodies are in each other, ≥ 0: the least overlap along the slab's and the gaps' normals.
double overlap(const Placed<Polytope>& a, const Placed<Polytope>& b, const Slab& slab, const GapList& list) {
  double depth = slab.highest_b - slab.lowest_a;
  for (const Gap& gap : list.found()) {
    if (depth <= 0) break;
    const Slab along = slab_along(gap.normal, a, b);
    depth = std::min(depth, along.highest_b - along.lowest_a);
  }
  return std::max(depth, 0.0);
}

void add_box_edge_pairs(const Placed<Polytope>& a, const Placed<Polytope>& b, const EdgePairs& pairs, GapList& list, std::vector<Gap>& leaning) {
  thread_local std::vector<PlacedEdge> edges_b;
  edges_b.clear();
  std::array<std::uint8_t, 12> place{};  // of an edge of B among these, and one; 0: not there
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (pairs[i] == 0) continue;
    const PlacedEdge A = placed_edge(a, static_cast<int>(i));
    for (unsigned left = pairs[i]; left != 0; left &= left - 1) {
      const int j = std::countr_zero(left);
      std::uint8_t& at = place[static_cast<std::size_t>(j)];
      if (at == 0) edges_b.push_back(placed_edge(b, j)), at = static_cast<std::uint8_t>(edges_b.size());
      add_edge_pair(a, A, b, edges_b[at - 1u], list, leaning);
    }
  }
}

// Features that have not just gone in: edges in the surfaces of both bodies on opposite sides (flush sides of stacked boxes) pass as
// crossed all the way through; a corner that touches beside another corner has no face that it can have come through but one far away.
// What has gone in is about as deep as the bodies overlap, and they are not.
double rounding_of_depth(const Placed<Polytope>& a, const Placed<Polytope>& b, const GapList& list) {
  return (list.world == World::planar ? 1e-9 : 1e-6) * (a.solid.size() + b.solid.size());  // merged faces: see below
}

// What is deeper goes in any case.
double most_depth(const Placed<Polytope>& a, const Placed<Polytope>& b, const Slab& slab, const GapList& list) {
  return 4 * std::max(slab.highest_b - slab.lowest_a, 0.0) + rounding_of_depth(a, b, list);
}

// How deep at least the bodies are in each other: as deep as the corner, or the edges, of their deepest gap. (What is across from a corner is in
// the plane of a face, but it may be beyond its border.)
double least_overlap(const Placed<Polytope>& a, const Placed<Polytope>& b, const Gap& deepest) {
  int face = 0;
  double depth = 0;
  if (deepest.feature < kCornersOfB || deepest.feature >= kEdges) depth = std::max(depth, -b.solid.plane_distance(inside(b.pose, deepest.point_a), face));
  if (deepest.feature >= kCornersOfB) depth = std::max(depth, -a.solid.plane_distance(inside(a.pose, deepest.point_b), face));
  return depth;
}

// `deep`: edges of boxes that went by far too deep to be looked at, null: none.
void drop_passed_through(const Placed<Polytope>& a, const Placed<Polytope>& b, LikelySlab& slab, const EdgePairs* deep, GapList& list, std::vector<Gap>& leaning) {
  const double rounding = rounding_of_depth(a, b, list);
  const Gap* deepest = list.nearest();
  if (!deepest || deepest->distance >= -rounding || -deepest->distance < 3.9 * least_overlap(a, b, *deepest)) return;
  look_for_slab(a, b, list, slab);
  const double most = most_depth(a, b, slab.slab, list);
  const auto found = list.found();
  if (std::none_of(found.begin(), found.end(), [&](const Gap& gap) { return gap.distance < -rounding && gap.distance >= -most; }))
    return list.drop_deeper(most);
  if (deep) add_box_edge_pairs(a, b, *deep, list, leaning);  // their normals tell of the overlap, too
  list.drop_deeper(4 * overlap(a, b, slab.slab, list) + rounding);
}

void add_edge_pairs(const Placed<Polytope>& a, const Placed<Polytope>& b, const Slab& slab, double reach, GapList& list, std::vector<Gap>& leaning) {
  thread_local std::vector<PlacedEdge> edges_a, edges_b;
  collect_edges(a, b, slab.normal, slab.highest_b + reach, reach, edges_a);
  if (edges_a.empty()) return;
  collect_edges(b, a, -slab.normal, -slab.lowest_a + reach, reach, edges_b);
  for (const PlacedEdge& A : edges_a)
    for (const PlacedEdge& B : edges_b) add_edge_pair(a, A, b, B, list, leaning);
}

// Where bodies overlap, those that are no deeper: what carries until it goes in is not to vanish then, or the bodies rock through each other.
void add_leaning(const Placed<Polytope>& a, const Placed<Polytope>& b, const std::vector<Gap>& leaning, GapList& list) {
  const Gap* deepest = list.nearest();
  if (!deepest) return;
  const double depth = deepest->distance - 1e-9 * (a.solid.size() + b.solid.size());
  for (const Gap& gap : leaning) {
    const auto found = list.found();
    const bool there = std::any_of(found.begin(), found.end(), [&](const Gap& g) { return g.feature == gap.feature; });
    if (gap.distance >= depth && !there && !is_known(a.solid, b.solid, gap.point_a, gap.point_b, gap.normal, gap.distance, list)) list.add(gap);
  }
}

// Do the features tell how far the bodies are apart or in each other? Along the nearest one's normal nothing may stand deeper: a corner
// that touches does not speak for edges that have gone past each other elsewhere. Where it is doubtful, the way apart tells: there is none then.
bool is_told(const Placed<Polytope>& a, const Placed<Polytope>& b, LikelySlab& slab, const GapList& list) {
  if (slab.slab.lowest_a > slab.slab.highest_b) return true;
  if (const Gap* nearest = list.nearest()) {
    const Slab along = slab_along(nearest->normal, a, b);
    if (along.lowest_a - along.highest_b > nearest->distance - 1e-9 * (a.solid.size() + b.solid.size())) return true;
  }
  if (a.solid.is_box() && b.solid.is_box()) return apart_across_axes(a, b) > merging(a, b);
  look_for_slab(a, b, list, slab);
  return slab.slab.lowest_a > slab.slab.highest_b;
}

// The gap of the shallowest way apart of bodies that overlap.
Gap penetration_gap(World world, const Placed<Polytope>& a, const Placed<Polytope>& b, const WayApart& way) {
  Footprint foot;
  foot.normal = way.normal;
  foot.distance = -way.depth;
  if (way.corner_a >= 0) {
    const Vector3d x = a.pose * a.solid.vertex(way.corner_a);
    foot.point = x + way.depth * foot.normal;
    return ball_gap(world, way.corner_a, x, 0, foot);
  }
  if (way.corner_b >= 0) {
    const Vector3d x = b.pose * b.solid.vertex(way.corner_b);
    foot.normal = -way.normal;
    foot.point = x + way.depth * foot.normal;
    return mirrored(ball_gap(world, kCornersOfB + way.corner_b, x, 0, foot));
  }
  Gap gap;
  gap.feature = kEdges + way.edge_a * b.solid.edge_count() + way.edge_b;
  gap.distance = -way.depth;
  gap.normal = way.normal;
  const HullEdge &edge_a = a.solid.edge(way.edge_a), &edge_b = b.solid.edge(way.edge_b);
  const Vector3d from_a = a.pose * a.solid.vertex(edge_a.from), to_a = a.pose * a.solid.vertex(edge_a.to);
  const Vector3d from_b = b.pose * b.solid.vertex(edge_b.from), to_b = b.pose * b.solid.vertex(edge_b.to);
  const Segment A(from_a, to_a), B(from_b, to_b);
  const Vector3d across = A.along.cross(B.along);
  const double at = (from_b - from_a).cross(B.along).dot(across) / across.squaredNorm();  // where the lines cross
  gap.point_a = A.at(std::clamp(at, 0.0, A.length));
  gap.point_b = gap.point_a + way.depth * way.normal;
  gap.curvature_a = edge_curvature(world, gap.normal, (to_a - from_a).normalized());
  gap.curvature_b = edge_curvature(world, gap.normal, (to_b - from_b).normalized());
  gap.edge_a = {(to_a - from_a).normalized(), 0}, gap.edge_b = {(to_b - from_b).normalized(), 0};
  return gap;
}

void add_penetration(const Placed<Polytope>& a, const Placed<Polytope>& b, GapList& list) {
  const std::optional<WayApart> way = way_apart(a, b);
  if (!way) return;
  const Gap gap = penetration_gap(list.world, a, b, *way);
  if (!is_known(a.solid, b.solid, gap.point_a, gap.point_b, gap.normal, gap.distance, list)) list.put(gap);
}

void remember(const Placed<Polytope>& a, const Placed<Polytope>& b, const Slab& slab, GapList& list) {
  list.apart = slab.lowest_a - slab.highest_b - merging(a, b);
  if (!list.memory) return;
  // The normal at a corner or on an edge turns with the body across from it.
  const Gap* nearest = list.nearest();
  list.memory->in_a = nearest && nearest->vertex_b;
  list.memory->across = (list.memory->in_a ? a : b).pose.rotation.transpose() * (nearest ? nearest->normal : slab.normal);
}

}  // namespace

void polytope_gaps(Placed<Polytope> a, Placed<Polytope> b, GapList& list) {
  const double reach = list.range + merging(a, b);
  LikelySlab likely = likely_slab(a, b, reach, list);
  const Slab slab = likely.slab;
  if (slab.lowest_a - slab.highest_b > reach) return remember(a, b, slab, list);
  add_corners(a, b, slab.normal, slab.highest_b + reach, true, list);
  add_corners(b, a, -slab.normal, -slab.lowest_a + reach, false, list);
  thread_local std::vector<Gap> leaning;
  leaning.clear();
  const bool boxes = a.solid.is_box() && b.solid.is_box();
  BoxCrossings crossings;
  if (boxes) {
    const double deep = likely.rough ? kInfinity : most_depth(a, b, slab, list) + 2 * kFlush * (a.solid.size() + b.solid.size());
    crossings = box_crossings(a, b, list.range, deep, leaning_depth(a.solid, b.solid));
    add_box_edge_pairs(a, b, crossings.pairs, list, leaning);
  } else if (list.world == World::spatial) {
    add_edge_pairs(a, b, slab, reach + leaning_depth(a.solid, b.solid), list, leaning);
  }
  drop_passed_through(a, b, likely, crossings.some_deep ? &crossings.deep : nullptr, list, leaning);
  if (!is_told(a, b, likely, list)) add_penetration(a, b, list);
  add_leaning(a, b, leaning, list);
  remember(a, b, likely.slab, list);
}

}  // namespace carom
