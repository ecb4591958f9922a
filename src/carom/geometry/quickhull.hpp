#pragma once
// Triangles of the convex hull of points in space (Barber, Dobkin & Huhdanpaa 1996), and their merging to plane faces.

#include <Eigen/Core>
#include <array>
#include <optional>
#include <span>
#include <vector>

namespace carom {

// Corners are indices of points, counter-clockwise seen from outside; neighbour k lies across the side corner k → k + 1.
struct HullTriangle {
  std::array<int, 3> corner{};
  std::array<int, 3> neighbour{};
};

// Points within `slack` of a face count as inside. Nothing when the points are flat (within slack), or so nearly degenerate
// that the border of what a point sees is no simple loop: try again with a greater slack.
std::optional<std::vector<HullTriangle>> quickhull(std::span<const Eigen::Vector3d> points, double slack);

// Neighbouring triangles whose corners lie within `slack` of one plane become one face; the loops of the faces, without
// corners in the middle of an edge. Nothing when a merged face has no simple loop.
std::optional<std::vector<std::vector<int>>> merged_faces(std::span<const Eigen::Vector3d> points,
                                                          const std::vector<HullTriangle>& triangles, double slack);

}  // namespace carom
