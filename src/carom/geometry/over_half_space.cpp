// Gaps over a half-space: every corner, every end of a capsule, the lowest points of the rims of a cylinder.
//
// Cylinder, features 4 c + k for cap c = 0 (at −half_height), 1 (at +half_height):
//   k = 0      the lowest point of the rim, always: curvature sin θ / R along the rim, θ between the axis and the normal
//   k = 2, 3   rim points 120° and 240° from it, while the cap faces the half-space, so that a cylinder can stand
//   k = 1, 2, 3  when the cap is flat (sin θ < kFlatCap) three points fixed in the rim at 0°, 120°, 240° instead: the lowest
//              point has no place there, and points that are fixed do not jump. The step between the two is below kFlatCap R.

#include <cmath>
#include <limits>
#include <numbers>

#include "carom/geometry/axes.hpp"
#include "carom/geometry/gap_pairs.hpp"

namespace carom {
namespace {

constexpr double kNoSlope = 1e-14;  // sin θ: below, the lowest point of a rim is any

using Eigen::Vector3d;

class OverHalfSpace {
 public:
  OverHalfSpace(const Placement& pose, const Placement& plane, GapList& list) : pose_(pose), plane_(plane), list_(list) {}

  void operator()(const HalfSpace&) const {}
  void operator()(const Sphere& s) const { add(0, pose_.translation, s.radius); }
  void operator()(const Capsule& c) const {
    const Vector3d end = c.half_length * (pose_.rotation * capsule_axis(list_.world));
    add(0, pose_.translation - end, c.radius);
    add(1, pose_.translation + end, c.radius);
  }
  void operator()(const Box& b) const { corners(Polytope(b, list_.world)); }
  void operator()(const Hull& h) const { corners(Polytope(h)); }
  void operator()(const PointSet& p) const {
    for (int i = 0; i < static_cast<int>(p.points.size()); ++i) add(i, pose_ * p.points[i], 0);
  }
  void operator()(const Cylinder& c) const {
    for (int cap = 0; cap < 2; ++cap) add_rim(c, pose_, cap, footprint(list_.world, HalfSpace{}, plane_, pose_.translation), 4 * cap);
  }

 private:
  void add(int feature, const Vector3d& centre, double radius) const {
    list_.add_ball(feature, centre, radius, footprint(list_.world, HalfSpace{}, plane_, centre));
  }
  void corners(const Polytope& p) const {
    // Heights in the frame of the polytope first: most corners are out of range, to rounding.
    const Vector3d up = plane_.rotation * half_space_normal(list_.world), up_here = pose_.rotation.transpose() * up;
    const double middle = up.dot(pose_.translation - plane_.translation), rounding = 1e-12 * (std::abs(middle) + plane_.translation.norm() + pose_.translation.norm() + p.size());
    list_.apart = std::numeric_limits<double>::infinity();
    for (int i = 0; i < p.vertex_count(); ++i) {
      const double height = middle + up_here.dot(p.vertex(i)) - rounding;
      list_.apart = std::min(list_.apart, height);
      if (height <= list_.range) add(i, pose_ * p.vertex(i), 0);
    }
  }
  void add_rim(const Cylinder& c, const Placement& pose, int cap, const Footprint& under, int feature) const {
    for (const RimPoint& rim : rim_points(c, pose, cap, under.normal)) {
      if (!rim.used) continue;
      list_.add(rim_gap(feature + rim.index, rim, under.normal, under.normal.dot(rim.point - plane_.translation)));
    }
  }

  const Placement& pose_;
  const Placement& plane_;
  GapList& list_;
};

}  // namespace

std::array<RimPoint, 4> rim_points(const Cylinder& c, const Placement& pose, int cap, const Vector3d& n) {
  const Vector3d outward = (cap == 0 ? -1 : 1) * pose.rotation.col(2);
  const Vector3d centre = pose.translation + c.half_height * outward;
  const Vector3d down = -n + n.dot(outward) * outward;
  const double slope = down.norm();  // sin θ
  const Vector3d body_x = pose.rotation.col(0);
  // Of a cap that is nearly flat rounding tells the direction too, and not in the plane of the rim: what is out of it is taken away.
  Vector3d lowest = slope > kNoSlope ? Vector3d(down / slope) : body_x;
  lowest = (lowest - lowest.dot(outward) / outward.squaredNorm() * outward).normalized();
  const bool faces = n.dot(outward) < 0, flat = slope < kFlatCap;

  std::array<RimPoint, 4> points;
  for (int k = 0; k < 4; ++k) {
    RimPoint& rim = points[k];
    rim.index = k;
    rim.used = k == 0 || (faces && slope < kTilt && (k > 1 || flat));
    const double angle = k == 0 ? 0 : (k - 1) * 2 * std::numbers::pi / 3;
    const Vector3d& from = k > 0 && flat ? body_x : lowest;
    const Vector3d radial = std::cos(angle) * from + std::sin(angle) * outward.cross(from);
    rim.point = centre + c.radius * radial;
    rim.vertex = k > 0;
    rim.curvature = rim.vertex ? Eigen::Matrix3d(kSharp * tangent_projector(World::spatial, n))
                               : edge_curvature(World::spatial, n, outward.cross(radial), slope / c.radius);
    if (!rim.vertex) rim.edge = {outward.cross(radial), slope / c.radius};
  }
  return points;
}

void half_space_gaps(const Shape& a, const Placement& pose_a, const Placement& plane, GapList& list) {
  std::visit(OverHalfSpace(pose_a, plane, list), a);
}

}  // namespace carom
