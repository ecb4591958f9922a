// One spatial event of law `rodriguez-bowling`: v = v₀ + G p integrated along the total normal impulse in contact velocities (the
// 6-dof form of (7.26): no slip angle, so nothing is singular at s = 0), by the Dormand–Prince pair with step control. A contact whose
// slip falls to `rest` comes to rest there; a sticking one that leaves its cone slides; both are decided jointly with all resting ones.
// The moments are found on the step by bisection of its length, so every recorded point is a point of the integration.

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "carom/impact/laws/rodriguez_collision.hpp"

namespace carom::laws::rodriguez {
namespace {

constexpr int kSteps = 4000;       // steps after which an event counts as endless
constexpr int kBends = 200;        // changes of slip and stick after which it does
constexpr int kBisections = 60;
constexpr double kShare = 1e-8;    // slip over the largest initial speed at which a contact comes to rest …
constexpr double kTogether = 4;    // … with all that slip no more than this times faster; twice that, and it moves again

// What is integrated: impulse of all components, then per contact the works of compression, restitution and friction.
struct State {
  Eigen::VectorXd p;
  Eigen::MatrixXd work;  // contacts × 3
  double normal() const { return work.col(0).sum() + work.col(1).sum(); }
};

State operator+(const State& a, const State& b) { return {a.p + b.p, a.work + b.work}; }
State operator*(double k, const State& a) { return {k * a.p, k * a.work}; }

struct Slope {
  bool found = false;
  State rate;
  Rates rates;
};

class SpatialEvent {
 public:
  SpatialEvent(Collision& at, const EventPlan& plan) : at_(at), plan_(plan), members_(gather(at, plan.members)), v_begin_(at.v), p_begin_(at.p) {
    now_.p = Eigen::VectorXd::Zero(at.v.size());
    now_.work = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(at.work.size()), 3);
    rest_ = std::max(at.tolerance.rest, kShare * at.v.cwiseAbs().maxCoeff());
  }

  bool run() {
    decide_here();
    first_ = decision_.holds;
    if (!decision_.rates.found || work_rate(at_.system, decision_.rates, at_.v) >= 0) return false;
    if (plan_.e < 0 && !look_ahead()) return false;
    double step = 1e-2 * scale();
    open_segment();
    for (int k = 0; k < kSteps && !done_ && bends_ < kBends; ++k)
      if (!advance(step)) break;
    close_segment();
    commit();
    return done_;
  }

 private:
  void decide_here() {
    const Decision next = decide(at_.system, members_, at_.v, kTogether * rest_);
    if (next.rates.found) at_.note(next);
    decision_ = next;
    moving_.assign(decision_.holds.size(), false);
    mark_moving();
  }

  // A contact that slides and has left the neighbourhood of rest follows its velocity.
  void mark_moving() {
    const Eigen::VectorXd v = velocity(now_);
    for (const int c : members_.contacts)
      if (decision_.holds[c].grip == Grip::slip && sliding(at_.system, c, v).speed > kTogether * rest_) moving_[c] = true;
  }

  // The impulse that would stop the approach: the natural unit of steps.
  double scale() const {
    const double pace = work_rate(at_.system, decision_.rates, decision_.rates.dv);
    return pace > 0 ? -work_rate(at_.system, decision_.rates, at_.v) / pace : at_.v.cwiseAbs().maxCoeff() / at_.system.problem.G.diagonal().maxCoeff();
  }

  bool look_ahead() {
    Collision ahead = at_;
    ahead.history = nullptr;
    EventPlan inelastic = plan_;
    inelastic.e = 0;
    SpatialEvent compression(ahead, inelastic);
    if (!compression.run()) return false;
    stop_at_ = (1 - plan_.e * plan_.e) * compression.least_;
    return true;
  }

  Eigen::VectorXd velocity(const State& state) const { return v_begin_ + at_.system.problem.G * state.p; }

  // Directions follow v; resting contacts keep what was decided until they move.
  Slope slope(const State& state) const {
    Slope out;
    const Eigen::VectorXd v = velocity(state);
    std::vector<Hold> holds = decision_.holds;
    for (const int c : members_.contacts) {
      if (holds[c].grip != Grip::slip) continue;
      const Hold moving = sliding(at_.system, c, v);
      holds[c].speed = moving.speed > kTogether * rest_ ? moving.speed : 0;
      if (moving_[c]) holds[c].direction = moving.direction;
    }
    out.rates = decision_.rule_given_up ? held_rates(holds) : share(at_.system, members_, holds);
    out.found = out.rates.found;
    if (!out.found) return out;
    out.rate.p = out.rates.dp;
    out.rate.work = Eigen::MatrixXd::Zero(state.work.rows(), 3);
    for (const int c : members_.contacts) {
      const int n = at_.system.normal(c), t = at_.system.tangent(c);
      out.rate.work(c, v(n) < 0 ? 0 : 1) = v(n) * out.rates.dp(n);
      out.rate.work(c, 2) = v.segment(t, 2).dot(out.rates.dp.segment(t, 2));
    }
    return out;
  }

  // Equal shares stay; only the directions of the sliding contacts move on.
  Rates held_rates(const std::vector<Hold>& holds) const {
    Rates rates = decision_.rates;
    for (const int c : members_.contacts)
      if (holds[c].grip == Grip::slip) rates.dp.segment(at_.system.tangent(c), 2) = -at_.system.problem.mu_d(c) * rates.dp(at_.system.normal(c)) * holds[c].direction;
    rates.dv = at_.system.problem.G * rates.dp;
    return rates;
  }

  // One Dormand–Prince step of length h; `error` relative to the size of the velocity. False: no rates on the way.
  bool try_step(double h, State& next, double& error) const {
    static constexpr std::array<std::array<double, 6>, 6> a{{{1.0 / 5}, {3.0 / 40, 9.0 / 40}, {44.0 / 45, -56.0 / 15, 32.0 / 9},
        {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729}, {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
        {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}}};
    static constexpr std::array<double, 7> e{71.0 / 57600, 0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
    std::array<State, 7> k;
    for (std::size_t stage = 0; stage < 7; ++stage) {
      State at = now_;
      for (std::size_t j = 0; j < stage; ++j)
        if (a[stage - 1][j] != 0) at = at + h * a[stage - 1][j] * k[j];
      if (stage == 6) next = at;
      const Slope s = slope(at);
      if (!s.found) return false;
      k[stage] = s.rate;
    }
    Eigen::VectorXd wrong = Eigen::VectorXd::Zero(now_.p.size());
    Eigen::MatrixXd wrong_work = Eigen::MatrixXd::Zero(now_.work.rows(), 3);
    for (std::size_t stage = 0; stage < 7; ++stage) wrong += h * e[stage] * k[stage].p, wrong_work += h * e[stage] * k[stage].work;
    const double v_size = v_begin_.cwiseAbs().maxCoeff(), t_size = v_size * (next.p.cwiseAbs().maxCoeff() + h);
    error = std::max((at_.system.problem.G * wrong).cwiseAbs().maxCoeff() / v_size, wrong_work.cwiseAbs().maxCoeff() / t_size);
    return true;
  }

  // What ends the stretch, as seen from a state: comes to rest, leaves the cone, or the work is done.
  enum class Stop { none, rest, cone, turn, end };
  Stop stop(const State& state, int& which) const {
    const Eigen::VectorXd v = velocity(state);
    const Eigen::VectorXd v_now = velocity(now_);
    for (const int c : members_.contacts) {
      if (!moving_[c] || at_.system.problem.mu_s(c) <= 0) continue;
      const Hold then = sliding(at_.system, c, v);
      const bool turned = then.direction.dot(sliding(at_.system, c, v_now).direction) < -0.5;  // stepped across rest
      if (then.speed <= rest_ || turned) return which = c, Stop::rest;
    }
    const Slope s = slope(state);
    for (const int c : members_.contacts)
      if (s.found && !decision_.rule_given_up && decision_.holds[c].grip == Grip::stick && !within_cone(at_.system, c, s.rates)) return which = c, Stop::cone;
    if (!s.found) return Stop::none;
    const double g = work_rate(at_.system, s.rates, v), w = state.normal();
    if (stop_at_ && phase_ == Phase::compression && w <= *stop_at_) return Stop::end;
    if (phase_ == Phase::compression && g >= 0) return Stop::turn;
    if (phase_ == Phase::restitution && w >= (1 - plan_.e * plan_.e) * least_) return Stop::end;
    if (phase_ == Phase::restitution && g < 0) return Stop::turn;
    return Stop::none;
  }

  bool advance(double& step) {
    State next;
    double error = 0;
    double h = step;
    for (int tries = 0;; ++tries) {
      if (tries > 60) return false;
      if (!try_step(h, next, error)) {
        h *= 0.25;
        continue;
      }
      if (error <= at_.tolerance.path) break;
      h *= std::clamp(0.9 * std::pow(at_.tolerance.path / error, 0.2), 0.1, 0.9);
    }
    int which = -1;
    Stop what = stop(next, which);
    const double grow = error > 0 ? std::clamp(0.9 * std::pow(at_.tolerance.path / error, 0.2), 0.2, 4.0) : 4.0;
    step = h * grow;
    if (what == Stop::none) return accept(next);
    double low = 0, high = h;
    for (int k = 0; k < kBisections && high - low > 1e-15 * h; ++k) {
      const double middle = 0.5 * (low + high);
      State trial;
      double ignored = 0;
      int at = -1;
      if (!try_step(middle, trial, ignored)) break;
      const Stop seen = stop(trial, at);
      if (seen == Stop::none)
        low = middle;
      else
        high = middle, next = trial, what = seen, which = at;
    }
    accept(next);
    return change(what, which);
  }

  bool accept(const State& next) {
    now_ = next;
    least_ = std::min(least_, now_.normal());
    mark_moving();
    if (at_.history) path_.push_back(now_.p);
    return true;
  }

  bool change(Stop what, int which) {
    if (what == Stop::end) return done_ = true;
    if (what == Stop::turn) {
      turn();
      return true;
    }
    close_segment();
    ++bends_;
    at_.v = velocity(now_), at_.p = p_begin_ + now_.p;
    const double normal_work = at_.normal_work;
    at_.normal_work += now_.normal();
    if (what == Stop::rest) at_.event(ImpactEventKind::slip_stops, which);
    decide_here();
    if (decision_.rates.found) {
      const Grip grip = decision_.holds[which].grip;
      if (what == Stop::rest && grip == Grip::stick) at_.event(ImpactEventKind::sticks, which);
      if (what == Stop::rest && grip == Grip::slip) at_.event(ImpactEventKind::slip_reverses, which);
      if (what == Stop::cone && grip == Grip::slip) at_.event(ImpactEventKind::stick_breaks, which);
    }
    at_.normal_work = normal_work;
    open_segment();
    if (!decision_.rates.found) return false;
    const double g = work_rate(at_.system, decision_.rates, velocity(now_));
    if ((phase_ == Phase::compression && g >= 0) || (phase_ == Phase::restitution && g < 0)) turn();
    return true;
  }

  void turn() {
    close_segment();
    phase_ = phase_ == Phase::compression ? Phase::restitution : Phase::compression;
    if (phase_ == Phase::restitution && plan_.e == 0) done_ = true;
    open_segment();
  }

  void open_segment() {
    path_.assign(1, now_.p);
    work_at_open_ = now_.normal();
  }

  void close_segment() {
    if (!at_.history || path_.size() < 2) return;
    ImpactSegment s;
    s.state = slip_states(decision_, first_, 3);
    s.phase = phase_;
    s.mode = plan_.mode;
    s.p_path.resize(now_.p.size(), static_cast<Eigen::Index>(path_.size()));
    for (std::size_t k = 0; k < path_.size(); ++k) s.p_path.col(static_cast<Eigen::Index>(k)) = path_[k];
    s.v_path = (at_.system.problem.G * s.p_path).colwise() + v_begin_;
    s.p_path.colwise() += p_begin_;
    s.p_begin = s.p_path.leftCols(1), s.p_end = s.p_path.rightCols(1);
    s.v_begin = s.v_path.leftCols(1), s.v_end = s.v_path.rightCols(1);
    s.work_begin = at_.normal_work + work_at_open_, s.work_end = at_.normal_work + now_.normal();
    at_.history->segments.push_back(std::move(s));
    path_.clear();
  }

  void commit() {
    at_.v = velocity(now_);
    at_.p = p_begin_ + now_.p;
    at_.normal_work += now_.normal();
    for (std::size_t k = 0; k < at_.work.size(); ++k) {
      const auto row = now_.work.row(static_cast<Eigen::Index>(k));
      at_.work[k].compression += row(0);
      at_.work[k].restitution += row(1);
      at_.work[k].normal += row(0) + row(1);
      at_.work[k].friction += row(2);
    }
    if (!done_) return;
    for (const int c : plan_.members)
      if (at_.v(at_.system.normal(c)) > at_.tolerance.approach) at_.event(ImpactEventKind::separates, c);
  }

  Collision& at_;
  const EventPlan& plan_;
  Members members_;
  Eigen::VectorXd v_begin_, p_begin_;
  State now_;
  Decision decision_;
  std::vector<Hold> first_;
  std::optional<double> stop_at_;
  std::vector<Eigen::VectorXd> path_;
  std::vector<bool> moving_;
  double rest_ = 0, least_ = 0, work_at_open_ = 0;
  Phase phase_ = Phase::compression;
  int bends_ = 0;
  bool done_ = false;
};

}  // namespace

bool spatial_event(Collision& collision, const EventPlan& plan) { return SpatialEvent(collision, plan).run(); }

}  // namespace carom::laws::rodriguez
