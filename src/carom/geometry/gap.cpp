#include "carom/geometry/gap.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "carom/geometry/axes.hpp"
#include "carom/geometry/gap_pairs.hpp"

namespace carom {

Gap mirrored(const Gap& gap) {
  Gap other = gap;
  other.normal = -gap.normal;
  std::swap(other.point_a, other.point_b);
  std::swap(other.curvature_a, other.curvature_b);
  std::swap(other.edge_a, other.edge_b);
  std::swap(other.vertex_a, other.vertex_b);
  return other;
}

Gap ball_gap(World world, int feature, const Eigen::Vector3d& centre, double radius, const Footprint& foot) {
  Gap gap;
  gap.feature = feature;
  gap.distance = foot.distance - radius;
  gap.normal = foot.normal;
  gap.point_a = centre - radius * foot.normal;
  gap.point_b = foot.point;
  gap.curvature_a = tangent_projector(world, foot.normal) * (radius > 0 ? 1 / radius : kSharp);
  gap.curvature_b = foot.curvature;
  gap.edge_b = foot.edge;
  gap.vertex_a = radius == 0;
  gap.vertex_b = foot.vertex;
  return gap;
}

Gap rim_gap(int feature, const RimPoint& point, const Eigen::Vector3d& n, double distance) {
  Gap gap;
  gap.feature = feature;
  gap.distance = distance;
  gap.normal = n;
  gap.point_a = point.point;
  gap.point_b = point.point - distance * n;
  gap.curvature_a = point.curvature;
  gap.edge_a = point.edge;
  gap.vertex_a = point.vertex;
  return gap;
}

void GapList::add_ball(int feature, const Eigen::Vector3d& centre, double radius, const Footprint& foot) {
  if (foot.distance - radius <= range) out_.push_back(ball_gap(world, feature, centre, radius, foot));
}

void GapList::add_ball_of_b(int feature, const Eigen::Vector3d& centre, double radius, const Footprint& foot) {
  if (foot.distance - radius <= range) out_.push_back(mirrored(ball_gap(world, feature, centre, radius, foot)));
}

void GapList::put(const Gap& gap) {
  const auto first = out_.begin() + static_cast<std::ptrdiff_t>(first_);
  const auto same = std::find_if(first, out_.end(), [&](const Gap& g) { return g.feature == gap.feature; });
  if (same == out_.end()) add(gap);
  else *same = gap;
}

void GapList::drop_deeper(double depth) {
  const auto first = out_.begin() + static_cast<std::ptrdiff_t>(first_);
  out_.erase(std::remove_if(first, out_.end(), [&](const Gap& g) { return g.distance < -depth; }), out_.end());
}

const Gap* GapList::nearest() const {
  const auto first = out_.begin() + static_cast<std::ptrdiff_t>(first_);
  const auto least = std::min_element(first, out_.end(), [](const Gap& g, const Gap& h) { return g.distance < h.distance; });
  return least == out_.end() ? nullptr : &*least;
}

namespace {

// The place of a kind of shape in the order of pairs: HalfSpace, Sphere, Capsule, Box, Cylinder, Hull, PointSet.
int rank(const Shape& shape) {
  static constexpr std::array<int, 7> kRank = {6, 1, 2, 4, 3, 5, 0};
  return kRank[shape.index()];
}

// A point over any solid but a half-space, which is dealt with apart, and a point set, which has no inside.
Footprint foot_on(const Shape& solid, const Placement& pose, const Eigen::Vector3d& x, double range, World world) {
  if (const auto polytope = as_polytope(solid, world)) return footprint(world, *polytope, pose, x, range);
  if (const Sphere* sphere = std::get_if<Sphere>(&solid)) return footprint(world, *sphere, pose, x);
  if (const Capsule* capsule = std::get_if<Capsule>(&solid)) return footprint(world, *capsule, pose, x);
  return footprint(world, std::get<Cylinder>(solid), pose, x);
}

// rank(a) ≤ rank(b).
void ordered_gaps(const Shape& a, const Placement& pose_a, const Shape& b, const Placement& pose_b, GapList& list) {
  if (std::holds_alternative<HalfSpace>(b)) return half_space_gaps(a, pose_a, pose_b, list);
  if (const PointSet* feet = std::get_if<PointSet>(&a)) {
    if (std::holds_alternative<PointSet>(b)) return;
    for (int i = 0; i < static_cast<int>(feet->points.size()); ++i) {
      const Eigen::Vector3d foot = pose_a * feet->points[i];
      list.add_ball(i, foot, 0, foot_on(b, pose_b, foot, list.range, list.world));
    }
    return;
  }
  if (const Sphere* ball = std::get_if<Sphere>(&a)) {
    const Eigen::Vector3d& centre = pose_a.translation;
    const Footprint foot = foot_on(b, pose_b, centre, list.range + ball->radius, list.world);
    list.apart = foot.distance - ball->radius;
    return list.add_ball(0, centre, ball->radius, foot);
  }
  const std::optional<Polytope> polytope_b = as_polytope(b, list.world);
  if (const Capsule* capsule = std::get_if<Capsule>(&a)) {
    if (const Capsule* other = std::get_if<Capsule>(&b)) return capsule_gaps({*capsule, pose_a}, {*other, pose_b}, list);
    if (polytope_b) return capsule_gaps({*capsule, pose_a}, {*polytope_b, pose_b}, list);
    return cylinder_gaps({*capsule, pose_a}, {std::get<Cylinder>(b), pose_b}, list);
  }
  if (const Cylinder* cylinder = std::get_if<Cylinder>(&a)) {
    if (polytope_b) return cylinder_gaps({*cylinder, pose_a}, {*polytope_b, pose_b}, list);
    return cylinder_gaps({*cylinder, pose_a}, {std::get<Cylinder>(b), pose_b}, list);
  }
  const std::optional<Polytope> polytope_a = as_polytope(a, list.world);
  if (polytope_a && polytope_b) return polytope_gaps({*polytope_a, pose_a}, {*polytope_b, pose_b}, list);
}

// Bounds that cost the same for every hull.
Bounds rough_bounds(World world, const Shape& shape, const Placement& pose) {
  const Hull* hull = std::get_if<Hull>(&shape);
  if (!hull) return bounds(shape, world, pose);
  const Bounds& extent = hull->topology->extent;
  const Eigen::Vector3d centre = pose * Eigen::Vector3d((extent.low + extent.high) / 2);
  const Eigen::Vector3d half = pose.rotation.cwiseAbs() * ((extent.high - extent.low) / 2);
  return {centre - half, centre + half};
}

// How far the shapes are apart at least, by their bounds; 0 where these do not tell.
double apart_by_bounds(World world, const Shape& a, const Placement& pose_a, const Shape& b, const Placement& pose_b) {
  if (std::holds_alternative<HalfSpace>(a) || std::holds_alternative<HalfSpace>(b)) return 0;
  const Bounds box_a = rough_bounds(world, a, pose_a), box_b = rough_bounds(world, b, pose_b);
  return (box_a.low - box_b.high).cwiseMax(box_b.low - box_a.high).cwiseMax(0).norm();
}

void sort_by_feature(std::vector<Gap>& out, std::ptrdiff_t first) {
  const auto ascending = [](const Gap& g, const Gap& h) { return g.feature < h.feature; };
  if (!std::is_sorted(out.begin() + first, out.end(), ascending)) std::sort(out.begin() + first, out.end(), ascending);
}

bool has_covered_faces(const Shape& shape) {
  if (const Box* box = std::get_if<Box>(&shape)) return box->covered != nullptr;
  if (const Hull* hull = std::get_if<Hull>(&shape)) return hull->covered != nullptr;
  return false;
}

// Is the surface there that of a neighbour, of which this shape knows nothing?
bool is_beside(World world, const Shape& shape, const Placement& pose, const Eigen::Vector3d& x, const Eigen::Vector3d& outward) {
  return has_covered_faces(shape) && as_polytope(shape, world)->is_beside(inside(pose, x), pose.rotation.transpose() * outward);
}

void turn_over(PairMemory& memory) { memory.across = -memory.across, memory.in_a = !memory.in_a; }

}  // namespace

void gaps(World world, const Shape& a, const Placement& pose_a, const Shape& b, const Placement& pose_b, double range,
          std::vector<Gap>& out, PairMemory* memory) {
  const auto first = static_cast<std::ptrdiff_t>(out.size());
  // What was near is so still, as a rule.
  if (range < 1e300 && !(memory && memory->near)) {
    if (const double apart = apart_by_bounds(world, a, pose_a, b, pose_b); apart > range) {
      if (memory) memory->apart = std::max(apart, range);
      return;
    }
  }
  const bool swapped = rank(a) > rank(b);
  GapList list(world, range, out);
  list.memory = memory;
  if (swapped && memory) turn_over(*memory);
  if (swapped) ordered_gaps(b, pose_b, a, pose_a, list);
  else ordered_gaps(a, pose_a, b, pose_b, list);
  if (swapped) std::for_each(out.begin() + first, out.end(), [](Gap& gap) { gap = mirrored(gap); });
  if (swapped && memory) turn_over(*memory);
  if (has_covered_faces(a) || has_covered_faces(b)) {
    const auto beside = [&](const Gap& gap) { return is_beside(world, a, pose_a, gap.point_a, -gap.normal) || is_beside(world, b, pose_b, gap.point_b, gap.normal); };
    out.erase(std::remove_if(out.begin() + first, out.end(), beside), out.end());
    if (memory) memory->near = first < std::ssize(out), memory->apart = -std::numeric_limits<double>::infinity();  // of the bodies, not of these shapes
    sort_by_feature(out, first);
    return;
  }
  const bool found = first < std::ssize(out);
  if (memory) memory->near = found, memory->apart = found ? list.apart : std::max(list.apart, range);
  sort_by_feature(out, first);
}

double distance(World world, const Shape& a, const Placement& pose_a, const Shape& b, const Placement& pose_b) {
  // No farther than two of their points.
  const auto some_point = [](const Shape& shape, const Placement& pose) {
    const Hull* hull = std::get_if<Hull>(&shape);
    return hull ? pose * hull->topology->vertices.front() : pose.translation;
  };
  const bool without_centre = std::holds_alternative<HalfSpace>(a) || std::holds_alternative<HalfSpace>(b) ||
                              std::holds_alternative<PointSet>(a) || std::holds_alternative<PointSet>(b);
  const double range = without_centre ? std::numeric_limits<double>::infinity()
                                      : (some_point(a, pose_a) - some_point(b, pose_b)).norm() * (1 + 1e-12);
  thread_local std::vector<Gap> found;
  found.clear();
  gaps(world, a, pose_a, b, pose_b, range, found);
  double least = std::numeric_limits<double>::infinity();
  for (const Gap& gap : found) least = std::min(least, gap.distance);
  return least;
}

}  // namespace carom
