#pragma once
// Mass properties as a user writes them: mass with inertia and centre of mass, or mass with a shape.

#include <Eigen/Core>
#include <string>
#include <string_view>

#include "carom/io/value.hpp"
#include "carom/model/builder.hpp"

namespace carom::io {

// Two or three coordinates; z is 0 where left out.
Eigen::Vector3d as_point(const Value& value, std::string_view field);

MassProperties read_mass(const Value& body, const std::string& field, World world);

// The same where other keys may stand beside; and whether the map says what the inertia is, by itself or by a shape.
MassProperties read_given_mass(const Value& body, const std::string& field, World world);
bool gives_inertia(const Value& body);

}  // namespace carom::io
