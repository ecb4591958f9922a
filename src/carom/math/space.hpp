#pragma once
// The space that bodies live in, and where a frame stands in it.

#include <Eigen/Core>

namespace carom {

// A planar world lives in the x–y plane: all translation in it, all rotation about z. Vectors keep three components.
enum class World { planar, spatial };

// Where a frame stands in another: x_outer = rotation · x_inner + translation.
struct Placement {
  Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();
  Eigen::Vector3d translation = Eigen::Vector3d::Zero();  // [m]
};

inline Eigen::Vector3d operator*(const Placement& p, const Eigen::Vector3d& x) { return p.rotation * x + p.translation; }
inline Placement operator*(const Placement& outer, const Placement& inner) {
  return {outer.rotation * inner.rotation, outer.rotation * inner.translation + outer.translation};
}
// The point x_inner whose place is x_outer.
inline Eigen::Vector3d inside(const Placement& p, const Eigen::Vector3d& x_outer) {
  return p.rotation.transpose() * (x_outer - p.translation);
}

}  // namespace carom
