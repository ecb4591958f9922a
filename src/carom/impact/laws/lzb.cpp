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
// Failure: more than `max_steps` steps leave status not-converged.
// Citation: liu2008. Checked by: lzb_test.cpp (closed forms, single contact = routh + stronge), tests/reference/multi_oracle_test.cpp.

#include <fmt/format.h>

#include <Eigen/QR>
#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>
#include <algorithm>
#include <cmath>
#include <vector>

#include "carom/impact/laws/laws.hpp"

namespace carom::laws {
namespace {

using State = std::vector<double>;
enum class Load { open, compressing, expanding };

struct Contact {
  Load load = Load::open;
  bool sticks = false;
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
    state_.assign(static_cast<std::size_t>(n_ * d_ + 3 * n_), 0.0);
    force_.resize(n_ * d_);
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
    while (any_active() && ++steps <= limit) advance(h);
    return answer(steps > limit);
  }

 private:
  static constexpr double kHertz = 1.5;

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

  // Contact forces at y, by way of force_: λ from the indentation, friction from slip, sticking contacts solved jointly.
  void forces(const State& y, const Eigen::VectorXd& v) {
    force_.setZero();
    std::vector<int> held;
    for (int c = 0; c < n_; ++c) {
      if (!active(c)) continue;
      const double lambda = contacts_[c].k * std::pow(std::max(y[delta(c)], 0.0), eta_(c));
      force_(problem_.normal(c)) = lambda;
      if (contacts_[c].sticks) {
        held.push_back(c);
        continue;
      }
      const Eigen::VectorXd slip = tangential(v, c);
      const double speed = slip.norm();
      // A planar contact keeps its direction over the step, so that the rates stay smooth up to the slip stop.
      const bool turning = d_ == 3 && speed > zero_slip_;
      force_.segment(c * d_, d_ - 1) = -problem_.mu_d(c) * lambda * (turning ? Eigen::VectorXd(slip / speed) : contacts_[c].direction);
    }
    if (!held.empty()) hold(held);
  }

  // Friction that keeps the held contacts from accelerating sideways (least norm where it is not unique).
  void hold(const std::vector<int>& held) {
    const int t = d_ - 1, size = static_cast<int>(held.size()) * t;
    Eigen::MatrixXd A(size, size);
    Eigen::VectorXd b(size);
    const Eigen::VectorXd free = problem_.G * force_;
    for (std::size_t i = 0; i < held.size(); ++i) {
      b.segment(static_cast<int>(i) * t, t) = tangential(free, held[i]);
      for (std::size_t j = 0; j < held.size(); ++j)
        A.block(static_cast<int>(i) * t, static_cast<int>(j) * t, t, t) = problem_.G.block(held[i] * d_, held[j] * d_, t, t);
    }
    const Eigen::VectorXd f = size == 1 && A(0, 0) > 0 ? Eigen::VectorXd(-b / A(0, 0)) : Eigen::VectorXd(-A.completeOrthogonalDecomposition().solve(b));
    for (std::size_t i = 0; i < held.size(); ++i) force_.segment(held[i] * d_, t) = f.segment(static_cast<int>(i) * t, t);
  }

  void rates(const State& y, State& dy) {
    const Eigen::VectorXd v = velocity(y);
    forces(y, v);
    for (int i = 0; i < n_ * d_; ++i) dy[i] = force_(i);
    for (int c = 0; c < n_; ++c) {
      const int n = problem_.normal(c);
      dy[delta(c)] = active(c) ? -v(n) : 0;
      dy[normal_work(c)] = force_(n) * v(n);
      dy[friction_work(c)] = tangential(force_, c).dot(tangential(v, c));
    }
  }

  // A Dormand–Prince step of length h from state_ to y; returns its error over the tolerance.
  double try_step(double h, State& y) {
    for (State* x : {&y, &error_, &slope_end_}) x->resize(state_.size());
    // With the slope at the start handed in: the stepper must not reuse that of the last trial (it is first-same-as-last).
    stepper_.do_step([this](const State& x, State& dx, double) { rates(x, dx); }, state_, slope_, 0.0, y, slope_end_, h, error_);
    const double impulse = speed_ / problem_.G.diagonal().maxCoeff(), energy = impulse * speed_;
    double worst = 0;
    for (int i = 0; i < static_cast<int>(y.size()); ++i) {
      const double scale = i < n_ * d_ ? impulse : i < n_ * d_ + n_ ? 1.0 : energy;
      worst = std::max(worst, std::abs(error_[i]) / (scale + std::abs(y[i])));
    }
    return worst / tolerance_;
  }

  // What a step from `a` to `b` did to contact c: negative where an event was passed.
  struct Crossing {
    int contact = -1;
    ImpactEventKind kind = ImpactEventKind::separates;
  };

  // The quantity that runs through zero at an event of that kind.
  double gauge(const Crossing& x, const State& y) {
    const Eigen::VectorXd v = velocity(y);
    switch (x.kind) {
      case ImpactEventKind::compression_ends:
      case ImpactEventKind::compression_resumes: return v(problem_.normal(x.contact));
      case ImpactEventKind::separates: return y[delta(x.contact)] - contacts_[x.contact].cut;
      case ImpactEventKind::slip_stops: return tangential(v, x.contact).dot(tangential(velocity(state_), x.contact));
      default: {
        forces(y, v);
        return problem_.mu_s(x.contact) * force_(problem_.normal(x.contact)) - tangential(force_, x.contact).norm();
      }
    }
  }

  std::vector<Crossing> candidates() const {
    std::vector<Crossing> out;
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
      if (!contact.sticks) out.push_back({c, ImpactEventKind::slip_stops});
      if (contact.sticks) out.push_back({c, ImpactEventKind::stick_breaks});
    }
    return out;
  }

  // Whether the step from state_ to y passes this event.
  bool passes(const Crossing& x, const State& y) {
    const double after = gauge(x, y);
    const Eigen::VectorXd v = velocity(state_);
    switch (x.kind) {
      case ImpactEventKind::compression_ends: return after >= 0;
      case ImpactEventKind::compression_resumes: return after < 0 && (contacts_[x.contact].load == Load::expanding || v(problem_.normal(x.contact)) >= 0);
      case ImpactEventKind::separates: return after <= 0;
      case ImpactEventKind::slip_stops:
        return tangential(v, x.contact).norm() > zero_slip_ && (after <= 0 || tangential(velocity(y), x.contact).norm() <= zero_slip_);
      default: return after < -1e-9 * force_(problem_.normal(x.contact));  // rounding of the joint solve does not break a stick
    }
  }

  // Shortens the step until it ends on the first event that it passes; returns that event.
  Crossing locate(double& h, State& y) {
    Crossing first;
    for (const Crossing& x : candidates()) {
      if (!passes(x, y)) continue;
      double low = 0, high = h, g_low = gauge(x, state_), g_high = gauge(x, y);
      State probe;
      for (int i = 0; i < 60 && high - low > 1e-14 * h; ++i) {  // regula falsi kept honest by bisection
        double middle = i % 3 == 2 || g_high == g_low ? 0.5 * (low + high) : low - g_low * (high - low) / (g_high - g_low);
        if (!(middle > low && middle < high)) middle = 0.5 * (low + high);
        (void)try_step(middle, probe);
        const double g = gauge(x, probe);
        (passes(x, probe) ? high : low) = middle;
        (passes(x, probe) ? g_high : g_low) = g;
      }
      if (high < h || first.contact < 0) {
        first = x;
        h = high;
        (void)try_step(h, y);
      }
    }
    return first;
  }

  void advance(double& h) {
    State y;
    const Eigen::VectorXd v = velocity(state_);
    for (int c = 0; c < n_; ++c) {
      const Eigen::VectorXd slip = tangential(v, c);
      if (!contacts_[c].sticks && slip.norm() > zero_slip_) contacts_[c].direction = slip / slip.norm();
    }
    slope_.resize(state_.size());
    rates(state_, slope_);
    const double error = try_step(h, y);
    if (error > 1) {
      h *= std::max(0.2, 0.9 * std::pow(error, -0.2));
      return;
    }
    double taken = h;
    const Crossing event = locate(taken, y);
    record(state_, y);
    state_ = y;
    if (event.contact >= 0) happen(event);
    h = std::max(taken, 1e-6 / speed_) * std::clamp(0.9 * std::pow(std::max(error, 1e-10), -0.2), 1.0, event.contact >= 0 ? 1.0 : 5.0);
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
      case ImpactEventKind::slip_stops: contact.sticks = true; break;
      default: {
        forces(state_, velocity(state_));
        const Eigen::VectorXd f = tangential(force_, x.contact);
        contact.sticks = false;
        contact.direction = f.norm() > 0 ? Eigen::VectorXd(-f / f.norm()) : f;
      }
    }
    open_contacts(velocity(state_));
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
      if (!active(c) && v(problem_.normal(c)) < -tolerance_ * speed_) {
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

  ImpactOutcome answer(bool cut_short) {
    outcome_.p = Eigen::Map<const Eigen::VectorXd>(state_.data(), n_ * d_);
    outcome_.v_post = velocity(state_);
    for (int c = 0; c < n_; ++c)
      outcome_.energy.contacts.push_back({state_[normal_work(c)], state_[friction_work(c)], compression_[c], restitution_[c]});
    if (cut_short) {
      outcome_.status = ImpactStatus::not_converged;
      outcome_.warnings.push_back(fmt::format("not finished after {} steps", call_.number("max_steps")));
    }
    return std::move(outcome_);
  }

  const LawCall& call_;
  const ImpactProblem& problem_;
  int d_, n_;
  std::vector<Contact> contacts_;
  Eigen::VectorXd eta_;
  bool bi_;
  double tolerance_, speed_ = 0, unit_ = 0, zero_slip_ = 0;
  State state_, error_, slope_, slope_end_;
  Eigen::VectorXd force_;
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
                  {.name = "tolerance", .fallback = 1e-12, .low = 1e-14, .high = 1e-3, .choices = {}, .unit = "1", .meaning = "relative tolerance of the integration"},
                  {.name = "zero_slip", .fallback = 0.0, .low = 0, .high = 1e300, .choices = {}, .unit = "m/s", .meaning = "slip speed up to which a contact counts as not slipping (at least tolerance · |v⁻|)"},
                  {.name = "max_steps", .fallback = 200000.0, .low = 100, .high = 1e9, .choices = {}, .unit = "1", .meaning = "steps after which the integration gives up"}},
      .summary = "Liu–Zhao–Brogliato: all contacts at once, impulses shared by stored energy and stiffness, energetic restitution per contact; waves in chains.",
      .citation = "liu2008",
      .solve = [](const LawCall& call) { return Lzb(call).run(); },
  };
}

}  // namespace carom::laws
