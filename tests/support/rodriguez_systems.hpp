#pragma once
// Random systems of 1–4 rigid bodies with 2–6 contacts among them and with the ground, planar or spatial; flat faces, repeated points,
// frictionless contacts and contacts at rest included. Tangents by the rule of law rodriguez-bowling.

#include <Eigen/Core>
#include <Eigen/Geometry>

#include "carom/impact/law.hpp"
#include "carom/impact/laws/rodriguez_rule.hpp"
#include "carom/math/counter_rng.hpp"

namespace carom::testing {

struct RandomSystem {
  CounterRng& rng;
  int d, bodies;
  Eigen::MatrixXd centres, inverse_mass;  // d × bodies; block diagonal
  Eigen::VectorXd speeds;
  int dof() const { return d == 2 ? 3 : 6; }

  RandomSystem(CounterRng& generator, int dimension) : rng(generator), d(dimension), bodies(1 + generator.below(4)) {
    centres.resize(d, bodies);
    inverse_mass = Eigen::MatrixXd::Zero(bodies * dof(), bodies * dof());
    speeds.resize(bodies * dof());
    for (double& x : centres.reshaped()) x = rng.normal();
    for (int b = 0; b < bodies; ++b) {
      const double m = rng.log_uniform(0.1, 10);
      for (int k = 0; k < dof(); ++k) inverse_mass(b * dof() + k, b * dof() + k) = 1 / (k < d ? m : m * rng.log_uniform(0.05, 1));
    }
    for (double& x : speeds) x = rng.normal();
  }

  Eigen::VectorXd unit() {
    Eigen::VectorXd n(d);
    for (double& x : n) x = rng.normal();
    return n.normalized();
  }

  // Rows of the velocity of body b at x along the columns of `frame`, times sign.
  void add_rows(Eigen::MatrixXd& J, int row, int b, const Eigen::VectorXd& x, const Eigen::MatrixXd& frame, double sign) const {
    if (b < 0) return;
    const Eigen::VectorXd r = x - centres.col(b);
    for (int k = 0; k < d; ++k) {
      const Eigen::VectorXd a = frame.col(k);
      J.row(row + k).segment(b * dof(), d) += sign * a.transpose();
      if (d == 2) J(row + k, b * dof() + 2) += sign * (r.x() * a.y() - r.y() * a.x());
      else J.row(row + k).segment(b * dof() + 3, 3) += sign * Eigen::Vector3d(r).cross(Eigen::Vector3d(a)).transpose();
    }
  }

  ImpactProblem problem() {
    const int n = 2 + rng.below(5);
    ContactGeometry geometry;
    geometry.points.resize(d, n), geometry.normals.resize(d, n);
    const int kind = rng.below(4);  // 0, 1: anything; 2: a flat face; 3: with repeated points
    for (int c = 0; c < n; ++c) {
      if (c > 0 && (kind == 2 || (kind == 3 && rng.below(2) == 0))) {
        geometry.bodies.push_back(geometry.bodies.front());
        geometry.normals.col(c) = geometry.normals.col(0);
        Eigen::VectorXd shift = unit() * rng.uniform(0.2, 1);
        shift -= shift.dot(geometry.normals.col(0)) * geometry.normals.col(0);
        geometry.points.col(c) = geometry.points.col(0) + (kind == 2 ? shift : Eigen::VectorXd::Zero(d));
        continue;
      }
      const int a = rng.below(bodies);
      int b = rng.below(bodies + 1) - 1;
      if (b == a) b = -1;
      geometry.bodies.push_back({a, b});
      geometry.points.col(c) = centres.col(a) + unit() * rng.uniform(0.2, 1);
      geometry.normals.col(c) = unit();
    }
    return build(geometry);
  }

  ImpactProblem build(const ContactGeometry& geometry) {
    const auto n = geometry.points.cols();
    Eigen::MatrixXd J = Eigen::MatrixXd::Zero(n * d, bodies * dof());
    for (int c = 0; c < n; ++c) {
      Eigen::MatrixXd frame(d, d);
      const Eigen::VectorXd normal = geometry.normals.col(c);
      if (d == 2) frame << normal.y(), normal.x(), -normal.x(), normal.y();
      else frame = laws::rodriguez::contact_frame(Eigen::Vector3d(normal));
      add_rows(J, c * d, geometry.bodies[c][0], geometry.points.col(c), frame, 1);
      add_rows(J, c * d, geometry.bodies[c][1], geometry.points.col(c), frame, -1);
    }
    ImpactProblem out;
    out.dimension = d;
    out.G = J * inverse_mass * J.transpose();
    out.G = (0.5 * (out.G + out.G.transpose())).eval();
    if (rng.below(8) == 0) speeds.setZero(), speeds.head(dof()).setConstant(rng.normal());
    out.v_pre = J * speeds;
    if (rng.below(4) != 0) {  // mostly: something approaches
      bool any = false;
      for (int c = 0; c < n; ++c) any |= out.v_pre(out.normal(c)) < 0;
      if (!any) out.v_pre *= -1;
    }
    out.mu_s.resize(n), out.mu_d.resize(n), out.e.resize(n);
    const double e = rng.below(6) == 0 ? 0 : rng.below(6) == 0 ? 1 : rng.uniform();
    for (int c = 0; c < n; ++c) {
      out.mu_d(c) = rng.below(6) == 0 ? 0 : rng.uniform(0, 1.2);
      out.mu_s(c) = rng.below(2) == 0 ? out.mu_d(c) : out.mu_d(c) * (1 + 0.7 * rng.uniform());
      out.e(c) = rng.below(2) == 0 ? e : rng.uniform();
    }
    out.geometry = geometry;
    return out;
  }
};

inline ImpactProblem random_system(CounterRng& rng, int dimension) { return RandomSystem(rng, dimension).problem(); }

}  // namespace carom::testing
