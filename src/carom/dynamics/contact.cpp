#include "carom/dynamics/contact.hpp"

#include <cmath>

#include "carom/dynamics/kinematics.hpp"

namespace carom {
namespace {

using Eigen::Vector3d;

template <class RateOf>
void in_contact_axes(const Model& model, std::span<const ContactPoint> contacts, Eigen::VectorXd& out, RateOf rate_of) {
  const int d = model.dimension();
  out.resize(d * static_cast<int>(contacts.size()));
  int row = 0;
  for (const ContactPoint& c : contacts) {
    const Vector3d rate = rate_of(c.body_a, c.point_a) - rate_of(c.body_b, c.point_b);
    for (int k = 0; k < d; ++k) out[row++] = contact_direction(model, c, k).dot(rate);
  }
}

}  // namespace

Eigen::Matrix3d contact_frame(World world, const Vector3d& n) {
  Eigen::Matrix3d frame;
  if (world == World::planar) {
    frame << n.y(), 0, n.x(), -n.x(), 0, n.y(), 0, -1, 0;
    return frame;
  }
  const double sign = std::copysign(1.0, n.z());
  const double a = -1 / (sign + n.z());
  const double b = n.x() * n.y() * a;
  frame.col(0) = Vector3d(1 + sign * n.x() * n.x() * a, sign * b, -sign * n.x());
  frame.col(1) = Vector3d(b, sign + n.y() * n.y() * a, -n.y());
  frame.col(2) = n;
  return frame;
}

void contact_jacobian(const Model& model, const Data& data, std::span<const ContactPoint> contacts,
                      Eigen::MatrixXd& J) {
  const int d = model.dimension();
  J.setZero(d * static_cast<int>(contacts.size()), model.nv());
  int row = 0;
  for (const ContactPoint& c : contacts) {
    const Vector3d a = point_position(data, c.body_a, c.point_a);
    const Vector3d b = point_position(data, c.body_b, c.point_b);
    for (int k = 0; k < d; ++k, ++row) {
      const Vector3d direction = contact_direction(model, c, k);
      add_point_row(model, data, c.body_a, a, direction, J.row(row));
      add_point_row(model, data, c.body_b, b, -direction, J.row(row));
    }
  }
}

void contact_velocity(const Model& model, const Data& data, std::span<const ContactPoint> contacts,
                      Eigen::VectorXd& v) {
  in_contact_axes(model, contacts, v, [&](int body, const Vector3d& x) { return point_velocity(data, body, x); });
}

void contact_bias(const Model& model, const Data& data, std::span<const ContactPoint> contacts, Eigen::VectorXd& bias) {
  in_contact_axes(model, contacts, bias, [&](int body, const Vector3d& x) { return point_bias(data, body, x); });
}

}  // namespace carom
