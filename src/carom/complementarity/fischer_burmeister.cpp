#include "carom/complementarity/fischer_burmeister.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <Eigen/QR>
#include <cmath>
#include <limits>

#include "carom/core/error.hpp"
#include "carom/math/counter_rng.hpp"

namespace carom {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

class Merit {
 public:
  // Rows divided by their largest entry: the solutions stay, w is measured in units of its own row.
  explicit Merit(const Mlcp& p) : p_(p), M_(p.M), q_(p.q) {
    for (int i = 0; i < p.size(); ++i) {
      const double largest = p.M.row(i).cwiseAbs().maxCoeff();
      if (largest > 0) M_.row(i) /= largest, q_[i] /= largest;
    }
  }

  VectorXd value(const VectorXd& z) const {
    VectorXd phi = M_ * z + q_;
    for (int i = 0; i < p_.size(); ++i)
      if (p_.complementary[i]) phi[i] = phi_fb(z[i], phi[i]);
    return phi;
  }

  // diag(a) + diag(b) M with φ′ = (a, b).
  MatrixXd jacobian(const VectorXd& z) const {
    const VectorXd w = M_ * z + q_;
    MatrixXd J = M_;
    for (int i = 0; i < p_.size(); ++i) {
      if (!p_.complementary[i]) continue;
      const double h = std::hypot(z[i], w[i]);
      const double a = h > 0 ? 1 - z[i] / h : 1 - std::sqrt(0.5), b = h > 0 ? 1 - w[i] / h : 1 - std::sqrt(0.5);
      J.row(i) *= b;
      J(i, i) += a;
    }
    return J;
  }

 private:
  // z + w − √(z² + w²) without cancellation.
  static double phi_fb(double z, double w) {
    const double h = std::hypot(z, w);
    return z + w > 0 ? 2 * z * w / (z + w + h) : z + w - h;
  }

  const Mlcp& p_;
  MatrixXd M_;
  VectorXd q_;
};

// The answer with the active set that z shows: exact zeros, and the rest from the linear system.
VectorXd polished(const Mlcp& p, const VectorXd& z) {
  const VectorXd w = p.M * z + p.q;
  std::vector<int> basic;
  for (int i = 0; i < p.size(); ++i)
    if (!p.complementary[i] || z[i] > w[i]) basic.push_back(i);
  VectorXd x = VectorXd::Zero(p.size());
  if (basic.empty()) return x;
  const MatrixXd B = p.M(basic, basic);
  const Eigen::CompleteOrthogonalDecomposition<MatrixXd> qr(B);
  VectorXd y = qr.solve(-p.q(basic));
  y += qr.solve(-p.q(basic) - B * y);
  x(basic) = y;
  for (int i = 0; i < p.size(); ++i)
    if (p.complementary[i]) x[i] = std::max(0.0, x[i]);
  return x;
}

struct Run {
  VectorXd z;
  double error;
  int steps;
};

Run newton(const Mlcp& p, const Merit& merit, const FischerBurmeisterOptions& o, VectorXd z) {
  Run best{z, std::numeric_limits<double>::infinity(), 0};
  VectorXd phi = merit.value(z);
  for (int k = 0; k <= o.max_steps; ++k) {
    best.steps = k;
    for (const VectorXd& candidate : {z, polished(p, z)}) {
      const double error = certify(p, candidate).natural_map;
      if (error < best.error) best.error = error, best.z = candidate;
    }
    if (best.error <= o.tolerance || k == o.max_steps) break;
    const MatrixXd J = merit.jacobian(z);
    const VectorXd gradient = J.transpose() * phi;
    VectorXd d = J.partialPivLu().solve(-phi);
    if (!d.allFinite() || gradient.dot(d) > -1e-10 * std::pow(d.norm(), 2.1)) d = -gradient;
    const double slope = gradient.dot(d), now = 0.5 * phi.squaredNorm();
    double t = 1;
    VectorXd z_new, phi_new;
    for (int i = 0; i < 40; ++i, t *= 0.5) {
      z_new = z + t * d, phi_new = merit.value(z_new);
      if (0.5 * phi_new.squaredNorm() <= now + 1e-4 * t * slope) break;
    }
    if ((z_new - z).norm() <= 1e-15 * (1 + z.norm())) break;
    z = z_new, phi = phi_new;
  }
  return best;
}

}  // namespace

void FischerBurmeisterOptions::validate() const {
  if (!(tolerance > 0)) throw InputError("tolerance", fmt::format("{}", tolerance), "must be positive");
  if (max_steps < 1) throw InputError("max_steps", fmt::format("{}", max_steps), "must be at least 1");
  if (restarts < 0) throw InputError("restarts", fmt::format("{}", restarts), "must be at least 0");
}

MlcpSolution solve_fischer_burmeister(const Mlcp& p, const FischerBurmeisterOptions& o, const VectorXd& warm) {
  o.validate();
  validate(p);
  const Merit merit(p);
  Run best{VectorXd::Zero(p.size()), std::numeric_limits<double>::infinity(), 0};
  int steps = 0;
  for (int k = 0; k <= o.restarts; ++k) {
    VectorXd z = warm.size() == p.q.size() ? warm : VectorXd::Zero(p.size());
    CounterRng rng(o.seed, static_cast<std::uint64_t>(k));
    if (k > 0)
      for (int i = 0; i < p.size(); ++i) z[i] = p.complementary[i] ? rng.log_uniform(1e-3, 10) : rng.normal();
    Run run = newton(p, merit, o, std::move(z));
    steps += run.steps;
    if (run.error < best.error) best = std::move(run);
    if (best.error <= o.tolerance) break;
  }
  return finish(p, best.z, steps, o.tolerance, SolveStatus::missed);
}

LcpSolution solve_fischer_burmeister(const Lcp& lcp, const FischerBurmeisterOptions& o, const VectorXd& warm) {
  const Mlcp mixed{lcp.M, lcp.q, std::vector<bool>(static_cast<std::size_t>(lcp.size()), true)};
  return solve_fischer_burmeister(mixed, o, warm);
}

}  // namespace carom
