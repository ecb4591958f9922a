#include "carom/geometry/separation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace carom {
namespace {

using Eigen::Vector3d;

constexpr int kIterations = 24;
constexpr int kScan = 24;  // up to so many corners all are looked at; above, the edges are climbed

Vector3d middle(const Placed<Polytope>& p) {
  const Bounds extent = p.solid.extent();
  return p.pose * Vector3d((extent.low + extent.high) / 2);
}

}  // namespace

int support(const Polytope& p, const Vector3d& way, int start) {
  if (const int corner = p.box_corner(way); corner >= 0) return corner;
  const HullTopology& topology = p.topology();
  int best = start;
  double most = way.dot(p.vertex(start));
  if (p.vertex_count() <= kScan) {
    for (int i = 0; i < p.vertex_count(); ++i)
      if (const double h = way.dot(p.vertex(i)); h > most) {
        most = h;
        best = i;
      }
    return best;
  }
  for (bool moved = true; moved;) {
    moved = false;
    const int at = best;
    for (int k = topology.first_neighbour[at]; k < topology.first_neighbour[at + 1]; ++k) {
      const int i = topology.neighbours[k];
      if (const double h = way.dot(p.vertex(i)); h > most) {
        most = h;
        best = i;
        moved = true;
      }
    }
  }
  return best;
}

Slab slab_along(const Vector3d& n, const Placed<Polytope>& a, const Placed<Polytope>& b) {
  const int corner_a = support(a.solid, -(a.pose.rotation.transpose() * n), 0);
  const int corner_b = support(b.solid, b.pose.rotation.transpose() * n, 0);
  return {n, n.dot(a.pose * a.solid.vertex(corner_a)), n.dot(b.pose * b.solid.vertex(corner_b))};
}

Slab slab_along_axes(const Placed<Polytope>& a, const Placed<Polytope>& b) {
  const Eigen::Matrix3d turn = a.pose.rotation.transpose() * b.pose.rotation, spread = turn.cwiseAbs();
  const Vector3d between = a.pose.translation - b.pose.translation;
  const Vector3d in_a = a.pose.rotation.transpose() * between, in_b = b.pose.rotation.transpose() * between;
  const Vector3d apart_a = in_a.cwiseAbs() - a.solid.half() - spread * b.solid.half();
  const Vector3d apart_b = in_b.cwiseAbs() - b.solid.half() - spread.transpose() * a.solid.half();
  int axis_a = 0, axis_b = 0;
  const bool of_a = apart_a.maxCoeff(&axis_a) >= apart_b.maxCoeff(&axis_b);
  const double side = of_a ? in_a[axis_a] : in_b[axis_b];
  const Vector3d axis = of_a ? a.pose.rotation.col(axis_a) : b.pose.rotation.col(axis_b);
  return slab_along(side < 0 ? Vector3d(-axis) : axis, a, b);
}

double apart_across_axes(const Placed<Polytope>& a, const Placed<Polytope>& b) {
  constexpr double kNearlyParallel = 1e-4;  // sine
  constexpr std::array<int, 3> kNext = {1, 2, 0}, kLast = {2, 0, 1};
  const Eigen::Matrix3d turn = a.pose.rotation.transpose() * b.pose.rotation, spread = turn.cwiseAbs();
  const Vector3d origin = inside(a.pose, b.pose.translation);
  const Vector3d &half_a = a.solid.half(), &half_b = b.solid.half();
  double apart = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {  // n = e_i × column j, not scaled: its components along the other axes of A, and of B
      const int k = kNext[i], l = kLast[i], kb = kNext[j], lb = kLast[j], ia = static_cast<int>(i), jb = static_cast<int>(j);
      const double sine = std::sqrt(turn(k, jb) * turn(k, jb) + turn(l, jb) * turn(l, jb));
      if (sine < kNearlyParallel) continue;
      const double between = std::abs(turn(k, jb) * origin[l] - turn(l, jb) * origin[k]);
      const double width = half_a[k] * spread(l, jb) + half_a[l] * spread(k, jb) + half_b[kb] * spread(ia, lb) + half_b[lb] * spread(ia, kb);
      apart = std::max(apart, (between - width) / sine);
    }
  return apart;
}

Slab separating_slab(const Placed<Polytope>& a, const Placed<Polytope>& b, double range) {
  int corner_a = 0, corner_b = 0;
  Vector3d v = middle(a) - middle(b);
  Slab best{Vector3d::UnitX(), -std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  for (int k = 0; k < kIterations; ++k) {
    const double length = v.norm();
    if (length < 1e-12 * (a.solid.size() + b.solid.size())) break;
    const Vector3d n = v / length;
    corner_a = support(a.solid, -(a.pose.rotation.transpose() * n), corner_a);
    corner_b = support(b.solid, b.pose.rotation.transpose() * n, corner_b);
    const Vector3d on_a = a.pose * a.solid.vertex(corner_a), on_b = b.pose * b.solid.vertex(corner_b), w = on_a - on_b;
    if (n.dot(w) > best.lowest_a - best.highest_b) best = {n, n.dot(on_a), n.dot(on_b)};
    if (n.dot(w) > range) break;
    const Vector3d step = w - v;
    const double descent = -step.dot(v), span = step.squaredNorm();
    if (descent <= 1e-12 * length * length || span == 0) break;
    v += std::min(1.0, descent / span) * step;
  }
  return best;
}

}  // namespace carom
