#include "carom/geometry/box_crossings.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "carom/geometry/segment.hpp"

namespace carom {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// Of what is computed here and with the edges themselves, relative to the distances that take part: thousands of roundings.
constexpr double kRounding = 1e-12;
// A point this far out of a box, of its size, may still count as inside (twice of what does).
constexpr double kInside = 2e-9;

constexpr std::array<int, 3> kNext = {1, 2, 0}, kLast = {2, 0, 1};

// Per axis and corner that an edge starts from: its number, as hull_topology gives them.
constexpr auto kEdge = [] {
  std::array<std::array<int, 8>, 3> edge{};
  int count = 0;
  for (unsigned from = 0; from < 8; ++from)
    for (unsigned axis = 0; axis < 3; ++axis)
      if (!(from & (1u << axis))) edge[axis][from] = count++;
  return edge;
}();

// An edge along some axis of its box: the next axis is k, the last is l.
struct BoxEdge {
  int number;
  double at_k, at_l;  // its place [m]: ± half edges
  Vector3d middle;    // in the other box's frame [m]
};
struct Parallels {
  int count = 0;
  std::array<BoxEdge, 4> edge;
};

// The edges of a box that reach into |x| ≤ room in a frame where the box stands at `origin`, turned by `turn`.
void collect(const Vector3d& half, const Matrix3d& turn, const Vector3d& origin, const Vector3d& room, std::array<Parallels, 3>& out) {
  for (std::size_t i = 0; i < 3; ++i) {
    const int axis = static_cast<int>(i), k = kNext[i], l = kLast[i];
    const Vector3d bounds = room + half[axis] * turn.col(axis).cwiseAbs(), to_k = half[k] * turn.col(k), to_l = half[l] * turn.col(l);
    out[i].count = 0;
    for (unsigned corner = 0; corner < 8; ++corner) {
      if (corner & (1u << axis)) continue;
      const double side_k = corner & (1u << k) ? 1 : -1, side_l = corner & (1u << l) ? 1 : -1;
      const Vector3d middle = origin + side_k * to_k + side_l * to_l;
      if (std::abs(middle.x()) > bounds.x() || std::abs(middle.y()) > bounds.y() || std::abs(middle.z()) > bounds.z()) continue;
      out[i].edge[static_cast<std::size_t>(out[i].count++)] = {kEdge[i][corner], side_k * half[k], side_l * half[l], middle};
    }
  }
}

// How the lines of one direction of A and one of B cross. Everything is a sum of what A's edge has and what B's has.
struct Share {
  double along;     // … from the middle of B's edge to the crossing [m]
  double distance;  // … n · (x_A − x_B) [m]
  double up, down;  // the least slope of its body where A is above B along n, below
};

double sign(double x) { return x < 0 ? -1 : 1; }

}  // namespace

BoxCrossings box_crossings(const Placed<Polytope>& a, const Placed<Polytope>& b, double range, double deep) {
  BoxCrossings crossings;
  const Vector3d &half_a = a.solid.half(), &half_b = b.solid.half();
  const Matrix3d turn = a.pose.rotation.transpose() * b.pose.rotation;
  const Vector3d origin = inside(a.pose, b.pose.translation);
  const double sizes = a.solid.size() + b.solid.size(), scale = a.pose.translation.norm() + b.pose.translation.norm() + sizes;
  const double direction = kRounding * scale / std::min(half_a.minCoeff(), half_b.minCoeff());  // of the edges' directions
  const double room = std::max(range, 0.0) + kInside * sizes + kRounding * scale;
  std::array<Parallels, 3> edges_a, edges_b;
  collect(half_a, turn.transpose(), -(turn.transpose() * origin), half_b.array() + room, edges_a);
  collect(half_b, turn, origin, half_a.array() + room, edges_b);

  for (std::size_t i = 0; i < 3; ++i) {
    if (edges_a[i].count == 0) continue;
    const int axis = static_cast<int>(i), k = kNext[i], l = kLast[i];
    for (std::size_t j = 0; j < 3; ++j) {
      const Parallels &of_a = edges_a[i], &of_b = edges_b[j];
      const Vector3d along = turn.col(static_cast<int>(j));
      const double sine2 = along[k] * along[k] + along[l] * along[l], sine = std::sqrt(sine2);
      if (of_b.count == 0 || sine + direction < kParallel) continue;
      const double nk = -along[l] / sine, nl = along[k] / sine;  // n, in the frames of A and B; across the directions
      const int kb = kNext[j], lb = kLast[j];
      const double mk = turn(k, kb) * nk + turn(l, kb) * nl, ml = turn(k, lb) * nk + turn(l, lb) * nl;
      const double wk = along[k] / sine2, wl = along[l] / sine2;
      const double tilt = direction / sine, slack = tilt * sizes;

      std::array<Share, 4> shares_b;
      for (int q = 0; q < of_b.count; ++q) {
        const BoxEdge& edge = of_b.edge[static_cast<std::size_t>(q)];
        const double up_k = sign(edge.at_k) * mk, up_l = sign(edge.at_l) * ml;
        shares_b[static_cast<std::size_t>(q)] = {wk * edge.middle[k] + wl * edge.middle[l], nk * edge.middle[k] + nl * edge.middle[l],
                                                 std::min(up_k, up_l), std::min(-up_k, -up_l)};
      }
      for (int p = 0; p < of_a.count; ++p) {
        const BoxEdge& A = of_a.edge[static_cast<std::size_t>(p)];
        const double down_k = sign(A.at_k) * nk, down_l = sign(A.at_l) * nl;
        const Share share_a{wk * A.at_k + wl * A.at_l, nk * A.at_k + nl * A.at_l, std::min(-down_k, -down_l), std::min(down_k, down_l)};
        for (int q = 0; q < of_b.count; ++q) {
          const Share& share_b = shares_b[static_cast<std::size_t>(q)];
          const double up = std::min(share_a.up, share_b.up), down = std::min(share_a.down, share_b.down);
          if (std::max(up, down) < -kTilt - tilt) continue;
          const BoxEdge& B = of_b.edge[static_cast<std::size_t>(q)];
          const double on_b = share_a.along - share_b.along, on_a = B.middle[axis] + on_b * along[axis];
          if (std::abs(on_b) > half_b[static_cast<int>(j)] + slack || std::abs(on_a) > half_a[axis] + slack) continue;
          bool is_deep = false;
          if (std::abs(up - down) > 2 * tilt) {  // else the side is for the edges themselves to tell
            const double signed_distance = share_a.distance - share_b.distance, distance = up > down ? signed_distance : -signed_distance;
            if (distance > range + slack) continue;
            if (distance < -slack) {
              const double in = kInside * sizes + slack;
              const auto beyond = [&](double x, double half) { return std::abs(x) > half + in; };
              if (beyond(B.at_k + signed_distance * mk, half_b[kb]) || beyond(B.at_l + signed_distance * ml, half_b[lb])) continue;
              if (beyond(A.at_k - signed_distance * nk, half_a[k]) || beyond(A.at_l - signed_distance * nl, half_a[l])) continue;
              is_deep = distance < -deep - slack;
            }
          }
          const auto bit = static_cast<std::uint16_t>(1u << B.number);
          (is_deep ? crossings.deep : crossings.pairs)[static_cast<std::size_t>(A.number)] |= bit;
          crossings.some_deep |= is_deep;
        }
      }
    }
  }
  return crossings;
}

}  // namespace carom
