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

constexpr std::array<unsigned, 3> kNext = {1, 2, 0}, kLast = {2, 0, 1};

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
  double side_k, side_l;  // ±1
  Vector3d middle;        // in the other box's frame [m]
};
struct Parallels {
  int count = 0;
  std::array<BoxEdge, 4> edge;
};

// The edges of a box that reach into |x| ≤ room in a frame where the box stands at `origin`, turned by `turn`.
void collect(const Vector3d& half, const Matrix3d& turn, const Vector3d& origin, const Vector3d& room, std::array<Parallels, 3>& out) {
  const std::array<Vector3d, 3> arm = {half[0] * turn.col(0), half[1] * turn.col(1), half[2] * turn.col(2)};
  for (unsigned i = 0; i < 3; ++i) {
    const unsigned k = kNext[i], l = kLast[i];
    const Vector3d bounds = room + arm[i].cwiseAbs();
    Parallels& parallels = out[i];
    parallels.count = 0;
    for (const unsigned high_k : {0u, 1u}) {
      const Vector3d side = high_k ? Vector3d(origin + arm[k]) : Vector3d(origin - arm[k]);
      for (const unsigned high_l : {0u, 1u}) {
        const Vector3d middle = high_l ? Vector3d(side + arm[l]) : Vector3d(side - arm[l]);
        if (std::abs(middle.x()) > bounds.x() || std::abs(middle.y()) > bounds.y() || std::abs(middle.z()) > bounds.z()) continue;
        BoxEdge& edge = parallels.edge[static_cast<std::size_t>(parallels.count++)];
        edge.number = kEdge[i][(high_k << k) + (high_l << l)];
        edge.side_k = high_k ? 1 : -1, edge.side_l = high_l ? 1 : -1;
        edge.middle = middle;
      }
    }
  }
}

// How the lines of one direction of A and one of B cross. Everything is a sum of what A's edge has and what B's has.
struct Share {
  double along;     // … from the middle of B's edge to the crossing [m]
  double distance;  // … n · (x_A − x_B) [m]
  double up, down;  // the least slope of its body where A is above B along n, below
};

}  // namespace

BoxCrossings box_crossings(const Placed<Polytope>& a, const Placed<Polytope>& b, double range, double deep, double leaning) {
  BoxCrossings crossings;
  const Vector3d &half_a = a.solid.half(), &half_b = b.solid.half();
  const Matrix3d turn = a.pose.rotation.transpose() * b.pose.rotation;
  const Vector3d origin = inside(a.pose, b.pose.translation);
  const double sizes = a.solid.size() + b.solid.size(), scale = a.pose.translation.norm() + b.pose.translation.norm() + sizes;
  const double direction = kRounding * scale / std::min(half_a.minCoeff(), half_b.minCoeff());  // of the edges' directions
  const double room = std::max(range, kTilt * leaning) + kInside * sizes + kRounding * scale;
  std::array<Parallels, 3> edges_a, edges_b;
  collect(half_a, turn.transpose(), -(turn.transpose() * origin), half_b.array() + room, edges_a);
  collect(half_b, turn, origin, half_a.array() + room, edges_b);

  for (std::size_t i = 0; i < 3; ++i) {
    if (edges_a[i].count == 0) continue;
    const auto axis = static_cast<Eigen::Index>(i), k = static_cast<Eigen::Index>(kNext[i]), l = static_cast<Eigen::Index>(kLast[i]);
    for (std::size_t j = 0; j < 3; ++j) {
      const Parallels &of_a = edges_a[i], &of_b = edges_b[j];
      const Vector3d along = turn.col(static_cast<int>(j));
      const double sine2 = along[k] * along[k] + along[l] * along[l], sine = std::sqrt(sine2);
      if (of_b.count == 0 || sine + direction < kParallel) continue;
      const double nk = -along[l] / sine, nl = along[k] / sine;  // n, in the frames of A and B; across the directions
      const auto kb = static_cast<Eigen::Index>(kNext[j]), lb = static_cast<Eigen::Index>(kLast[j]);
      const double mk = turn(k, kb) * nk + turn(l, kb) * nl, ml = turn(k, lb) * nk + turn(l, lb) * nl;
      const double wk = along[k] / sine2, wl = along[l] / sine2;
      const double tilt = direction / sine, slack = tilt * sizes;

      std::array<Share, 4> shares_b;
      for (int q = 0; q < of_b.count; ++q) {
        const BoxEdge& edge = of_b.edge[static_cast<std::size_t>(q)];
        const double up_k = edge.side_k * mk, up_l = edge.side_l * ml;
        shares_b[static_cast<std::size_t>(q)] = {wk * edge.middle[k] + wl * edge.middle[l], nk * edge.middle[k] + nl * edge.middle[l],
                                                 std::min(up_k, up_l), std::min(-up_k, -up_l)};
      }
      for (int p = 0; p < of_a.count; ++p) {
        const BoxEdge& A = of_a.edge[static_cast<std::size_t>(p)];
        const double down_k = A.side_k * nk, down_l = A.side_l * nl;
        const double at_k = A.side_k * half_a[k], at_l = A.side_l * half_a[l];
        const Share share_a{wk * at_k + wl * at_l, nk * at_k + nl * at_l, std::min(-down_k, -down_l), std::min(down_k, down_l)};
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
              const double in = kInside * sizes + slack + (distance >= -leaning - slack ? kTilt * -distance : 0);
              const auto beyond = [&](double x, double half) { return std::abs(x) > half + in; };
              if (beyond(B.side_k * half_b[kb] + signed_distance * mk, half_b[kb]) || beyond(B.side_l * half_b[lb] + signed_distance * ml, half_b[lb])) continue;
              if (beyond(at_k - signed_distance * nk, half_a[k]) || beyond(at_l - signed_distance * nl, half_a[l])) continue;
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
