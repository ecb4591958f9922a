#pragma once
// The distinguished axes of the shapes' own frames, and tensors that live in a tangent plane.

#include <Eigen/Core>
#include <Eigen/Geometry>

#include "carom/math/space.hpp"

namespace carom {

// Outward normal of a half-space in its frame.
inline Eigen::Vector3d half_space_normal(World world) {
  return world == World::planar ? Eigen::Vector3d(Eigen::Vector3d::UnitY()) : Eigen::Vector3d(Eigen::Vector3d::UnitZ());
}

// The direction of a capsule's segment in its frame.
inline Eigen::Vector3d capsule_axis(World world) {
  return world == World::planar ? Eigen::Vector3d(Eigen::Vector3d::UnitX()) : Eigen::Vector3d(Eigen::Vector3d::UnitZ());
}

// The projector on the directions that are tangent to a surface of unit normal n: I − n nᵀ, in a planar world without z.
inline Eigen::Matrix3d tangent_projector(World world, const Eigen::Vector3d& n) {
  Eigen::Matrix3d P = Eigen::Matrix3d::Identity() - n * n.transpose();
  if (world == World::planar) P(2, 2) = 0;
  return P;
}

// Some unit vector across the unit vector n; planar: in the plane.
inline Eigen::Vector3d any_across(World world, const Eigen::Vector3d& n) {
  if (world == World::planar) return {-n.y(), n.x(), 0};
  return n.unitOrthogonal();
}

}  // namespace carom
