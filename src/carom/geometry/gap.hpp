#pragma once
// Signed gaps between two shapes, feature by feature. Every feature pair that may come to touch is a gap of its own with an id
// that stays the same while the bodies move: each vertex of a polytope over a half-space, each vertex of one polytope over the
// other, each crossing pair of edges, the one nearest point of a ball. Flat-on-flat contact is thus several gaps, none of which
// jumps to another place.
//
// Gap rate: n · (v_A − v_B) with the velocities of the material points at the witness points. Its own rate, and how the contact
// runs over the surfaces, need the curvatures (simulate/contact_kinematics.hpp).

#include <Eigen/Core>
#include <limits>
#include <vector>

#include "carom/geometry/shape.hpp"

namespace carom {

// The curvature that stands for an edge or a vertex [1/m].
inline constexpr double kSharp = 1e9;

// An edge at a witness point: its direction there and its own curvature, which beside kSharp would lose its digits.
struct EdgeLine {
  Eigen::Vector3d along = Eigen::Vector3d::Zero();  // unit, across the normal; zero: no edge
  double curvature = 0;                             // along it, positive where the body bulges [1/m]
};

struct Gap {
  int feature = 0;           // stable id within the pair of shapes
  double distance = 0;       // signed: negative is penetration [m]
  Eigen::Vector3d point_a = Eigen::Vector3d::Zero();  // witness points in the world [m]: on A, …
  Eigen::Vector3d point_b = Eigen::Vector3d::Zero();  // … on B; point_a − point_b = distance · normal
  Eigen::Vector3d normal = Eigen::Vector3d::Zero();   // unit, from B to A; planar: in the x–y plane
  // Curvature tensors of the two surfaces at the witness points, world axes, K n = 0, positive where the body bulges [1/m].
  // Directions across an edge, and all of a vertex, have kSharp.
  Eigen::Matrix3d curvature_a = Eigen::Matrix3d::Zero();
  Eigen::Matrix3d curvature_b = Eigen::Matrix3d::Zero();
  EdgeLine edge_a{}, edge_b{};              // spatial: the witness point lies on an edge or rim of A (or B)
  bool vertex_a = false, vertex_b = false;  // the witness point is fixed in A (or B): sharp in every direction
};

// What one look at a pair leaves to the next, so that pairs that move little cost little. It changes no gap.
struct PairMemory {
  double apart = -std::numeric_limits<double>::infinity();  // the shapes were no nearer than this [m]
  Eigen::Vector3d across = Eigen::Vector3d::Zero();         // polytopes: unit, from B to A, parted them or nearly so; zero: none
  bool in_a = false;                                        // `across` in the frame of A, else of B
  bool near = false;                                        // there were gaps
};

// All gaps of the pair that are ≤ range, ascending by feature; appended to `out`. The smallest of them is the distance of the
// shapes: whenever the shapes are nearer than `range` at least that one is there. `memory` is that of this pair.
void gaps(World world, const Shape& a, const Placement& pose_a, const Shape& b, const Placement& pose_b, double range,
          std::vector<Gap>& out, PairMemory* memory = nullptr);

// The signed distance of the shapes: exact while it is positive; when they overlap, minus the depth of the shallowest way out
// that the features tell; +∞ for pairs that never touch (two half-spaces, two point sets).
double distance(World world, const Shape& a, const Placement& pose_a, const Shape& b, const Placement& pose_b);

}  // namespace carom
