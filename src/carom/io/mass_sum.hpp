#pragma once
// Mass properties of bodies that are made of parts.

#include "carom/math/space.hpp"
#include "carom/model/builder.hpp"

namespace carom::io {

class MassSum {
 public:
  // `part`, whose frame stands at `place`.
  void add(const MassProperties& part, const Placement& place);

  double mass() const { return mass_; }
  // About the common centre of mass, by the parallel axes; at least one part must have a mass.
  MassProperties total() const;

 private:
  double mass_ = 0;
  Eigen::Vector3d first_ = Eigen::Vector3d::Zero();   // Σ m x
  Eigen::Matrix3d about_origin_ = Eigen::Matrix3d::Zero();
};

}  // namespace carom::io
