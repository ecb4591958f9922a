#include "carom/simulate/event_search.hpp"

#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cassert>
#include <cmath>

#include "carom/simulate/contact_kinematics.hpp"

namespace carom {
namespace {

constexpr int kSubsteps = 32;         // looks per step at most: parts of it
constexpr int kFewest = 4;            // looks per step at least where only a gap's rate tells that it stays open
constexpr double kSafety = 1.5;       // over the speeds at the step's ends
constexpr double kFine = 1e-3;        // of the time tolerance: how well roots are located
constexpr double kGapRounding = 1e-16;  // [m]; a gap this small is zero
constexpr double kBeside = 1e-3;      // part of the bracket over which the dense output tells the slope
constexpr int kSecants = 6;
constexpr int kTakeovers = 8;          // of features by features before a closing
constexpr double kForceSlack = 1e-10;  // part of the greatest force that a margin may be negative by

bool is_held(const std::vector<HeldContact>& held, const ContactId& id) {
  return std::any_of(held.begin(), held.end(), [&](const HeldContact& h) { return h.id == id; });
}

template <class Seen>
const Seen* find(const std::vector<Seen>& seen, const ContactId& id) {
  for (const Seen& s : seen)
    if (s.id == id) return &s;
  return nullptr;
}

}  // namespace

// One pair; poses and velocities stand at t.
void EventSearch::look(double t, Followed& pair, double range, std::vector<Seen>& seen) {
  flow_.scan().of_pairs(flow_.data(), flow_.state().q, t, range, {&pair.pair, 1}, near_);
  seen.clear();
  pair.held = false;
  for (const LiveContact& c : near_)
    if (is_held(flow_.held(), c.id)) pair.held = true;
    else seen.push_back({c.id, c.gap.distance, gap_rate(scene_, flow_.data(), t, c)});
}

std::optional<EventSearch::Seen> EventSearch::look_at(double t, const FlowVector& x, const ContactId& id) {
  flow_.place(x);
  flow_.scan().of_pairs(flow_.data(), flow_.state().q, t, 1e300, {&id, 1}, near_);
  for (const LiveContact& c : near_)
    if (c.id == id) return Seen{id, c.gap.distance, gap_rate(scene_, flow_.data(), t, c)};
  return std::nullopt;
}

// The time in [low, high] at which the rate of a gap changes sign.
double EventSearch::turning_point(DenseStep& step, const ContactId& id, double low, double high) {
  step.dense(low, x_);
  const std::optional<Seen> at_low = look_at(low, x_, id);
  const bool rising = at_low && at_low->rate > 0;
  for (int i = 0; i < 60 && high - low > options_.time_tolerance; ++i) {
    const double middle = (low + high) / 2;
    step.dense(middle, x_);
    const std::optional<Seen> seen = look_at(middle, x_, id);
    if (!seen) return high;
    ((seen->rate > 0) == rising ? low : high) = middle;
  }
  return rising ? low : high;
}

// A closing between two looks: a gap that became negative, or one that dipped below zero and came back.
void EventSearch::between(DenseStep& step, const Followed& pair, double now, const std::vector<Seen>& after) {
  const auto take = [&](double low, double high, const ContactId& id) { brackets_.push_back({low, high, Trigger::closing, id}); };
  for (const Seen& seen : after) {
    const Seen* then = find(pair.seen, seen.id);
    const bool closed = (seen.gap < 0 && seen.rate < -options_.rest_speed) || seen.gap < -options_.gap_tolerance;
    if (closed) {
      // It left its partner and came back within the interval: it closes after its highest point.
      const bool came_back = then != nullptr && then->rate > 0 && then->gap <= options_.gap_tolerance;
      take(came_back ? turning_point(step, seen.id, pair.last, now) : pair.last, now, seen.id);
    } else if (then != nullptr && then->rate < -options_.rest_speed && seen.rate > 0 && then->gap > 0 && seen.gap >= 0) {
      if (then->gap > -then->rate * (now - pair.last)) continue;  // cannot have reached zero
      const double lowest = turning_point(step, seen.id, pair.last, now);
      step.dense(lowest, x_);
      const std::optional<Seen> there = look_at(lowest, x_, seen.id);
      if (there && there->gap < 0) take(pair.last, lowest, seen.id);
    }
  }
}

EventSearch::Followed& EventSearch::followed(const ContactId& pair, double speed, double acceleration) {
  if (followed_count_ == followed_.size()) followed_.emplace_back();
  Followed& f = followed_[followed_count_++];
  f.pair = pair, f.speed = kSafety * speed + 1e-12, f.acceleration = 2 * acceleration + 1e-12;
  return f;
}

// The pairs that may touch within the step, with bounds for their gaps from the motions at its ends.
void EventSearch::follow(DenseStep& step) {
  ContactScan& scan = flow_.scan();
  const double h = step.t1() - step.t0();
  const std::size_t n = scene_.colliders.size();
  motion_.resize(2 * n), margin_.resize(n);
  followed_count_ = 0;
  flow_.place(step.x1());
  for (std::size_t c = 0; c < n; ++c) motion_[n + c] = scan.motion(flow_.data(), step.t1(), static_cast<int>(c));
  step.dense(step.t0(), x_);
  flow_.place(x_);
  for (std::size_t c = 0; c < n; ++c) {
    motion_[c] = scan.motion(flow_.data(), step.t0(), static_cast<int>(c));
    double speed = 0;
    for (const Motion& m : {motion_[c], motion_[n + c]}) speed = std::max(speed, m.linear.norm() + m.angular.norm() * scan.reach_of(static_cast<int>(c)));
    margin_[c] = (kSafety * speed + 1e-12) * h;
  }
  const int nq = scene_.model.nq();
  for (std::size_t l = 0; l < scene_.limits.size(); ++l) {
    const auto u = static_cast<std::size_t>(nq + scene_.limits[l].freedom);
    followed({ContactId::kLimit, static_cast<int>(l), 0}, std::max(std::abs(x_[u]), std::abs(step.x1()[u])), std::abs(step.x1()[u] - x_[u]) / h);
  }
  const auto rests = [&](const Collider& c) { return c.body == kGround ? !c.drive : flow_.asleep(c.body); };
  for (const auto& [a, b] : scan.pairs_within(flow_.data(), step.t0(), margin_)) {
    double speed = 0, turning = 0, acceleration = 0;
    for (const std::size_t at : {std::size_t{0}, n}) {
      const Motion &A = motion_[at + static_cast<std::size_t>(a)], &B = motion_[at + static_cast<std::size_t>(b)];
      const double spin_a = A.angular.norm(), spin_b = B.angular.norm();
      speed = std::max(speed, (A.linear - B.linear).norm() + spin_a * scan.reach_of(a) + spin_b * scan.reach_of(b));
      turning = std::max(turning, spin_a + spin_b);
      acceleration = std::max(acceleration, spin_a * spin_a * scan.reach_of(a) + spin_b * spin_b * scan.reach_of(b));
    }
    const auto ia = static_cast<std::size_t>(a), ib = static_cast<std::size_t>(b);
    if (rests(scene_.colliders[ia]) && rests(scene_.colliders[ib])) continue;
    const Eigen::Vector3d change = motion_[n + ia].linear - motion_[ia].linear - motion_[n + ib].linear + motion_[ib].linear;
    const double turns = (motion_[n + ia].angular - motion_[ia].angular).norm() * scan.reach_of(a) + (motion_[n + ib].angular - motion_[ib].angular).norm() * scan.reach_of(b);
    acceleration += (change.norm() + turns) / h + 2 * turning * speed;
    followed({a, b, 0}, speed, acceleration);
  }
}

// When a pair that has been looked at in `part` must be looked at again.
void EventSearch::plan(const DenseStep& step, Followed& pair, int part) const {
  const double h = step.t1() - step.t0();
  // Beside a held feature another of the pair may come to touch without having been far.
  double safe = pair.held ? h / kFewest : h;
  for (const Seen& s : pair.seen) {
    const double gap = std::max(s.gap, 0.0), reaches = gap / pair.speed;
    const double falls = (s.rate + std::sqrt(s.rate * s.rate + 2 * pair.acceleration * gap)) / pair.acceleration;
    safe = std::min(safe, std::max(reaches, std::min(falls, h / kFewest)));
  }
  pair.next = std::min(kSubsteps, part + std::max(1, static_cast<int>(safe / h * kSubsteps)));
}

void EventSearch::closings(DenseStep& step) {
  const double h = step.t1() - step.t0();
  follow(step);
  for (std::size_t k = 0; k < followed_count_; ++k) {
    Followed& pair = followed_[k];
    look(step.t0(), pair, pair.speed * h, pair.seen);
    pair.last = step.t0();
    if (pair.seen.empty() && !pair.held) pair.next = kSubsteps + 1;
    else plan(step, pair, 0);
  }
  for (;;) {
    int part = kSubsteps + 1;
    for (std::size_t k = 0; k < followed_count_; ++k) part = std::min(part, followed_[k].next);
    if (part > kSubsteps) return;
    const double now = part == kSubsteps ? step.t1() : step.t0() + h * part / kSubsteps;
    step.dense(now, x_);
    flow_.place(x_);
    for (std::size_t k = 0; k < followed_count_; ++k) {
      Followed& pair = followed_[k];
      if (pair.next != part) continue;
      look(now, pair, pair.speed * (step.t1() - now), after_);
      const std::size_t before = brackets_.size();
      between(step, pair, now, after_);
      if (brackets_.size() > before) {  // others of this moment are looked at too: any of them may be first
        step.dense(now, x_);
        flow_.place(x_);
        continue;
      }
      for (const Seen& s : after_) worst_gap_ = std::min(worst_gap_, s.gap);
      pair.seen.swap(after_);
      pair.last = now;
      if ((pair.seen.empty() && !pair.held) || part == kSubsteps) pair.next = kSubsteps + 1;
      else plan(step, pair, part);
    }
    if (!brackets_.empty()) return;
  }
}

// How far a held contact is from the end of its mode, after an evaluation of the flow; negative: beyond.
double EventSearch::mode_margin(std::size_t k, Trigger trigger) const {
  const int d = scene_.model.dimension();
  const Eigen::Index first = static_cast<Eigen::Index>(k) * d;
  const LiveContact& c = flow_.live()[k];
  const auto force = flow_.force().segment(first, d);
  if (trigger == Trigger::lift_off) return force[d - 1];
  if (trigger == Trigger::stick_breaks) return c.material->mu_s * force[d - 1] - force.head(d - 1).norm();
  const HeldContact* held = nullptr;
  for (const HeldContact& h : flow_.held())
    if (h.id == c.id) held = &h;
  assert(held != nullptr);
  const Eigen::Matrix3d& frame = flow_.rows().frame[k];
  double along = frame.col(0).dot(held->direction) * flow_.rows().v[first];
  if (d == 3) along += frame.col(1).dot(held->direction) * flow_.rows().v[first + 1];
  return along;
}

// By how much a margin may be negative: rounding.
double EventSearch::slack(Trigger trigger) const {
  return trigger == Trigger::slip_stops ? options_.rest_speed : kForceSlack * flow_.force().cwiseAbs().maxCoeff();
}

// Does the complementarity problem of the held contacts keep them all, sticking ones sticking?
bool EventSearch::still_held(double t, const FlowVector& x) {
  flow_(x, dxdt_, t);
  held_ = flow_.live();
  std::vector<ModeContact> modes = flow_.modes();
  flow_.contact_dynamics(x, t, held_, dynamics_);
  const TouchingForces found = touching_forces(dynamics_.G, dynamics_.a0, scene_.model.dimension(), modes);
  if (!found.solved()) return false;
  for (std::size_t k = 0; k < modes.size(); ++k)
    if (found.mode[k] != modes[k].mode) return false;
  return true;
}

void EventSearch::mode_ends(DenseStep& step) {
  if (flow_.held().empty()) return;
  constexpr int kSamples = 4;
  double before = step.t0();
  const std::size_t none = brackets_.size();
  for (int i = 1; i <= kSamples; ++i) {
    const double s = i == kSamples ? step.t1() : step.t0() + (step.t1() - step.t0()) * i / kSamples;
    step.dense(s, x_);
    flow_(x_, dxdt_, s);
    if (flow_.lost()) return brackets_.push_back({before, s, Trigger::lost, {}});
    bool doubt = false;
    for (std::size_t k = 0; k < flow_.live().size(); ++k) {
      const ContactId& id = flow_.live()[k].id;
      const bool slips = flow_.modes()[k].mode == ContactMode::slip;
      for (const Trigger trigger : {Trigger::lift_off, slips ? Trigger::slip_stops : Trigger::stick_breaks}) {
        if (mode_margin(k, trigger) >= -slack(trigger)) continue;
        if (trigger != Trigger::slip_stops && flow_.redundant(k)) doubt = true;
        else brackets_.push_back({before, s, trigger, id});
      }
    }
    if (doubt && brackets_.size() == none && !still_held(s, x_)) brackets_.push_back({before, s, Trigger::redundant, {}});
    if (brackets_.size() > none) return;
    before = s;
  }
}

double EventSearch::margin(const Bracket& bracket, double t, const FlowVector& x) {
  if (bracket.trigger == Trigger::closing) {
    const std::optional<Seen> seen = look_at(t, x, bracket.contact);
    return seen ? seen->gap : 1;
  }
  if (bracket.trigger == Trigger::redundant) return still_held(t, x) ? 1 : -1;
  flow_(x, dxdt_, t);
  if (bracket.trigger == Trigger::lost) return flow_.lost() ? -1 : 1;
  for (std::size_t k = 0; k < flow_.live().size(); ++k)
    if (flow_.live()[k].id == bracket.contact) return mode_margin(k, bracket.trigger) + (bracket.trigger == Trigger::slip_stops ? 0 : slack(bracket.trigger));
  return -1;
}

namespace {

// The end of [low, high] beyond the sign change of f, which falls.
template <class Function>
double root(const Function& f, double low, double high, double tolerance) {
  const double f_low = f(low), f_high = f(high);
  if (f_high >= 0) return high;
  if (f_low <= 0) return low;
  std::uintmax_t iterations = 100;
  const auto close = [&](double a, double b) { return std::abs(b - a) <= tolerance || std::abs(b - a) <= 4e-16 * std::abs(b); };
  return boost::math::tools::toms748_solve(f, low, high, f_low, f_high, close, iterations).second;
}

}  // namespace

// On the dense output first, which is cheap, then on exact steps.
double EventSearch::locate(DenseStep& step, const Bracket& bracket) {
  const auto dense = [&](double t) { return step.dense(t, x_), margin(bracket, t, x_); };
  const bool smooth = bracket.trigger != Trigger::lost && bracket.trigger != Trigger::redundant;
  const double near = root(dense, bracket.low, bracket.high, (smooth ? 1 : kFine) * options_.time_tolerance);
  if (!smooth) return near;
  if (bracket.trigger == Trigger::closing) return refine_closing(step, bracket, near);
  if (near > bracket.low && near < bracket.high) return refine(step, bracket, near);
  const auto exact = [&](double t) { return step.exact(t, x_), margin(bracket, t, x_); };
  return root(exact, bracket.low, bracket.high, kFine * options_.time_tolerance);
}

// By secants; the first slope is that of the dense output.
double EventSearch::refine(DenseStep& step, const Bracket& bracket, double near) {
  const double fine = kFine * options_.time_tolerance;
  const auto exact = [&](double t) { return step.exact(t, x_), margin(bracket, t, x_); };
  const double beside = std::max(bracket.low, near - kBeside * (bracket.high - bracket.low));
  step.dense(near, x_);
  const double there = margin(bracket, near, x_);
  step.dense(beside, x_);
  double slope = (there - margin(bracket, beside, x_)) / (near - beside), t = near, f = exact(t);
  for (int k = 0; k < kSecants && slope < 0; ++k) {
    const double next = std::clamp(t - f / slope, bracket.low, bracket.high);
    if (std::abs(next - t) <= fine) return next;
    const double f_next = exact(next);
    if (std::abs(f_next) > 0.5 * std::abs(f)) break;  // no root that a line tells of
    slope = (f_next - f) / (next - t);
    t = next, f = f_next;
  }
  return root(exact, bracket.low, bracket.high, fine);
}

// By Newton's method: the rate of a gap is known.
double EventSearch::refine_closing(DenseStep& step, const Bracket& bracket, double near) {
  const double fine = kFine * options_.time_tolerance;
  double t = near;
  for (int k = 0; k < kSecants; ++k) {
    step.exact(t, x_);
    const std::optional<Seen> seen = look_at(t, x_, bracket.contact);
    if (!seen || seen->rate >= 0) break;
    const double next = std::clamp(t - seen->gap / seen->rate, bracket.low, bracket.high);
    if (std::abs(seen->gap) <= kGapRounding || std::abs(next - t) <= fine) return t;
    t = next;
  }
  const auto exact = [&](double at) { return step.exact(at, x_), margin(bracket, at, x_); };
  return root(exact, bracket.low, bracket.high, fine);
}

// A feature that appears closed has taken over from another of its pair, which closed before: that one's time.
double EventSearch::locate_first_of_pair(DenseStep& step, Bracket& bracket) {
  double t = locate(step, bracket);
  for (int k = 0; k < kTakeovers && bracket.trigger == Trigger::closing; ++k) {
    step.exact(t, x_);
    if (margin(bracket, t, x_) >= -options_.gap_tolerance) return t;
    const double before = t - kBeside * (t - bracket.low);  // far enough for dense output to agree
    step.exact(before, x_);
    flow_.place(x_);
    flow_.scan().of_pairs(flow_.data(), flow_.state().q, before, 0, {&bracket.contact, 1}, near_);
    const auto deepest = std::min_element(near_.begin(), near_.end(), [](const LiveContact& a, const LiveContact& b) { return a.gap.distance < b.gap.distance; });
    if (deepest == near_.end() || is_held(flow_.held(), deepest->id)) return t;
    bracket.high = before, bracket.contact = deepest->id;
    t = locate(step, bracket);
  }
  return t;
}

std::optional<FoundEvent> EventSearch::first(DenseStep& step, FlowVector& x) {
  std::optional<FoundEvent> found;
  brackets_.clear();
  closings(step);
  mode_ends(step);
  for (Bracket& bracket : brackets_) {
    const double t = locate_first_of_pair(step, bracket);
    if (!found || t < found->time) found = FoundEvent{t, bracket.trigger, bracket.contact};
  }
  if (found) step.exact(found->time, x);
  else x = step.x1();
  return found;
}

}  // namespace carom
