#pragma once
// Six-dimensional quantities of one body, in world axes at a stated point (Featherstone, Rigid Body Dynamics Algorithms,
// Springer 2008, ch. 2). Accelerations are those of the material point, not of the spatial velocity field.

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace carom {

// Velocity or acceleration of a body: of its rotation, and of its material point at the reference point.
struct Motion {
  Eigen::Vector3d angular = Eigen::Vector3d::Zero();
  Eigen::Vector3d linear = Eigen::Vector3d::Zero();
};

// Force or impulse on a body: its resultant and its moment about the reference point.
struct Wrench {
  Eigen::Vector3d moment = Eigen::Vector3d::Zero();
  Eigen::Vector3d force = Eigen::Vector3d::Zero();
};

// The same body at a reference point that lies `r` further on.
inline Motion at(const Motion& m, const Eigen::Vector3d& r) { return {m.angular, m.linear + m.angular.cross(r)}; }
// The same wrench about a reference point from which the present one lies `r` away.
inline Wrench seen_from(const Wrench& w, const Eigen::Vector3d& r) { return {w.moment + r.cross(w.force), w.force}; }

inline Wrench operator+(const Wrench& a, const Wrench& b) { return {a.moment + b.moment, a.force + b.force}; }
inline Wrench operator-(const Wrench& a, const Wrench& b) { return {a.moment - b.moment, a.force - b.force}; }
inline double dot(const Wrench& w, const Motion& m) { return w.moment.dot(m.angular) + w.force.dot(m.linear); }

// The symmetric 6×6 inertia [J H; Hᵀ M]: wrench = inertia · motion. A rigid body has J its inertia about the reference point,
// H = m [c]×, M = m 1; composite and articulated inertias fill it more.
struct SpatialInertia {
  Eigen::Matrix3d J, H, M;
};

inline Wrench operator*(const SpatialInertia& I, const Motion& m) {
  return {I.J * m.angular + I.H * m.linear, I.H.transpose() * m.angular + I.M * m.linear};
}

// [r]× A: the cross product of r with every column.
inline Eigen::Matrix3d cross_columns(const Eigen::Vector3d& r, const Eigen::Matrix3d& A) {
  Eigen::Matrix3d out;
  out.row(0) = r.y() * A.row(2) - r.z() * A.row(1);
  out.row(1) = r.z() * A.row(0) - r.x() * A.row(2);
  out.row(2) = r.x() * A.row(1) - r.y() * A.row(0);
  return out;
}

// A [r]×: the cross product of every row with r.
inline Eigen::Matrix3d cross_rows(const Eigen::Matrix3d& A, const Eigen::Vector3d& r) {
  Eigen::Matrix3d out;
  out.col(0) = A.col(1) * r.z() - A.col(2) * r.y();
  out.col(1) = A.col(2) * r.x() - A.col(0) * r.z();
  out.col(2) = A.col(0) * r.y() - A.col(1) * r.x();
  return out;
}

// sum += I seen from a reference point from which its own lies `r` away: H' = H + [r]×M, J' = J + [r]×Hᵀ − H'[r]×.
inline void add_seen_from(SpatialInertia& sum, const SpatialInertia& I, const Eigen::Vector3d& r) {
  const Eigen::Matrix3d H = I.H + cross_columns(r, I.M);
  sum.J += I.J + cross_columns(r, I.H.transpose()) - cross_rows(H, r);
  sum.H += H;
  sum.M += I.M;
}

// I −= w wᵀ.
inline void deflate(SpatialInertia& I, const Wrench& w) {
  I.J.noalias() -= w.moment * w.moment.transpose();
  I.H.noalias() -= w.moment * w.force.transpose();
  I.M.noalias() -= w.force * w.force.transpose();
}

// A single freedom: unit rotation about, or translation along, `axis` through the reference point.
struct Screw {
  Eigen::Vector3d axis;
  bool rotation = false;
};

inline double dot(const Screw& s, const Wrench& w) { return s.axis.dot(s.rotation ? w.moment : w.force); }
inline void add(Motion& m, const Screw& s, double rate) { (s.rotation ? m.angular : m.linear) += rate * s.axis; }
inline Wrench operator*(const SpatialInertia& I, const Screw& s) {
  if (s.rotation) return {I.J * s.axis, I.H.transpose() * s.axis};
  return {I.H * s.axis, I.M * s.axis};
}

}  // namespace carom
