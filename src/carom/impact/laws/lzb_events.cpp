// Events of law `lzb`: compression ends and resumes, contacts separate, slip stops, held contacts break loose.

#include <algorithm>
#include <cmath>

#include "carom/impact/laws/lzb_process.hpp"

namespace carom::laws {
namespace {

constexpr double kTogether = 10;       // multiple of the zero slip below which points of one face stop together
constexpr double kShaved = 1 - 1e-6;   // of kinetic friction, so that the way in which a contact breaks loose is no rounding
constexpr int kTries = 60;
constexpr double kNear = 1e-7, kTight = 1e-14;  // of the step: how near the interpolant and the trial steps come to an event
constexpr double kAtRest = 100;        // multiple of the zero slip up to which locked contacts count as at rest: ten times what is caught together
constexpr double kBalanced = 1e-6;     // relative acceleration at which their forces balance

// A falling function between two points.
struct Bracket {
  double low, high, g_low, g_high;

  // Regula falsi, kept honest by bisection.
  double guess(int i) const {
    const double middle = i % 3 == 2 || g_low == g_high ? 0.5 * (low + high) : low + g_low * (high - low) / (g_low - g_high);
    return middle > low && middle < high ? middle : 0.5 * (low + high);
  }
  // The same, but first a little to the other side of a good estimate.
  double around(double near, double width, int i) const {
    const double at = low == near ? near + width : near - width;
    return i == 1 && (low == near || high == near) && at > low && at < high ? at : guess(i);
  }
  void note(double at, double g) { (g <= 0 ? high : low) = at, (g <= 0 ? g_high : g_low) = g; }
};

}  // namespace

// The quantity that runs through zero at that event, falling.
double LzbProcess::gauge(const Crossing& x, const Moment& at) const {
  const int n = problem_.normal(x.contact);
  switch (x.kind) {
    case ImpactEventKind::compression_ends: return -at.v(n);
    case ImpactEventKind::compression_resumes: return at.v(n) + (active(x.contact) ? 0 : rest_);
    case ImpactEventKind::separates: return at.y(delta(x.contact)) - contacts_[x.contact].cut;
    case ImpactEventKind::slip_stops: {
      const Eigen::Vector2d s = slip(at.v, x.contact), before = slip(start_.v, x.contact);
      return std::min(s.dot(before) / before.norm(), s.norm()) - zero_slip_;
    }
    default: return -at.excess;
  }
}

bool LzbProcess::passes(const Crossing& x, const Moment& to) const {
  const double after = gauge(x, to);
  if (x.kind == ImpactEventKind::compression_resumes) return after < 0;
  if (x.kind == ImpactEventKind::stick_breaks) return after < 0;
  return after <= 0;
}

// The events that may happen next.
void LzbProcess::candidates() {
  next_.clear();
  bool held = false;
  for (int c = 0; c < n_; ++c) {
    const Contact& contact = contacts_[c];
    if (contact.load == Load::open) {
      if (start_.v(problem_.normal(c)) >= -rest_) next_.push_back({c, ImpactEventKind::compression_resumes});
      continue;
    }
    if (contact.load == Load::compressing) next_.push_back({c, ImpactEventKind::compression_ends});
    if (contact.load == Load::expanding) {
      next_.push_back({c, ImpactEventKind::separates});
      next_.push_back({c, ImpactEventKind::compression_resumes});
    }
    if (contact.sticks && !held) next_.push_back({c, ImpactEventKind::stick_breaks}), held = true;  // one for all that are held
    if (!contact.sticks && grips(c) && slip(start_.v, c).norm() > zero_slip_) next_.push_back({c, ImpactEventKind::slip_stops});
  }
}

// Shortens the step until it ends on the first event that it passes; returns that event. The interpolant finds the event, trial
// steps that end there pin it: to just beyond the event, by no more than a tenth of the tolerance.
LzbProcess::Crossing LzbProcess::locate(double& h, Moment& to) {
  Crossing first;
  candidates();
  for (const Crossing& x : next_) {
    if (!passes(x, to)) continue;
    const double pin = 0.1 * tolerance_ * (x.kind == ImpactEventKind::separates || x.kind == ImpactEventKind::stick_breaks ? 1 : speed_);
    Bracket bracket{0, h, gauge(x, start_) + pin / 2, gauge(x, to) + pin / 2};
    for (int i = 0; i < kTries && bracket.high - bracket.low > kNear * h; ++i) {
      const double at = bracket.guess(i);
      stepper_.between(start_.y, to.y, h, at / h, probe_.y);
      look(probe_);
      bracket.note(at, gauge(x, probe_) + pin / 2);
    }
    const double near = 0.5 * (bracket.low + bracket.high), width = 2 * kNear * h;
    bracket = {0, h, gauge(x, start_) + pin / 2, gauge(x, to) + pin / 2};
    for (int i = 0; i < kTries; ++i) {
      const double at = i == 0 ? near : bracket.around(near, width, i);
      trial(at, to);
      bracket.note(at, gauge(x, to) + pin / 2);
      if (std::abs(gauge(x, to) + pin / 2) <= pin / 2 && passes(x, to)) break;
      if (bracket.high - bracket.low <= kTight * h) {
        if (!passes(x, to)) trial(bracket.high, to);
        break;
      }
    }
    first = x;
    h = passes(x, to) ? taken_ : bracket.high;
  }
  return first;
}

void LzbProcess::happen(const Crossing& x) {
  Contact& contact = contacts_[x.contact];
  tell(x.kind, x.contact);
  switch (x.kind) {
    case ImpactEventKind::compression_ends: end_compression(x.contact); break;
    case ImpactEventKind::compression_resumes:
      if (!active(x.contact)) break;  // open_contacts sees to it
      contact.load = Load::compressing;
      contact.cut = 0;
      break;
    case ImpactEventKind::separates: close(x.contact); break;
    case ImpactEventKind::slip_stops: catch_slip(x.contact); break;
    default: break;
  }
  open_contacts();
  if (x.kind == ImpactEventKind::stick_breaks) release();  // at the limit counts: the event lies there to within the accuracy of the joint solve
  const std::size_t held = gripped_.size();
  restart();
  careful_ = x.kind == ImpactEventKind::stick_breaks && gripped_.size() == held;
}

void LzbProcess::end_compression(int c) {
  Contact& contact = contacts_[c];
  double& d = start_.y(delta(c));
  const double e = problem_.e(c), eta = eta_(c);
  contact.load = Load::expanding;
  if (bi_) {
    contact.k *= e > 0 ? std::pow(e, -2 * eta) : 1;
    d *= e * e;
  } else {
    contact.cut = std::pow(1 - e * e, 1 / (eta + 1)) * d;
  }
  if (e == 0) close(c);
}

void LzbProcess::close(int c) {
  contacts_[c] = {};
  start_.y(delta(c)) = 0;
}

// Points of one face stop together: every contact whose slip is gone is held from now on, if friction can.
void LzbProcess::catch_slip(int first) {
  for (int c = 0; c < n_; ++c) {
    Contact& contact = contacts_[c];
    if (contact.sticks || !grips(c) || (!contact.moving && c != first) || slip(start_.v, c).norm() > kTogether * zero_slip_) continue;
    contact.sticks = true;
    contact.origin.head(d_ - 1) = start_.v.segment(c * d_, d_ - 1);
  }
}

// … and start together: the held contacts at their limit that friction cannot keep from accelerating slip the way in which kinetic friction lets them
// go; those that kinetic friction would still hold stay.
void LzbProcess::release() {
  const int t = d_ - 1;
  for (std::size_t i = 0; i < gripped_.size(); ++i)
    loose_[gripped_[i]] = start_.force.segment(gripped_[i] * d_, t).norm() >= limits_(static_cast<Eigen::Index>(i)) * kShaved;
  kinetic_ = kShaved;
  look(start_, true);
  for (std::size_t i = 0; i < gripped_.size(); ++i) {
    const double size = held_.drift(static_cast<int>(i)).norm();
    Contact& contact = contacts_[gripped_[i]];
    if (!loose_[gripped_[i]] || size == 0) continue;
    contact.sticks = contact.moving = false;
    contact.origin.head(t) = start_.v.segment(gripped_[i] * d_, t);
    contact.direction.head(t) = held_.drift(static_cast<int>(i)) / size;
  }
  kinetic_ = 0;
  std::fill(loose_.begin(), loose_.end(), char{0});
}

// Contacts at rest that approach begin to compress.
void LzbProcess::open_contacts() {
  for (int c = 0; c < n_; ++c) {
    Contact& contact = contacts_[c];
    if (active(c) || !(start_.v(problem_.normal(c)) < -rest_)) continue;
    contact.load = Load::compressing;
    contact.k = stiffness(c);
    if (!grips(c) || slip(start_.v, c).norm() > zero_slip_) continue;
    contact.sticks = true;
    contact.origin.head(d_ - 1) = start_.v.segment(c * d_, d_ - 1);
  }
}

// No pressed contact moves and the forces balance: friction holds the bodies against each other, and impulse would grow for ever.
bool LzbProcess::locked() {
  for (int c = 0; c < n_; ++c)
    if (active(c) && start_.v.segment(c * d_, d_).lpNorm<Eigen::Infinity>() > kAtRest * zero_slip_) return false;
  balance_.noalias() = problem_.G * start_.force;
  const double single = problem_.G.diagonal().maxCoeff() * start_.force.lpNorm<Eigen::Infinity>();
  return balance_.lpNorm<Eigen::Infinity>() <= kBalanced * single;
}

void LzbProcess::tell(ImpactEventKind kind, int c) {
  if (call_.history) outcome_.events.push_back({kind, c, start_.y(problem_.normal(c)), start_.v, start_.y.segment(normal_work(0), n_).sum()});
}

}  // namespace carom::laws
