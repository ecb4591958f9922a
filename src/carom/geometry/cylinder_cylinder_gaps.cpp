// Gaps of two cylinders: side on side where the axes cross; each rim where it is nearest the other cylinder; and the ends of
// flat contacts. Two cylinders are nearest at a point of a rim, or where the sides cross.
//
// Features: 0 the sides. kRims · (1 for A, 2 for B) + 10 c + k the rim of cap c: k = 0, 1 the nearest and the second-nearest of
// the places where its distance is least; 2, 3, 4 the rim points 1, 2, 3 of over_half_space.cpp over the other's cap. kDiscs + 4 c_A +
// 2 c_B + k the two points where the rims of two caps that lie on each other cross.

#include <array>
#include <cmath>
#include <numbers>

#include "carom/geometry/axes.hpp"
#include "carom/geometry/cylinder_features.hpp"

namespace carom {
namespace {

using Eigen::Vector3d;

constexpr int kRims = 100, kDiscs = 300;
constexpr int kSamples = 32;
constexpr double kDiscTilt = 1e-3;

struct RimSpot {
  double angle = 0;
  Footprint foot;
};

// The (up to) two deepest local minima of the distance of a rim from the cylinder c.
int rim_minima(const Curve& circle, const Placed<Cylinder>& c, std::array<RimSpot, 2>& best) {
  const auto spot_at = [&](double angle) { return RimSpot{angle, footprint(World::spatial, c.solid, c.pose, circle.at(angle))}; };
  const auto slope = [&](const RimSpot& spot) { return spot.foot.normal.dot(circle.tangent(spot.angle)); };
  int found = 0;
  const auto keep = [&](const RimSpot& spot) {
    if (found < 2) best[found++] = spot;
    else if (spot.foot.distance < best[1].foot.distance) best[1] = spot;
    if (found == 2 && best[1].foot.distance < best[0].foot.distance) std::swap(best[0], best[1]);
  };
  RimSpot previous = spot_at(0), least = previous;
  const double step = 2 * std::numbers::pi / kSamples;
  for (int k = 1; k <= kSamples; ++k) {
    const RimSpot next = spot_at(k * step);
    if (next.foot.distance < least.foot.distance) least = next;
    if (slope(previous) < 0 && slope(next) >= 0) {
      double low = previous.angle, high = next.angle;
      for (int round = 0; round < 54; ++round) {
        const double middle = (low + high) / 2;
        (slope(spot_at(middle)) < 0 ? low : high) = middle;
      }
      keep(spot_at((low + high) / 2));
    }
    previous = next;
  }
  if (found == 0) keep(least);
  return found;
}

Gap rim_gap(int feature, const Placed<Cylinder>& a, int cap, const Curve& circle, const RimSpot& spot) {
  Gap gap;
  const Vector3d radial = (circle.at(spot.angle) - circle.origin) / circle.radius;
  const Vector3d outward = (cap == 0 ? -1 : 1) * a.pose.rotation.col(2);
  gap.feature = feature;
  gap.distance = spot.foot.distance;
  gap.normal = spot.foot.normal;
  gap.point_a = circle.at(spot.angle);
  gap.point_b = spot.foot.point;
  Vector3d tangent = outward.cross(radial);
  tangent = (tangent - tangent.dot(gap.normal) * gap.normal).normalized();
  gap.curvature_a = edge_curvature(World::spatial, gap.normal, tangent, -gap.normal.dot(radial) / circle.radius);
  gap.curvature_b = spot.foot.curvature;
  gap.edge_a = {tangent, -gap.normal.dot(radial) / circle.radius}, gap.edge_b = spot.foot.edge;
  return gap;
}

// Rim against rim about where they touch, on either side.
bool add_crossed(int feature, const Placed<Cylinder>& mine, int cap, const Curve& circle, const RimSpot& spot,
                const Placed<Cylinder>& other, bool mine_is_a, GapList& list) {
  const auto rise = [&](const Vector3d& n) {
    const Vector3d radial = (circle.at(spot.angle) - circle.origin) / circle.radius;
    return rim_rise(mine, cap, radial, n);
  };
  CurvePair pair;  // its A is `other`
  if (!rim_against(other, circle.at(spot.angle), circle, spot.angle, rise, pair) || pair.distance > kTouch * circle.radius) return false;
  const Vector3d radial = (pair.point_b - circle.origin) / circle.radius;
  Gap gap;
  gap.feature = feature;
  gap.distance = pair.distance;
  gap.normal = pair.normal;
  gap.point_a = pair.point_a;
  gap.point_b = pair.point_b;
  gap.edge_a = {other.pose.rotation.col(2).cross(pair.radial), -gap.normal.dot(pair.radial) / other.solid.radius};
  gap.edge_b = {mine.pose.rotation.col(2).cross(radial), gap.normal.dot(radial) / circle.radius};
  gap.curvature_a = edge_curvature(World::spatial, gap.normal, gap.edge_a.along, gap.edge_a.curvature);
  gap.curvature_b = edge_curvature(World::spatial, gap.normal, gap.edge_b.along, gap.edge_b.curvature);
  list.add(mine_is_a ? mirrored(gap) : gap);
  return true;
}

// The rims of `mine` over `other`.
void add_rims(const Placed<Cylinder>& mine, const Placed<Cylinder>& other, bool mine_is_a, GapList& list) {
  const int base = kRims * (mine_is_a ? 1 : 2);
  const auto add = [&](const Gap& gap) { list.add(mine_is_a ? gap : mirrored(gap)); };
  for (const int cap : {0, 1}) {
    const Curve circle = rim(mine, cap);
    std::array<RimSpot, 2> minima;
    const int found = rim_minima(circle, other, minima);
    for (int k = 0; k < found; ++k) {
      if (minima[k].foot.distance > list.range) continue;
      const int feature = base + 10 * cap + k;
      const Vector3d radial = (circle.at(minima[k].angle) - circle.origin) / circle.radius;
      const auto rise = [&](const Vector3d& n) { return rim_rise(mine, cap, radial, n); };
      if (minima[k].foot.distance <= kTouch * circle.radius) {
        if (add_crossed(feature, mine, cap, circle, minima[k], other, mine_is_a, list)) continue;
        minima[k].foot = admissible_footprint(other, circle.at(minima[k].angle), rise);
      } else if (rise(minima[k].foot.normal) < -kTilt) {
        continue;
      }
      add(rim_gap(feature, mine, cap, circle, minima[k]));
    }
    // Standing on the other's cap.
    for (const int under : {0, 1}) {
      const Vector3d n = (under == 0 ? -1 : 1) * other.pose.rotation.col(2);
      const Vector3d on_cap = other.pose.translation + other.solid.half_height * n;
      for (const RimPoint& point : rim_points(mine.solid, mine.pose, cap, n)) {
        const double distance = n.dot(point.point - on_cap);
        const bool over = inside(other.pose, point.point).head<2>().norm() <= other.solid.radius * (1 + kFlush);
        if (point.index == 0 || !point.used || !over || distance < -1e-3 * other.solid.half_height) continue;
        add(rim_gap(base + 10 * cap + 1 + point.index, point, n, distance));
      }
    }
  }
}

// Where the rims of two caps that lie on each other cross, seen along B's axis.
void add_discs(const Placed<Cylinder>& a, int cap_a, const Placed<Cylinder>& b, int cap_b, GapList& list) {
  const Vector3d n = (cap_b == 0 ? -1 : 1) * b.pose.rotation.col(2);
  const Vector3d outward_a = (cap_a == 0 ? -1 : 1) * a.pose.rotation.col(2);
  if (n.dot(outward_a) > -1 + kDiscTilt * kDiscTilt / 2) return;
  const Vector3d centre_a = a.pose.translation + a.solid.half_height * outward_a;
  const Vector3d centre_b = b.pose.translation + b.solid.half_height * n;
  const Vector3d shift = centre_a - centre_b, flat = shift - shift.dot(n) * n;
  const double d = flat.norm(), ra = a.solid.radius, rb = b.solid.radius;
  if (d < 1e-12 * rb || shift.dot(n) < -1e-3 * b.solid.half_height) return;
  const double along = (d * d + rb * rb - ra * ra) / (2 * d), half2 = rb * rb - along * along;
  if (half2 <= 0) return;
  const Vector3d u = flat / d, v = n.cross(u);
  for (const int k : {0, 1}) {
    const Vector3d on_b = centre_b + along * u + (k == 0 ? -1 : 1) * std::sqrt(half2) * v;
    Gap gap;
    gap.feature = kDiscs + 4 * cap_a + 2 * cap_b + k;
    gap.normal = n;
    gap.distance = outward_a.dot(centre_a - on_b) / outward_a.dot(n);
    gap.point_a = on_b + gap.distance * n;
    gap.point_b = on_b;
    gap.edge_a = {n.cross((gap.point_a - centre_a).normalized()).normalized(), 0};
    gap.edge_b = {n.cross((on_b - centre_b).normalized()), 0};
    gap.curvature_a = edge_curvature(World::spatial, n, gap.edge_a.along);
    gap.curvature_b = edge_curvature(World::spatial, n, gap.edge_b.along);
    list.add(gap);
  }
}

void add_sides(const Placed<Cylinder>& a, const Placed<Cylinder>& b, GapList& list) {
  const Vector3d half_a = a.solid.half_height * a.pose.rotation.col(2), half_b = b.solid.half_height * b.pose.rotation.col(2);
  const Segment A(a.pose.translation - half_a, a.pose.translation + half_a), B(b.pose.translation - half_b, b.pose.translation + half_b);
  double s = 0, t = 0;
  if (!crossing(A, B, s, t)) return;
  const Vector3d d = A.at(s) - B.at(t);
  Gap gap;
  gap.normal = A.along.cross(B.along).normalized();
  if (gap.normal.dot(d) < 0) gap.normal = -gap.normal;
  gap.distance = gap.normal.dot(d) - a.solid.radius - b.solid.radius;
  gap.point_a = A.at(s) - a.solid.radius * gap.normal;
  gap.point_b = B.at(t) + b.solid.radius * gap.normal;
  const Eigen::Matrix3d tangent = tangent_projector(World::spatial, gap.normal);
  gap.curvature_a = (tangent - A.along * A.along.transpose()) / a.solid.radius;
  gap.curvature_b = (tangent - B.along * B.along.transpose()) / b.solid.radius;
  list.add(gap);
}

}  // namespace

void cylinder_gaps(Placed<Cylinder> a, Placed<Cylinder> b, GapList& list) {
  add_sides(a, b, list);
  add_rims(a, b, true, list);
  add_rims(b, a, false, list);
  for (const int cap_a : {0, 1})
    for (const int cap_b : {0, 1}) add_discs(a, cap_a, b, cap_b, list);
}

}  // namespace carom
