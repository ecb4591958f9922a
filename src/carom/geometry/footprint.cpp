#include "carom/geometry/footprint.hpp"

#include <algorithm>
#include <cmath>

#include "carom/geometry/axes.hpp"

namespace carom {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// Shorter differences have no direction.
constexpr double kNoDirection = 1e-14;

Vector3d direction_or(const Vector3d& d, const Vector3d& otherwise) {
  const double length = d.norm();
  return length > kNoDirection ? Vector3d(d / length) : otherwise;
}

}  // namespace

Matrix3d edge_curvature(World world, const Vector3d& n, const Vector3d& along, double bulge) {
  return kSharp * (tangent_projector(world, n) - along * along.transpose()) + bulge * along * along.transpose();
}

Footprint footprint(World world, const HalfSpace&, const Placement& pose, const Vector3d& x) {
  Footprint foot;
  foot.normal = pose.rotation * half_space_normal(world);
  foot.distance = foot.normal.dot(x - pose.translation);
  foot.point = x - foot.distance * foot.normal;
  return foot;
}

Footprint footprint(World world, const Sphere& sphere, const Placement& pose, const Vector3d& x) {
  Footprint foot;
  const Vector3d d = x - pose.translation;
  foot.normal = direction_or(d, half_space_normal(world));
  foot.distance = d.norm() - sphere.radius;
  foot.point = pose.translation + sphere.radius * foot.normal;
  foot.curvature = tangent_projector(world, foot.normal) / sphere.radius;
  return foot;
}

Footprint footprint(World world, const Capsule& capsule, const Placement& pose, const Vector3d& x) {
  Footprint foot;
  const Vector3d axis = pose.rotation * capsule_axis(world);
  const double s = axis.dot(x - pose.translation);
  const double clamped = std::clamp(s, -capsule.half_length, capsule.half_length);
  const bool at_end = s != clamped;
  const Vector3d core = pose.translation + clamped * axis;
  Vector3d d = x - core;
  if (!at_end) d -= d.dot(axis) * axis;
  foot.normal = direction_or(d, any_across(world, axis));
  foot.distance = d.norm() - capsule.radius;
  foot.point = core + capsule.radius * foot.normal;
  const Matrix3d tangent = tangent_projector(world, foot.normal);
  foot.vertex = at_end && capsule.radius == 0;
  if (at_end) foot.curvature = tangent * (capsule.radius > 0 ? 1 / capsule.radius : kSharp);
  else if (capsule.radius > 0) foot.curvature = (tangent - axis * axis.transpose()) / capsule.radius;
  return foot;
}

// In the frame of the cylinder with ρ the distance from its axis: over a cap, over the side, over a rim, or inside, where the
// nearer of cap and side counts.
Footprint footprint(World world, const Cylinder& cylinder, const Placement& pose, const Vector3d& x) {
  const Vector3d local = inside(pose, x);
  const double rho = local.head<2>().norm();
  const Vector3d radial = rho > kNoDirection ? Vector3d(local.x() / rho, local.y() / rho, 0) : Vector3d(1, 0, 0);
  const double upward = local.z() < 0 ? -1 : 1;
  const double over_cap = std::abs(local.z()) - cylinder.half_height, over_side = rho - cylinder.radius;
  Vector3d normal, point;
  Matrix3d curvature = Matrix3d::Zero();
  Footprint foot;
  if (over_cap > 0 && over_side > 0) {
    foot.distance = std::hypot(over_cap, over_side);
    normal = (over_side * radial + over_cap * upward * Vector3d::UnitZ()) / foot.distance;
    point = cylinder.radius * radial + upward * cylinder.half_height * Vector3d::UnitZ();
    const Vector3d along(-radial.y(), radial.x(), 0);
    curvature = edge_curvature(world, normal, along, normal.dot(radial) / cylinder.radius);
    foot.edge = {pose.rotation * along, normal.dot(radial) / cylinder.radius};
  } else if (over_cap > over_side) {
    foot.distance = over_cap;
    normal = upward * Vector3d::UnitZ();
    point = Vector3d(local.x(), local.y(), upward * cylinder.half_height);
  } else {
    foot.distance = over_side;
    normal = radial;
    point = Vector3d(0, 0, local.z()) + cylinder.radius * radial;
    curvature.topLeftCorner<2, 2>() =
        (Eigen::Matrix2d::Identity() - radial.head<2>() * radial.head<2>().transpose()) / cylinder.radius;
  }
  foot.normal = pose.rotation * normal;
  foot.point = pose * point;
  foot.curvature = pose.rotation * curvature * pose.rotation.transpose();
  return foot;
}

}  // namespace carom
