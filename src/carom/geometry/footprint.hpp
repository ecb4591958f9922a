#pragma once
// A point over a solid: its signed distance and the nearest point of the surface, with the shape of the surface there. Balls,
// ends of capsules, feet and corners are points with a radius, so that one footprint serves them all.

#include <Eigen/Core>
#include <limits>

#include "carom/geometry/gap.hpp"
#include "carom/geometry/polytope.hpp"
#include "carom/geometry/shape.hpp"

namespace carom {

struct Footprint {
  double distance = 0;     // of the point from the surface, negative inside [m]
  Eigen::Vector3d point;   // of the surface, nearest, in the world [m]; x = point + distance · normal
  Eigen::Vector3d normal;  // outward there, unit
  Eigen::Matrix3d curvature = Eigen::Matrix3d::Zero();
  EdgeLine edge{};         // the nearest point lies on an edge or rim
  bool vertex = false;     // the nearest point is a corner of the solid
};

Footprint footprint(World world, const HalfSpace&, const Placement& pose, const Eigen::Vector3d& x);
Footprint footprint(World world, const Sphere& sphere, const Placement& pose, const Eigen::Vector3d& x);
Footprint footprint(World world, const Capsule& capsule, const Placement& pose, const Eigen::Vector3d& x);
Footprint footprint(World world, const Cylinder& cylinder, const Placement& pose, const Eigen::Vector3d& x);

// A corner of another polytope, whose neighbours say on which side of it that body lies: the faces of the solid that it can
// have come through are then preferred to those that are merely nearer.
struct Corner {
  const Polytope& polytope;
  int vertex;
  const Eigen::Matrix3d& to_corner;  // from the axes of the solid to the axes of the polytope
};
// Of points farther than `range` there may be no more than a lower bound of the distance (still > range), point and normal zero.
Footprint footprint(World world, const Polytope& polytope, const Placement& pose, const Eigen::Vector3d& x,
                    double range = std::numeric_limits<double>::infinity(), const Corner* corner = nullptr);

// Slopes up to this [rad] pass as "on that side" when features are tested for belonging to a contact. At the nearest points of
// two convex bodies the test holds with zero; the slack keeps the corners of a flat contact that has tilted a little.
inline constexpr double kTilt = 0.5;
// Relative to the size of a polytope: what stands over a face's border by less than this is over the face.
inline constexpr double kFlush = 1e-10;

// The curvature tensor of an edge of direction `along` where the surface's normal is n: kSharp across, `bulge` along.
Eigen::Matrix3d edge_curvature(World world, const Eigen::Vector3d& n, const Eigen::Vector3d& along, double bulge = 0);

}  // namespace carom
