#include "carom/simulate/contact_kinematics.hpp"

#include <Eigen/Geometry>
#include <cmath>

#include "carom/dynamics/contact.hpp"
#include "carom/dynamics/kinematics.hpp"

namespace carom {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// One side of a contact: how the material point at the witness point moves when u̇ = 0, and the body's rotation.
struct Side {
  Vector3d velocity, acceleration, omega;
};

Side side(const Scene& scene, const Data& data, double time, int collider, const Vector3d& x) {
  const Collider& c = scene.colliders[static_cast<std::size_t>(collider)];
  Side s{Vector3d::Zero(), Vector3d::Zero(), Vector3d::Zero()};
  Matrix3d axes = c.in_body.rotation;
  if (c.drive) {
    const DrivenFrame f = driven_frame(c, time);
    const Vector3d r = x - f.pose.translation;
    s.omega = f.velocity.angular;
    s.velocity = f.velocity.linear + s.omega.cross(r);
    s.acceleration = f.acceleration.linear + f.acceleration.angular.cross(r) + s.omega.cross(s.omega.cross(r));
    axes = f.pose.rotation;
  } else if (c.body != kGround) {
    const auto b = static_cast<std::size_t>(c.body);
    const Vector3d r = x - data.hub[b];
    s.omega = data.velocity[b].angular;
    s.velocity = data.velocity[b].linear + s.omega.cross(r);
    s.acceleration = data.drift[b].linear + data.drift[b].angular.cross(r) + s.omega.cross(s.omega.cross(r));
    axes = data.pose[b].rotation * c.in_body.rotation;
  }
  if (!c.surface_velocity.isZero(0)) {
    const Vector3d running = axes * c.surface_velocity;
    s.velocity += running;
    s.acceleration += s.omega.cross(running);
  }
  return s;
}

struct ContactMotion {
  Vector3d v, vdot;  // slip velocity and its rate at u̇ = 0
  Vector3d ndot;
};

// c of the header, by the tangential components along the frame's t1 (and t2).
Vector3d rolling(World world, const Gap& gap, const Matrix3d& frame, const Vector3d& v_t, const Vector3d& omega) {
  if (gap.vertex_a) return v_t;
  if (gap.vertex_b) return Vector3d::Zero();
  const Matrix3d K = gap.curvature_a + gap.curvature_b;
  const Vector3d rhs = gap.curvature_a * v_t - gap.normal.cross(omega);
  const Vector3d t1 = frame.col(0), t2 = frame.col(1);
  if (world == World::planar) {
    const double k = t1.dot(K * t1);
    return k > 0 ? Vector3d(t1 * (t1.dot(rhs) / k)) : Vector3d(v_t / 2);
  }
  Eigen::Matrix2d K2;
  K2 << t1.dot(K * t1), t1.dot(K * t2), t1.dot(K * t2), t2.dot(K * t2);
  const Eigen::Vector2d r2(t1.dot(rhs), t2.dot(rhs));
  const double scale = K2.trace(), det = K2.determinant();
  if (det > 1e-12 * scale * scale) {
    const Eigen::Vector2d c((K2(1, 1) * r2.x() - K2(0, 1) * r2.y()) / det, (K2(0, 0) * r2.y() - K2(1, 0) * r2.x()) / det);
    return c.x() * t1 + c.y() * t2;
  }
  if (scale <= 0) return v_t / 2;
  // Curved in one direction only: in the other the contact is free; it goes with A.
  const Eigen::Vector2d axis = (K2.col(0).norm() > K2.col(1).norm() ? K2.col(0) : K2.col(1)).normalized();
  const Vector3d e = axis.x() * t1 + axis.y() * t2;
  return v_t + (r2.dot(axis) / scale - v_t.dot(e)) * e;
}

ContactMotion motion(const Scene& scene, const Data& data, double time, const LiveContact& contact, const Matrix3d& frame) {
  const Gap& gap = contact.gap;
  const Side a = side(scene, data, time, contact.id.a, gap.point_a), b = side(scene, data, time, contact.id.b, gap.point_b);
  ContactMotion m;
  m.v = a.velocity - b.velocity;
  const Vector3d v_t = m.v - gap.normal * gap.normal.dot(m.v);
  const Vector3d c = rolling(scene.model.world(), gap, frame, v_t, a.omega - b.omega);
  m.vdot = a.acceleration - b.acceleration + a.omega.cross(c - v_t) - b.omega.cross(c);
  m.ndot = gap.vertex_b ? Vector3d(a.omega.cross(gap.normal) - gap.curvature_a * (c - v_t)) : Vector3d(b.omega.cross(gap.normal) + gap.curvature_b * c);
  return m;
}

double limit_sign(const LiveContact& contact) { return contact.id.feature == 0 ? 1 : -1; }

void fill_jacobian(const Scene& scene, const Data& data, const LiveContact& contact, const Matrix3d& frame, int first, Eigen::MatrixXd& J) {
  const Model& model = scene.model;
  const int d = model.dimension();
  if (contact.is_limit()) {
    J(first + d - 1, scene.limits[static_cast<std::size_t>(contact.id.b)].freedom) = limit_sign(contact);
    return;
  }
  for (int k = 0; k < d; ++k) {
    const Vector3d direction = k == d - 1 ? frame.col(2) : frame.col(k);
    if (contact.body_a != kGround) add_point_row(model, data, contact.body_a, contact.gap.point_a, direction, J.row(first + k));
    if (contact.body_b != kGround) add_point_row(model, data, contact.body_b, contact.gap.point_b, -direction, J.row(first + k));
  }
}

void fill_rows(const Scene& scene, const Data& data, double time, std::span<const LiveContact> contacts, ContactRows& rows, bool with_bias) {
  const Model& model = scene.model;
  const int d = model.dimension(), n = static_cast<int>(contacts.size());
  rows.J.setZero(static_cast<Eigen::Index>(d) * n, model.nv());
  rows.v.setZero(static_cast<Eigen::Index>(d) * n);
  rows.bias.setZero(static_cast<Eigen::Index>(d) * n);
  rows.frame.resize(contacts.size());
  for (int i = 0; i < n; ++i) {
    const LiveContact& contact = contacts[static_cast<std::size_t>(i)];
    Matrix3d& frame = rows.frame[static_cast<std::size_t>(i)];
    frame.setIdentity();
    if (!contact.is_limit()) frame = contact_frame(model.world(), contact.gap.normal);
    fill_jacobian(scene, data, contact, frame, d * i, rows.J);
    if (contact.is_limit()) {
      rows.v[d * i + d - 1] = gap_rate(scene, data, time, contact);
      continue;
    }
    const ContactMotion m = motion(scene, data, time, contact, frame);
    for (int k = 0; k < d; ++k) {
      const Vector3d direction = k == d - 1 ? frame.col(2) : frame.col(k);
      rows.v[d * i + k] = direction.dot(m.v);
      if (with_bias) rows.bias[d * i + k] = direction.dot(m.vdot) + (k == d - 1 ? m.ndot.dot(m.v) : 0);
    }
  }
}

}  // namespace

void contact_rows(const Scene& scene, const Data& data, double time, std::span<const LiveContact> contacts, ContactRows& rows) {
  fill_rows(scene, data, time, contacts, rows, true);
}

void contact_velocities(const Scene& scene, const Data& data, double time, std::span<const LiveContact> contacts, ContactRows& rows) {
  fill_rows(scene, data, time, contacts, rows, false);
}

Vector3d running_velocity(const Scene& scene, const Data& data, double time, int collider, const Vector3d& x) {
  const Collider& c = scene.colliders[static_cast<std::size_t>(collider)];
  Vector3d v = Vector3d::Zero();
  if (c.drive) {
    const DrivenFrame f = driven_frame(c, time);
    v = at(f.velocity, x - f.pose.translation).linear;
    if (!c.surface_velocity.isZero(0)) v += f.pose.rotation * c.surface_velocity;
  } else if (!c.surface_velocity.isZero(0)) {
    v = collider_pose(c, data, time).rotation * c.surface_velocity;
  }
  return v;
}

double gap_rate(const Scene& scene, const Data& data, double time, const LiveContact& contact) {
  if (contact.is_limit()) return limit_sign(contact) * joint_speed(scene.model, data, scene.limits[static_cast<std::size_t>(contact.id.b)].freedom);
  const Side a = side(scene, data, time, contact.id.a, contact.gap.point_a), b = side(scene, data, time, contact.id.b, contact.gap.point_b);
  return contact.gap.normal.dot(a.velocity - b.velocity);
}

}  // namespace carom
