#pragma once
// How something stands and is turned, as a user writes it.

#include <Eigen/Core>
#include <numbers>
#include <string>

#include "carom/io/fields.hpp"
#include "carom/io/value.hpp"
#include "carom/math/space.hpp"

namespace carom::io {

inline constexpr double kDegree = std::numbers::pi / 180;  // [rad]

// At most one of: `angle`, `angle_deg` about z; `rpy`, `rpy_deg` about the fixed axes x, y, z in this order; `quaternion`
// [w, x, y, z]; `turn` {axis, angle}. A planar world turns about z only.
Eigen::Matrix3d read_rotation(const Value& map, const std::string& field, World world);
// R = Rz(yaw) Ry(pitch) Rx(roll).
Eigen::Matrix3d from_rpy(const Eigen::Vector3d& rpy);

// `at` with a rotation; in the plane of a planar world.
Placement read_placement(const Fields& fields, World world);

// The rotation that takes z (planar: y) to `normal`, which errors name `field`.
Eigen::Matrix3d turned_to(const Eigen::Vector3d& normal, World world, const std::string& field);

}  // namespace carom::io
