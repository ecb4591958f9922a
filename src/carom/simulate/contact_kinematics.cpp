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

// A surface at the contact, in the tangent plane (t1, t2).
struct Surface {
  Eigen::Matrix2d K;      // curvature; of an edge only the part along it
  Eigen::Vector2d along;  // of an edge
  bool vertex, edge;
};

Surface surface(World world, const Matrix3d& K, const EdgeLine& edge, bool vertex, const Matrix3d& frame) {
  Surface s{Eigen::Matrix2d::Zero(), Eigen::Vector2d::UnitX(), vertex, !edge.along.isZero(0)};
  if (vertex) return s;
  const Vector3d t1 = frame.col(0), t2 = frame.col(1);
  if (s.edge) {
    s.along = Eigen::Vector2d(t1.dot(edge.along), t2.dot(edge.along)).normalized();
    s.K = edge.curvature * s.along * s.along.transpose();
  } else {
    s.K(0, 0) = t1.dot(K * t1);
    if (world == World::spatial) s.K << s.K(0, 0), t1.dot(K * t2), t1.dot(K * t2), t2.dot(K * t2);
  }
  return s;
}

double cross(const Eigen::Vector2d& a, const Eigen::Vector2d& b) { return a.x() * b.y() - a.y() * b.x(); }

// K c = r for two smooth surfaces; where both are flat the contact goes with A.
Eigen::Vector2d rolling(const Eigen::Matrix2d& K, const Eigen::Vector2d& r, const Eigen::Vector2d& v, World world) {
  if (world == World::planar) return K(0, 0) > 0 ? Eigen::Vector2d(r.x() / K(0, 0), 0) : v;
  const double scale = K.trace(), det = K.determinant();
  if (det > 1e-12 * scale * scale) return {(K(1, 1) * r.x() - K(0, 1) * r.y()) / det, (K(0, 0) * r.y() - K(1, 0) * r.x()) / det};
  if (scale <= 0) return v;
  const Eigen::Vector2d e = (K.col(0).norm() > K.col(1).norm() ? K.col(0) : K.col(1)).normalized();
  return v + (r.dot(e) / scale - v.dot(e)) * e;
}

// c of the header; v and s = n × ω in the tangent plane.
Eigen::Vector2d contact_run(const Surface& A, const Surface& B, const Eigen::Vector2d& v, const Eigen::Vector2d& s, World world) {
  if (A.vertex) return v;
  if (B.vertex) return Eigen::Vector2d::Zero();
  const Eigen::Matrix2d K = A.K + B.K;
  const double slant = cross(A.along, B.along);
  if (A.edge && B.edge && std::abs(slant) > 1e-9) return cross(A.along, v) / slant * B.along;  // stays on both
  if (A.edge) {
    const double k = A.along.dot(K * A.along);
    return k > 0 ? Eigen::Vector2d(v - A.along.dot(B.K * v + s) / k * A.along) : v;
  }
  if (B.edge) {
    const double k = B.along.dot(K * B.along);
    return k > 0 ? Eigen::Vector2d(B.along.dot(A.K * v - s) / k * B.along) : Eigen::Vector2d(v.dot(B.along) * B.along);
  }
  return rolling(K, A.K * v - s, v, world);
}

// ṅ: the normal of the surface that is smooth; of two edges it stays normal to both.
Vector3d normal_rate(const Surface& A, const Surface& B, const Eigen::Vector2d& c, const Eigen::Vector2d& v, const Matrix3d& frame, const Vector3d& omega_a, const Vector3d& omega_b) {
  const Vector3d n = frame.col(2);
  const auto world = [&](const Eigen::Vector2d& x) { return Vector3d(x.x() * frame.col(0) + x.y() * frame.col(1)); };
  const double slant = cross(A.along, B.along);
  if (A.edge && B.edge && std::abs(slant) > 1e-9) {
    const double on_a = -n.dot(omega_a.cross(world(A.along))) - A.along.dot(A.K * (c - v));
    const double on_b = -n.dot(omega_b.cross(world(B.along))) + B.along.dot(B.K * c);
    return world(Eigen::Vector2d(on_a * B.along.y() - on_b * A.along.y(), on_b * A.along.x() - on_a * B.along.x()) / slant);
  }
  if (B.vertex || (B.edge && !A.vertex)) return omega_a.cross(n) - world(A.K * (c - v));
  return omega_b.cross(n) + world(B.K * c);
}

ContactMotion motion(const Scene& scene, const Data& data, double time, const LiveContact& contact, const Matrix3d& frame) {
  const Gap& gap = contact.gap;
  const World world = scene.model.world();
  const Side a = side(scene, data, time, contact.id.a, gap.point_a), b = side(scene, data, time, contact.id.b, gap.point_b);
  ContactMotion m;
  m.v = a.velocity - b.velocity;
  const Vector3d s = gap.normal.cross(a.omega - b.omega);
  const Surface A = surface(world, gap.curvature_a, gap.edge_a, gap.vertex_a, frame), B = surface(world, gap.curvature_b, gap.edge_b, gap.vertex_b, frame);
  const bool planar = world == World::planar;
  const Eigen::Vector2d v2(frame.col(0).dot(m.v), planar ? 0.0 : frame.col(1).dot(m.v)), s2(frame.col(0).dot(s), planar ? 0.0 : frame.col(1).dot(s));
  const Eigen::Vector2d c2 = contact_run(A, B, v2, s2, world);
  const Vector3d c = c2.x() * frame.col(0) + c2.y() * frame.col(1), v_t = v2.x() * frame.col(0) + v2.y() * frame.col(1);
  m.vdot = a.acceleration - b.acceleration + a.omega.cross(c - v_t) - b.omega.cross(c);
  m.ndot = normal_rate(A, B, c2, v2, frame, a.omega, b.omega);
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
