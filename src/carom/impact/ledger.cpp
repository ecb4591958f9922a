#include "carom/impact/ledger.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>

namespace carom {
namespace {

// q̇⁺ from M (q̇⁺ − q̇⁻) = Jᵀ p + Cᵀ λ with C q̇ unchanged.
Eigen::VectorXd generalised_speeds(const GeneralisedSystem& system, const Eigen::VectorXd& p) {
  const Eigen::LLT<Eigen::MatrixXd> mass(system.M);
  Eigen::VectorXd change = mass.solve(system.J.transpose() * p);
  if (system.constraint.size() > 0) {
    const Eigen::MatrixXd L = mass.solve(system.constraint.transpose());
    const Eigen::MatrixXd S = system.constraint * L;
    change -= L * S.completeOrthogonalDecomposition().solve(system.constraint * change);
  }
  return system.qdot_pre + change;
}

ImpactResiduals residuals(const ImpactProblem& problem, const ImpactOutcome& outcome) {
  ImpactResiduals out;
  const Eigen::VectorXd& p = outcome.p;
  const double size_v = problem.v_pre.norm(), size_p = p.norm();
  const double momentum = (outcome.v_post - problem.v_pre - problem.G * p).norm();
  const double scale = size_v + (problem.G.cwiseAbs() * p.cwiseAbs()).norm();
  out.momentum = scale > 0 ? momentum / scale : 0;
  const int d = problem.dimension;
  for (int c = 0; c < problem.contacts(); ++c) {
    const int n = problem.normal(c);
    const double slide = p.segment(n - (d - 1), d - 1).norm() - problem.mu_s(c) * p(n);
    if (size_p > 0) out.cone = std::max({out.cone, slide / size_p, -p(n) / size_p});
    if (size_v > 0) out.penetration = std::max(out.penetration, -outcome.v_post(n) / size_v);
  }
  return out;
}

}  // namespace

double contact_kinetic_energy(const ImpactProblem& problem) {
  if (problem.dimension == 2 && problem.contacts() == 1) {  // the common case without a decomposition
    const Eigen::Matrix2d G = problem.G;
    const double det = G.determinant();
    if (det > 1e-12 * G(0, 0) * G(1, 1)) return 0.5 * problem.v_pre.dot(G.inverse() * problem.v_pre);
  }
  return 0.5 * problem.v_pre.dot(problem.G.completeOrthogonalDecomposition().solve(problem.v_pre));
}

void settle(const ImpactProblem& problem, ImpactOutcome& outcome) {
  EnergyLedger& energy = outcome.energy;
  energy.change = 0.5 * outcome.p.dot(problem.v_pre + outcome.v_post);
  for (const ContactWork& work : energy.contacts) {
    energy.normal_work += work.normal;
    energy.friction_work += work.friction;
    energy.compression_work += work.compression;
    energy.restitution_work += work.restitution;
  }
  energy.kinetic = contact_kinetic_energy(problem);
  const double gap = std::abs(energy.change - energy.normal_work - energy.friction_work);
  energy.closure = energy.kinetic > 0 ? gap / energy.kinetic : 0;
  outcome.residuals = residuals(problem, outcome);
  if (problem.system) outcome.qdot_post = generalised_speeds(*problem.system, outcome.p);
  if (energy.change > kEnergyGain * energy.kinetic)
    outcome.warnings.push_back(fmt::format("kinetic energy grew by {:.6g} J, {:.3g} % of the contact's {:.6g} J: {} restitution with {} can gain energy",
                                           energy.change, 100 * energy.change / energy.kinetic, energy.kinetic, outcome.restitution, outcome.law));
}

ContactWork straight_work(double v_n_pre, double v_n_post, double p_n, double friction_work) {
  ContactWork work;
  work.normal = 0.5 * p_n * (v_n_pre + v_n_post);
  work.friction = friction_work;
  const double rise = v_n_post - v_n_pre;
  if (v_n_pre < 0 && v_n_post > 0) {
    work.compression = -0.5 * p_n * v_n_pre * v_n_pre / rise;
    work.restitution = 0.5 * p_n * v_n_post * v_n_post / rise;
  } else {
    (work.normal < 0 ? work.compression : work.restitution) = work.normal;
  }
  return work;
}

}  // namespace carom
