// The footprint of a point on a box or a hull. Outside, the nearest point lies on a face that the point sees: over the face's
// inside, or on its border. Inside, the nearest face counts.

#include <algorithm>
#include <cmath>

#include "carom/geometry/axes.hpp"
#include "carom/geometry/footprint.hpp"

namespace carom {
namespace {

using Eigen::Vector3d;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The nearest point of the border of what x sees.
struct BorderPoint {
  double distance = kInfinity;
  Vector3d point = Vector3d::Zero();
  Vector3d along = Vector3d::UnitX();  // the edge
  int face = 0;
  bool vertex = false;
};

void consider_border(const Polytope& p, int f, const Vector3d& x, bool planar, BorderPoint& best) {
  const int sides = planar ? 1 : p.face(f).count;
  for (int k = 0; k < sides; ++k) {
    const Vector3d from = p.corner(f, k), along = p.corner(f, k + 1) - from;
    const double s = along.dot(x - from) / along.squaredNorm(), t = std::clamp(s, 0.0, 1.0);
    const Vector3d nearest = t == 1 ? p.corner(f, k + 1) : Vector3d(from + t * along);
    const double d = (x - nearest).norm();
    if (d < best.distance) best = {d, nearest, along.normalized(), f, s <= 0 || s >= 1};
  }
}

// The face of the polytope through which x, inside or on it, is nearest to the open: of those the corner can have come through
// if there are any; never one that is covered. −1: all are.
int way_out(const Polytope& p, const Vector3d& x, int nearest, const Corner* corner) {
  if (p.is_covered(nearest)) {
    nearest = -1;
    for (int f = 0; f < p.face_count(); ++f)
      if (!p.is_covered(f) && (nearest < 0 || p.over_plane(f, x) > p.over_plane(nearest, x))) nearest = f;
  }
  if (!corner || nearest < 0) return nearest;
  const auto may_be_through = [&](int f) {
    if (p.is_covered(f)) return false;
    const Vector3d out = p.is_box() ? Vector3d((f & 1 ? 1 : -1) * corner->to_corner.col(f >> 1)) : Vector3d(corner->to_corner * p.face(f).normal);
    return corner->polytope.above_at(corner->vertex, out, kTilt);
  };
  if (may_be_through(nearest)) return nearest;
  int best = -1;
  double least = -kInfinity;
  for (int f = 0; f < p.face_count(); ++f) {
    const double s = p.over_plane(f, x);
    if (s > least && may_be_through(f)) {
      least = s;
      best = f;
    }
  }
  return best >= 0 ? best : nearest;
}

Footprint on_face(const Polytope& p, const Placement& pose, const Vector3d& x, int f) {
  Footprint foot;
  foot.normal = pose.rotation * p.face(f).normal;
  foot.distance = p.over_plane(f, x);
  foot.point = pose * Vector3d(x - foot.distance * p.face(f).normal);
  return foot;
}

Footprint out_of_range(double distance) {
  Footprint foot;
  foot.distance = distance;
  foot.point.setZero(), foot.normal.setZero();
  return foot;
}

// What stands so far beyond its extent, of the size, is not flush with the polytope.
constexpr double kBeyond = 1e-6;

double distance_from_extent(const Polytope& p, const Vector3d& x) {
  const Bounds extent = p.extent();
  return (extent.low - x).cwiseMax(x - extent.high).cwiseMax(0).norm();
}

}  // namespace

Footprint footprint(World world, const Polytope& p, const Placement& pose, const Vector3d& x_world, double range,
                    const Corner* corner) {
  const Vector3d x = inside(pose, x_world);
  const double slack = kFlush * p.size();
  int nearest = 0;
  const double lower_bound = p.plane_distance(x, nearest);
  if (lower_bound > range) return out_of_range(lower_bound);
  if (lower_bound <= (corner ? slack : 0)) {
    const int out = way_out(p, x, nearest, corner);
    return out < 0 ? out_of_range(kInfinity) : on_face(p, pose, x, out);
  }
  if (const double apart = distance_from_extent(p, x); apart > range + kBeyond * p.size()) return out_of_range(apart);

  BorderPoint border;
  for (int f = 0; f < p.face_count(); ++f) {
    if (p.over_plane(f, x) <= 0) continue;
    if (p.over_face(f, x, corner ? slack : 0)) return p.is_covered(f) ? out_of_range(kInfinity) : on_face(p, pose, x, f);
    consider_border(p, f, x, world == World::planar, border);
  }
  if (border.distance < 1e-14) return p.is_covered(border.face) ? out_of_range(kInfinity) : on_face(p, pose, x, border.face);
  if (p.is_beside(border.point, (x - border.point) / border.distance)) return out_of_range(kInfinity);
  Footprint foot;
  foot.distance = border.distance;
  foot.normal = pose.rotation * ((x - border.point) / border.distance);
  foot.point = pose * border.point;
  foot.vertex = border.vertex || world == World::planar;
  foot.curvature = foot.vertex ? Eigen::Matrix3d(kSharp * tangent_projector(world, foot.normal))
                               : edge_curvature(world, foot.normal, pose.rotation * border.along);
  if (!foot.vertex) foot.edge = {pose.rotation * border.along, 0};
  return foot;
}

}  // namespace carom
