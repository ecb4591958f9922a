#include "carom/simulate/stepping/free_motion.hpp"

#include "carom/dynamics/constraints.hpp"
#include "carom/dynamics/forward_dynamics.hpp"
#include "carom/dynamics/kinematics.hpp"

namespace carom {
namespace {

using Eigen::VectorXd;

constexpr int kLeastSweeps = 3;        // evaluations of the θ-point at the least, …
constexpr int kMostSweeps = 20;        // … and of either iteration at the most, until speeds change by less than …
constexpr double kSameSpeeds = 1e-8;   // … so much of them at the θ-point, …
constexpr double kMeanSpeeds = 1e-14;  // … and at the start: the energy hangs on it
constexpr double kRounding = 1e-15;    // forces that do not depend on the speeds: nothing changes from the second sweep on

}  // namespace

FreeMotion::FreeMotion(const Scene& scene) : scene_(scene), model_(scene.model), o_(scene.integrator.stepping) {}

const VectorXd& FreeMotion::move(const State& state, double t, double h, const VectorXd& lasting, Data& data) {
  const bool middle = o_.scheme == Scheme::moreau_jean;
  if (middle) to_middle(state, t, h, lasting, data);
  else at_start(state, t, h, data);
  u_free_ = state.u + h * udot_;
  if (model_.constraint_rows() > 0) close_loops(middle ? middle_.q : state.q, h, data);
  return u_free_;
}

void FreeMotion::to_middle(const State& state, double t, double h, const VectorXd& lasting, Data& data) {
  middle_.u = state.u;
  for (int k = 0; k < kMostSweeps; ++k) {
    if (k > 0) {
      before_ = middle_.u;
      middle_.u = state.u + o_.theta * h * (udot_ + lasting);
      const double change = (middle_.u - before_).norm(), size = middle_.u.norm();
      if ((k > 1 && change <= kRounding * size) || (k >= kLeastSweeps && change <= kSameSpeeds * size)) return;
    }
    middle_.q = state.q;
    advance(model_, middle_.u, o_.theta * h, middle_.q);
    forward_kinematics(model_, middle_, data);
    applied_forces(scene_, data, middle_, t + o_.theta * h, applied_);
    forward_dynamics(model_, data, applied_.tau, udot_, applied_.wrenches);
  }
}

void FreeMotion::at_start(const State& state, double t, double h, Data& data) {
  applied_forces(scene_, data, state, t, applied_);
  forward_dynamics(model_, data, applied_.tau, udot_, applied_.wrenches);
  middle_.u = state.u;
  for (int k = 0; k < kMostSweeps; ++k) {
    before_ = middle_.u;
    middle_.u = state.u + 0.5 * h * udot_;
    if (k > 0 && (middle_.u - before_).norm() <= kMeanSpeeds * middle_.u.norm()) return;
    update_velocities(model_, middle_.u, data);
    before_ = udot_;
    forward_dynamics(model_, data, applied_.tau, udot_, applied_.wrenches);
    if (before_ == udot_) return;  // b does not depend on the speeds
  }
}

void FreeMotion::close_loops(const VectorXd& q, double h, Data& data) {
  constraint_factorisation(model_, data);
  constraint_residual(model_, data, q, g_);
  rhs_.noalias() = data.C * u_free_;
  rhs_ = -rhs_ - (o_.stabilisation / h) * g_;
  least_motion(model_, data, rhs_, correction_);
  u_free_ += correction_;
}

}  // namespace carom
