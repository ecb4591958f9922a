#include "carom/impact/laws/lzb_process.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/impact/laws/plastic_stop.hpp"

namespace carom::laws {
namespace {

constexpr double kResolved = 100;  // slip, in units of the tolerance, down to which its direction is resolved

}  // namespace

LzbProcess::LzbProcess(const LawCall& call)
    : call_(call), problem_(call.problem), d_(problem_.dimension), n_(problem_.contacts()), contacts_(static_cast<std::size_t>(n_)),
      eta_(problem_.exponent.size() > 0 ? problem_.exponent : Eigen::VectorXd::Constant(n_, kHertz)), bi_(call.word("unloading") == "bi"),
      tolerance_(call.number("tolerance")), held_(problem_.G, d_), limits_(n_), loose_(static_cast<std::size_t>(n_), 0), stepper_(n_ * d_ + 3 * n_),
      compression_(Eigen::VectorXd::Zero(n_)), restitution_(Eigen::VectorXd::Zero(n_)), balance_(n_ * d_) {
  double mobility = 0;
  for (int c = 0; c < n_; ++c) {
    speed_ = std::max(speed_, -problem_.v_pre(problem_.normal(c)));
    mobility += problem_.G(problem_.normal(c), problem_.normal(c)) / n_;
  }
  unit_ = speed_ * speed_ / mobility;  // stiffness that makes indentations of order 1
  impulse_ = speed_ / problem_.G.diagonal().maxCoeff();
  zero_slip_ = std::max(call.number("zero_slip"), kResolved * tolerance_ * problem_.v_pre.norm());
  rest_ = call.number("rest_speed") * problem_.v_pre.norm();
  for (Moment* at : {&start_, &to_, &probe_, &stage_}) {
    at->y = Eigen::VectorXd::Zero(n_ * d_ + 3 * n_);
    at->v = problem_.v_pre;
    at->force = Eigen::VectorXd::Zero(n_ * d_);
  }
}

ImpactOutcome LzbProcess::run() {
  open_contacts();
  restart();
  double h = 1e-3 / speed_;
  int steps = 0;
  const int limit = static_cast<int>(call_.number("max_steps"));
  bool stuck = false;
  while (any_active() && !stuck && ++steps <= limit) {
    advance(h);
    stuck = any_active() && locked();
  }
  if (stuck) finish("contacts lock by friction with energy stored in them");
  else if (any_active()) finish(fmt::format("not finished after {} steps", limit));
  else finish("");
  outcome_.p = start_.y.head(n_ * d_);
  outcome_.v_post = problem_.v_pre + problem_.G * outcome_.p;
  for (int c = 0; c < n_; ++c)
    outcome_.energy.contacts.push_back({start_.y(normal_work(c)), start_.y(friction_work(c)), compression_(c), restitution_(c)});
  return std::move(outcome_);
}

bool LzbProcess::any_active() const {
  return std::any_of(contacts_.begin(), contacts_.end(), [](const Contact& c) { return c.load != Load::open; });
}

Eigen::Vector2d LzbProcess::slip(const Eigen::VectorXd& v, int c) const {
  const Contact& contact = contacts_[c];
  if (d_ == 2) return {v(c * d_) - contact.origin(0), 0};
  return v.segment<2>(c * d_) - contact.origin;
}

void LzbProcess::look(Moment& at, bool thorough) {
  at.v = problem_.v_pre;
  at.v.noalias() += problem_.G * at.y.head(n_ * d_);
  forces(at.y, at.v, at.force, at.excess, thorough);
}

// λ from the indentation, friction from slip, held contacts solved jointly.
void LzbProcess::forces(const Eigen::VectorXd& y, const Eigen::VectorXd& v, Eigen::VectorXd& force, double& excess, bool thorough) {
  force.setZero();
  const int t = d_ - 1;
  for (int c = 0; c < n_; ++c) {
    const Contact& contact = contacts_[c];
    if (!active(c)) continue;
    const double indentation = std::max(y(delta(c)), 0.0);
    const double lambda = contact.k * (eta_(c) == kHertz ? indentation * std::sqrt(indentation) : std::pow(indentation, eta_(c)));
    force(problem_.normal(c)) = lambda;
    if (contact.sticks || problem_.mu_d(c) == 0) continue;
    // A planar contact keeps its direction over the step, so that the rates stay smooth up to the slip stop.
    Eigen::Vector2d direction = contact.direction;
    if (d_ == 3)
      if (const Eigen::Vector2d s = slip(v, c); s.norm() > zero_slip_ || contact.moving) direction = s.normalized();
    force.segment(c * d_, t) = -problem_.mu_d(c) * lambda * direction.head(t);
  }
  for (int i = 0; i < static_cast<int>(gripped_.size()); ++i) {
    const int c = gripped_[i];
    limits_(i) = (kinetic_ > 0 && loose_[c] ? kinetic_ * problem_.mu_d(c) : problem_.mu_s(c)) * force(problem_.normal(c));
  }
  excess = held_.solve(force, limits_, thorough || careful_);
}

template <class Slope>
void LzbProcess::slope(const Moment& at, Slope&& dy) const {
  dy.head(n_ * d_) = at.force;
  for (int c = 0; c < n_; ++c) {
    const int n = problem_.normal(c);
    dy(delta(c)) = active(c) ? -at.v(n) : 0;
    dy(normal_work(c)) = at.force(n) * at.v(n);
    dy(friction_work(c)) = at.force.segment(c * d_, d_ - 1).dot(at.v.segment(c * d_, d_ - 1));
  }
}

// Gathers who is held.
void LzbProcess::grip() {
  gripped_.clear();
  for (int c = 0; c < n_; ++c)
    if (active(c) && contacts_[c].sticks) gripped_.push_back(c);
  held_.hold(gripped_);
  look(start_, true);
}

void LzbProcess::restart() {
  grip();
  for (int i = 0; i <= n_ && start_.excess > 0; ++i) release(), grip();
  slope(start_, stepper_.K.col(0));
}

// A step of length h from start_; the slope at its end stays in the stepper.
void LzbProcess::trial(double h, Moment& to) {
  stepper_.step(
      [this](const Eigen::VectorXd& y, auto dy) {
        stage_.y = y;
        look(stage_);
        slope(stage_, dy);
      },
      start_.y, h, to.y);
  taken_ = h;
  to.v = stage_.v, to.force = stage_.force, to.excess = stage_.excess;
}

// Error of the last trial over the tolerance.
double LzbProcess::error(double h, const Moment& to) const {
  double worst = 0;
  for (Eigen::Index i = 0; i < to.y.size(); ++i) {
    const double scale = i < n_ * d_ ? impulse_ : i < n_ * d_ + n_ ? 1.0 : impulse_ * speed_;
    worst = std::max(worst, std::abs(stepper_.error(h, i)) / (scale + std::abs(to.y(i))));
  }
  return worst / tolerance_;
}

void LzbProcess::advance(double& h) {
  for (int c = 0; c < n_; ++c) {
    Contact& contact = contacts_[c];
    if (contact.sticks) continue;
    const Eigen::Vector2d s = slip(start_.v, c);
    if (s.norm() > (d_ == 3 ? 0.1 : 1.0) * zero_slip_) contact.direction = s.normalized();
    if (s.norm() > 100 * zero_slip_) contact.moving = true, contact.origin.setZero();
  }
  trial(h, to_);
  const double miss = error(h, to_);
  if (miss > 1) {
    h *= std::max(0.2, 0.9 * std::pow(miss, -0.2));
    return;
  }
  double taken = h;
  const Crossing event = locate(taken, to_);
  record(start_.y, to_);
  std::swap(start_, to_);
  if (event.contact >= 0) happen(event);
  else stepper_.K.col(0) = stepper_.K.col(6);
  h = event.contact >= 0 ? 0.5 * h : taken * std::clamp(0.9 * std::pow(std::max(miss, 1e-10), -0.2), 0.5, 5.0);
}

void LzbProcess::record(const Eigen::VectorXd& from, const Moment& to) {
  for (int c = 0; c < n_; ++c) {
    const double work = to.y(normal_work(c)) - from(normal_work(c));
    (work < 0 ? compression_ : restitution_)(c) += work;
  }
  if (!call_.history) return;
  ImpactSegment segment;
  for (int c = 0; c < n_; ++c)
    segment.state.push_back(!active(c) ? SlipState::separated : contacts_[c].sticks ? SlipState::stick : SlipState::slip);
  segment.phase = std::any_of(contacts_.begin(), contacts_.end(), [](const Contact& c) { return c.load == Load::compressing; }) ? Phase::compression : Phase::restitution;
  segment.p_begin = from.head(n_ * d_), segment.p_end = to.y.head(n_ * d_);
  segment.v_begin = start_.v, segment.v_end = to.v;
  for (int c = 0; c < n_; ++c) segment.work_begin += from(normal_work(c)), segment.work_end += to.y(normal_work(c));
  outcome_.segments.push_back(std::move(segment));
}

// What still approaches is stopped without restitution: of bodies that throw each other about for ever or lock by friction, which is told
// (`why`), and in the end whatever is too slow to start a compression.
void LzbProcess::finish(const std::string& why) {
  const Eigen::VectorXd v = problem_.v_pre + problem_.G * start_.y.head(n_ * d_);
  double approach = 0;
  for (int c = 0; c < n_; ++c) approach = std::max(approach, -v(problem_.normal(c)));
  if (!why.empty()) outcome_.warnings.push_back(fmt::format("{}: what still approached at {:.3g} m/s was stopped without restitution", why, approach));
  if (approach <= tolerance_ * problem_.v_pre.norm()) return;
  ImpactProblem left = problem_;
  if (why.empty()) left.mu_d.setZero();  // too slow for friction to matter, and so the problem is convex
  const PlasticStop stop = plastic_stop(left, v);
  for (int c = 0; c < n_; ++c) {
    const ContactWork& work = stop.work[static_cast<std::size_t>(c)];
    start_.y(normal_work(c)) += work.normal, start_.y(friction_work(c)) += work.friction;
    compression_(c) += work.compression, restitution_(c) += work.restitution;
  }
  start_.y.head(n_ * d_) += stop.p;
  if (!stop.stopped) outcome_.status = ImpactStatus::not_converged;
}

}  // namespace carom::laws
