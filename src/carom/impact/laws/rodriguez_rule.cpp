#include "carom/impact/laws/rodriguez_rule.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <cmath>

#include "carom/core/error.hpp"

namespace carom::laws::rodriguez {
namespace {

constexpr double kFlat = 1e-9;          // |n·d| up to which a normal lies across d
constexpr double kCoincident = 1e-12;   // distance over the size of the point set
constexpr double kContradiction = 1e-6; // (row) G over |G|: frames or points of another system are far above, rounding far below

Eigen::Vector3d lift(const Eigen::MatrixXd& columns, int c) {
  Eigen::Vector3d x = Eigen::Vector3d::Zero();
  x.head(columns.rows()) = columns.col(c);
  return x;
}

// The common bodies of two contacts other than the ground, with the side each contact has of it.
struct Common {
  double side_i, side_j;
  bool same_two;
};
std::vector<Common> common_bodies(const std::array<int, 2>& a, const std::array<int, 2>& b) {
  std::vector<Common> found;
  const bool same_two = (a[0] == b[0] && a[1] == b[1]) || (a[0] == b[1] && a[1] == b[0]);
  for (int x = 0; x < 2; ++x)
    for (int y = 0; y < 2; ++y)
      if (a[x] >= 0 && a[x] == b[y])
        found.push_back({x == 0 ? 1.0 : -1.0, y == 0 ? 1.0 : -1.0, same_two});
  if (same_two && found.size() > 1) found.pop_back();  // the second body's row is the first's
  return found;
}

// A pair against one and the same other body keeps (v_i − v_j)·d = 0 for every impulse, so its row annihilates G.
void check_against_delassus(const System& system, const Pair& pair) {
  const ImpactProblem& problem = system.problem;
  Eigen::VectorXd row = Eigen::VectorXd::Zero(problem.v_pre.size());
  for (const auto& [c, sign] : {std::pair{pair.i, pair.side_i}, std::pair{pair.j, -pair.side_j}}) {
    const Eigen::Matrix3d& frame = system.frame[c];
    for (int k = 0; k < system.d() - 1; ++k) row(system.tangent(c) + k) = sign * frame.col(k).dot(pair.direction);
    row(system.normal(c)) = sign * frame.col(2).dot(pair.direction);
  }
  const double miss = (row.transpose() * problem.G).cwiseAbs().maxCoeff();
  if (miss > kContradiction * problem.G.cwiseAbs().maxCoeff())
    throw InputError("points", fmt::format("contacts {} and {}", pair.i, pair.j),
                     "must belong to delassus: points of one rigid body keep their distance, (v_i - v_j).(P_i - P_j) = 0, and these do not. "
                     "Give tangents; without them t = (n_y, -n_x) in the plane and contact_frame(n) in space (n = +z: t1 = x, t2 = y)");
}

void add_pairs(System& system, const ContactGeometry& geometry, int i, int j, double size) {
  const Eigen::Vector3d gap = lift(geometry.points, i) - lift(geometry.points, j);
  for (const Common& common : common_bodies(geometry.bodies[i], geometry.bodies[j])) {
    if (gap.norm() <= kCoincident * size) {
      ++system.coincident;
      continue;
    }
    Pair pair{i, j, common.side_i, common.side_j, gap.normalized(), false};
    const auto across = [&](int c) { return std::abs(system.frame[c].col(2).dot(pair.direction)) <= kFlat; };
    pair.flat = common.same_two && across(i) && across(j);
    if (common.same_two) check_against_delassus(system, pair);
    system.pairs.push_back(pair);
  }
}

// The normal as the dissertation draws it: along the nearest world axis, in its positive sense.
Eigen::Vector3d drawn_normal(const Eigen::Vector3d& n) {
  Eigen::Index axis = 0;
  n.cwiseAbs().maxCoeff(&axis);
  return n(axis) < 0 ? Eigen::Vector3d(-n) : n;
}

RowPart part(const System& system, const Pair& pair, int c, double side, const Hold& hold) {
  const Eigen::Matrix3d& frame = system.frame[c];
  const Eigen::Vector3d& d = pair.direction;
  const bool drawn = system.paper && system.d() == 2;
  RowPart out;
  out.normal = drawn ? drawn_normal(frame.col(2)).dot(d) : side * frame.col(2).dot(d);
  const int tangents = system.d() - 1;
  for (int k = 0; k < tangents; ++k) {
    const double along = side * frame.col(k).dot(d);
    if (hold.grip == Grip::stick) out.friction(k) = along;
    if (hold.grip == Grip::slip) out.normal -= system.problem.mu_d(c) * hold.direction(k) * along;
  }
  return out;
}

}  // namespace

Eigen::Matrix3d contact_frame(const Eigen::Vector3d& n) {
  const double sign = std::copysign(1.0, n.z());
  const double a = -1 / (sign + n.z());
  const double b = n.x() * n.y() * a;
  Eigen::Matrix3d frame;
  frame.col(0) = Eigen::Vector3d(1 + sign * n.x() * n.x() * a, sign * b, -sign * n.x());
  frame.col(1) = Eigen::Vector3d(b, sign + n.y() * n.y() * a, -n.y());
  frame.col(2) = n;
  return frame;
}

System make_system(const ImpactProblem& problem, bool paper) {
  if (!problem.geometry && problem.contacts() == 1) return {problem, paper, {Eigen::Matrix3d::Identity()}, {}, 0};  // no pair, no frame needed
  if (!problem.geometry)
    throw InputError("points", "absent", "law rodriguez-bowling is built on rigid-body constraints: give points, normals and bodies of the contacts");
  const ContactGeometry& geometry = *problem.geometry;
  System system{problem, paper, {}, {}, 0};
  const int n = problem.contacts();
  for (int c = 0; c < n; ++c) {
    const Eigen::Vector3d normal = lift(geometry.normals, c);
    Eigen::Matrix3d frame = Eigen::Matrix3d::Zero();
    frame.col(2) = normal;
    if (geometry.tangents.size() > 0) frame.col(0) = lift(geometry.tangents, c);
    else frame.col(0) = problem.dimension == 2 ? Eigen::Vector3d(normal.y(), -normal.x(), 0) : Eigen::Vector3d(contact_frame(normal).col(0));
    if (problem.dimension == 3) frame.col(1) = normal.cross(Eigen::Vector3d(frame.col(0)));
    system.frame.push_back(frame);
  }
  const Eigen::VectorXd centre = geometry.points.rowwise().mean();
  const double size = (geometry.points.colwise() - centre).norm();
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < n; ++j) add_pairs(system, geometry, i, j, size);
  return system;
}

std::array<RowPart, 2> pair_row(const System& system, const Pair& pair, const Hold& hold_i, const Hold& hold_j) {
  const bool both_slip = hold_i.grip == Grip::slip && hold_j.grip == Grip::slip;
  double speed_i = hold_i.speed, speed_j = hold_j.speed;
  if (system.d() == 2) speed_i = speed_j = 1;  // in the plane they are equal, and noise when small
  double mu_i = system.problem.mu_d(pair.i), mu_j = system.problem.mu_d(pair.j);
  if (mu_i == 0 && mu_j == 0) mu_i = mu_j = 1;  // the limit of equal friction
  const double a = mu_i * speed_j, b = mu_j * speed_i, size = std::hypot(a, b);
  if (pair.flat && both_slip && size > 0) {
    RowPart first, second;
    first.normal = a / size, second.normal = b / size;
    return {first, second};
  }
  return {part(system, pair, pair.i, pair.side_i, hold_i), part(system, pair, pair.j, pair.side_j, hold_j)};
}

}  // namespace carom::laws::rodriguez
