#include "carom/geometry/polytope.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <limits>

namespace carom {
namespace {

constexpr double kLeans = 0.1;        // slope of normals that lean out over a covered face: what lies level has none, but for tilts of contacts
constexpr double kBesideFace = 1e-9;  // of the size

HullTopology unit_square() {
  return hull_topology(World::planar, {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}}, {{0, 1}, {1, 2}, {2, 3}, {3, 0}});
}

// Vertex i has the signs of the bits of i: bit 0 is x, bit 1 is y, bit 2 is z.
HullTopology unit_cube() {
  std::vector<Eigen::Vector3d> vertices;
  for (int i = 0; i < 8; ++i) vertices.emplace_back((i & 1) ? 1 : -1, (i & 2) ? 1 : -1, (i & 4) ? 1 : -1);
  return hull_topology(World::spatial, std::move(vertices),
                       {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}});
}

const HullTopology& unit_box(World world) {
  static const HullTopology square = unit_square(), cube = unit_cube();
  return world == World::planar ? square : cube;
}

}  // namespace

Polytope::Polytope(const Box& box, World world)
    : topology_(&unit_box(world)), stretch_(box.half), stretched_(true), is_box_(world == World::spatial), covered_(box.covered.get()) {
  if (world == World::planar) stretch_.z() = 1;
  size_ = stretch_.cwiseProduct(topology_->extent.high - topology_->extent.low).norm();
}

Polytope::Polytope(const Hull& hull)
    : topology_(hull.topology.get()),
      stretch_(Eigen::Vector3d::Ones()),
      stretched_(false),
      is_box_(false),
      size_((topology_->extent.high - topology_->extent.low).norm()),
      covered_(hull.covered.get()) {}

std::optional<Polytope> as_polytope(const Shape& shape, World world) {
  if (const Box* box = std::get_if<Box>(&shape)) return Polytope(*box, world);
  if (const Hull* hull = std::get_if<Hull>(&shape)) return Polytope(*hull);
  return std::nullopt;
}

bool Polytope::is_beside(const Eigen::Vector3d& x, const Eigen::Vector3d& n) const {
  if (!has_covered_faces()) return false;
  for (int f = 0; f < face_count(); ++f)
    if (is_covered(f) && n.dot(face(f).normal) > kLeans && std::abs(over_plane(f, x)) <= kBesideFace * size_) return true;
  return false;
}

double Polytope::plane_distance(const Eigen::Vector3d& x, int& face_out) const {
  if (is_box_) {
    const Eigen::Vector3d s = x.cwiseAbs() - stretch_;
    const int axis = s.x() >= s.y() ? (s.x() >= s.z() ? 0 : 2) : (s.y() >= s.z() ? 1 : 2);
    face_out = 2 * axis + (x[axis] > 0 ? 1 : 0);
    return s[axis];
  }
  double best = -std::numeric_limits<double>::infinity();
  for (int f = 0; f < face_count(); ++f) {
    const double s = over_plane(f, x);
    if (s > best) {
      best = s;
      face_out = f;
    }
  }
  return best;
}

double Polytope::rise_at(int i, const Eigen::Vector3d& n) const {
  double least = std::numeric_limits<double>::infinity();
  if (is_box_) {
    for (int k = 0; k < 3; ++k) {  // rounded as below: where slopes are equal, hulls and boxes answer alike
      const double length = 2 * stretch_[k], along = n[k] * length / length;
      least = std::min(least, (i & (1 << k)) ? -along : along);
    }
    return least;
  }
  const Eigen::Vector3d v = vertex(i);
  for (int k = topology_->first_neighbour[i]; k < topology_->first_neighbour[i + 1]; ++k) {
    const Eigen::Vector3d way = vertex(topology_->neighbours[k]) - v;
    least = std::min(least, n.dot(way) / way.norm());
  }
  return least;
}

double Polytope::rise_along(int e, const Eigen::Vector3d& n) const {
  const HullEdge& edge_e = edge(e);
  const Eigen::Vector3d along = (vertex(edge_e.to) - vertex(edge_e.from)).normalized();
  const Eigen::Vector3d into_left = face(edge_e.left).normal.cross(along);
  const Eigen::Vector3d into_right = along.cross(face(edge_e.right).normal);
  return std::min(n.dot(into_left), n.dot(into_right));
}

bool Polytope::over_face(int f, const Eigen::Vector3d& x, double slack) const {
  if (is_box_) {  // rounded as below
    const int first = f < 2 ? 1 : 0, second = f < 4 ? 2 : 1;
    const auto within = [&](int k, double width) {
      return !(width * (x[k] + stretch_[k]) < -slack * width || width * (stretch_[k] - x[k]) < -slack * width);
    };
    return within(first, 2 * stretch_[second]) && within(second, 2 * stretch_[first]);
  }
  if (face(f).count == 2) {  // a side of a polygon
    const Eigen::Vector3d along = corner(f, 1) - corner(f, 0);
    const double length = along.norm(), s = along.dot(x - corner(f, 0)) / length;
    return s >= -slack && s <= length + slack;
  }
  for (int k = 0; k < face(f).count; ++k) {
    const Eigen::Vector3d from = corner(f, k), along = corner(f, k + 1) - from;
    if (face(f).normal.cross(along).dot(x - from) < -slack * along.norm()) return false;
  }
  return true;
}

}  // namespace carom
