#include "carom/lab/reproduce/rodriguez_scenes.hpp"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <array>

#include "carom/impact/laws/rodriguez_rule.hpp"

namespace carom::lab {
namespace {

// One planar body: contacts against the ground; q̇ = (x, y, angle).
ImpactProblem planar_body(double m, double I, const Eigen::Matrix2Xd& points, const Eigen::Matrix2Xd& normals, const Eigen::Vector3d& qdot, double mu_s, double mu_d, double e) {
  const Eigen::Index n = points.cols();
  ImpactProblem problem;
  GeneralisedSystem system;
  system.M = Eigen::Vector3d(m, m, I).asDiagonal();
  system.J.resize(2 * n, 3);
  for (Eigen::Index c = 0; c < n; ++c) {
    const Eigen::Vector2d r = points.col(c), nn = normals.col(c), t(nn.y(), -nn.x()), turn(-r.y(), r.x());
    system.J.row(2 * c) << t.transpose(), t.dot(turn);
    system.J.row(2 * c + 1) << nn.transpose(), nn.dot(turn);
  }
  system.qdot_pre = qdot;
  problem.dimension = 2;
  problem.G = system.J * system.M.inverse() * system.J.transpose();
  problem.v_pre = system.J * qdot;
  problem.mu_s = Eigen::VectorXd::Constant(n, mu_s), problem.mu_d = Eigen::VectorXd::Constant(n, mu_d), problem.e = Eigen::VectorXd::Constant(n, e);
  problem.geometry = ContactGeometry{points, normals, std::vector<std::array<int, 2>>(static_cast<std::size_t>(n), {0, -1})};
  problem.system = system;
  return problem;
}

// One spatial body, centre at the origin, axes principal: contacts against the ground; u = (v_G, ω).
ImpactProblem spatial_body(double m, const Eigen::Vector3d& I, const Eigen::Matrix3Xd& points, const Eigen::Matrix3Xd& normals, const Eigen::VectorXd& u, double mu_s, double mu_d, double e) {
  const Eigen::Index n = points.cols();
  ImpactProblem problem;
  GeneralisedSystem system;
  system.M = Eigen::MatrixXd::Zero(6, 6);
  system.M.diagonal() << m, m, m, I;
  system.J.resize(3 * n, 6);
  for (Eigen::Index c = 0; c < n; ++c) {
    const Eigen::Matrix3d frame = laws::rodriguez::contact_frame(normals.col(c));
    for (int k = 0; k < 3; ++k) system.J.row(3 * c + k) << frame.col(k).transpose(), points.col(c).cross(frame.col(k)).transpose();
  }
  system.qdot_pre = u;
  problem.dimension = 3;
  problem.G = system.J * system.M.inverse() * system.J.transpose();
  problem.v_pre = system.J * u;
  problem.mu_s = Eigen::VectorXd::Constant(n, mu_s), problem.mu_d = Eigen::VectorXd::Constant(n, mu_d), problem.e = Eigen::VectorXd::Constant(n, e);
  problem.geometry = ContactGeometry{points, normals, std::vector<std::array<int, 2>>(static_cast<std::size_t>(n), {0, -1})};
  problem.system = system;
  return problem;
}

}  // namespace

ImpactProblem corner_ball(const Eigen::Vector3d& qdot, double mu_s, double mu_d, double e, double inertia_factor) {
  Eigen::Matrix2Xd points(2, 2), normals(2, 2);
  points << 0, 0.5, -0.5, 0;
  normals << 0, -1, 1, 0;
  return planar_body(1, inertia_factor * 0.25, points, normals, qdot, mu_s, mu_d, e);
}

ImpactProblem rocking_block(double v_t, double mu_s, double mu_d, double e) {
  const double m = 2.5, b = 0.1087, h = 0.0645;
  Eigen::Matrix2Xd points(2, 2), normals(2, 2);
  points << -b / 2, b / 2, -h / 2, -h / 2;
  normals << 0, 0, 1, 1;
  const double omega = -1 / b;
  return planar_body(m, m * (b * b + h * h) / 12, points, normals, {v_t - omega * h / 2, -0.5, omega}, mu_s, mu_d, e);
}

ImpactProblem cradle(const std::vector<double>& masses, double v, double e, double L, double R) {
  const auto balls = static_cast<Eigen::Index>(masses.size()), n = balls - 1;
  ImpactProblem problem;
  GeneralisedSystem system;
  system.M = Eigen::MatrixXd::Zero(balls, balls);
  for (Eigen::Index k = 0; k < balls; ++k) system.M(k, k) = masses[k] * (L * L + 0.4 * R * R);
  system.J = Eigen::MatrixXd::Zero(2 * n, balls);
  ContactGeometry geometry;
  geometry.points.resize(2, n), geometry.normals.resize(2, n);
  for (Eigen::Index c = 0; c < n; ++c) {
    // Ball k turns about its pivot L above its centre: its point at ±R ahead moves (L, ±R) per rad/s. Tangent t = (0, −1).
    system.J(2 * c + 1, c) = -L, system.J(2 * c + 1, c + 1) = L;
    system.J(2 * c, c) = R, system.J(2 * c, c + 1) = R;
    geometry.points.col(c) << 2 * R * static_cast<double>(c) + R, 0;
    geometry.normals.col(c) << 1, 0;
    geometry.bodies.push_back({static_cast<int>(c) + 1, static_cast<int>(c)});
  }
  system.qdot_pre = Eigen::VectorXd::Zero(balls);
  system.qdot_pre(0) = v / L;
  problem.dimension = 2;
  problem.G = system.J * system.M.inverse() * system.J.transpose();
  problem.v_pre = system.J * system.qdot_pre;
  problem.mu_s = problem.mu_d = Eigen::VectorXd::Zero(n);
  problem.e = Eigen::VectorXd::Constant(n, e);
  problem.geometry = geometry;
  problem.system = system;
  return problem;
}

ImpactProblem corner_sphere(const Eigen::VectorXd& u, double mu_s, double mu_d, double e) {
  Eigen::Matrix3Xd points(3, 3), normals(3, 3);
  points << 0, 0.5, 0, 0, 0, -0.5, -0.5, 0, 0;
  normals << 0, -1, 0, 0, 0, 1, 1, 0, 0;
  return spatial_body(1, Eigen::Vector3d::Constant(0.1), points, normals, u, mu_s, mu_d, e);
}

ImpactProblem spatial_block(int which, const Eigen::VectorXd& u) {
  const double m = 2.5, l = 0.2, b = 0.1087, h = 0.0645;
  Eigen::Matrix3Xd points(3, 4), normals = Eigen::Matrix3Xd::Zero(3, 4);
  points << -l / 2, l / 2, l / 2, -l / 2, b / 2, b / 2, -b / 2, -b / 2, -h / 2, -h / 2, -h / 2, -h / 2;
  normals.row(2).setOnes();
  if (which == 3) points(0, 2) = 0;
  const Eigen::Index n = which == 2 ? 4 : 3;
  return spatial_body(m, m / 12 * Eigen::Vector3d(b * b + h * h, l * l + h * h, l * l + b * b), points.leftCols(n), normals.leftCols(n), u, 0.6, 0.35, 0.5);
}

}  // namespace carom::lab
