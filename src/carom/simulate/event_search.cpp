#include "carom/simulate/event_search.hpp"

#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>

#include "carom/simulate/contact_kinematics.hpp"

namespace carom {
namespace {

constexpr int kSubsteps = 32;         // samples per step that are taken even where gaps are small
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

void EventSearch::look(double t, const FlowVector& x, double range, std::vector<Seen>& seen) {
  flow_.place(x);
  flow_.scan().near(flow_.data(), flow_.state().q, t, range, near_);
  seen.clear();
  for (const LiveContact& c : near_)
    if (!is_held(flow_.held(), c.id)) seen.push_back({c.id, c.gap.distance, gap_rate(scene_, flow_.data(), t, c)});
}

std::optional<EventSearch::Seen> EventSearch::look_at(double t, const FlowVector& x, const ContactId& id) {
  flow_.place(x);
  flow_.scan().of_pairs(flow_.data(), flow_.state().q, t, 1e300, {&id, 1}, near_);
  for (const LiveContact& c : near_)
    if (c.id == id) return Seen{id, c.gap.distance, gap_rate(scene_, flow_.data(), t, c)};
  return std::nullopt;
}

// The time in [low, high] at which the rate of a gap changes sign.
double EventSearch::turning_point(const StepView& step, const ContactId& id, double low, double high) {
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

// A closing between two samples: a gap that became negative, or one that dipped below zero and came back.
std::vector<EventSearch::Bracket> EventSearch::between(const StepView& step, double s0, const std::vector<Seen>& before, double s1, const std::vector<Seen>& after) {
  std::vector<Bracket> found;
  const auto take = [&](double low, double high, const ContactId& id) { found.push_back({low, high, Trigger::closing, id}); };
  for (const Seen& now : after) {
    const Seen* then = find(before, now.id);
    const bool closed = (now.gap < 0 && now.rate < -options_.rest_speed) || now.gap < -options_.gap_tolerance;
    if (closed) {
      // It left its partner and came back within the interval: it closes after its highest point.
      const bool came_back = then != nullptr && then->rate > 0 && then->gap <= options_.gap_tolerance;
      take(came_back ? turning_point(step, now.id, s0, s1) : s0, s1, now.id);
    } else if (then != nullptr && then->rate < -options_.rest_speed && now.rate > 0 && then->gap > 0 && now.gap >= 0) {
      if (then->gap > -then->rate * (s1 - s0)) continue;  // cannot have reached zero
      const double lowest = turning_point(step, now.id, s0, s1);
      step.dense(lowest, x_);
      const std::optional<Seen> there = look_at(lowest, x_, now.id);
      if (there && there->gap < 0) take(s0, lowest, now.id);
    }
  }
  return found;
}

std::vector<EventSearch::Bracket> EventSearch::closings(const StepView& step) {
  const double h = step.t1 - step.t0;
  step.dense(step.t1, x_);
  flow_.place(x_);
  double speed = flow_.scan().speed_bound(flow_.data(), step.t1);
  step.dense(step.t0, x_);
  flow_.place(x_);
  speed = 1.5 * std::max(speed, flow_.scan().speed_bound(flow_.data(), step.t0)) + 1e-12;
  std::vector<Seen> before, after;
  double s = step.t0;
  look(s, x_, speed * h, before);
  while (s < step.t1 && !before.empty()) {
    double smallest = speed * h;
    for (const Seen& c : before) smallest = std::min(smallest, std::max(c.gap, 0.0));
    const double next = std::min(step.t1, s + std::max(smallest / speed, h / kSubsteps));
    step.dense(next, x_);
    look(next, x_, speed * (step.t1 - next), after);
    // What was near may have moved out of the shrinking range; what counts is what is near zero.
    if (auto found = between(step, s, before, next, after); !found.empty()) return found;
    for (const Seen& c : after) worst_gap_ = std::min(worst_gap_, c.gap);
    before.swap(after);
    s = next;
  }
  return {};
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
  if (!found.solved) return false;
  for (std::size_t k = 0; k < modes.size(); ++k)
    if (found.mode[k] != modes[k].mode) return false;
  return true;
}

std::vector<EventSearch::Bracket> EventSearch::mode_ends(const StepView& step) {
  if (flow_.held().empty()) return {};
  constexpr int kSamples = 8;
  double before = step.t0;
  for (int i = 1; i <= kSamples; ++i) {
    const double s = i == kSamples ? step.t1 : step.t0 + (step.t1 - step.t0) * i / kSamples;
    step.dense(s, x_);
    flow_(x_, dxdt_, s);
    if (flow_.lost()) return {{before, s, Trigger::lost, {}}};
    std::vector<Bracket> ended;
    bool doubt = false;
    for (std::size_t k = 0; k < flow_.live().size(); ++k) {
      const ContactId& id = flow_.live()[k].id;
      const bool slips = std::any_of(flow_.held().begin(), flow_.held().end(), [&](const HeldContact& h) { return h.id == id && h.mode == ContactMode::slip; });
      for (const Trigger trigger : {Trigger::lift_off, slips ? Trigger::slip_stops : Trigger::stick_breaks}) {
        if (mode_margin(k, trigger) >= -slack(trigger)) continue;
        if (trigger != Trigger::slip_stops && flow_.redundant(k)) doubt = true;
        else ended.push_back({before, s, trigger, id});
      }
    }
    if (doubt && ended.empty() && !still_held(s, x_)) ended.push_back({before, s, Trigger::redundant, {}});
    if (!ended.empty()) return ended;
    before = s;
  }
  return {};
}

double EventSearch::margin(const StepView& step, const Bracket& bracket, double t, bool exact) {
  (exact ? step.exact : step.dense)(t, x_);
  if (bracket.trigger == Trigger::closing) {
    const std::optional<Seen> seen = look_at(t, x_, bracket.contact);
    return seen ? seen->gap : 1;
  }
  if (bracket.trigger == Trigger::redundant) return still_held(t, x_) ? 1 : -1;
  flow_(x_, dxdt_, t);
  if (bracket.trigger == Trigger::lost) return flow_.lost() ? -1 : 1;
  for (std::size_t k = 0; k < flow_.live().size(); ++k)
    if (flow_.live()[k].id == bracket.contact) return mode_margin(k, bracket.trigger) + (bracket.trigger == Trigger::slip_stops ? 0 : slack(bracket.trigger));
  return -1;
}

double EventSearch::locate(const StepView& step, const Bracket& bracket) {
  double low = bracket.low, high = bracket.high;
  double f_low = margin(step, bracket, low, true), f_high = margin(step, bracket, high, true);
  if (f_high >= 0) return high;
  if (f_low <= 0) return low;
  std::uintmax_t iterations = 100;
  const double tolerance = options_.time_tolerance;
  const auto close = [&](double a, double b) { return std::abs(b - a) <= tolerance * 1e-3 || std::abs(b - a) <= 4e-16 * std::abs(b); };
  const auto root = boost::math::tools::toms748_solve([&](double t) { return margin(step, bracket, t, true); }, low, high, f_low, f_high, close, iterations);
  return root.second;
}

std::optional<FoundEvent> EventSearch::first(const StepView& step) {
  std::optional<FoundEvent> found;
  for (const std::vector<Bracket>& brackets : {closings(step), mode_ends(step)})
    for (const Bracket& bracket : brackets) {
      const double t = locate(step, bracket);
      if (!found || t < found->time) found = FoundEvent{t, bracket.trigger, bracket.contact};
    }
  return found;
}

}  // namespace carom
