#include "carom/geometry/seams.hpp"

#include <Eigen/Geometry>
#include <memory>
#include <optional>
#include <vector>

#include "carom/geometry/axes.hpp"
#include "carom/geometry/polytope.hpp"

namespace carom {
namespace {

using Eigen::Vector3d;

constexpr double kGrowth[] = {1e-2, 1e-3, 1e-4};  // of the size; the first that the others cover
constexpr double kBehind = 1e-6;                  // of the size: so far behind a face the others begin at the latest
constexpr double kLevel = 1e-9;                   // of the size: what stands out by less is level …
constexpr double kWithin = 1e-6;                  // … and what lies in by more is within
constexpr double kSliver = 1e-6;                  // of a face: what is left of it so small is nothing

struct Plane {
  Vector3d normal;
  double offset;
  double over(const Vector3d& x) const { return normal.dot(x) - offset; }
};

// A convex polygon, or in a planar world a segment.
using Patch = std::vector<Vector3d>;

double extent(const Patch& patch) {
  if (patch.size() < 2) return 0;
  if (patch.size() == 2) return (patch[1] - patch[0]).norm();
  Vector3d area = Vector3d::Zero();
  for (std::size_t k = 1; k + 1 < patch.size(); ++k) area += (patch[k] - patch[0]).cross(patch[k + 1] - patch[0]);
  return area.norm() / 2;
}

// What of the patch is on the inner side of the plane, or with `outer` on the other.
Patch part(const Patch& patch, const Plane& plane, bool outer) {
  Patch out;
  const auto over = [&](const Vector3d& x) { return outer ? -plane.over(x) : plane.over(x); };
  const std::size_t sides = patch.size() == 2 ? 1 : patch.size();
  for (std::size_t k = 0; k < sides; ++k) {
    const Vector3d &from = patch[k], &to = patch[(k + 1) % patch.size()];
    const double at_from = over(from), at_to = over(to);
    if (at_from <= 0) out.push_back(from);
    if ((at_from < 0 && at_to > 0) || (at_from > 0 && at_to < 0)) out.emplace_back(from + at_from / (at_from - at_to) * (to - from));
    if (sides == 1 && at_to <= 0) out.push_back(to);
  }
  return out;
}

// Of convex solids with plane faces; others cover nothing.
std::vector<Plane> planes(World world, const PlacedShape& placed, double level) {
  std::vector<Plane> out;
  const auto add = [&](const Vector3d& normal, double offset) {
    const Vector3d n = placed.pose.rotation * normal;
    out.push_back({n, offset + n.dot(placed.pose.translation) + level});
  };
  if (std::holds_alternative<HalfSpace>(placed.shape)) add(half_space_normal(world), 0);
  if (const auto p = as_polytope(placed.shape, world))
    for (int f = 0; f < p->face_count(); ++f) add(p->face(f).normal, p->offset(f));
  return out;
}

// The face f, moved outwards.
Patch moved_face(const Polytope& p, const Placement& pose, int f, double by) {
  Patch patch;
  for (int k = 0; k < p.face(f).count; ++k) patch.push_back(pose * Vector3d(p.corner(f, k) + by * p.face(f).normal));
  return patch;
}

bool covered(const Patch& patch, const std::vector<std::vector<Plane>>& solids) {
  const double sliver = kSliver * extent(patch);
  std::vector<Patch> left{patch}, next;
  for (const std::vector<Plane>& solid : solids) {
    next.clear();
    for (Patch inner : left)
      for (std::size_t k = 0; k < solid.size() && extent(inner) > sliver; ++k) {
        if (Patch out = part(inner, solid[k], true); extent(out) > sliver) next.push_back(std::move(out));
        inner = part(inner, solid[k], false);
      }
    std::swap(left, next);
    if (left.empty()) return true;
  }
  return false;
}

// By how much the face may be moved outwards.
double growth(const Polytope& p, const Placement& pose, int f, const std::vector<std::vector<Plane>>& solids) {
  for (const double part : kGrowth) {
    const double by = part * p.size();
    if (covered(moved_face(p, pose, f, by), solids) && covered(moved_face(p, pose, f, by / 2), solids)) return by;
  }
  return 0;
}

}  // namespace

PlacedShape without_seams(World world, const PlacedShape& placed, std::span<const PlacedShape> others) {
  PlacedShape out = placed;
  const std::optional<Polytope> p = as_polytope(placed.shape, world);
  if (!p || others.empty()) return out;
  const auto solids_of = [&](double level) {
    std::vector<std::vector<Plane>> out_of;
    for (const PlacedShape& other : others)
      if (std::vector<Plane> of = planes(world, other, level * p->size()); !of.empty()) out_of.push_back(std::move(of));
    return out_of;
  };
  const std::vector<std::vector<Plane>> solids = solids_of(kLevel);
  auto faces = std::make_shared<std::vector<bool>>(static_cast<std::size_t>(p->face_count()), false);
  bool any = false;
  for (int f = 0; f < p->face_count(); ++f) {
    const bool is = covered(moved_face(*p, placed.pose, f, kBehind * p->size()), solids);
    (*faces)[static_cast<std::size_t>(f)] = is, any = any || is;
  }
  if (!any) return out;
  if (Hull* hull = std::get_if<Hull>(&out.shape)) hull->covered = faces;
  if (Box* box = std::get_if<Box>(&out.shape)) {
    box->covered = faces;
    const std::vector<std::vector<Plane>> cores = solids_of(-kWithin);
    for (int f = 0; f < p->face_count(); ++f) {
      if (!(*faces)[static_cast<std::size_t>(f)]) continue;
      const Polytope now(*box, world);
      const Vector3d by = growth(now, out.pose, f, cores) / 2 * now.face(f).normal;
      box->half += by.cwiseAbs();
      out.pose.translation += out.pose.rotation * by;
    }
  }
  return out;
}

}  // namespace carom
