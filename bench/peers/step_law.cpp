#include "step_law.hpp"

#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>

#include "carom/dynamics/articulated.hpp"
#include "carom/dynamics/energy.hpp"
#include "carom/dynamics/forward_dynamics.hpp"
#include "carom/dynamics/kinematics.hpp"

namespace peers {

using Eigen::VectorXd;

namespace {
constexpr int kLarge = 400;  // contacts
}

StepLaw::StepLaw(const carom::Scene& scene) : scene_(scene), options_(scene.integrator.stepping), data_(scene.model), contacts_(scene) {}

void StepLaw::build() {
  contacts_.build(data_, 0, problem_);
  problem_.q.assign(static_cast<std::size_t>(problem_.blocks()) * 3, 0.0);
  warm_.assign(problem_.q.size(), 0.0);
  for (const carom::StepContact& c : contacts_.list) {
    if (c.block < 0) continue;
    const auto at = static_cast<std::size_t>(c.block) * 3;
    for (std::size_t k = 0; k < 3; ++k) problem_.q[at + k] = c.free[static_cast<Eigen::Index>(k)], warm_[at + k] = c.impulse[static_cast<Eigen::Index>(k)];
    problem_.q[at + 2] += std::max(c.gap, 0.0) / options_.step;
  }
}

void StepLaw::pose(const carom::State& before) {
  const carom::Model& model = scene_.model;
  const double h = options_.step;
  carom::forward_kinematics(model, before, data_);
  VectorXd udot;
  carom::forward_dynamics(model, data_, VectorXd::Zero(model.nv()), udot);
  u_free_ = before.u + h * udot;
  double range = h * contacts_.speed_bound(data_, 0);
  carom::update_velocities(model, u_free_, data_);
  range += h * contacts_.speed_bound(data_, 0);
  contacts_.find(data_, before.q, 0, 0, range);
  contacts_.velocities_free(data_, u_free_);
  carom::update_velocities(model, before.u, data_);
  contacts_.velocities_before(data_, before.u);
  contacts_.choose_friction();
  for (carom::StepContact& c : contacts_.list) c.kept = c.gap + h * c.free[2] <= 0;
  build();
}

double StepLaw::solve(double tolerance) {
  const carom::Model& model = scene_.model;
  const double h = options_.step;
  carom::SteppingOptions o = options_;
  o.tolerance = tolerance, o.max_sweeps = 2000;
  if (problem_.blocks() > kLarge) o.solver = "nsgs";  // the second-order methods would take longer than all runs together
  carom::Workers one(1);
  carom::StepSolver solver(model, o, one);
  double residual = 0;
  for (bool more = true; more;) {
    std::vector<double> r = warm_;
    residual = solver.solve(problem_, r, z_).natural_map;
    u_star_ = z_;
    carom::apply_root_transpose(model, data_, u_star_);
    u_star_ += u_free_;
    carom::update_velocities(model, u_star_, data_);
    more = false;
    for (carom::StepContact& c : contacts_.list) {
      c.held = false;
      c.impulse.setZero();
      const double after = contacts_.normal_velocity(c, data_, u_star_);
      if (c.block < 0) {
        if (c.gap + h * after < -1e-9) c.kept = more = true;
        continue;
      }
      for (int k = 0; k < 3; ++k) c.impulse[k] = r[static_cast<std::size_t>(c.block * 3 + k)];
      c.held = c.impulse[2] > 0;
    }
    if (more) build();
  }
  contacts_.remember();
  return residual;
}

double StepLaw::norm(const VectorXd& u) {
  carom::update_velocities(scene_.model, u, data_);
  return carom::kinetic_energy(scene_.model, data_);
}

double StepLaw::error(const VectorXd& after) { return std::sqrt(norm(after - u_star_) / norm(u_star_ - u_free_)); }

carom::FrictionContact StepLaw::local_form() const {
  const carom::RootRows& rows = problem_.rows;
  const double scale = carom::velocity_scale(problem_);
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < rows.blocks(); ++i)
    for (int e = rows.start[static_cast<std::size_t>(i)]; e < rows.start[static_cast<std::size_t>(i) + 1]; ++e)
      for (int k = 0; k < 3; ++k) entries.emplace_back(rows.speed[static_cast<std::size_t>(e)], 3 * i + k, rows.Y[static_cast<std::size_t>(e) * 3 + static_cast<std::size_t>(k)]);
  Eigen::SparseMatrix<double> Y(scene_.model.nv(), 3 * rows.blocks());
  Y.setFromTriplets(entries.begin(), entries.end());
  carom::FrictionContact out;
  out.W = carom::BlockMatrix::from_sparse(Eigen::SparseMatrix<double>(Y.transpose() * Y / scale), 3);
  out.q = Eigen::Map<const VectorXd>(problem_.q.data(), static_cast<Eigen::Index>(problem_.q.size())) / scale;
  out.mu.resize(rows.blocks());
  for (int i = 0; i < rows.blocks(); ++i) out.mu[i] = problem_.block[static_cast<std::size_t>(i)].mu;
  return out;
}

}  // namespace peers
