#include "carom/geometry/shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "carom/core/error.hpp"
#include "carom/geometry/axes.hpp"
#include "carom/geometry/polytope.hpp"

namespace carom {
namespace {

using Eigen::Vector3d;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

void require_positive(double value, const std::string& field) {
  if (!(value > 0) || !std::isfinite(value)) throw InputError(field, fmt::format("{}", value), "must be positive and finite [m]");
}

void check(const HalfSpace&, World, const std::string&) {}
void check(const Sphere& s, World, const std::string& field) { require_positive(s.radius, field + ".radius"); }
void check(const Capsule& c, World world, const std::string& field) {
  if (world == World::spatial || c.radius != 0) require_positive(c.radius, field + ".radius");
  require_positive(c.half_length, field + ".half_length");
}
void check(const Box& b, World world, const std::string& field) {
  for (int i = 0; i < (world == World::planar ? 2 : 3); ++i) require_positive(b.half[i], fmt::format("{}.half[{}]", field, i));
}
void check(const Cylinder& c, World world, const std::string& field) {
  if (world == World::planar) throw InputError(field, "cylinder", "a planar world has none: use a disc (sphere) or a box");
  require_positive(c.radius, field + ".radius");
  require_positive(c.half_height, field + ".half_height");
}
void check(const Hull& h, World world, const std::string& field) {
  if (!h.topology) throw InputError(field, "empty hull", "must be made by convex_hull()");
  if (h.topology->world != world)
    throw InputError(field, world == World::planar ? "polyhedron" : "polygon",
                     world == World::planar ? "a planar world takes convex polygons" : "a spatial world takes convex polyhedra");
}
void check(const PointSet& p, World world, const std::string& field) {
  if (p.points.empty()) throw InputError(field + ".points", "[]", "must have at least one point");
  for (std::size_t i = 0; i < p.points.size(); ++i) {
    const Vector3d& x = p.points[i];
    if (!x.allFinite() || (world == World::planar && x.z() != 0))
      throw InputError(fmt::format("{}.points[{}]", field, i), fmt::format("({}, {}, {})", x.x(), x.y(), x.z()),
                       world == World::planar ? "must be finite with z = 0 [m]" : "must be finite [m]");
  }
}

// Of all corners of a polytope or points of a set, seen as f(i) for i < n, the greatest distance from `about`.
template <class Points>
double greatest_distance(int n, const Vector3d& about, Points&& at) {
  double best = 0;
  for (int i = 0; i < n; ++i) best = std::max(best, (at(i) - about).norm());
  return best;
}

double reach_of(const HalfSpace&, World, const Vector3d&) { return kInfinity; }
double reach_of(const Sphere& s, World, const Vector3d& about) { return about.norm() + s.radius; }
double reach_of(const Capsule& c, World world, const Vector3d& about) {
  const Vector3d end = c.half_length * capsule_axis(world);
  return std::max((end - about).norm(), (end + about).norm()) + c.radius;
}
double reach_of(const Polytope& p, const Vector3d& about) {
  return greatest_distance(p.vertex_count(), about, [&](int i) { return p.vertex(i); });
}
double reach_of(const Box& b, World world, const Vector3d& about) { return reach_of(Polytope(b, world), about); }
double reach_of(const Hull& h, World, const Vector3d& about) { return reach_of(Polytope(h), about); }
double reach_of(const Cylinder& c, World, const Vector3d& about) {
  return std::hypot(about.head<2>().norm() + c.radius, std::abs(about.z()) + c.half_height);
}
double reach_of(const PointSet& p, World, const Vector3d& about) {
  return greatest_distance(static_cast<int>(p.points.size()), about, [&](int i) { return p.points[i]; });
}

Bounds around(const Vector3d& centre, const Vector3d& half) { return {centre - half, centre + half}; }

template <class Points>
Bounds around_points(int n, const Placement& pose, Points&& at) {
  Bounds b{Vector3d::Constant(kInfinity), Vector3d::Constant(-kInfinity)};
  for (int i = 0; i < n; ++i) {
    const Vector3d x = pose * at(i);
    b = {b.low.cwiseMin(x), b.high.cwiseMax(x)};
  }
  return b;
}

Bounds bounds_of(const HalfSpace&, World, const Placement&) {
  return {Vector3d::Constant(-kInfinity), Vector3d::Constant(kInfinity)};
}
Bounds bounds_of(const Sphere& s, World, const Placement& pose) { return around(pose.translation, Vector3d::Constant(s.radius)); }
Bounds bounds_of(const Capsule& c, World world, const Placement& pose) {
  const Vector3d end = c.half_length * (pose.rotation * capsule_axis(world));
  return around(pose.translation, end.cwiseAbs() + Vector3d::Constant(c.radius));
}
Bounds bounds_of(const Box& b, World world, const Placement& pose) {
  const Vector3d half(b.half.x(), b.half.y(), world == World::planar ? 0 : b.half.z());
  return around(pose.translation, pose.rotation.cwiseAbs() * half);
}
Bounds bounds_of(const Cylinder& c, World, const Placement& pose) {
  const Vector3d axis = pose.rotation.col(2);
  const Vector3d across = (Vector3d::Ones() - axis.cwiseProduct(axis)).cwiseMax(0).cwiseSqrt();
  return around(pose.translation, c.half_height * axis.cwiseAbs() + c.radius * across);
}
Bounds bounds_of(const Hull& h, World, const Placement& pose) {
  const Polytope p(h);
  return around_points(p.vertex_count(), pose, [&](int i) { return p.vertex(i); });
}
Bounds bounds_of(const PointSet& p, World, const Placement& pose) {
  return around_points(static_cast<int>(p.points.size()), pose, [&](int i) { return p.points[i]; });
}

}  // namespace

std::string_view name(const Shape& shape) {
  static constexpr std::array<std::string_view, 7> kNames = {"half-space", "sphere", "capsule", "box",
                                                             "cylinder",   "hull",   "point set"};
  return kNames[shape.index()];
}

void validate(const Shape& shape, World world, const std::string& field) {
  std::visit([&](const auto& s) { check(s, world, field); }, shape);
}

double reach(const Shape& shape, World world, const Vector3d& about) {
  return std::visit([&](const auto& s) { return reach_of(s, world, about); }, shape);
}

Bounds bounds(const Shape& shape, World world, const Placement& pose) {
  Bounds b = std::visit([&](const auto& s) { return bounds_of(s, world, pose); }, shape);
  if (world == World::planar && std::isfinite(b.low.z())) b.low.z() = b.high.z() = 0;
  return b;
}

}  // namespace carom
