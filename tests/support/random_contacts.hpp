#pragma once
// Random impacts of one to four free rigid bodies at two to six contacts, planar or spatial: with each other and with the ground,
// flat faces (coplanar points of one body on the ground) and repeated contacts included.

#include <Eigen/Dense>
#include <cmath>
#include <vector>

#include "carom/impact/law.hpp"
#include "carom/math/counter_rng.hpp"

namespace carom::testing {

struct RandomBody {
  double mass;
  Eigen::Vector3d centre, radius, inertia;
};

// Rows of v = J q̇ at point x for a body with velocity (of its centre) and spin: planar (2 × 3), spatial (3 × 6).
inline Eigen::MatrixXd point_rows(const RandomBody& body, const Eigen::Vector3d& x, const Eigen::Matrix3d& frame, int d) {
  const Eigen::Vector3d r = x - body.centre;
  if (d == 2) {
    Eigen::MatrixXd rows(2, 3);
    for (int i = 0; i < 2; ++i) {
      const Eigen::Vector3d a = frame.col(i == 0 ? 0 : 2);
      rows.row(i) << a.x(), a.y(), r.x() * a.y() - r.y() * a.x();
    }
    return rows;
  }
  Eigen::MatrixXd rows(3, 6);
  for (int i = 0; i < 3; ++i) {
    const Eigen::Vector3d a = frame.col(i), moment = r.cross(a);
    rows.row(i) << a.transpose(), moment.transpose();
  }
  return rows;
}

inline Eigen::Vector3d random_vector(CounterRng& rng, int d) {
  Eigen::Vector3d x(rng.normal(), rng.normal(), rng.normal());
  if (d == 2) x.z() = 0;
  return x;
}

// Columns (t1, t2, n); planar: t1 lies in the plane with t1 × n along −z, so that (t, n) is a frame of the plane.
inline Eigen::Matrix3d contact_frame(const Eigen::Vector3d& n, int d) {
  Eigen::Matrix3d frame;
  const Eigen::Vector3d t1 = d == 2 ? Eigen::Vector3d(n.y(), -n.x(), 0) : Eigen::Vector3d(n.unitOrthogonal());
  frame << t1, n.cross(t1), n;
  return frame;
}

inline ImpactProblem random_contacts(CounterRng& rng, int d) {
  const int bodies = 1 + rng.below(4), n = 2 + rng.below(5), dof = d == 2 ? 3 : 6;
  std::vector<RandomBody> all;
  for (int b = 0; b < bodies; ++b) {
    RandomBody body;
    body.mass = rng.log_uniform(0.2, 5);
    body.centre = random_vector(rng, d);
    body.radius = Eigen::Vector3d(rng.uniform(0.3, 1), rng.uniform(0.3, 1), rng.uniform(0.3, 1));
    const Eigen::Array3d sq = body.radius.array().square();
    body.inertia = body.mass / 5 * Eigen::Vector3d(sq(1) + sq(2), sq(0) + sq(2), sq(0) + sq(1));
    all.push_back(body);
  }
  Eigen::VectorXd inverse_mass(bodies * dof);
  for (int b = 0; b < bodies; ++b) {
    inverse_mass.segment(b * dof, d).setConstant(1 / all[b].mass);
    if (d == 2) inverse_mass(b * dof + 2) = 1 / all[b].inertia.z();
    else inverse_mass.segment(b * dof + 3, 3) = all[b].inertia.cwiseInverse();
  }
  ImpactProblem problem;
  problem.dimension = d;
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(n * d, bodies * dof);
  ContactGeometry geometry{Eigen::MatrixXd(d, n), Eigen::MatrixXd(d, n), {}, Eigen::MatrixXd(d, n)};
  const bool face = rng.below(3) == 0, repeated = rng.below(6) == 0;
  const int flat = rng.below(bodies);
  for (int c = 0; c < n; ++c) {
    int a = rng.below(bodies), b = bodies > 1 && rng.below(2) == 0 ? (a + 1) % bodies : -1;
    Eigen::Vector3d normal = random_vector(rng, d).normalized(), x;
    if (b >= 0) {
      normal = (all[a].centre - all[b].centre).normalized();
      x = 0.5 * (all[a].centre + all[b].centre) + 0.2 * random_vector(rng, d);
    } else {
      x = all[a].centre - all[a].radius.x() * normal;
    }
    if (face) {  // coplanar points of one body on the ground
      a = flat, b = -1;
      normal = Eigen::Vector3d::UnitY();
      x = all[a].centre - all[a].radius.y() * normal + Eigen::Vector3d(rng.uniform(-1, 1), 0, d == 3 ? rng.uniform(-1, 1) : 0);
    }
    if (repeated && c == n - 1) {
      x.head(d) = geometry.points.col(0), normal.head(d) = geometry.normals.col(0);
      a = geometry.bodies[0][0], b = geometry.bodies[0][1];
    }
    const Eigen::Matrix3d frame = contact_frame(normal, d);
    J.block(c * d, a * dof, d, dof) += point_rows(all[a], x, frame, d);
    if (b >= 0) J.block(c * d, b * dof, d, dof) -= point_rows(all[b], x, frame, d);
    geometry.points.col(c) = x.head(d), geometry.normals.col(c) = normal.head(d);
    geometry.tangents.col(c) = frame.col(0).head(d);
    geometry.bodies.push_back({a, b});
  }
  Eigen::VectorXd u(bodies * dof);
  for (double& s : u) s = rng.normal();
  problem.G = J * inverse_mass.asDiagonal() * J.transpose();
  problem.G = (0.5 * (problem.G + problem.G.transpose())).eval();
  problem.v_pre = J * u;
  problem.mu_d.resize(n), problem.mu_s.resize(n), problem.e.resize(n);
  const double e = rng.uniform();
  for (int c = 0; c < n; ++c) {
    problem.mu_d(c) = rng.below(5) == 0 ? 0.0 : rng.uniform(0, 1);
    problem.mu_s(c) = problem.mu_d(c) * (rng.below(2) == 0 ? 1.0 : rng.uniform(1, 1.3));
    problem.e(c) = e;
  }
  problem.geometry = geometry;
  problem.system = GeneralisedSystem{inverse_mass.cwiseInverse().asDiagonal(), J, u, {}};
  return problem;
}

// The same impact with its contacts in another order; without the system behind them.
inline ImpactProblem permuted(const ImpactProblem& problem, const std::vector<int>& order) {
  ImpactProblem out = problem;
  const int d = problem.dimension;
  std::vector<int> index;
  for (const int c : order)
    for (int k = 0; k < d; ++k) index.push_back(c * d + k);
  out.G = problem.G(index, index);
  out.v_pre = problem.v_pre(index);
  out.mu_s = problem.mu_s(order), out.mu_d = problem.mu_d(order), out.e = problem.e(order);
  for (Eigen::VectorXd ImpactProblem::*per_contact : {&ImpactProblem::stiffness, &ImpactProblem::exponent})
    if ((problem.*per_contact).size() > 0) out.*per_contact = (problem.*per_contact)(order);
  out.system.reset();
  for (std::size_t k = 0; k < order.size(); ++k) {
    const auto column = static_cast<Eigen::Index>(k);
    out.geometry->points.col(column) = problem.geometry->points.col(order[k]);
    out.geometry->normals.col(column) = problem.geometry->normals.col(order[k]);
    if (problem.geometry->tangents.size() > 0) out.geometry->tangents.col(column) = problem.geometry->tangents.col(order[k]);
    out.geometry->bodies[k] = problem.geometry->bodies[static_cast<std::size_t>(order[k])];
  }
  return out;
}

}  // namespace carom::testing
