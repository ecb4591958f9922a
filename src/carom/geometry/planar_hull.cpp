#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/core/error.hpp"
#include "carom/geometry/hull.hpp"

namespace carom {
namespace {

using Eigen::Vector3d;

// Twice the area of the triangle (a, b, c), positive when they turn left.
double turn(const Vector3d& a, const Vector3d& b, const Vector3d& c) {
  return (b.x() - a.x()) * (c.y() - a.y()) - (b.y() - a.y()) * (c.x() - a.x());
}

}  // namespace

// Andrew's monotone chain; corners that stand out by less than 1e-12 of the size are dropped.
HullTopology planar_hull(std::span<const Vector3d> points, const std::string& field) {
  std::vector<Vector3d> sorted;
  double size = 0;
  for (const Vector3d& p : points) {
    if (!p.allFinite() || p.z() != 0)
      throw InputError(field, fmt::format("({}, {}, {})", p.x(), p.y(), p.z()), "a planar point is finite and has z = 0");
    sorted.push_back(p);
    size = std::max(size, (p - points.front()).norm());
  }
  std::sort(sorted.begin(), sorted.end(), [](const Vector3d& a, const Vector3d& b) {
    return a.x() != b.x() ? a.x() < b.x() : a.y() < b.y();
  });
  std::vector<Vector3d> corners;
  const auto add_chain = [&](auto begin, auto end) {
    const std::size_t base = corners.size();
    for (auto p = begin; p != end; ++p) {
      while (corners.size() >= base + 2) {
        const Vector3d &a = corners[corners.size() - 2], &b = corners.back();
        if (turn(a, b, *p) > 1e-12 * size * (*p - a).norm()) break;
        corners.pop_back();
      }
      if (corners.size() == base || (corners.back() - *p).norm() > 1e-12 * size) corners.push_back(*p);
    }
    if (!corners.empty()) corners.pop_back();
  };
  add_chain(sorted.begin(), sorted.end());
  add_chain(sorted.rbegin(), sorted.rend());
  if (corners.size() < 3)
    throw InputError(field, fmt::format("{} points", points.size()), "a polygon needs at least 3 points that are not on one line");
  std::vector<std::vector<int>> loops;
  const int n = static_cast<int>(corners.size());
  for (int i = 0; i < n; ++i) loops.push_back({i, (i + 1) % n});
  return hull_topology(World::planar, std::move(corners), loops);
}

}  // namespace carom
