#include "carom/io/mass_sum.hpp"

namespace carom::io {
namespace {

// Inertia about a point at distance `arm` of a mass 1.
Eigen::Matrix3d steiner(const Eigen::Vector3d& arm) { return arm.squaredNorm() * Eigen::Matrix3d::Identity() - arm * arm.transpose(); }

}  // namespace

void MassSum::add(const MassProperties& part, const Placement& place) {
  const Eigen::Vector3d com = place * part.com;
  mass_ += part.mass;
  first_ += part.mass * com;
  about_origin_ += place.rotation * part.inertia * place.rotation.transpose() + part.mass * steiner(com);
}

MassProperties MassSum::total() const {
  MassProperties all;
  all.mass = mass_;
  all.com = first_ / mass_;
  const Eigen::Matrix3d inertia = about_origin_ - mass_ * steiner(all.com);
  all.inertia = 0.5 * (inertia + inertia.transpose());
  return all;
}

}  // namespace carom::io
