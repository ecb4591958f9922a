#include "carom/geometry/hull.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cassert>
#include <map>
#include <utility>

namespace carom {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// Plane of a loop: Newell's normal, offset so that no vertex of the loop stands out.
HullFace face_of(World world, const std::vector<Vector3d>& vertices, const std::vector<int>& loop) {
  HullFace face;
  if (world == World::planar) {
    const Vector3d along = vertices[loop[1]] - vertices[loop[0]];
    face.normal = Vector3d(along.y(), -along.x(), 0).normalized();
  } else {
    Vector3d sum = Vector3d::Zero();
    for (std::size_t k = 1; k + 1 < loop.size(); ++k)
      sum += (vertices[loop[k]] - vertices[loop[0]]).cross(vertices[loop[k + 1]] - vertices[loop[0]]);
    face.normal = sum.normalized();
  }
  face.offset = face.normal.dot(vertices[loop[0]]);
  for (const int i : loop) face.offset = std::max(face.offset, face.normal.dot(vertices[i]));
  return face;
}

// Each directed side of a loop meets its opposite in the neighbouring face.
void add_edges(HullTopology& hull) {
  std::map<std::pair<int, int>, int> left_of;
  for (int f = 0; f < static_cast<int>(hull.faces.size()); ++f)
    for (int k = 0; k < hull.faces[f].count; ++k) {
      const int from = hull.loops[hull.faces[f].first + k];
      const int to = hull.loops[hull.faces[f].first + (k + 1) % hull.faces[f].count];
      left_of[{from, to}] = f;
    }
  for (const auto& [side, left] : left_of) {
    const auto [from, to] = side;
    const auto twin = left_of.find({to, from});
    assert(twin != left_of.end());
    if (from < to && twin != left_of.end()) hull.edges.push_back({from, to, left, twin->second});
  }
}

void add_neighbours(HullTopology& hull) {
  std::vector<std::pair<int, int>> links;
  const auto link = [&](int i, int j) {
    links.emplace_back(i, j);
    links.emplace_back(j, i);
  };
  if (hull.world == World::planar)
    for (const HullFace& f : hull.faces) link(hull.loops[f.first], hull.loops[f.first + 1]);
  else
    for (const HullEdge& e : hull.edges) link(e.from, e.to);
  std::sort(links.begin(), links.end());
  hull.first_neighbour.assign(hull.vertices.size() + 1, 0);
  for (const auto& [i, j] : links) {
    ++hull.first_neighbour[i + 1];
    hull.neighbours.push_back(j);
  }
  for (std::size_t i = 0; i < hull.vertices.size(); ++i) hull.first_neighbour[i + 1] += hull.first_neighbour[i];
}

// Sums over the triangles (0, b, c) of the polygon, about its first vertex; then shifted to the centroid.
VolumeProperties polygon_properties(const std::vector<Vector3d>& vertices) {
  VolumeProperties sum;
  const Vector3d& origin = vertices.front();
  double polar = 0;
  for (std::size_t k = 1; k + 1 < vertices.size(); ++k) {
    const Vector3d b = vertices[k] - origin, c = vertices[k + 1] - origin;
    const double area = b.cross(c).z() / 2;
    sum.volume += area;
    sum.centroid += area * (b + c) / 3;
    polar += area * (b.squaredNorm() + b.dot(c) + c.squaredNorm()) / 6;
  }
  sum.centroid /= sum.volume;
  sum.inertia(2, 2) = polar - sum.volume * sum.centroid.squaredNorm();
  sum.centroid += origin;
  return sum;
}

// Sums over the tetrahedra (0, a, b, c) of the fans of the faces: ∫ x xᵀ dV = V/20 (Σ x_i x_iᵀ + s sᵀ) with s = Σ x_i.
VolumeProperties polyhedron_properties(const HullTopology& hull) {
  VolumeProperties sum;
  Vector3d origin = Vector3d::Zero();
  for (const Vector3d& v : hull.vertices) origin += v / static_cast<double>(hull.vertices.size());
  Matrix3d second = Matrix3d::Zero();
  for (const HullFace& f : hull.faces)
    for (int k = 1; k + 1 < f.count; ++k) {
      const Vector3d a = hull.vertices[hull.loops[f.first]] - origin;
      const Vector3d b = hull.vertices[hull.loops[f.first + k]] - origin;
      const Vector3d c = hull.vertices[hull.loops[f.first + k + 1]] - origin;
      const double volume = a.dot(b.cross(c)) / 6;
      const Vector3d s = a + b + c;
      sum.volume += volume;
      sum.centroid += volume * s / 4;
      second += volume / 20 * (a * a.transpose() + b * b.transpose() + c * c.transpose() + s * s.transpose());
    }
  sum.centroid /= sum.volume;
  second -= sum.volume * sum.centroid * sum.centroid.transpose();
  sum.inertia = second.trace() * Matrix3d::Identity() - second;
  sum.centroid += origin;
  return sum;
}

}  // namespace

HullTopology hull_topology(World world, std::vector<Vector3d> vertices, const std::vector<std::vector<int>>& loops) {
  HullTopology hull;
  hull.world = world;
  hull.vertices = std::move(vertices);
  for (const std::vector<int>& loop : loops) {
    HullFace face = face_of(world, hull.vertices, loop);
    face.first = static_cast<int>(hull.loops.size());
    face.count = static_cast<int>(loop.size());
    hull.loops.insert(hull.loops.end(), loop.begin(), loop.end());
    hull.faces.push_back(face);
  }
  if (world == World::spatial) add_edges(hull);
  add_neighbours(hull);
  hull.extent = {hull.vertices.front(), hull.vertices.front()};
  for (const Vector3d& v : hull.vertices) hull.extent = {hull.extent.low.cwiseMin(v), hull.extent.high.cwiseMax(v)};
  hull.volume = world == World::planar ? polygon_properties(hull.vertices) : polyhedron_properties(hull);
  return hull;
}

Hull convex_hull(std::span<const Vector3d> points, World world, const std::string& field) {
  return {std::make_shared<const HullTopology>(world == World::planar ? planar_hull(points, field) : spatial_hull(points, field))};
}

}  // namespace carom
