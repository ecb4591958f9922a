#pragma once
// What ModelBuilder refuses at once: each check throws an InputError on the field or returns what it may have cleaned up.

#include <Eigen/Core>
#include <string>

#include "carom/model/builder.hpp"

namespace carom::checks {

void finite(const Eigen::Ref<const Eigen::MatrixXd>& values, const std::string& field);
void mass_properties(const MassProperties& properties, World world, const std::string& field);
void in_plane(const Eigen::Vector3d& v, World world, const std::string& field);
// The unit vector along `axis`.
Eigen::Vector3d unit(const Eigen::Vector3d& axis, const std::string& field);
// The placement with its rotation made orthonormal to the last bit; refused when further than 1e-9 from a rotation.
Placement placement(const Placement& given, World world, const std::string& field);
// Refuses a joint that its world does not have.
void joint_kind(const JointSpec& spec, World world, const std::string& field);

// "(1, 2, 3)"
std::string shown(const Eigen::Ref<const Eigen::VectorXd>& v);

}  // namespace carom::checks
