#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "carom/core/error.hpp"
#include "carom/geometry/hull.hpp"
#include "carom/geometry/quickhull.hpp"

namespace carom {
namespace {

using Eigen::Vector3d;

// Relative to the size of the set: points nearer than this to a plane are on it. Rounding asks for about 1e-15, and triangles
// whose height is near rounding have no normal; the greater ones are for sets so degenerate that the hull fails with the first.
constexpr std::array<double, 4> kSlacks = {1e-12, 1e-10, 1e-8, 1e-7};
// Faces that differ from one plane by less than this are one: the coordinates of STL files have 24 bits.
constexpr double kCoplanar = 2e-7;

// Keeps only the points that loops use, renumbered in the order of the input. Nothing if a point stands out of a face by more
// than `slack`: the triangles were wrong.
std::optional<HullTopology> compact(std::span<const Vector3d> points, std::vector<std::vector<int>> loops, double slack) {
  std::map<int, int> number;
  for (const auto& loop : loops)
    for (const int i : loop) number[i] = 0;
  std::vector<Vector3d> vertices;
  for (auto& [old, fresh] : number) {
    fresh = static_cast<int>(vertices.size());
    vertices.push_back(points[old]);
  }
  for (auto& loop : loops)
    for (int& i : loop) i = number[i];
  HullTopology hull = hull_topology(World::spatial, std::move(vertices), loops);
  for (HullFace& face : hull.faces) {
    double farthest = face.offset;
    for (const Vector3d& p : points) farthest = std::max(farthest, face.normal.dot(p));
    if (!(farthest <= face.offset + slack)) return std::nullopt;
    face.offset = farthest;
  }
  return hull;
}

}  // namespace

HullTopology spatial_hull(std::span<const Vector3d> points, const std::string& field) {
  double size = 0;
  for (const Vector3d& p : points) {
    if (!p.allFinite()) throw InputError(field, fmt::format("({}, {}, {})", p.x(), p.y(), p.z()), "must be finite [m]");
    size = std::max(size, (p - points.front()).norm());
  }
  if (points.size() < 4 || size == 0)
    throw InputError(field, fmt::format("{} points", points.size()), "a polyhedron needs at least 4 points that are not in one plane");
  for (const double coplanar : {kCoplanar, 1e-10})
    for (const double slack : kSlacks) {
      const auto triangles = quickhull(points, slack * size);
      if (!triangles) continue;
      if (auto loops = merged_faces(points, *triangles, coplanar * size))
        if (auto hull = compact(points, std::move(*loops), (coplanar + slack) * size)) return std::move(*hull);
    }
  throw InputError(field, fmt::format("{} points", points.size()), "the points lie in one plane, or nearly: they have no volume");
}

}  // namespace carom
