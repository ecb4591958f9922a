#include "carom/geometry/curve.hpp"

#include <Eigen/LU>
#include <cmath>

namespace carom {

using Eigen::Vector3d;

Vector3d Curve::at(double s) const {
  if (radius == 0) return origin + s * u;
  return origin + radius * (std::cos(s) * u + std::sin(s) * v);
}
Vector3d Curve::tangent(double s) const {
  if (radius == 0) return u;
  return radius * (std::cos(s) * v - std::sin(s) * u);
}
Vector3d Curve::bend(double s) const {
  if (radius == 0) return Vector3d::Zero();
  return -radius * (std::cos(s) * u + std::sin(s) * v);
}

bool common_perpendicular(const Curve& a, double& s, const Curve& b, double& t) {
  constexpr int kRounds = 30;
  for (int k = 0; k < kRounds; ++k) {
    const Vector3d d = a.at(s) - b.at(t), da = a.tangent(s), db = b.tangent(t);
    Eigen::Matrix2d H;
    H << da.squaredNorm() + d.dot(a.bend(s)), -da.dot(db), -da.dot(db), db.squaredNorm() - d.dot(b.bend(t));
    const double determinant = H.determinant();
    if (!(std::abs(determinant) > 1e-14 * da.squaredNorm() * db.squaredNorm())) return false;
    const Eigen::Vector2d gradient(d.dot(da), -d.dot(db));
    const Eigen::Vector2d step = H.inverse() * gradient;
    s -= step[0];
    t -= step[1];
    if (std::abs(step[0]) * da.norm() + std::abs(step[1]) * db.norm() < 1e-15 * (1 + d.norm())) return true;
  }
  const Vector3d d = a.at(s) - b.at(t);
  return std::abs(d.dot(a.tangent(s))) + std::abs(d.dot(b.tangent(t))) < 1e-12;
}

}  // namespace carom
