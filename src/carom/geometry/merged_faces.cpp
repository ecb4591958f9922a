#include <Eigen/Geometry>
#include <algorithm>
#include <map>
#include <set>

#include "carom/geometry/quickhull.hpp"

namespace carom {
namespace {

using Eigen::Vector3d;
using Triangles = std::vector<HullTriangle>;

Vector3d area_vector(std::span<const Vector3d> points, const HullTriangle& t) {
  return (points[t.corner[1]] - points[t.corner[0]]).cross(points[t.corner[2]] - points[t.corner[0]]);
}

// Groups: from each triangle not yet taken, largest first, spread over neighbours that stay within slack of its plane.
std::vector<int> coplanar_groups(std::span<const Vector3d> points, const Triangles& triangles, double slack) {
  std::vector<double> area;
  std::vector<int> order;
  for (const HullTriangle& t : triangles) {
    order.push_back(static_cast<int>(order.size()));
    area.push_back(area_vector(points, t).norm());
  }
  std::stable_sort(order.begin(), order.end(), [&](int s, int t) { return area[s] > area[t]; });
  std::vector<int> group(triangles.size(), -1);
  for (const int seed : order) {
    if (group[seed] >= 0) continue;
    const Vector3d normal = area_vector(points, triangles[seed]).normalized();
    const Vector3d& origin = points[triangles[seed].corner[0]];
    std::vector<int> front = {seed};
    group[seed] = seed;
    while (!front.empty()) {
      const int t = front.back();
      front.pop_back();
      for (const int n : triangles[t].neighbour) {
        const auto& c = triangles[n].corner;
        const bool near = std::all_of(c.begin(), c.end(), [&](int i) { return std::abs(normal.dot(points[i] - origin)) <= slack; });
        if (group[n] >= 0 || !near || area_vector(points, triangles[n]).dot(normal) < 0) continue;
        group[n] = seed;
        front.push_back(n);
      }
    }
  }
  return group;
}

// The border of one group as a loop of corners.
std::optional<std::vector<int>> loop_of(const std::map<int, int>& next) {
  std::vector<int> loop;
  int at = next.begin()->first;
  do {
    loop.push_back(at);
    const auto step = next.find(at);
    if (step == next.end() || loop.size() > next.size()) return std::nullopt;
    at = step->second;
  } while (at != loop.front());
  if (loop.size() != next.size()) return std::nullopt;
  return loop;
}

}  // namespace

std::optional<std::vector<std::vector<int>>> merged_faces(std::span<const Vector3d> points, const Triangles& triangles, double slack) {
  const std::vector<int> group = coplanar_groups(points, triangles, slack);
  std::map<int, std::map<int, int>> borders;  // group → (from → to)
  std::map<int, std::set<int>> groups_at;     // corner → groups
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (int side = 0; side < 3; ++side) {
      const int from = triangles[t].corner[side], to = triangles[t].corner[(side + 1) % 3];
      if (group[triangles[t].neighbour[side]] == group[t]) continue;
      if (!borders[group[t]].emplace(from, to).second) return std::nullopt;
      groups_at[from].insert(group[t]);
    }
  std::vector<std::vector<int>> loops;
  for (const auto& [id, next] : borders) {
    std::optional<std::vector<int>> loop = loop_of(next);
    if (!loop) return std::nullopt;
    std::erase_if(*loop, [&](int corner) { return groups_at[corner].size() < 3; });
    if (loop->size() < 3) return std::nullopt;
    loops.push_back(std::move(*loop));
  }
  if (loops.size() < 4) return std::nullopt;
  return loops;
}

}  // namespace carom
