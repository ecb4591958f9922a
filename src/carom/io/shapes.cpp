#include "carom/io/shapes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace carom::io {
namespace {

constexpr std::array<std::string_view, 5> kShapes{"rod", "disc", "sphere", "box", "cylinder"};

double positive(const Value& shape, std::string_view key, const std::string& field) {
  const Value& value = required(shape, key, field, "a length [m]");
  const double length = as_number(value, path(field, key));
  if (!(length > 0)) throw InputError(path(field, key), describe(value), "must be > 0");
  return length;
}

// Principal moments about the centre of a homogeneous body of mass 1; `centre` is moved for a rod.
Eigen::Vector3d unit_moments(const Value& shape, const std::string& field, Eigen::Vector3d& centre) {
  if (shape.key == "rod") {
    check_keys(shape, field, {"length"});
    const double length = positive(shape, "length", field), across = length * length / 12;
    centre.x() += length / 2;
    return {0, across, across};
  }
  if (shape.key == "box") {
    check_keys(shape, field, {"size"});
    const Eigen::VectorXd size = as_vector(required(shape, "size", field, "edge lengths [x, y, z]"), path(field, "size"));
    if (size.size() < 2 || size.size() > 3 || !(size.minCoeff() > 0)) throw InputError(path(field, "size"), fmt::format("{} values", size.size()), "must be two or three lengths > 0");
    const double x = size(0) * size(0), y = size(1) * size(1), z = size.size() == 3 ? size(2) * size(2) : 0;
    return Eigen::Vector3d(y + z, x + z, x + y) / 12;
  }
  const bool cylinder = shape.key == "cylinder";
  check_keys(shape, field, cylinder ? std::vector<std::string_view>{"radius", "length"} : std::vector<std::string_view>{"radius"});
  const double r = positive(shape, "radius", field), rr = r * r;
  if (shape.key == "sphere") return Eigen::Vector3d::Constant(0.4 * rr);
  const double length = cylinder ? positive(shape, "length", field) : 0, across = rr / 4 + length * length / 12;
  return {across, across, rr / 2};
}

Eigen::Matrix3d read_inertia(const Value& value, const std::string& field, World world) {
  if (value.kind == Value::Kind::number) {
    if (world == World::spatial) throw InputError(field, describe(value), "must be three principal moments or a 3 x 3 matrix in a spatial world");
    return Eigen::Vector3d(0, 0, as_number(value, field)).asDiagonal();
  }
  if (value.kind == Value::Kind::list && !value.items.empty() && value.items[0].kind == Value::Kind::list) {
    const Eigen::MatrixXd matrix = as_matrix(value, field);
    if (matrix.rows() != 3 || matrix.cols() != 3) throw InputError(field, fmt::format("{} x {} matrix", matrix.rows(), matrix.cols()), "must be 3 x 3");
    return matrix;
  }
  const Eigen::VectorXd moments = as_vector(value, field);
  if (moments.size() != 3) throw InputError(field, fmt::format("{} values", moments.size()), "must be three principal moments [kg m²]");
  return moments.asDiagonal();
}

}  // namespace

Eigen::Vector3d as_point(const Value& value, std::string_view field) {
  const Eigen::VectorXd given = as_vector(value, field);
  if (given.size() != 2 && given.size() != 3) throw InputError(std::string(field), fmt::format("{} values", given.size()), "must have two or three coordinates");
  Eigen::Vector3d point = Eigen::Vector3d::Zero();
  point.head(given.size()) = given;
  return point;
}

MassProperties read_mass(const Value& body, const std::string& field, World world) {
  check_keys(body, field, {"mass", "com", "inertia", "rod", "disc", "sphere", "box", "cylinder"});
  return read_given_mass(body, field, world);
}

bool gives_inertia(const Value& body) {
  return body.find("inertia") || std::any_of(kShapes.begin(), kShapes.end(), [&](std::string_view shape) { return body.find(shape); });
}

MassProperties read_given_mass(const Value& body, const std::string& field, World world) {
  MassProperties properties;
  properties.mass = as_number(required(body, "mass", field, "in kg"), path(field, "mass"));
  if (const Value* com = body.find("com")) properties.com = as_point(*com, path(field, "com"));
  const Value* shape = nullptr;
  for (const std::string_view name : kShapes)
    if (const Value* found = body.find(name)) {
      if (shape) throw InputError(path(field, name), "", "a body has one shape; it already is a " + shape->key);
      shape = found;
    }
  const Value* inertia = body.find("inertia");
  if (shape && inertia) throw InputError(path(field, "inertia"), "", "follows from the shape: give one of them");
  if (shape) {
    properties.inertia = (properties.mass * unit_moments(*shape, path(field, shape->key), properties.com)).asDiagonal();
  } else {
    properties.inertia = read_inertia(required(body, "inertia", field, "about the centre of mass [kg m²], or give a shape: rod, disc, sphere, box, cylinder"),
                                      path(field, "inertia"), world);
  }
  return properties;
}

}  // namespace carom::io
