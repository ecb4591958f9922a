#include "carom/model/checks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <cmath>

#include "carom/core/error.hpp"

namespace carom::checks {
namespace {

// Rounding in a user's inertia, relative to its largest principal moment: nine digits typed are enough.
constexpr double kRounding = 1e-9;

void spatial_inertia(const Eigen::Matrix3d& inertia, const std::string& field) {
  const double scale = inertia.cwiseAbs().maxCoeff();
  if ((inertia - inertia.transpose()).cwiseAbs().maxCoeff() > kRounding * scale) {
    throw InputError(field, "not symmetric", "an inertia is a symmetric 3×3 matrix about the centre of mass");
  }
  const Eigen::Vector3d moments =
      Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(inertia, Eigen::EigenvaluesOnly).eigenvalues();
  if (moments[0] < -kRounding * scale) {
    throw InputError(field, "principal moments " + shown(moments), "principal moments must be ≥ 0");
  }
  if (moments[0] + moments[1] < moments[2] * (1 - kRounding)) {
    throw InputError(field, "principal moments " + shown(moments),
                     "violates the triangle inequality: no principal moment may exceed the sum of the other two");
  }
}

}  // namespace

std::string shown(const Eigen::Ref<const Eigen::VectorXd>& v) {
  return fmt::format("({:.6g})", fmt::join(v.begin(), v.end(), ", "));
}

void finite(const Eigen::Ref<const Eigen::MatrixXd>& values, const std::string& field) {
  for (const double value : values.reshaped()) {
    if (!std::isfinite(value)) throw InputError(field, fmt::format("{}", value), "must be finite");
  }
}

void mass_properties(const MassProperties& p, World world, const std::string& field) {
  if (!std::isfinite(p.mass) || p.mass <= 0) {
    throw InputError(field + ".mass", fmt::format("{}", p.mass), "must be > 0 and finite [kg]");
  }
  finite(p.com, field + ".com");
  in_plane(p.com, world, field + ".com");
  finite(p.inertia, field + ".inertia");
  if (world == World::spatial) {
    spatial_inertia(p.inertia, field + ".inertia");
  } else if (p.inertia(2, 2) < 0) {
    throw InputError(field + ".inertia", fmt::format("{}", p.inertia(2, 2)), "must be ≥ 0 [kg m²]");
  }
}

void in_plane(const Eigen::Vector3d& v, World world, const std::string& field) {
  if (world == World::planar && v.z() != 0) {
    throw InputError(field, shown(v), "must lie in the x–y plane of a planar world (z = 0)");
  }
}

Eigen::Vector3d unit(const Eigen::Vector3d& axis, const std::string& field) {
  finite(axis, field);
  const double length = axis.stableNorm();
  if (length == 0) throw InputError(field, shown(axis), "must not be zero");
  return axis / length;
}

Placement placement(const Placement& given, World world, const std::string& field) {
  finite(given.rotation, field + ".rotation");
  finite(given.translation, field + ".translation");
  in_plane(given.translation, world, field + ".translation");
  const Eigen::Matrix3d& R = given.rotation;
  const bool orthonormal = (R * R.transpose() - Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff() < 1e-9;
  if (!orthonormal || R.determinant() < 0) {
    throw InputError(field + ".rotation", fmt::format("determinant {:.6g}", R.determinant()),
                     "must be a rotation matrix: orthonormal, determinant +1");
  }
  if (world == World::planar && std::abs(R(2, 2) - 1) > 1e-9) {
    throw InputError(field + ".rotation", "turns out of the plane", "must be a rotation about z in a planar world");
  }
  return {Eigen::Quaterniond(R).normalized().toRotationMatrix(), given.translation};
}

void joint_kind(const JointSpec& spec, World world, const std::string& field) {
  if (world == World::spatial) return;
  if (spec.kind == JointKind::spherical || spec.kind == JointKind::free) {
    throw InputError(field + ".kind", spec.kind == JointKind::free ? "free" : "spherical",
                     "a planar world has fixed, revolute, prismatic and planar joints");
  }
  if (spec.kind == JointKind::revolute && (spec.axis.x() != 0 || spec.axis.y() != 0)) {
    throw InputError(field + ".axis", shown(spec.axis), "a revolute joint of a planar world turns about z");
  }
  if (spec.kind == JointKind::prismatic) in_plane(spec.axis, world, field + ".axis");
}

}  // namespace carom::checks
