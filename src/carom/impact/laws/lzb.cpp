// Law `lzb` (Liu, Zhao & Brogliato 2008): impacts at many points at once, resolved by the energy stored at each contact.
//
// Inside the impact every contact i carries a force λ_i = k_i δ_i^η over an infinitesimal indentation δ_i with stored energy
// E_i = k_i δ_i^(η+1)/(η+1), so that impulses grow in the ratio (their distribution law)
//   dp_i / dp_j = λ_i / λ_j = (k_i E_i^η / (k_j E_j^η))^(1/(η+1))   for equal η,          dE_i = −v_n,i dp_i.
// Only stiffness ratios matter: the scale of time, and with it of k, drops out. The law is integrated in that internal time,
//   dp_n = λ dt,  dδ = −v_n dt,  v = v⁻ + G p,
// with Coulomb friction at every contact: slipping dp_t = −μ_d û λ dt, sticking keeps v_t = 0 while |dp_t| ≤ μ_s dp_n.
// Restitution is energetic per contact: of the energy E_i stored when its compression ends, only e_i² E_i comes back,
//   mono: unloads on the same curve and is cut off once e² E is released, at δ = (1 − e²)^(1/(η+1)) δ_max;
//   bi:   unloads on a steeper curve through the same force that ends at zero force, δ ← e² δ, k ← k e^(−2η).
// A contact is over when its energy is spent; pressed again by its neighbours it starts anew, so waves in chains come out.
//
// Deviations: integrated in internal time instead of the primary contact's impulse (the same curve, without the singular start);
// the indentation, not E, is the state. Validity: any G, any number of contacts. Sums of Stronge's hypothesis: never gains energy.
// It always ends: after `max_steps` steps what still approaches is stopped by the plastic cone problem, and the answer says so.
// Citation: liu2008. Checked by: lzb_test.cpp (closed forms, single contact = routh + stronge), tests/reference/multi_oracle_test.cpp.

#include <fmt/format.h>

#include <Eigen/QR>
#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>
#include <algorithm>
#include <cmath>
#include <vector>

#include "carom/impact/laws/laws.hpp"
#include "carom/impact/laws/plastic_stop.hpp"

namespace carom::laws {
namespace {

using State = std::vector<double>;
enum class Load { open, compressing, expanding };

struct Contact {
  Load load = Load::open;
  bool sticks = false;
  bool loose = false;        // breaking loose: only kinetic friction holds it
  bool moving = false;       // has slipped for good since it last broke loose
  double k = 0;              // current stiffness, in internal units
  double cut = 0;            // indentation at which it separates
  Eigen::VectorXd direction;  // of slip at the start of the step, or with which it leaves a stick
};

class Lzb {
 public:
  explicit Lzb(const LawCall& call)
      : call_(call), problem_(call.problem), d_(problem_.dimension), n_(problem_.contacts()), contacts_(static_cast<std::size_t>(n_)),
        eta_(problem_.exponent.size() > 0 ? problem_.exponent : Eigen::VectorXd::Constant(n_, kHertz)),
        bi_(call.word("unloading") == "bi"), tolerance_(call.number("tolerance")) {
    for (int c = 0; c < n_; ++c) speed_ = std::max(speed_, -problem_.v_pre(problem_.normal(c)));
    double mobility = 0;
    for (int c = 0; c < n_; ++c) mobility += problem_.G(problem_.normal(c), problem_.normal(c)) / n_;
    unit_ = speed_ * speed_ / mobility;  // stiffness that makes indentations of order 1
    zero_slip_ = std::max(call.number("zero_slip"), tolerance_ * problem_.v_pre.norm());
    rest_ = call.number("rest_speed") * problem_.v_pre.norm();
    state_.assign(static_cast<std::size_t>(n_ * d_ + 3 * n_), 0.0);
    for (int c = 0; c < n_; ++c) {
      const Eigen::VectorXd slip = tangential(problem_.v_pre, c);
      contacts_[c].sticks = slip.norm() <= zero_slip_;
      contacts_[c].direction = Eigen::VectorXd::Zero(d_ - 1);
    }
  }

  ImpactOutcome run() {
    open_contacts(problem_.v_pre);
    double h = 1e-3 / speed_;
    int steps = 0;
    const int limit = static_cast<int>(call_.number("max_steps"));
    bool stuck = false;
    while (any_active() && !stuck && ++steps <= limit) {
      advance(h);
      stuck = locked();
    }
    if (stuck) finish("contacts lock by friction with energy stored in them");
    else if (any_active()) finish(fmt::format("not finished after {} steps", limit));
    return answer();
  }

 private:
  static constexpr double kHertz = 1.5;
  static constexpr double kTogether = 100;   // multiple of the zero slip below which points of one face stop together
  static constexpr double kAtRest = 1e-8, kBalanced = 1e-6;  // relative speed and acceleration at which locked contacts count as at rest
  static constexpr double kBreaks = 1e-8;  // relative acceleration that is more than rounding of the joint solve

  // Layout of the state: p (n·d), δ (n), normal work (n), friction work (n).
  int delta(int c) const { return n_ * d_ + c; }
  int normal_work(int c) const { return n_ * d_ + n_ + c; }
  int friction_work(int c) const { return n_ * d_ + 2 * n_ + c; }
  Eigen::VectorXd velocity(const State& y) const { return problem_.v_pre + problem_.G * Eigen::Map<const Eigen::VectorXd>(y.data(), n_ * d_); }
  Eigen::VectorXd tangential(const Eigen::VectorXd& x, int c) const { return x.segment(c * d_, d_ - 1); }
  bool active(int c) const { return contacts_[c].load != Load::open; }
  bool any_active() const {
    for (int c = 0; c < n_; ++c)
      if (active(c)) return true;
    return false;
  }

  // A state with what follows from it.
  struct Moment {
    State y;
    Eigen::VectorXd v, force;
    Eigen::VectorXd drift;  // sideways acceleration that friction cannot keep from held contacts; zero where it can
  };

  // Contact forces at y: λ from the indentation, friction from slip, sticking contacts solved jointly.
  void forces(const State& y, const Eigen::VectorXd& v, Eigen::VectorXd& force, Eigen::VectorXd& drift) {
    force.setZero(n_ * d_);
    held_.clear();
    const int t = d_ - 1;
    for (int c = 0; c < n_; ++c) {
      const Contact& contact = contacts_[c];
      if (!active(c)) continue;
      const double indentation = std::max(y[delta(c)], 0.0);
      const double lambda = contact.k * (eta_(c) == kHertz ? indentation * std::sqrt(indentation) : std::pow(indentation, eta_(c)));
      force(problem_.normal(c)) = lambda;
      if (contact.sticks) {
        held_.push_back(c);
        continue;
      }
      // A planar contact keeps its direction over the step, so that the rates stay smooth up to the slip stop.
      const double speed = d_ == 3 ? v.segment(c * d_, t).norm() : 0;
      if (speed > zero_slip_) force.segment(c * d_, t) = (-problem_.mu_d(c) * lambda / speed) * v.segment(c * d_, t);
      else force.segment(c * d_, t) = -problem_.mu_d(c) * lambda * contact.direction;
    }
    drift.setZero(n_ * t);
    if (!held_.empty()) hold(force, drift);
  }

  // Friction of the held contacts: the least-norm one that keeps all of them from accelerating sideways, if it respects every
  // limit μ_s λ; else the one within the limits that leaves the least acceleration (a convex problem, as λ is given), and the
  // contacts that still accelerate break loose.
  void hold(Eigen::VectorXd& force, Eigen::VectorXd& drift) {
    const int t = d_ - 1, count = static_cast<int>(held_.size()), size = count * t;
    free_.noalias() = problem_.G * force;
    rate_.resize(size);
    for (int i = 0; i < count; ++i) rate_.segment(i * t, t) = free_.segment(held_[i] * d_, t);
    if (held_ != factored_) {
      coupling_.resize(size, size);
      for (int i = 0; i < count; ++i)
        for (int j = 0; j < count; ++j) coupling_.block(i * t, j * t, t, t) = problem_.G.block(held_[i] * d_, held_[j] * d_, t, t);
      factor_.compute(coupling_);
      factored_ = held_;
      limited_.resize(0);
    }
    push_ = -factor_.solve(rate_);
    bool within = true;
    for (int i = 0; i < count; ++i) within = within && push_.segment(i * t, t).norm() <= limit(force, held_[i]) * (1 + 1e-9);
    if (!within) {
      if (limited_.size() == size) push_ = limited_;  // the last solution is a good start
      limit_push(force);
      limited_ = push_;
    }
    for (int i = 0; i < count; ++i) {
      force.segment(held_[i] * d_, t) = push_.segment(i * t, t);
      if (within) continue;
      const Eigen::VectorXd left = rate_.segment(i * t, t) + coupling_.middleRows(i * t, t) * push_;
      if (left.norm() > kBreaks * rate_.norm()) drift.segment(held_[i] * t, t) = left;
    }
  }

  double limit(const Eigen::VectorXd& force, int c) const {
    return (contacts_[c].loose ? problem_.mu_d(c) : problem_.mu_s(c)) * force(problem_.normal(c));
  }

  // Projected Gauss–Seidel on min ½ fᵀA f + bᵀf within |f_i| ≤ μ_s λ_i.
  void limit_push(const Eigen::VectorXd& force) {
    const int t = d_ - 1, count = static_cast<int>(held_.size());
    for (int sweep = 0; sweep < 500; ++sweep) {
      double moved = 0, largest = 0;
      for (int i = 0; i < count; ++i) {
        const double mobility = coupling_.block(i * t, i * t, t, t).trace();
        if (mobility <= 0) continue;
        const Eigen::VectorXd old = push_.segment(i * t, t);
        Eigen::VectorXd f = old - (rate_.segment(i * t, t) + coupling_.middleRows(i * t, t) * push_) / mobility;
        const double size = f.norm(), most = limit(force, held_[i]);
        if (size > most) f *= most / size;
        push_.segment(i * t, t) = f;
        moved = std::max(moved, (f - old).norm()), largest = std::max(largest, f.norm());
      }
      if (moved <= 1e-12 * largest) return;
    }
  }

  void rates(const State& y, State& dy) {
    look(y, v_, force_, drift_);
    for (int i = 0; i < n_ * d_; ++i) dy[i] = force_(i);
    for (int c = 0; c < n_; ++c) {
      const int n = problem_.normal(c);
      dy[delta(c)] = active(c) ? -v_(n) : 0;
      dy[normal_work(c)] = force_(n) * v_(n);
      dy[friction_work(c)] = force_.segment(c * d_, d_ - 1).dot(v_.segment(c * d_, d_ - 1));
    }
  }

  void look(const State& y, Eigen::VectorXd& v, Eigen::VectorXd& force, Eigen::VectorXd& drift) {
    v = problem_.v_pre;
    v.noalias() += problem_.G * Eigen::Map<const Eigen::VectorXd>(y.data(), n_ * d_);
    forces(y, v, force, drift);
  }

  // A Dormand–Prince step of length h from state_ to `to`; returns its error over the tolerance.
  double try_step(double h, Moment& to) {
    for (State* x : {&to.y, &error_, &slope_end_}) x->resize(state_.size());
    // With the slope at the start handed in: the stepper must not reuse that of the last trial (it is first-same-as-last).
    stepper_.do_step([this](const State& x, State& dx, double) { rates(x, dx); }, state_, slope_, 0.0, to.y, slope_end_, h, error_);
    look(to.y, to.v, to.force, to.drift);
    const double impulse = speed_ / problem_.G.diagonal().maxCoeff(), energy = impulse * speed_;
    double worst = 0;
    for (int i = 0; i < static_cast<int>(to.y.size()); ++i) {
      const double scale = i < n_ * d_ ? impulse : i < n_ * d_ + n_ ? 1.0 : energy;
      worst = std::max(worst, std::abs(error_[i]) / (scale + std::abs(to.y[i])));
    }
    return worst / tolerance_;
  }

  struct Crossing {
    int contact = -1;
    ImpactEventKind kind = ImpactEventKind::separates;
  };

  // The quantity that runs through zero at that event.
  double gauge(const Crossing& x, const Moment& at) const {
    const int n = problem_.normal(x.contact), t = d_ - 1;
    switch (x.kind) {
      case ImpactEventKind::compression_ends:
      case ImpactEventKind::compression_resumes: return at.v(n);
      case ImpactEventKind::separates: return at.y[delta(x.contact)] - contacts_[x.contact].cut;
      case ImpactEventKind::slip_stops: return at.v.segment(x.contact * d_, t).dot(start_.v.segment(x.contact * d_, t));
      default: return -at.drift.segment(x.contact * t, t).norm();
    }
  }

  // The events that may happen next.
  void candidates(std::vector<Crossing>& out) const {
    out.clear();
    for (int c = 0; c < n_; ++c) {
      const Contact& contact = contacts_[c];
      if (contact.load == Load::open) {
        out.push_back({c, ImpactEventKind::compression_resumes});
        continue;
      }
      if (contact.load == Load::compressing) out.push_back({c, ImpactEventKind::compression_ends});
      if (contact.load == Load::expanding) {
        out.push_back({c, ImpactEventKind::separates});
        out.push_back({c, ImpactEventKind::compression_resumes});
      }
      out.push_back({c, contact.sticks ? ImpactEventKind::stick_breaks : ImpactEventKind::slip_stops});
    }
  }

  // Whether the step from start_ to `to` passes this event.
  bool passes(const Crossing& x, const Moment& to) const {
    const double after = gauge(x, to);
    const int n = problem_.normal(x.contact), t = d_ - 1;
    switch (x.kind) {
      case ImpactEventKind::compression_ends: return after >= 0;
      case ImpactEventKind::compression_resumes:
        return contacts_[x.contact].load == Load::expanding ? after < 0 : after < -rest_ && start_.v(n) >= -rest_;
      case ImpactEventKind::separates: return after <= 0;
      case ImpactEventKind::slip_stops:
        return start_.v.segment(x.contact * d_, t).norm() > zero_slip_ && (after <= 0 || to.v.segment(x.contact * d_, t).norm() <= zero_slip_);
      default: return after < 0;
    }
  }

  // Shortens the step until it ends on the first event that it passes; returns that event.
  Crossing locate(double& h, Moment& to) {
    Crossing first;
    candidates(next_);
    for (const Crossing& x : next_) {
      if (!passes(x, to)) continue;
      double low = 0, high = h, g_low = gauge(x, start_), g_high = gauge(x, to);
      for (int i = 0; i < 60 && high - low > 1e-14 * h; ++i) {  // regula falsi kept honest by bisection
        double middle = i % 3 == 2 || g_high == g_low ? 0.5 * (low + high) : low - g_low * (high - low) / (g_high - g_low);
        if (!(middle > low && middle < high)) middle = 0.5 * (low + high);
        (void)try_step(middle, probe_);
        const bool passed = passes(x, probe_);
        (passed ? high : low) = middle;
        (passed ? g_high : g_low) = gauge(x, probe_);
        if (passed && std::abs(g_high) <= 1e-15 * std::abs(gauge(x, start_))) break;
      }
      first = x;
      h = high;
      (void)try_step(h, to);
    }
    return first;
  }

  void advance(double& h) {
    slope_.resize(state_.size());
    start_.y = state_;
    look(state_, start_.v, start_.force, start_.drift);
    for (int c = 0; c < n_; ++c) {
      const double speed = start_.v.segment(c * d_, d_ - 1).norm();
      if (contacts_[c].sticks || speed <= zero_slip_) continue;
      contacts_[c].direction = start_.v.segment(c * d_, d_ - 1) / speed;
      if (speed > kTogether * zero_slip_) contacts_[c].moving = true;
    }
    rates(state_, slope_);
    const double error = try_step(h, to_);
    if (error > 1) {
      h *= std::max(0.2, 0.9 * std::pow(error, -0.2));
      return;
    }
    double taken = h;
    const Crossing event = locate(taken, to_);
    record(state_, to_.y);
    state_ = to_.y;
    if (event.contact >= 0) happen(event);
    h = event.contact >= 0 ? std::max(taken, 1e-3 * h) : taken * std::clamp(0.9 * std::pow(std::max(error, 1e-10), -0.2), 0.5, 5.0);
  }

  void happen(const Crossing& x) {
    Contact& contact = contacts_[x.contact];
    double& d = state_[delta(x.contact)];
    const double e = problem_.e(x.contact), eta = eta_(x.contact);
    tell(x.kind, x.contact);
    switch (x.kind) {
      case ImpactEventKind::compression_ends:
        contact.load = Load::expanding;
        if (bi_) {
          contact.k *= e > 0 ? std::pow(e, -2 * eta) : 1;
          d *= e * e;
        } else {
          contact.cut = std::pow(1 - e * e, 1 / (eta + 1)) * d;
        }
        if (e == 0) close(x.contact);
        break;
      case ImpactEventKind::compression_resumes:
        contact.load = Load::compressing;
        if (contact.k == 0) contact.k = stiffness(x.contact);
        contact.cut = 0;
        break;
      case ImpactEventKind::separates: close(x.contact); break;
      case ImpactEventKind::slip_stops: stop_slip(x.contact); break;
      default: break_sticks();
    }
    open_contacts(velocity(state_));
  }

  // Points of one face stop together: every contact whose slip is gone is held from now on.
  void stop_slip(int first) {
    const Eigen::VectorXd v = velocity(state_);
    for (int c = 0; c < n_; ++c)
      if (!contacts_[c].sticks && (contacts_[c].moving || c == first) && tangential(v, c).norm() <= kTogether * zero_slip_) contacts_[c].sticks = true;
  }

  // … and start together: the held contacts that friction cannot keep from accelerating slip the way in which kinetic friction
  // lets them go; those that kinetic friction would still hold stay.
  void break_sticks() {
    const int t = d_ - 1;
    for (int c = 0; c < n_; ++c) contacts_[c].loose = contacts_[c].sticks && to_.drift.segment(c * t, t).norm() > 0;
    look(state_, to_.v, to_.force, to_.drift);
    for (int c = 0; c < n_; ++c) {
      const double size = to_.drift.segment(c * t, t).norm();
      if (contacts_[c].loose && size > 0) {
        contacts_[c].sticks = contacts_[c].moving = false;
        contacts_[c].direction = to_.drift.segment(c * t, t) / size;
      }
      contacts_[c].loose = false;
    }
  }

  double stiffness(int c) const { return unit_ * (problem_.stiffness.size() > 0 ? problem_.stiffness(c) : 1.0); }

  void close(int c) {
    contacts_[c].load = Load::open;
    contacts_[c].k = contacts_[c].cut = 0;
    state_[delta(c)] = 0;
  }

  // Contacts at rest that approach begin to compress.
  void open_contacts(const Eigen::VectorXd& v) {
    for (int c = 0; c < n_; ++c)
      if (!active(c) && v(problem_.normal(c)) < -rest_) {
        contacts_[c].load = Load::compressing;
        contacts_[c].k = stiffness(c);
      }
  }

  void tell(ImpactEventKind kind, int c) {
    if (call_.history)
      outcome_.events.push_back({kind, c, state_[problem_.normal(c)], velocity(state_), total(normal_work(0))});
  }
  double total(int first) const {
    double sum = 0;
    for (int c = 0; c < n_; ++c) sum += state_[first + c];
    return sum;
  }

  void record(const State& a, const State& b) {
    for (int c = 0; c < n_; ++c) {
      const double work = b[normal_work(c)] - a[normal_work(c)];
      (work < 0 ? compression_ : restitution_)[c] += work;
    }
    if (!call_.history) return;
    ImpactSegment segment;
    for (int c = 0; c < n_; ++c)
      segment.state.push_back(!active(c) ? SlipState::separated : contacts_[c].sticks ? SlipState::stick : SlipState::slip);
    segment.phase = std::any_of(contacts_.begin(), contacts_.end(), [](const Contact& c) { return c.load == Load::compressing; }) ? Phase::compression : Phase::restitution;
    segment.p_begin = Eigen::Map<const Eigen::VectorXd>(a.data(), n_ * d_), segment.p_end = Eigen::Map<const Eigen::VectorXd>(b.data(), n_ * d_);
    segment.v_begin = velocity(a), segment.v_end = velocity(b);
    for (int c = 0; c < n_; ++c) segment.work_begin += a[normal_work(c)], segment.work_end += b[normal_work(c)];
    outcome_.segments.push_back(std::move(segment));
  }

  // Nothing moves and the forces balance: friction holds the bodies against each other, and impulse would grow for ever.
  bool locked() {
    if (start_.v.lpNorm<Eigen::Infinity>() > kAtRest * problem_.v_pre.norm()) return false;
    free_.noalias() = problem_.G * start_.force;
    const double single = problem_.G.diagonal().maxCoeff() * start_.force.lpNorm<Eigen::Infinity>();
    return free_.lpNorm<Eigen::Infinity>() <= kBalanced * single;
  }

  // Bodies that throw each other about for ever, or lock by friction: what still approaches is stopped without restitution.
  void finish(const std::string& why) {
    const PlasticStop stop = plastic_stop(problem_, velocity(state_));
    outcome_.warnings.push_back(fmt::format("{}: what still approached at {:.3g} m/s was stopped without restitution", why, -approach(velocity(state_))));
    for (int c = 0; c < n_; ++c) {
      const ContactWork& work = stop.work[static_cast<std::size_t>(c)];
      state_[normal_work(c)] += work.normal, state_[friction_work(c)] += work.friction;
      compression_[c] += work.compression, restitution_[c] += work.restitution;
    }
    for (int i = 0; i < n_ * d_; ++i) state_[i] += stop.p(i);
    if (!stop.stopped) outcome_.status = ImpactStatus::not_converged;
  }

  double approach(const Eigen::VectorXd& v) const {
    double least = 0;
    for (int c = 0; c < n_; ++c) least = std::min(least, v(problem_.normal(c)));
    return least;
  }

  ImpactOutcome answer() {
    outcome_.p = Eigen::Map<const Eigen::VectorXd>(state_.data(), n_ * d_);
    outcome_.v_post = velocity(state_);
    for (int c = 0; c < n_; ++c)
      outcome_.energy.contacts.push_back({state_[normal_work(c)], state_[friction_work(c)], compression_[c], restitution_[c]});
    return std::move(outcome_);
  }

  const LawCall& call_;
  const ImpactProblem& problem_;
  int d_, n_;
  std::vector<Contact> contacts_;
  Eigen::VectorXd eta_;
  bool bi_;
  double tolerance_, speed_ = 0, unit_ = 0, zero_slip_ = 0, rest_ = 0;
  State state_, error_, slope_, slope_end_;
  Moment start_, to_, probe_;
  Eigen::VectorXd v_, force_, drift_, free_, rate_, push_, limited_;
  Eigen::MatrixXd coupling_;
  std::vector<int> held_, factored_;
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factor_;
  std::vector<Crossing> next_;
  Eigen::VectorXd compression_ = Eigen::VectorXd::Zero(n_), restitution_ = Eigen::VectorXd::Zero(n_);
  boost::numeric::odeint::runge_kutta_dopri5<State> stepper_;
  ImpactOutcome outcome_;
};

}  // namespace

LawInfo lzb() {
  return {
      .id = "lzb",
      .aliases = {"liu-zhao-brogliato"},
      .dimensions = {2, 3},
      .many_contacts = true,
      .restitutions = {Restitution::stronge},
      .never_gains = {Restitution::stronge},
      .options = {{.name = "unloading", .fallback = std::string("mono"), .choices = {"mono", "bi"}, .unit = "", .meaning = "unloading curve: mono-stiffness (energy lost at greatest compression) or bi-stiffness (steeper curve)"},
                  {.name = "tolerance", .fallback = 1e-11, .low = 1e-14, .high = 1e-3, .choices = {}, .unit = "1", .meaning = "relative tolerance of the integration"},
                  {.name = "rest_speed", .fallback = 1e-10, .low = 0, .high = 1e-3, .choices = {}, .unit = "1", .meaning = "approach speed, relative to |v⁻|, that no longer starts a compression"},
                  {.name = "zero_slip", .fallback = 0.0, .low = 0, .high = 1e300, .choices = {}, .unit = "m/s", .meaning = "slip speed up to which a contact counts as not slipping (at least tolerance · |v⁻|)"},
                  {.name = "max_steps", .fallback = 20000.0, .low = 100, .high = 1e9, .choices = {}, .unit = "1", .meaning = "steps after which what still approaches is stopped without restitution"}},
      .summary = "Liu–Zhao–Brogliato: all contacts at once, impulses shared by stored energy and stiffness, energetic restitution per contact; waves in chains.",
      .citation = "liu2008",
      .solve = [](const LawCall& call) { return Lzb(call).run(); },
  };
}

}  // namespace carom::laws
