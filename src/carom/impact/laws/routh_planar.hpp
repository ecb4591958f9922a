#pragma once
// The exact impulse process of one planar contact, in closed form (law `routh`, dimension 2).
//
// The normal impulse p is the clock of the impact. With friction slope s = dp_t/dp,
//   dv_t/dp = G_tt s + G_tn = G_tt (s − m),   dv_n/dp = k = G_nn + s G_tn,   dW_n/dp = v_n,
//   slipping: s = −μ_d sign(v_t);   sticking: s = m = −G_tn/G_tt, possible iff |m| ≤ μ_s        [Morgan 2.12, 3.1]
// so velocity is piecewise linear and work piecewise quadratic in p, with at most one bend, where v_t reaches zero: there the
// contact sticks iff |m| ≤ μ_s, else slip reverses. Compression ends at v_n = 0 (impulse p_c, work W_c ≤ 0); the impact ends
//   newton:  v_n = −e v_n⁻       poisson:  p = (1 + e) p_c       stronge:  W_n = (1 − e²) W_c.
// With `stronge` this is Morgan's algebraic method, with `poisson` Shen & Townsend's.
//
// Deviations from the papers: sticking asks |m| ≤ μ_s (Morgan prints m ≤ μ); slip driven away from zero is "slip throughout"
// (Shen & Townsend's F* < 0 would fall into their case (i) and gain energy); at v_t = 0 slip starts against −m only if |m| > μ_s.
// Validity: any positive semidefinite G. A jam (k ≤ 0) presses harder until slip stops, then ends. G of rank 1 (a mechanism with
// one degree of freedom): slip and approach end together, then it locks (|m| ≤ μ_s) or rebounds. G_tt = 0: no sideways motion.
// Failure: only when G is singular and v⁻ does not belong to it can no impulse end the approach; the result says so.
// Citation: morgan2011, shen1998, wang1992, stronge1990. Checked by: routh_planar_test.cpp, tests/reference/planar_oracle_test.cpp,
// tests/properties/planar_test.cpp (brute-force integrator, Morgan's and Shen–Townsend's own equations).

#include <cmath>
#include <limits>

#include "carom/impact/law.hpp"
#include "carom/math/dual.hpp"

namespace carom::laws {

template <class T>
struct PlanarContact {
  T G_tt, G_tn, G_nn;  // [1/kg]
  T v_t, v_n;          // before the impact, v_n < 0 [m/s]
  T mu_s, mu_d, e;
};

struct PlanarOptions {
  double zero_slip = 0;          // |v_t| up to this counts as no slip [m/s]
  double rank_tolerance = 1e-13; // det G ≤ this · G_tt G_nn counts as rank 1; G_tt ≤ this · G_nn as no sideways mobility
};

// A moment inside the impact.
template <class T>
struct PlanarPoint {
  T p_t{0}, p_n{0};  // impulse so far [N s]
  T v_t, v_n;        // [m/s]
  T work{0};         // normal work so far [J]
};

// Ties: the problem sits on a boundary between two branches; the answer took the side named.
enum PlanarTie : unsigned {
  kStickLimit = 1,        // |m| = μ_s: took stick
  kStopsAtEnd = 2,        // slip stops in the moment of separation: took slip throughout
  kStopsWithCompression = 4,  // slip stops in the moment compression ends
  kStartsAtRest = 8,      // v_t = 0 at the start with μ_d < |m| ≤ μ_s: took stick
  kFrictionUndetermined = 16, // no sideways mobility and no slip: any friction fits, took none
};

template <class T>
struct PlanarResult {
  PlanarPoint<T> end;
  T compression_work{0};   // ≤ 0
  T restitution_work{0};   // ≥ 0
  T friction_work{0};      // ≤ 0
  bool solved = true;      // false: no impulse ends the approach
  bool locked = false;     // ended in a lock: restitution could not act
  unsigned ties = 0;
};

// Told of every event and stretch; the empty one costs nothing.
struct NoObserver {
  template <class P> void event(ImpactEventKind, const P&) {}
  template <class P> void segment(SlipState, Phase, const P&, const P&) {}
};

template <class T, class Observer>
class PlanarRouth {
 public:
  PlanarRouth(const PlanarContact<T>& contact, Restitution hypothesis, const PlanarOptions& options, Observer& observer)
      : c_(contact), hypothesis_(hypothesis), observer_(observer) {
    using std::abs;
    movable_ = value_of(c_.G_tt) > options.rank_tolerance * value_of(c_.G_nn);
    if (movable_) {
      m_ = -c_.G_tn / c_.G_tt;
      const double det = value_of(c_.G_tt) * value_of(c_.G_nn) - value_of(c_.G_tn) * value_of(c_.G_tn);
      rank_one_ = det <= options.rank_tolerance * value_of(c_.G_tt) * value_of(c_.G_nn);
    }
    at_.v_t = c_.v_t;
    at_.v_n = c_.v_n;
    if (abs(value_of(c_.v_t)) <= options.zero_slip) at_.v_t = T(0);
  }

  PlanarResult<T> run() {
    start();
    while (!done_) advance();
    result_.end = at_;
    return result_;
  }

 private:
  static constexpr double kNever = std::numeric_limits<double>::infinity();
  static constexpr double kTogether = 1e-9;  // |v_n|/|v_n⁻| that counts as rounding where G has rank 1

  bool sticks() {
    using std::abs;
    if (!movable_) return true;
    const double excess = abs(value_of(m_)) - value_of(c_.mu_s);
    if (abs(excess) <= 4 * std::numeric_limits<double>::epsilon() * value_of(c_.mu_s)) {
      if (value_of(c_.mu_s) > 0) result_.ties |= kStickLimit;
      return true;
    }
    return excess <= 0;
  }

  void start() {
    using std::abs;
    if (value_of(at_.v_t) != 0) return slip(value_of(at_.v_t) > 0 ? 1 : -1, SlipState::slip);
    if (sticks()) {
      if (!movable_ && value_of(c_.mu_s) > 0) result_.ties |= kFrictionUndetermined;
      if (movable_ && abs(value_of(m_)) > value_of(c_.mu_d)) result_.ties |= kStartsAtRest;
      return stick();
    }
    slip(value_of(m_) < 0 ? 1 : -1, SlipState::slip);
  }

  void slip(int sign, SlipState state) {
    s_ = T(-sign) * c_.mu_d;
    k_ = c_.G_nn + s_ * c_.G_tn;
    rate_t_ = movable_ ? c_.G_tt * s_ + c_.G_tn : T(0);
    state_ = value_of(k_) <= 0 ? SlipState::jam : state;
    to_stop_ = value_of(at_.v_t) * value_of(rate_t_) < 0 ? -at_.v_t / rate_t_ : T(kNever);
  }

  void stick() {
    s_ = movable_ ? m_ : T(0);
    k_ = rank_one_ ? T(0) : c_.G_nn + s_ * c_.G_tn;
    rate_t_ = T(0);
    state_ = SlipState::stick;
    to_stop_ = T(kNever);
  }

  // Normal impulse from here to the end of the phase.
  T to_phase_end() const {
    if (phase_ == Phase::compression) return value_of(k_) > 0 ? -at_.v_n / k_ : T(kNever);
    if (hypothesis_ == Restitution::poisson) return (T(1) + c_.e) * p_c_ - at_.p_n;
    if (value_of(k_) <= 0) return T(kNever);
    if (hypothesis_ == Restitution::newton) return (-c_.e * c_.v_n - at_.v_n) / k_;
    using std::sqrt;
    const T missing = -c_.e * c_.e * result_.compression_work - result_.restitution_work;  // ≥ 0; no difference of near equals
    if (value_of(missing) <= 0) return T(0);
    return T(2) * missing / (at_.v_n + sqrt(at_.v_n * at_.v_n + T(2) * k_ * missing));
  }

  void advance() {
    const T to_end = to_phase_end();
    const bool stops = value_of(to_stop_) < value_of(to_end);
    if (value_of(to_stop_) == value_of(to_end) && value_of(to_end) < kNever)
      result_.ties |= phase_ == Phase::compression ? kStopsWithCompression : kStopsAtEnd;
    const T delta = stops ? to_stop_ : to_end;
    if (!(value_of(delta) < kNever)) return lock();
    move(delta, stops);
    if (stops) return slip_stops();
    if (phase_ == Phase::restitution) return finish();
    compression_ends();
  }

  void compression_ends() {
    at_.v_n = T(0);
    p_c_ = at_.p_n;
    result_.compression_work = at_.work;
    observer_.event(ImpactEventKind::compression_ends, at_);
    phase_ = Phase::restitution;
    if (value_of(c_.e) == 0) finish();
  }

  void move(const T& delta, bool stops) {
    const PlanarPoint<T> from = at_;
    at_.p_n += delta;
    at_.p_t += s_ * delta;
    at_.v_t = stops ? T(0) : from.v_t + rate_t_ * delta;
    at_.v_n = from.v_n + k_ * delta;
    const T work = delta * (from.v_n + at_.v_n) * T(0.5);
    at_.work += work;
    if (phase_ == Phase::restitution) result_.restitution_work += work;
    result_.friction_work += s_ * delta * (from.v_t + at_.v_t) * T(0.5);
    if (value_of(to_stop_) < kNever) to_stop_ -= delta;
    observer_.segment(state_, phase_, from, at_);
  }

  void slip_stops() {
    observer_.event(ImpactEventKind::slip_stops, at_);
    // In a mechanism of one degree of freedom slip and approach vanish together; what is left of v_n is rounding.
    if (rank_one_ && std::abs(value_of(at_.v_n)) <= kTogether * std::abs(value_of(c_.v_n))) {
      at_.v_n = T(0);
      if (phase_ == Phase::compression) compression_ends();
      if (done_) return;
    }
    if (sticks()) {
      observer_.event(ImpactEventKind::sticks, at_);
      stick();
    } else {
      observer_.event(ImpactEventKind::slip_reverses, at_);
      slip(value_of(m_) < 0 ? 1 : -1, SlipState::reverse);
    }
  }

  // Sticking in a mechanism of one degree of freedom: impulse no longer changes the velocity.
  void lock() {
    result_.solved = phase_ == Phase::restitution;
    result_.locked = true;
    if (!result_.solved) result_.compression_work = at_.work;
    finish();
  }

  void finish() {
    observer_.event(ImpactEventKind::separates, at_);
    done_ = true;
  }

  PlanarContact<T> c_;
  Restitution hypothesis_;
  Observer& observer_;
  bool movable_ = false, rank_one_ = false, done_ = false;
  T m_{0};
  PlanarPoint<T> at_;
  Phase phase_ = Phase::compression;
  SlipState state_ = SlipState::slip;
  T s_{0}, k_{0}, rate_t_{0}, to_stop_{0}, p_c_{0};
  PlanarResult<T> result_;
};

// Resolves one planar impact. `contact` must be admissible (impact/problem.hpp) and approach, v_n < 0.
template <class T, class Observer>
PlanarResult<T> routh_planar(const PlanarContact<T>& contact, Restitution hypothesis, const PlanarOptions& options, Observer& observer) {
  return PlanarRouth<T, Observer>(contact, hypothesis, options, observer).run();
}
template <class T>
PlanarResult<T> routh_planar(const PlanarContact<T>& contact, Restitution hypothesis, const PlanarOptions& options = {}) {
  NoObserver nobody;
  return routh_planar(contact, hypothesis, options, nobody);
}

}  // namespace carom::laws
