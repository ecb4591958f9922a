#pragma once
// The exact impulse process of one spatial contact (law `routh`, dimension 3).
//
// G = [[A, b], [bᵀ, c]] in order (t1, t2, n); the normal impulse p is the clock of the impact. Slipping along û,
//   dv_t/dp = b − μ_d A û,   dv_n/dp = k = c − μ_d b·û,   dW/dp = v_n                              [Keller 1986; Morgan 4.9; Park 7]
// whose hodograph is solved by series between two isoclines (hodograph.hpp, isoclines.hpp). Where slip stops, the contact sticks
// iff |A⁻¹b| ≤ μ_s (Park 25), with dp_t/dp = −A⁻¹b and k = c − b·A⁻¹b; else it slips again along the one direction û with
// b − μ_d A û = γ û, γ > 0. Compression ends where v_n = 0; the impact ends
//   newton:  v_n = −e v_n⁻      poisson:  p = (1 + e) p_c      stronge:  W = (1 − e²) W_min.
// v_n may fall below zero again before the end (dual compression): then p_c is the impulse at the latest end of compression,
// W_min the least work so far, and compression work counts all that was gathered while v_n < 0.
// W follows from momentum, dW = dp·(v + v′)/2 + μ ∫s dp, so only single integrals are needed.
//
// Validity: any positive semidefinite G, μ_s ≥ μ_d ≥ 0. Where μ_d < |A⁻¹b| ≤ μ_s zero slip attracts nothing but holds what reaches it:
// a path that passes close slides on, one that hits sticks; `closest` says how near it came.
// Failure: `solved` is false only when G is singular and v⁻ does not belong to it; `converged` is false if kMaxPanels were spent.
// Citation: keller1986, morgan2011, park. Checked by: routh_spatial_test.cpp, tests/reference/spatial_oracle_test.cpp (40-digit
// values), tests/reference/spatial_integration_test.cpp (independent integration), tests/properties/spatial_test.cpp.

#include <cmath>
#include <limits>

#include "carom/impact/law.hpp"
#include "carom/impact/laws/hodograph.hpp"
#include "carom/impact/laws/impact_phases.hpp"
#include "carom/impact/laws/slip_direction.hpp"
#include "carom/impact/laws/spatial_contact.hpp"

namespace carom::laws {

template <class T, class Observer>
class SpatialRouth {
 public:
  SpatialRouth(const SpatialContact<T>& contact, Restitution hypothesis, const SpatialOptions& options, Observer& observer)
      : c_(contact), options_(options), observer_(observer), phases_(hypothesis, contact.e, contact.v_n) {
    at_.v1 = c_.v1, at_.v2 = c_.v2, at_.v_n = c_.v_n;
    stick_ = stick_slope(c_.A11, c_.A12, c_.A22, c_.b1, c_.b2, c_.c, options.rank_tolerance);
    const double m1 = value_of(stick_.m1), m2 = value_of(stick_.m2);
    pull_ = std::sqrt(m1 * m1 + m2 * m2);
    result_.holds = pull_ > value_of(c_.mu_d) && pull_ <= value_of(c_.mu_s);
    segment_from_ = at_;
  }

  SpatialResult<T> run() {
    using std::sqrt;
    speed_ = sqrt(c_.v1 * c_.v1 + c_.v2 * c_.v2);
    if (value_of(speed_) <= options_.zero_slip) {
      at_.v1 = at_.v2 = T(0);
      segment_from_ = at_;
      if (result_.holds) result_.ties |= kSpatialAtRest;
      from_rest(true);
    } else {
      slide();
    }
    result_.end = at_;
    return result_;
  }

  // The rest of an impact whose slip has just stopped at `at`, for processes that find the stop by other means.
  SpatialResult<T> run_from_stop(const SpatialPoint<T>& at, const ImpactPhases<T>& phases, const T& friction_work) {
    at_ = segment_from_ = at, phases_ = phases, result_.friction_work = friction_work;
    at_.v1 = at_.v2 = T(0);
    slip_stops();
    result_.end = at_;
    return result_;
  }

 private:
  static constexpr double kNever = std::numeric_limits<double>::infinity();
  static constexpr double kTogether = 1e-9;  // |v_n|/|v_n⁻| that counts as rounding where G is singular
  static constexpr int kMaxPanels = 2000;
  static constexpr double kReach = 0.4;  // of the distance from a panel's centre to the nearest singularity
  static constexpr int kMostEvents = 4;   // per piece
  static constexpr int kMostPieces = 200;  // along an isocline: slip has then grown by e⁸⁰⁰, or not at all

  // ---- events -----------------------------------------------------------------------------------------------------------

  void close_segment() {
    if (value_of(at_.p_n) > value_of(segment_from_.p_n)) observer_.segment(state_, phases_.phase(), segment_from_, at_);
    segment_from_ = at_;
  }
  void compression_ends() {
    at_.v_n = T(0);
    close_segment();
    phases_.compression_ends(at_.p_n, at_.work);
    observer_.event(ImpactEventKind::compression_ends, at_);
    if (!phases_.elastic()) finish();
  }
  void compression_resumes() {
    at_.v_n = T(0);
    close_segment();
    phases_.compression_resumes(at_.work);
    observer_.event(ImpactEventKind::compression_resumes, at_);
  }
  void finish() {
    close_segment();
    if (phases_.phase() == Phase::compression) phases_.compression_ends(at_.p_n, at_.work);
    observer_.event(ImpactEventKind::separates, at_);
    result_.compression_work = phases_.compression_work();
    done_ = true;
  }

  // ---- straight stretches -----------------------------------------------------------------------------------------------

  // From here friction per normal impulse is (f1, f2), velocity changes by (r1, r2, k); slip stops after `to_stop`.
  void straight(SlipState state, const T& f1, const T& f2, const T& r1, const T& r2, const T& k, T to_stop) {
    state_ = value_of(k) <= 0 && state != SlipState::stick ? SlipState::jam : state;
    while (!done_) {
      const bool restitution = phases_.phase() == Phase::restitution;
      const double rate = value_of(k);
      T to_zero(kNever);  // v_n reaches zero
      if (restitution ? rate < 0 : rate > 0) to_zero = -at_.v_n / k;
      T to_end = restitution ? phases_.straight_to_end(at_.p_n, at_.v_n, at_.work, k) : T(kNever);
      if (value_of(to_end) < 0) to_end = T(kNever);
      const double stop = value_of(to_stop), zero = value_of(to_zero), end = value_of(to_end);
      const double least = std::min({stop, zero, end});
      if (!(least < kNever)) return lock();
      const T delta = least == end ? to_end : least == zero ? to_zero : to_stop;
      move(delta, f1, f2, r1, r2, k);
      to_stop -= value_of(to_stop) < kNever ? delta : T(0);
      if (least == end) return finish();
      if (least == zero) {
        if (restitution) compression_resumes();
        else compression_ends();
      } else {
        at_.v1 = at_.v2 = T(0);
        return slip_stops();
      }
    }
  }

  void move(const T& delta, const T& f1, const T& f2, const T& r1, const T& r2, const T& k) {
    const SpatialPoint<T> from = at_;
    at_.p_n += delta, at_.p1 += f1 * delta, at_.p2 += f2 * delta;
    at_.v1 += r1 * delta, at_.v2 += r2 * delta, at_.v_n += k * delta;
    at_.work += delta * (from.v_n + at_.v_n) * T(0.5);
    result_.friction_work += delta * T(0.5) * (f1 * (from.v1 + at_.v1) + f2 * (from.v2 + at_.v2));
  }

  // Impulse no longer changes the velocity.
  void lock() {
    result_.solved = phases_.phase() == Phase::restitution;
    result_.locked = true;
    finish();
  }

  void slip_stops() {
    close_segment();
    observer_.event(ImpactEventKind::slip_stops, at_);
    // Where G is singular slip and approach vanish together; what is left of v_n is rounding.
    if (value_of(stick_.k) == 0 && std::abs(value_of(at_.v_n)) <= kTogether * std::abs(value_of(c_.v_n))) {
      at_.v_n = T(0);
      if (phases_.phase() == Phase::compression) compression_ends();
      if (done_) return;
    }
    from_rest(false);
  }

  bool sticks() {
    const double mu_s = value_of(c_.mu_s), excess = pull_ - mu_s;
    if (mu_s > 0 && std::abs(excess) <= 8 * std::numeric_limits<double>::epsilon() * mu_s) {
      result_.ties |= kSpatialStickLimit;
      return true;
    }
    return excess <= 0;
  }

  void from_rest(bool at_start) {
    if (sticks()) {
      if (!stick_.determined && value_of(c_.mu_s) > 0) result_.ties |= kSpatialUndetermined;
      if (!at_start) observer_.event(ImpactEventKind::sticks, at_);
      return straight(SlipState::stick, -stick_.m1, -stick_.m2, T(0), T(0), stick_.k, T(kNever));
    }
    const Departure<T> d = departure(c_.A11, c_.A12, c_.A22, c_.b1, c_.b2, c_.mu_d);
    if (!at_start) observer_.event(ImpactEventKind::slip_reverses, at_);
    const T k = c_.c - c_.mu_d * (c_.b1 * d.u1 + c_.b2 * d.u2);
    straight(at_start ? SlipState::slip : SlipState::reverse, -c_.mu_d * d.u1, -c_.mu_d * d.u2, d.gamma * d.u1, d.gamma * d.u2, k, T(kNever));
  }

  // Is a rate of slip only rounding? With a singular G slip can freeze.
  bool nothing(const T& rate) const {
    const double size = std::abs(value_of(c_.b1)) + std::abs(value_of(c_.b2)) + value_of(c_.mu_d) * (value_of(c_.A11) + value_of(c_.A22));
    return std::abs(value_of(rate)) <= options_.rank_tolerance * size;
  }

  // Slip keeps the direction û, slowing down or speeding up.
  void along(const T& u1, const T& u2, const T& speed) {
    const T r1 = c_.b1 - c_.mu_d * (c_.A11 * u1 + c_.A12 * u2), r2 = c_.b2 - c_.mu_d * (c_.A12 * u1 + c_.A22 * u2);
    T g = r1 * u1 + r2 * u2, k = c_.c - c_.mu_d * (c_.b1 * u1 + c_.b2 * u2);
    if (nothing(g)) g = T(0);
    if (std::abs(value_of(k)) <= options_.rank_tolerance * value_of(c_.c)) k = T(0);
    const T to_stop = value_of(g) < 0 ? -speed / g : T(kNever);
    straight(SlipState::slip, -c_.mu_d * u1, -c_.mu_d * u2, g * u1, g * u2, k, to_stop);
  }

  // ---- slip -------------------------------------------------------------------------------------------------------------

  void slide() {
    u1_ = c_.v1 / speed_, u2_ = c_.v2 / speed_;
    const T h0 = turning_rate(c_.A11, c_.A12, c_.A22, c_.b1, c_.b2, c_.v1, c_.v2, c_.mu_d);
    const double size = std::abs(value_of(c_.b1)) + std::abs(value_of(c_.b2)) + 2 * value_of(c_.mu_d) * (value_of(c_.A11) + value_of(c_.A22));
    if (std::abs(value_of(h0)) <= 2 * std::numeric_limits<double>::epsilon() * size) {
      if (result_.holds) result_.ties |= kSpatialOnIsocline;
      return along(u1_, u2_, speed_);
    }
    if (value_of(c_.mu_d) == 0) return straight(SlipState::slip, T(0), T(0), c_.b1, c_.b2, c_.c, T(kNever));
    flow_.A11 = u1_ * (c_.A11 * u1_ + c_.A12 * u2_) + u2_ * (c_.A12 * u1_ + c_.A22 * u2_);
    flow_.A12 = u1_ * (c_.A12 * u1_ + c_.A22 * u2_) - u2_ * (c_.A11 * u1_ + c_.A12 * u2_);
    flow_.A22 = u2_ * (c_.A11 * u2_ - c_.A12 * u1_) - u1_ * (c_.A12 * u2_ - c_.A22 * u1_);
    flow_.b1 = c_.b1 * u1_ + c_.b2 * u2_, flow_.b2 = c_.b2 * u1_ - c_.b1 * u2_;
    flow_.c = c_.c, flow_.mu = c_.mu_d;
    flow_.prepare(h0);
    const double side = value_of(h0) > 0 ? 1 : -1;
    const Arc arc = surrounding_arc(value_of(flow_.A11), value_of(flow_.A12), value_of(flow_.A22), value_of(flow_.b1),
                                    value_of(flow_.b2), value_of(c_.mu_d), side);
    const HalfAngle<T> to = refine_root(flow_.h, arc.to, side), from = refine_root(flow_.h, arc.from, -side);
    if (value_of(to.X * from.Y - from.X * to.Y) * side <= 0) return along(u1_, u2_, speed_);  // on an isocline but for rounding
    state_ = value_of(flow_.k[0]) <= 0 ? SlipState::jam : SlipState::slip;
    turn(to, from);
  }

  // Follows slip from the repelling isocline's neighbourhood to the attracting one, panel by panel.
  void turn(const HalfAngle<T>& to, const HalfAngle<T>& from) {
    const Chart<T> chart(to, from);
    T x(1), s = speed_;
    // A start nearer to the repelling isocline than to all else has |tan ψ/2| of it below 1/√63.
    const bool near = 63 * value_of(from.X) * value_of(from.X) < value_of(from.Y) * value_of(from.Y);
    if (near && leave(Chart<T>(from, to), x, s)) return;
    Panel<T>& last = panels_[1];
    last.centre(flow_, chart, T(0));
    const bool stops = value_of(last.exponent()) > 0 && !nothing(last.growth());
    const double reach = kReach * last.radius();
    const auto walls = last.singularities();
    while (result_.panels < kMaxPanels) {
      if (value_of(x) <= reach * (1 + 1e-12) && last.expand(x, s, T(1))) return arrive(last, stops, chart);
      Panel<T>& panel = panels_[0];
      if (!expand_from(panel, chart, walls, x, s)) break;
      enter();
      if (pass(panel, -1, 1, T(1))) return;
      x = panel.x(T(1)), s = panel.speed(T(1));
      if (close(s, stops)) return;
    }
    result_.converged = false;
    finish();
  }

  // A regular panel that begins at x: its centre lies below x by kReach of the centre's distance to the nearest singularity.
  bool expand_from(Panel<T>& panel, const Chart<T>& chart, const typename Panel<T>::Singularities& walls, const T& x, const T& s) {
    const double from = value_of(x);
    double half = kReach / (1 + kReach) * walls.distance(from);
    for (int i = 0; i < 3; ++i) half = kReach * walls.distance(from - half);
    for (int tries = 0; tries < 80; ++tries) {
      panel.centre(flow_, chart, x - T(half));
      if (half > 1.05 * kReach * panel.radius()) half = kReach * panel.radius();
      else if (panel.expand(T(-half), s, T(-1))) return true;
      else half *= 0.5;
    }
    return false;
  }

  // Has slip all but stopped? (Where an attracting isocline leads to zero the rest is below rounding.)
  bool close(const T& s, bool stops) {
    const double ratio = value_of(s) / value_of(speed_);
    if (!(stops ? ratio < 1e-19 : ratio < 1e-250) && !(value_of(s) <= options_.zero_slip)) {
      if (!stops) result_.closest = std::min(result_.closest, ratio);
      return false;
    }
    if (!stops) result_.closest = std::min(result_.closest, ratio);
    at_.v1 = at_.v2 = T(0);
    slip_stops();
    return true;
  }

  // Outward from the repelling isocline in one panel, when the start is near it. True: the impact is over.
  bool leave(const Chart<T>& chart, T& x, T& s) {
    Panel<T>& panel = panels_[0];
    panel.centre(flow_, chart, T(0));
    for (double end = kReach * panel.radius(); end > 4; end *= 0.5) {
      if (!panel.expand(T(end), s, T(1 / end))) continue;
      enter();
      const T z(panel.natural(1));
      if (pass(panel, 1 / end, 1, z)) return true;
      x = T(1) / panel.x(z), s = panel.speed(z);
      return close(s, false);
    }
    return false;
  }

  // Inward to the attracting isocline: slip stops there (finite impulse), or follows it for ever.
  void arrive(Panel<T>& panel, bool stops, const Chart<T>& chart) {
    enter();
    if (stops) {
      if (pass(panel, 1, 0, panel.stop())) return;
      at_.v1 = at_.v2 = T(0);
      return slip_stops();
    }
    const double c = value_of(panel.exponent()), most = c < 0 ? std::min(100.0, -4 / c) : 100.0;
    double begin = 1, fall = 2;  // of ln θ; slip grows by no more than e⁴ in a piece
    for (int i = 0; i < kMostPieces && begin > 1e-250; ++i) {
      fall = std::min(2 * fall, most);
      const double end = begin * std::exp(-fall);
      if (pass(panel, begin, end, T(panel.natural(end)))) return;
      begin = end;
    }
    const HalfAngle<T> u = chart.at(T(0));  // indistinguishable from the isocline
    const T d = u.X * u.X + u.Y * u.Y, cosine = (u.Y * u.Y - u.X * u.X) / d, sine = T(2) * u.X * u.Y / d;
    along(u1_ * cosine - u2_ * sine, u2_ * cosine + u1_ * sine, panel.speed(T(panel.natural(begin))));
  }

  // ---- along a panel ----------------------------------------------------------------------------------------------------

  // Begins a panel.
  void enter() {
    base_ = at_, base_friction_ = result_.friction_work;
    ++result_.panels;
  }

  // Moves from θ = from to θ = to, which is z = last; in each piece between turning points v_n is monotone. True: it is over.
  bool pass(Panel<T>& panel, double from, double to, const T& last) {
    double turning[2];
    const int n = panel.turning_points(std::min(from, to), std::max(from, to), turning);
    if (n == 2 && to < from) std::swap(turning[0], turning[1]);
    double begin = panel.natural(from);
    for (int i = 0; i <= n; ++i) {
      const T end = i < n ? T(turning[i]) : last;
      if (piece(panel, begin, end)) return true;
      begin = value_of(end);
    }
    return done_;
  }

  bool piece(Panel<T>& panel, double begin, const T& end) {
    const Mark far = mark(panel, end);
    for (int events = 0; !done_; ++events) {
      if (events > kMostEvents) {  // v_n is monotone here: more can only be broken arithmetic
        result_.converged = false;
        finish();
        return true;
      }
      const bool restitution = phases_.phase() == Phase::restitution;
      if (!restitution && value_of(far.at.v_n) < 0) break;
      if (restitution && value_of(far.at.v_n) >= 0) {
        if (value_of(excess(far)) < 0) break;
        go(panel, begin, locate(panel, begin, far, false));
        finish();
        return true;
      }
      const Mark zero = locate(panel, begin, far, true);
      if (restitution && value_of(excess(zero)) >= 0) {
        go(panel, begin, locate(panel, begin, zero, false));
        finish();
        return true;
      }
      go(panel, begin, zero);
      begin = value_of(zero.z);
      if (restitution) compression_resumes();
      else compression_ends();
    }
    if (done_) return true;
    go(panel, begin, far);
    return false;
  }

  // A place on the panel and the state there; slip velocity from the sums.
  struct Mark {
    T z;
    SpatialPoint<T> at;
    T friction;  // friction work since the panel's beginning
  };
  T excess(const Mark& m) const { return phases_.excess(m.at.p_n, m.at.v_n, m.at.work); }

  Mark mark(const Panel<T>& panel, const T& z) const {
    const SlipSums<T> d = panel.sums(z);
    const T f1 = -c_.mu_d * (u1_ * d.C - u2_ * d.S), f2 = -c_.mu_d * (u2_ * d.C + u1_ * d.S);
    Mark m{z, base_, -c_.mu_d * d.F};
    SpatialPoint<T>& q = m.at;
    const T dv1 = c_.A11 * f1 + c_.A12 * f2 + c_.b1 * d.p, dv2 = c_.A12 * f1 + c_.A22 * f2 + c_.b2 * d.p;
    const T dvn = c_.c * d.p + c_.b1 * f1 + c_.b2 * f2, half(0.5);
    q.p_n += d.p, q.p1 += f1, q.p2 += f2;
    q.v1 += dv1, q.v2 += dv2, q.v_n += dvn;
    q.work += d.p * (base_.v_n + half * dvn) + (f1 * (base_.v1 + half * dv1) + f2 * (base_.v2 + half * dv2) - m.friction);
    return m;
  }

  // Moves to a mark; slip itself comes from the hodograph, not from the sums.
  void go(const Panel<T>& panel, double begin, const Mark& m) {
    if constexpr (Observer::watches) {
      const double step = (value_of(m.z) - begin) / kSamples;
      for (int i = 1; i < kSamples; ++i) observer_.path(with_slip(panel, mark(panel, T(begin + i * step))));
    }
    at_ = with_slip(panel, m);
    result_.friction_work = base_friction_ + m.friction;
  }
  SpatialPoint<T> with_slip(const Panel<T>& panel, const Mark& m) const {
    SpatialPoint<T> q = m.at;
    const auto [cosine, sine] = panel.direction(m.z);
    const T s = panel.speed(m.z);
    q.v1 = s * (u1_ * cosine - u2_ * sine), q.v2 = s * (u2_ * cosine + u1_ * sine);
    return q;
  }

  // d/dz of v_n (`zero`) or of the excess over the end of restitution.
  double rate(const Panel<T>& panel, const T& z, const T& v_n, bool zero) const {
    const auto [cosine, sine] = panel.direction(z);
    const T k = flow_.c - flow_.mu * (flow_.b1 * cosine + flow_.b2 * sine);
    return value_of(zero ? k : phases_.excess_slope(v_n, k)) * value_of(panel.slope(z));
  }

  // Where v_n (`zero`) or the excess passes zero between z = begin, where the impact stands, and `far`: Newton inside a bracket,
  // from the root of the parabola through both ends with the slope of the first.
  Mark locate(const Panel<T>& panel, double begin, const Mark& far, bool zero) const {
    const auto value = [&](const SpatialPoint<T>& q) { return zero ? q.v_n : phases_.excess(q.p_n, q.v_n, q.work); };
    const double end = value_of(far.z), fa = value_of(value(at_)), fb = value_of(value(far.at)), length = end - begin;
    const double sign = fb >= fa ? 1 : -1, slope = rate(panel, T(begin), at_.v_n, zero) * length, bend = fb - fa - slope;
    const double disc = slope * slope - 4 * bend * fa;
    double share = disc >= 0 ? 2 * std::abs(fa) / (std::abs(slope) + std::sqrt(disc)) : 0.5;
    if (!(share >= 0 && share <= 1)) share = 0.5;
    double low = begin, high = end;
    Mark m = mark(panel, T(begin + share * length));
    for (int i = 0; i < 100; ++i) {
      const double z = value_of(m.z);
      const T f = value(m.at);
      (value_of(f) * sign > 0 ? high : low) = z;
      T next = m.z - f / T(rate(panel, m.z, m.at.v_n, zero));
      const double newton = value_of(next);
      const bool inside = newton >= std::min(low, high) && newton <= std::max(low, high);
      if (!inside) next = T(0.5 * (low + high));
      const double moved = std::abs(value_of(next) - z);
      m = mark(panel, next);
      // The error that Newton's step leaves is moved²/(distance to where the slope vanishes), which is no nearer than the ends.
      const double room = std::min(std::abs(value_of(next) - begin), std::abs(value_of(next) - end));
      if (moved <= 2e-16 * std::abs(value_of(next)) || (inside && moved <= 1e-9 * room)) break;
    }
    return m;
  }

  static constexpr int kSamples = 12;  // points recorded per piece

  SpatialContact<T> c_;
  SpatialOptions options_;
  Observer& observer_;
  ImpactPhases<T> phases_;
  StickSlope<T> stick_;
  double pull_ = 0;  // |A⁺b|
  SpatialPoint<T> at_, base_, segment_from_;
  SlipState state_ = SlipState::slip;
  T speed_, u1_, u2_, base_friction_{0};
  SlipFlow<T> flow_;
  Panel<T> panels_[2];
  bool done_ = false;
  SpatialResult<T> result_;
};

// Resolves one spatial impact. `contact` must be admissible (impact/problem.hpp) and approach, v_n < 0.
template <class T, class Observer>
SpatialResult<T> routh_spatial(const SpatialContact<T>& contact, Restitution hypothesis, const SpatialOptions& options, Observer& observer) {
  return SpatialRouth<T, Observer>(contact, hypothesis, options, observer).run();
}
template <class T>
SpatialResult<T> routh_spatial(const SpatialContact<T>& contact, Restitution hypothesis, const SpatialOptions& options = {}) {
  NoSpatialObserver nobody;
  return routh_spatial(contact, hypothesis, options, nobody);
}

}  // namespace carom::laws
