#include "carom/io/placement_yaml.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <cmath>

#include "carom/io/scene_keys.hpp"
#include "carom/io/shapes.hpp"
#include "carom/model/checks.hpp"

namespace carom::io {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

Matrix3d about(double angle, const Vector3d& axis) { return Eigen::AngleAxisd(angle, axis).toRotationMatrix(); }

Matrix3d from_quaternion(const Value& value, const std::string& field) {
  const Eigen::VectorXd q = as_vector(value, field);
  if (q.size() != 4 || !(q.norm() > 0)) throw InputError(field, describe(value), "must be four numbers w, x, y, z that are not all zero");
  return Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized().toRotationMatrix();
}

Matrix3d from_turn(const Value& value, const std::string& field) {
  const Fields turn(value, field, scene_table("turn"));
  if (turn.has("angle") == turn.has("angle_deg")) throw InputError(field, describe(value), "must have one of angle [rad] and angle_deg [°]");
  const double angle = turn.has("angle") ? turn.number("angle") : kDegree * turn.number("angle_deg");
  return about(angle, checks::unit(turn.point("axis"), turn.field("axis")));
}

}  // namespace

Matrix3d from_rpy(const Vector3d& rpy) {
  return about(rpy.z(), Vector3d::UnitZ()) * about(rpy.y(), Vector3d::UnitY()) * about(rpy.x(), Vector3d::UnitX());
}

Matrix3d read_rotation(const Value& map, const std::string& field, World world) {
  const Value* found = nullptr;
  for (const char* key : {"angle", "angle_deg", "rpy", "rpy_deg", "quaternion", "turn"}) {
    const Value* value = map.find(key);
    if (!value) continue;
    if (found) throw InputError(path(field, key), describe(*value), fmt::format("the rotation is already given by {}", found->key));
    found = value;
  }
  if (!found) return Matrix3d::Identity();
  const std::string name = path(field, found->key);
  if (found->key == "angle") return about(as_number(*found, name), Vector3d::UnitZ());
  if (found->key == "angle_deg") return about(kDegree * as_number(*found, name), Vector3d::UnitZ());
  if (world == World::planar) throw InputError(name, describe(*found), "a planar world turns about z only: give angle or angle_deg");
  if (found->key == "rpy") return from_rpy(as_point(*found, name));
  if (found->key == "rpy_deg") return from_rpy(kDegree * as_point(*found, name));
  return found->key == "quaternion" ? from_quaternion(*found, name) : from_turn(*found, name);
}

Placement read_placement(const Fields& fields, World world) {
  const Vector3d at = fields.point("at");
  checks::in_plane(at, world, fields.field("at"));
  return {read_rotation(fields.map(), fields.field(), world), at};
}

Matrix3d turned_to(const Vector3d& normal, World world, const std::string& field) {
  checks::in_plane(normal, world, field);
  const Vector3d n = checks::unit(normal, field);
  if (world == World::planar) return about(std::atan2(-n.x(), n.y()), Vector3d::UnitZ());
  return Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), n).toRotationMatrix();
}

}  // namespace carom::io
