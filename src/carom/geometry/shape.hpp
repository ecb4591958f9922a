#pragma once
// Shapes of rigid bodies, each in its own frame. A compound body is several shapes on one body.
//
//   shape      solid                                                   planar world
//   HalfSpace  z ≤ 0                                                   y ≤ 0
//   Sphere     |x| ≤ radius                                            the disc
//   Capsule    points within `radius` of the segment ±half_length z    segment along x; radius 0: a bare segment
//   Box        |x_i| ≤ half_i                                          the rectangle (x, y)
//   Cylinder   axis z, |z| ≤ half_height                               refused
//   Hull       convex hull of its points                               convex polygon in the x–y plane
//   PointSet   single points ("feet"); they touch solids, not points   the same

#include <Eigen/Core>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "carom/math/space.hpp"

namespace carom {

struct HalfSpace {};
struct Sphere {
  double radius = 0;  // > 0 [m]
};
struct Capsule {
  double radius = 0;       // ≥ 0; 0 only planar [m]
  double half_length = 0;  // > 0 [m]
};
// Per face of a box or hull, in the order of its polytope: do other shapes of the same body cover it? Nothing touches it then (seams.hpp). Null: none.
using CoveredFaces = std::shared_ptr<const std::vector<bool>>;
struct Box {
  Eigen::Vector3d half = Eigen::Vector3d::Zero();  // half edges > 0 [m]; planar: z is not read
  CoveredFaces covered{};
};
struct Cylinder {
  double radius = 0, half_height = 0;  // > 0 [m]
};
// A convex polyhedron or polygon with its faces and edges, made by convex_hull(); shared because meshes are large.
struct HullTopology;
struct Hull {
  std::shared_ptr<const HullTopology> topology;
  CoveredFaces covered{};
};
struct PointSet {
  std::vector<Eigen::Vector3d> points;  // [m]
};

using Shape = std::variant<HalfSpace, Sphere, Capsule, Box, Cylinder, Hull, PointSet>;

std::string_view name(const Shape& shape);  // "half-space", "sphere", …

// Refuses by an InputError on `field` what is no such shape in that world.
void validate(const Shape& shape, World world, const std::string& field);

// The hull of at least 3 (planar) or 4 (spatial) points in general position; an InputError on `field` refuses flat sets.
Hull convex_hull(std::span<const Eigen::Vector3d> points, World world, const std::string& field);

// Volume (planar: area), centroid, and inertia about the centroid per unit of density [m⁵; planar zz only, m⁴]; half-spaces and
// point sets have none: volume 0.
struct VolumeProperties {
  double volume = 0;
  Eigen::Vector3d centroid = Eigen::Vector3d::Zero();
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();
};
VolumeProperties volume_properties(const Shape& shape, World world);

// The greatest distance of the shape's points from `about`, both in the shape's frame; +∞ for a half-space.
double reach(const Shape& shape, World world, const Eigen::Vector3d& about);

// Axis-parallel bounds in the world.
struct Bounds {
  Eigen::Vector3d low, high;
};
Bounds bounds(const Shape& shape, World world, const Placement& pose);

}  // namespace carom
