#pragma once
// Lines and circles as curves: where two of them are nearest, on either side of touching.

#include <Eigen/Core>

#include "carom/geometry/segment.hpp"

namespace carom {

// A line origin + s u, or a circle origin + radius (cos s u + sin s v), u and v unit and at right angles.
struct Curve {
  Eigen::Vector3d origin, u, v = Eigen::Vector3d::Zero();
  double radius = 0;  // 0: a line

  Eigen::Vector3d at(double s) const;
  Eigen::Vector3d tangent(double s) const;  // derivative by s
  Eigen::Vector3d bend(double s) const;     // second derivative
};

// Newton's method from (s, t) for the common perpendicular, (a − b) · a' = (a − b) · b' = 0. It is regular where the curves meet,
// so that the direction a' × b' of two edges that have just passed each other is the limit of the one before.
bool common_perpendicular(const Curve& a, double& s, const Curve& b, double& t);

}  // namespace carom
