#pragma once
// Straight pieces: the cores of capsules and the edges of polytopes.

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace carom {

struct Segment {
  Eigen::Vector3d from, to;  // [m]
  Eigen::Vector3d along;     // unit
  double length = 0;

  Segment(const Eigen::Vector3d& from_in, const Eigen::Vector3d& to_in)
      : from(from_in), to(to_in), along(to_in - from_in), length(along.norm()) {
    along /= length;
  }
  Eigen::Vector3d at(double s) const { return from + s * along; }
};

// Lines whose angle's sine is below this count as parallel: end points tell their distance to (sine · length)² / distance.
inline constexpr double kParallel = 1e-9;

// The points s of a and t of b at which their lines are nearest; true when both are inside the segments, which are not
// parallel.
inline bool crossing(const Segment& a, const Segment& b, double& s, double& t) {
  const Eigen::Vector3d normal = a.along.cross(b.along), d = b.from - a.from;
  const double sine2 = normal.squaredNorm();
  if (sine2 < kParallel * kParallel) return false;
  s = d.cross(b.along).dot(normal) / sine2;
  if (!(s > 0 && s < a.length)) return false;
  t = d.cross(a.along).dot(normal) / sine2;
  return t > 0 && t < b.length;
}

}  // namespace carom
