#pragma once
// A box or a hull seen as one kind of thing: a topology, stretched along the axes when it is a box.

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <optional>

#include "carom/geometry/hull.hpp"

namespace carom {

class Polytope {
 public:
  Polytope(const Box& box, World world);
  explicit Polytope(const Hull& hull);

  const HullTopology& topology() const { return *topology_; }
  int vertex_count() const { return static_cast<int>(topology_->vertices.size()); }
  int face_count() const { return static_cast<int>(topology_->faces.size()); }
  int edge_count() const { return static_cast<int>(topology_->edges.size()); }

  Eigen::Vector3d vertex(int i) const { return stretch_.cwiseProduct(topology_->vertices[i]); }
  const HullFace& face(int f) const { return topology_->faces[f]; }
  // The vertex k of the loop of face f, cyclic.
  Eigen::Vector3d corner(int f, int k) const { return vertex(topology_->loops[face(f).first + k % face(f).count]); }
  double offset(int f) const { return stretched_ ? face(f).normal.cwiseAbs().dot(stretch_) : face(f).offset; }
  // The signed distance of x (in the shape's frame) from the plane of face f.
  double over_plane(int f, const Eigen::Vector3d& x) const {
    if (is_box_) return (f & 1 ? x[f >> 1] : -x[f >> 1]) - stretch_[f >> 1];
    return face(f).normal.dot(x) - offset(f);
  }
  const HullEdge& edge(int e) const { return topology_->edges[e]; }
  Bounds extent() const { return {stretch_.cwiseProduct(topology_->extent.low), stretch_.cwiseProduct(topology_->extent.high)}; }
  // A corner farthest along `way` of a box; −1: the polytope is a hull, and one has to look.
  int box_corner(const Eigen::Vector3d& way) const {
    if (!stretched_) return -1;
    if (vertex_count() == 4) return way.y() > 0 ? (way.x() > 0 ? 2 : 3) : (way.x() > 0 ? 1 : 0);
    return (way.x() > 0 ? 1 : 0) + (way.y() > 0 ? 2 : 0) + (way.z() > 0 ? 4 : 0);
  }
  double size() const { return size_; }
  bool has_covered_faces() const { return covered_ != nullptr; }
  bool is_covered(int f) const { return covered_ != nullptr && (*covered_)[static_cast<std::size_t>(f)]; }
  // Is x, of the surface, on a covered face, with n leaning out over it? That is no contact of this shape: the others are there. Both in the shape's
  // frame, n outwards.
  bool is_beside(const Eigen::Vector3d& x, const Eigen::Vector3d& n) const;
  // A spatial box: its axes are those of its frame, its corners are numbered as in box_corner, its faces −x, +x, −y, …
  bool is_box() const { return is_box_; }
  const Eigen::Vector3d& half() const { return stretch_; }  // of a box: half edges [m]

  // The greatest signed distance of x (in the shape's frame) from the planes of the faces: a lower bound of its distance, and
  // exact inside. `face` is where it is attained.
  double plane_distance(const Eigen::Vector3d& x, int& face) const;

  // Does the polytope lie on the side n · y ≥ 0 of its vertex i, up to slopes of `tilt`? n in the shape's frame.
  bool above_at(int i, const Eigen::Vector3d& n, double tilt) const {
    if (is_box_) {  // rounding makes a difference only near the limit
      const double least = std::min({i & 1 ? -n.x() : n.x(), i & 2 ? -n.y() : n.y(), i & 4 ? -n.z() : n.z()});
      if (std::abs(least + tilt) > 1e-9) return least > -tilt;
    }
    return rise_at(i, n) >= -tilt;
  }
  // The least slope with which the polytope rises along n from its vertex i.
  double rise_at(int i, const Eigen::Vector3d& n) const;
  // The same of its edge e: n across the edge.
  bool above_along(int e, const Eigen::Vector3d& n, double tilt) const { return rise_along(e, n) >= -tilt; }
  // The least slope with which the polytope rises along n from its edge e.
  double rise_along(int e, const Eigen::Vector3d& n) const;

  // Is the foot of the perpendicular from x on the plane of face f inside the face, up to `slack`?
  bool over_face(int f, const Eigen::Vector3d& x, double slack) const;

 private:
  const HullTopology* topology_;
  Eigen::Vector3d stretch_;
  bool stretched_, is_box_;
  double size_;
  const std::vector<bool>* covered_;  // null: no face
};

// A box or a hull; none of any other shape.
std::optional<Polytope> as_polytope(const Shape& shape, World world);

}  // namespace carom
