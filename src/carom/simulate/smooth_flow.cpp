#include "carom/simulate/smooth_flow.hpp"

#include <algorithm>
#include <utility>

#include "carom/dynamics/constraints.hpp"
#include "carom/dynamics/energy.hpp"
#include "carom/dynamics/forward_dynamics.hpp"
#include "carom/dynamics/kinematics.hpp"
#include "carom/simulate/body_islands.hpp"
#include "carom/simulate/contact_space.hpp"
#include "carom/simulate/rest.hpp"

namespace carom {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr double kHeldRange = 1e-3;  // a held feature is looked for within this gap [m]; beyond, it is lost

constexpr double kSafeToCorrect = 1e-6;  // rows more dependent than this are not corrected: rounding would move the bodies

// v/|v| while v goes along d (unit) faster than b; d itself once v has stopped or turned back; smooth between, and off by (b/|v|)².
Eigen::Vector2d smooth_direction(const Eigen::Vector2d& v, const Eigen::Vector2d& d, double b) {
  const double along = std::max(v.dot(d), 0.0), trust = along * along / (along * along + b * b);
  const Eigen::Vector2d across = v - v.dot(d) * d;
  return ((along + b * (1 - trust)) * d + trust * across).normalized();
}

}  // namespace

SmoothFlow::SmoothFlow(const Scene& scene) : scene_(scene), scan_(scene), data_(scene.model), state_(scene.start) {}

FlowVector SmoothFlow::pack(const State& state, double work_forces, double work_contacts) const {
  FlowVector x;
  x.reserve(static_cast<std::size_t>(state.q.size() + state.u.size()) + 2);
  x.insert(x.end(), state.q.begin(), state.q.end());
  x.insert(x.end(), state.u.begin(), state.u.end());
  x.push_back(work_forces);
  x.push_back(work_contacts);
  return x;
}

void SmoothFlow::write(const State& state, FlowVector& x) const {
  std::copy(state.q.begin(), state.q.end(), x.begin());
  std::copy(state.u.begin(), state.u.end(), x.begin() + state.q.size());
}

void SmoothFlow::unpack(const FlowVector& x, State& state) const {
  const int nq = scene_.model.nq(), nv = scene_.model.nv();
  state.q = Eigen::Map<const VectorXd>(x.data(), nq);
  state.u = Eigen::Map<const VectorXd>(x.data() + nq, nv);
  normalise(scene_.model, state.q);
}

void SmoothFlow::hold(std::vector<HeldContact> contacts, VectorXd reference) {
  held_ = std::move(contacts);
  reference_ = std::move(reference);
  asleep_.clear();
  held_ids_.clear();
  for (const HeldContact& h : held_) held_ids_.push_back(h.id);
}

void SmoothFlow::let_sleep(FlowVector& x, double t) {
  if (held_.empty()) return;
  (*this)(x, slope_, t);
  asleep_ = resting_bodies(scene_, held_, state_.u, udot_);
  for (std::size_t i = 0; i < asleep_.size(); ++i) {
    const Joint& joint = scene_.model.joint(static_cast<int>(i));
    if (asleep_[i]) std::fill_n(x.begin() + scene_.model.nq() + joint.u_index, joint.nv, 0.0);
  }
  const int d = scene_.model.dimension();
  Index awake = 0;
  held_ids_.clear();
  for (std::size_t k = 0; k < held_.size(); ++k) {
    held_[k].asleep = asleep(moved_body(scene_, held_[k].id));
    if (held_[k].asleep) continue;
    held_ids_.push_back(held_[k].id);
    if (reference_.size() > 0) reference_.segment(awake, d) = reference_.segment(static_cast<Index>(k) * d, d).eval(), awake += d;
  }
  reference_.conservativeResize(awake);
}

void SmoothFlow::place(const FlowVector& x) {
  unpack(x, state_);
  forward_kinematics(scene_.model, state_, data_);
}

// The live contacts of the held ids, in the order of held_; a lost feature drops out of live_ and leaves no force.
void SmoothFlow::find_held(double t) {
  live_.clear();
  modes_.clear();
  lost_ = false;
  if (held_ids_.empty()) return;
  scan_.of_pairs(data_, state_.q, t, kHeldRange, held_ids_, nearby_);
  for (const HeldContact& h : held_) {
    if (h.asleep) continue;
    const auto at = std::lower_bound(nearby_.begin(), nearby_.end(), h.id, [](const LiveContact& c, const ContactId& id) { return c.id < id; });
    if (at == nearby_.end() || at->id != h.id) {
      lost_ = true;
      continue;
    }
    live_.push_back(*at);
    modes_.push_back({h.mode, Eigen::Vector2d::Zero(), at->material->mu_s, at->material->mu_d});
  }
}

void SmoothFlow::accelerations_without_contacts(double t) {
  applied_forces(scene_, data_, state_, t, applied_);
  if (scene_.model.constraint_rows() > 0) constrained_forward_dynamics(scene_.model, data_, state_, applied_.tau, udot_, 0, applied_.wrenches);
  else forward_dynamics(scene_.model, data_, applied_.tau, udot_, applied_.wrenches);
}

void SmoothFlow::keep_asleep() {
  for (std::size_t i = 0; i < asleep_.size(); ++i)
    if (asleep_[i]) udot_.segment(scene_.model.joint(static_cast<int>(i)).u_index, scene_.model.joint(static_cast<int>(i)).nv).setZero();
}

void SmoothFlow::operator()(const FlowVector& x, FlowVector& dxdt, double t) {
  const Model& model = scene_.model;
  place(x);
  accelerations_without_contacts(t);
  keep_asleep();
  find_held(t);
  double contact_power = 0;
  if (!live_.empty()) {
    const int d = model.dimension();
    contact_rows(scene_, data_, t, live_, rows_);
    std::size_t k = 0;
    for (const HeldContact& h : held_) {
      if (k == live_.size() || live_[k].id != h.id) continue;
      if (h.mode == ContactMode::slip) {
        // The slip direction; near zero speed the remembered one, so that the flow goes on smoothly beyond a stop.
        const Eigen::Matrix3d& frame = rows_.frame[k];
        Eigen::Vector2d remembered(frame.col(0).dot(h.direction), d == 3 ? frame.col(1).dot(h.direction) : 0.0);
        remembered.normalize();
        Eigen::Vector2d v = Eigen::Vector2d::Zero();
        v.head(d - 1) = rows_.v.segment(static_cast<Index>(k) * d, d - 1);
        modes_[k].direction = smooth_direction(v, remembered, scene_.integrator.event.slip_resolution);
      }
      ++k;
    }
    contact_space(model, data_, rows_.J, G_, Y_);
    a0_ = rows_.bias;
    a0_.noalias() += rows_.J * udot_;
    force_ = solver_.solve(G_, a0_, d, modes_, lost_ ? none_ : reference_);
    contact_speeds(model, data_, Y_, force_, change_);
    udot_ += change_;
    Ju_.noalias() = rows_.J * state_.u;
    contact_power = force_.dot(Ju_);
  } else {
    force_.resize(0);
  }
  dxdt.resize(x.size());
  qdot(model, state_.q, state_.u, Eigen::Map<VectorXd>(dxdt.data(), model.nq()));
  Eigen::Map<VectorXd>(dxdt.data() + model.nq(), model.nv()) = udot_;
  dxdt[x.size() - 2] = applied_.power;
  dxdt[x.size() - 1] = contact_power;
}

void SmoothFlow::follow_slip(const FlowVector& x, double t, double rest_speed) {
  place(x);
  find_held(t);
  if (live_.empty()) return;
  contact_velocities(scene_, data_, t, live_, rows_);
  const int d = scene_.model.dimension();
  std::size_t k = 0;
  for (HeldContact& h : held_) {
    if (k == live_.size() || live_[k].id != h.id) continue;
    if (h.mode == ContactMode::slip) {
      Eigen::Vector3d v = rows_.v[static_cast<Index>(k) * d] * rows_.frame[k].col(0);
      if (d == 3) v += rows_.v[static_cast<Index>(k) * d + 1] * rows_.frame[k].col(1);
      h.speed = v.norm();
      if (h.speed > rest_speed) h.direction = v.normalized();
    }
    ++k;
  }
}

void SmoothFlow::stop_slip(FlowVector& x, double t, const ContactId& contact) {
  place(x);
  const double before = kinetic_energy(scene_.model, data_);
  for (HeldContact& h : held_)
    if (h.id == contact) {
      h.mode = ContactMode::stick;
      (void)stabilise(x, t, 2 * scene_.integrator.event.slip_resolution);
      h.mode = ContactMode::slip;
    }
  place(x);
  x.back() += kinetic_energy(scene_.model, data_) - before;
}

// What correction_ has of J and v.
void SmoothFlow::take_away_speeds() {
  Correction& c = correction_;
  c.inverse.solve(c.v, c.impulse);
  contact_speeds(scene_.model, data_, c.Y, c.impulse, change_);
  state_.u -= change_;
}

void SmoothFlow::stop_separation(FlowVector& x, double t, std::span<const LiveContact> contacts) {
  const int d = scene_.model.dimension();
  place(x);
  contact_velocities(scene_, data_, t, contacts, rows_);
  const Eigen::Index n = static_cast<Index>(contacts.size());
  Correction& c = correction_;
  c.J = rows_.J(Eigen::seqN(d - 1, n, d), Eigen::all), c.v = rows_.v(Eigen::seqN(d - 1, n, d));
  contact_space(scene_.model, data_, c.J, c.G, c.Y);
  c.inverse.factor(c.G, kSafeToCorrect);
  take_away_speeds();
  write(state_, x);
}

bool SmoothFlow::stabilise(FlowVector& x, double t, double rounding) {
  bool drifted = true;
  const Model& model = scene_.model;
  unpack(x, state_);
  if (model.constraint_rows() > 0) {
    (void)assemble(model, data_, state_.q);
    forward_kinematics(model, state_, data_);
    project_speeds(model, data_, state_.u);
  }
  forward_kinematics(model, state_, data_);
  find_held(t);
  if (!live_.empty()) {
    const int d = model.dimension();
    contact_velocities(scene_, data_, t, live_, rows_);
    // Rows that must vanish: normal of all, tangential of sticking contacts.
    kept_.clear();
    for (std::size_t i = 0; i < live_.size(); ++i)
      for (int k = modes_[i].mode == ContactMode::stick ? 0 : d - 1; k < d; ++k) kept_.push_back(static_cast<Index>(i) * d + k);
    Correction& c = correction_;
    const auto n = static_cast<Index>(kept_.size());
    c.J.resize(n, model.nv()), c.v.resize(n), c.gap.setZero(n);
    for (Index r = 0; r < n; ++r) {
      const Index row = kept_[static_cast<std::size_t>(r)];
      c.J.row(r) = rows_.J.row(row), c.v[r] = rows_.v[row];
      if (row % d == d - 1) c.gap[r] = live_[static_cast<std::size_t>(row / d)].gap.distance;
    }
    contact_space(model, data_, c.J, c.G, c.Y);
    c.inverse.factor(c.G, kSafeToCorrect);
    drifted = c.v.cwiseAbs().maxCoeff() <= rounding;
    if (drifted) take_away_speeds();
    c.inverse.solve(c.gap, c.impulse);
    contact_speeds(model, data_, c.Y, c.impulse, change_);
    advance(model, change_, -1, state_.q);
    forward_kinematics(model, state_, data_);
  }
  write(state_, x);
  return drifted;
}

void SmoothFlow::contact_dynamics(const FlowVector& x, double t, std::span<const LiveContact> contacts, ContactDynamics& out) {
  place(x);
  accelerations_without_contacts(t);
  contact_rows(scene_, data_, t, contacts, out.rows);
  contact_space(scene_.model, data_, out.rows.J, out.G, out.Y);
  out.a0 = out.rows.bias + out.rows.J * udot_;
  out.udot = udot_, out.power = applied_.power;
}

}  // namespace carom
