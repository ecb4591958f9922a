#pragma once
// A convex polyhedron or polygon as vertices, faces and edges: what a Hull shares, and what a Box looks like to the gap code.

#include <Eigen/Core>
#include <string>
#include <vector>

#include "carom/geometry/shape.hpp"

namespace carom {

// A planar face: the loop of its vertices is loops[first … first + count), counter-clockwise seen from outside. In a planar
// world a face is a side of the polygon, with the two vertices of its loop in counter-clockwise order.
struct HullFace {
  Eigen::Vector3d normal;  // unit, outward
  double offset = 0;       // normal · x ≤ offset inside [m]
  int first = 0, count = 0;
};

// An edge of a polyhedron; runs from → to in the loop of face `left`, the other way in that of `right`.
struct HullEdge {
  int from = 0, to = 0;
  int left = 0, right = 0;
};

struct HullTopology {
  World world = World::spatial;
  std::vector<Eigen::Vector3d> vertices;  // planar: counter-clockwise [m]
  std::vector<HullFace> faces;            // coplanar triangles are merged
  std::vector<int> loops;
  std::vector<HullEdge> edges;            // planar: none, the faces are the sides
  std::vector<int> first_neighbour;       // neighbours of vertex i along edges: neighbours[first_neighbour[i] … [i + 1])
  std::vector<int> neighbours;
  Bounds extent;                          // in the shape's frame
  VolumeProperties volume;
};

// Completes vertices and face loops to a topology: planes, edges, neighbours, extent, volume.
HullTopology hull_topology(World world, std::vector<Eigen::Vector3d> vertices, const std::vector<std::vector<int>>& loops);

// The hulls behind convex_hull(); `scale` is the size of the point set, below 1e-12 of which things coincide.
HullTopology planar_hull(std::span<const Eigen::Vector3d> points, const std::string& field);
HullTopology spatial_hull(std::span<const Eigen::Vector3d> points, const std::string& field);

}  // namespace carom
