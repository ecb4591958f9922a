#include "carom/simulate/event_driven.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/dynamics/energy.hpp"
#include "carom/dynamics/kinematics.hpp"
#include "carom/simulate/bridge.hpp"
#include "carom/simulate/collision.hpp"
#include "carom/simulate/crowd.hpp"
#include "carom/simulate/event_search.hpp"
#include "carom/simulate/mode_changes.hpp"
#include "carom/simulate/similar_warnings.hpp"
#include "carom/simulate/smooth_flow.hpp"
#include "carom/simulate/zeno.hpp"

namespace carom {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr double kStopped = 1e-4;        // of the slip speed at the step's beginning: what is left of it when slip has stopped
constexpr double kOverlap = 1e3;         // times the gap tolerance: deeper is not touching but overlapping
constexpr int kJamsAtOneTime = 20;
constexpr double kIntervals = 3;         // between events: the step to try after one
constexpr int kManyAtOneTime = 8;
constexpr int kRests = 8;                // impact events of one collision after which slow contacts may be brought to rest
constexpr double kUnsound = 1e-8;        // of the energy: what a step may not make
constexpr int kEventsAtOneTime = 200;    // that many without time moving on is chatter

// What the event that ended the last step decides about a contact beforehand: rounding must not decide it.
struct Verdict {
  ContactId contact;
  Trigger trigger;
};

class EventDriven {
 public:
  EventDriven(const Scene& scene, Recorder& recorder)
      : scene_(scene), options_(scene.integrator.event), recorder_(recorder), flow_(scene), step_(flow_, options_), search_(scene, flow_), bounces_(options_), crowd_(scene) {
    summary_.events_by_kind.assign(static_cast<std::size_t>(EventKind::feature_change) + 1, 0);
  }

  RunSummary run() {
    x_ = flow_.pack(scene_.start, 0, 0);
    (void)flow_.stabilise(x_, 0);
    flow_.place(x_);
    start_energy_ = kinetic_energy(scene_.model, flow_.data()) + potential_energy(scene_.model, flow_.data());
    settle({});
    sample(0, x_);
    next_sample_ = scene_.sampling;
    while (t_ < scene_.duration && running_) {
      if (!recorder_.progress(t_)) stop(RunStatus::stopped, "stopped by the user");
      else step();
      crowd_.came_to(t_);
      if (running_ && t_ < scene_.duration && crowd_.crawls()) pass();
    }
    warn_of_moments();
    warnings_.tell(summary_.warnings);
    crowd_.tell(summary_.warnings);
    if (slips_cut_ > 0)
      summary_.warnings.push_back(fmt::format("{} times slip that turned as it stopped was stopped with up to {:.3g} m/s left (slip_resolution: {:.3g} m/s)", slips_cut_, most_cut_, options_.slip_resolution));
    summary_.end_time = t_;
    summary_.energy = energy_of(x_);
    summary_.smooth_drift = energy_scale_ > 0 ? worst_check_ / energy_scale_ : 0;
    summary_.worst_gap = std::min(summary_.worst_gap, search_.worst_gap());
    return summary_;
  }

 private:
  void warn_of_moments() {
    const auto resists = [](const Material& m) { return m.torsion > 0 || m.rolling > 0; };
    bool any = false;
    for (const Material& m : scene_.materials) any = any || resists(m);
    for (const MaterialPair& p : scene_.pairs) any = any || resists(p.together);
    if (any) summary_.warnings.emplace_back("friction against spinning and rolling is for time-stepping: torsion and rolling are taken as 0");
  }

  void stop(RunStatus status, std::string reason) {
    summary_.status = status, summary_.reason = std::move(reason);
    running_ = false;
  }

  // Time steps through what events do not resolve.
  void pass() {
    if (passing_) return void(again_ = true);  // from the settling after such a step
    passing_ = again_ = true;
    for (int taken = 0; running_ && t_ < scene_.duration && (again_ || taken < crowd_.in_a_row()); ++taken) {
      again_ = false;
      const double asked = std::min(crowd_.length(), std::min(scene_.duration, next_corner(scene_, t_)) - t_);
      const Bridge step = bridge(scene_, flow_, x_, t_, asked);
      if (step.length == 0) return stop(RunStatus::failed, fmt::format("no contact forces or impulses at t = {} s", t_));
      t_ += step.length;
      crowd_.passed(step.length);
      energy_of(x_);
      samples_until(t_, [&](double) -> const FlowVector& { return x_; });
      RunEvent event;
      event.kind = EventKind::accumulation;
      if (!step.contacts.empty()) event.contact = step.contacts.front();
      event.note = fmt::format("{} contacts: passed by a time step of {:.3g} s", step.contacts.size(), step.length);
      tell(std::move(event));
      settle({}, step.contacts);
      if (step.length < asked && !again_) break;  // something arrives that must be resolved
    }
    passing_ = false;
    crowd_.resume();
    at_one_time_ = jams_at_one_time_ = 0;
    if (running_ && t_ >= scene_.duration) sample(t_, x_);
  }

  EnergyState balance(const FlowVector& x) {
    flow_.place(x);
    EnergyState e;
    e.kinetic = kinetic_energy(scene_.model, flow_.data());
    e.potential = potential_energy(scene_.model, flow_.data());
    e.forces = flow_.work_forces(x), e.contacts = flow_.work_contacts(x), e.impacts = impact_work_;
    e.check = e.kinetic + e.potential - start_energy_ - e.forces - e.contacts - e.impacts;
    return e;
  }

  // The same, counted in the run's drift.
  EnergyState energy_of(const FlowVector& x) {
    const EnergyState e = balance(x);
    energy_scale_ = std::max({energy_scale_, e.kinetic, std::abs(e.potential), std::abs(e.forces), std::abs(e.contacts)});
    worst_check_ = std::max(worst_check_, std::abs(e.check));
    return e;
  }

  void sample(double t, const FlowVector& x) {
    Sample s;
    s.time = t;
    s.energy = energy_of(x);
    s.q = flow_.state().q, s.u = flow_.state().u;
    s.poses = flow_.data().pose;
    recorder_.sample(s);
  }

  // Those that are due; `state` tells x at a time.
  template <class State>
  void samples_until(double t, const State& state) {
    for (; next_sample_ <= t && next_sample_ < scene_.duration; next_sample_ += scene_.sampling) sample(next_sample_, state(next_sample_));
  }

  void tell(RunEvent event) {
    event.time = event.time == 0 ? t_ : event.time;
    ++summary_.events_by_kind[static_cast<std::size_t>(event.kind)];
    recorder_.event(event);
    if (++events_ > options_.max_events) stop(RunStatus::stopped, fmt::format("more than {} events", options_.max_events));
  }

  std::vector<LiveContact> touching() {
    std::vector<LiveContact> out;
    flow_.place(x_);
    flow_.scan().near(flow_.data(), flow_.state().q, t_, options_.gap_tolerance, out);
    for (const LiveContact& c : out) {
      summary_.worst_gap = std::min(summary_.worst_gap, c.gap.distance);
      // Not met on its way but found deep inside: its feature was not there before. Nothing sound can follow.
      if (running_ && c.gap.distance < -kOverlap * options_.gap_tolerance)
        stop(RunStatus::failed, fmt::format("{} was found overlapping by {:.3g} m at t = {} s: its features did not tell of it before", name(scene_, c.id), -c.gap.distance, t_));
    }
    return out;
  }

  // One impact event; false when nothing approaches.
  bool strike(const std::vector<LiveContact>& contacts, CollisionOptions options, bool may_rest = false) {
    options.rest_speed = options_.rest_speed;
    options.slow = crowd_.crowded() || at_one_time_ > kManyAtOneTime ? crowd_.low_flight() : 0;
    ImpactRecord record = impact_event(scene_, flow_, x_, t_, contacts, options, summary_.warnings);
    record.without_collision = !options.jammed.empty();
    if (record.contacts.empty() || !keep(record)) return false;
    if (options.slow > 0 && may_rest) bring_to_rest(contacts, record);
    return true;
  }

  // Contacts of a slow impact do not separate slowly from it either. What that takes of the energy is booked as of impacts.
  void bring_to_rest(const std::vector<LiveContact>& contacts, const ImpactRecord& record) {
    std::vector<LiveContact> slow;
    for (std::size_t i = 0; i < record.contacts.size(); ++i) {
      const Index normal = record.problem.normal(static_cast<int>(i));
      if (record.problem.v_pre[normal] < -crowd_.low_flight()) return;
      if (record.outcome.v_post[normal] < crowd_.low_flight())
        slow.push_back(*std::find_if(contacts.begin(), contacts.end(), [&](const LiveContact& c) { return c.id == record.contacts[i]; }));
    }
    flow_.place(x_);
    const double before = kinetic_energy(scene_.model, flow_.data());
    flow_.stop_separation(x_, t_, slow);
    flow_.place(x_);
    const double change = kinetic_energy(scene_.model, flow_.data()) - before;
    impact_work_ += change;
    summary_.impact_loss -= change;
    crowd_.low_flight_ended();
  }

  // An impact has happened: energy, records. False when the law had no answer.
  bool keep(const ImpactRecord& record) {
    if (!record.outcome.p.allFinite()) {
      stop(RunStatus::failed, fmt::format("no law resolves the collision at t = {} s", t_));
      return false;
    }
    impact_work_ += record.kinetic_after - record.kinetic_before;
    summary_.impact_loss += record.kinetic_before - record.kinetic_after;
    summary_.worst_gain = std::max(summary_.worst_gain, record.outcome.energy.change);
    for (const std::string& w : record.outcome.warnings) warnings_.add(w);
    RunEvent event;
    event.kind = record.without_collision ? EventKind::jam : EventKind::impact;
    event.impact = impacts_++;
    event.contact = record.contacts.front();
    for (std::size_t i = 0; i < record.contacts.size(); ++i)
      if (record.problem.v_pre[record.problem.normal(static_cast<int>(i))] < -options_.rest_speed) {
        event.contact = record.contacts[i];
        break;
      }
    recorder_.impact(record);
    tell(std::move(event));
    return true;
  }

  // Restitution of contacts whose bounces have been recognised as a series is taken as zero in this collision.
  std::vector<ContactId> summed_up(const std::vector<LiveContact>& contacts) {
    std::vector<ContactId> plastic;
    flow_.place(x_);
    for (const LiveContact& c : contacts) {
      if (gap_rate(scene_, flow_.data(), t_, c) >= -options_.rest_speed) continue;
      const Accumulation end = bounces_.bounce(c.id, t_);
      if (!end.recognised) continue;
      plastic.push_back(c.id);
      RunEvent event;
      event.time = end.time, event.kind = EventKind::accumulation, event.contact = c.id;
      event.bounces = end.bounces, event.ratio = end.ratio;
      tell(std::move(event));
      bounces_.forget(c.id);
    }
    return plastic;
  }

  // Impacts until nothing approaches, then the modes of the contacts that last.
  void settle(const std::vector<Verdict>& verdicts, const std::vector<ContactId>& plastic = {}) {
    std::vector<LiveContact> contacts = touching();
    if (!running_) return;
    CollisionOptions options;
    options.plastic = summed_up(contacts);
    options.plastic.insert(options.plastic.end(), plastic.begin(), plastic.end());
    bool struck = false;
    for (int i = 0; running_ && strike(contacts, options, i < kRests); ++i) {
      struck = true;
      if (i == options_.max_impacts) {
        options.all_plastic = true;
        warnings_.add(fmt::format("collision at t = {} s finished plastically after {} impact events", t_, i));
      }
      if (i == options_.max_impacts + 20) return stop(RunStatus::failed, fmt::format("the collision at t = {} s does not end", t_));
    }
    if (running_) choose_modes(contacts, verdicts, struck);
  }

  const Verdict* verdict_on(const std::vector<Verdict>& verdicts, const ContactId& id) const {
    for (const Verdict& v : verdicts)
      if (v.contact == id) return &v;
    return nullptr;
  }

  // Contacts that touch and neither approach nor separate.
  std::vector<LiveContact> resting(const std::vector<LiveContact>& contacts) {
    std::vector<LiveContact> out;
    flow_.place(x_);
    for (const LiveContact& c : contacts)
      if (std::abs(gap_rate(scene_, flow_.data(), t_, c)) <= options_.rest_speed) out.push_back(c);
    return out;
  }

  // How each contact enters the acceleration problem.
  std::vector<ModeContact> entering(const std::vector<LiveContact>& contacts, const ContactRows& rows, const std::vector<Verdict>& verdicts, bool struck) {
    const int d = scene_.model.dimension();
    std::vector<ModeContact> out;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      ModeContact m{ContactMode::stick, Eigen::Vector2d::Zero(), contacts[i].material->mu_s, contacts[i].material->mu_d};
      Eigen::Vector2d v = Eigen::Vector2d::Zero();
      v.head(d - 1) = rows.v.segment(static_cast<Index>(i) * d, d - 1);
      const Verdict* verdict = struck ? nullptr : verdict_on(verdicts, contacts[i].id);
      const bool stopped = verdict != nullptr && verdict->trigger == Trigger::slip_stops;
      if (v.norm() > options_.rest_speed && !stopped) m.mode = ContactMode::slip, m.direction = v.normalized();
      if (verdict != nullptr && verdict->trigger == Trigger::stick_breaks) {
        // It slips the way the friction it needed held it back.
        m.mode = ContactMode::slip;
        m.direction.setZero();
        m.direction.head(d - 1) = -breaking_force_.head(d - 1);
        m.direction.normalize();
      }
      out.push_back(m);
    }
    return out;
  }

  void choose_modes(const std::vector<LiveContact>& contacts, const std::vector<Verdict>& verdicts, bool struck) {
    const std::vector<LiveContact> rest = resting(contacts);
    if (rest.empty()) return hold({}, {}, {});
    flow_.contact_dynamics(x_, t_, rest, dynamics_);
    const std::vector<ModeContact> modes = entering(rest, dynamics_.rows, verdicts, struck);
    TouchingForces forces = touching_forces(dynamics_.G, dynamics_.a0, scene_.model.dimension(), modes);
    if (!forces.solved()) return jam(contacts, rest, modes);
    for (std::size_t i = 0; i < rest.size(); ++i) {
      const Verdict* verdict = struck ? nullptr : verdict_on(verdicts, rest[i].id);
      if (verdict != nullptr && verdict->trigger == Trigger::lift_off) forces.mode[i] = ContactMode::open;
    }
    polish_modes(dynamics_.G, dynamics_.a0, scene_.model.dimension(), modes, forces.mode, forces.direction);
    hold(rest, modes, forces);
  }

  void hold(const std::vector<LiveContact>& rest, const std::vector<ModeContact>& entered, const TouchingForces& forces) {
    const int d = scene_.model.dimension();
    std::vector<HeldContact> held;
    std::vector<ModeContact> modes;
    std::vector<Index> rows;
    for (std::size_t i = 0; i < rest.size(); ++i) {
      if (forces.mode[i] == ContactMode::open) continue;
      const Eigen::Matrix3d& frame = dynamics_.rows.frame[i];
      Eigen::Vector3d direction = forces.direction[i].x() * frame.col(0);
      if (d == 3) direction += forces.direction[i].y() * frame.col(1);
      held.push_back({rest[i].id, forces.mode[i], direction});
      modes.push_back({forces.mode[i], forces.direction[i], entered[i].mu_s, entered[i].mu_d});
      for (int k = 0; k < d; ++k) rows.push_back(static_cast<Index>(i) * d + k);
    }
    // Redundant contacts: the least forces if those are admissible, else those of the complementarity problem.
    VectorXd reference;
    if (!held.empty()) {
      HeldForces linear;
      const VectorXd least = linear.solve(dynamics_.G(rows, rows), dynamics_.a0(rows), d, modes, {});
      bool redundant = false;
      for (std::size_t k = 0; k < held.size(); ++k) redundant = redundant || linear.redundant(k);
      if (redundant && !admissible(least, modes)) reference = forces.force(rows);
    }
    for (RunEvent& event : mode_changes(flow_.held(), held)) tell(std::move(event));
    flow_.hold(std::move(held), std::move(reference));
    (void)flow_.stabilise(x_, t_);
    flow_.follow_slip(x_, t_, options_.rest_speed);
    flow_.let_sleep(x_, t_);
  }

  bool admissible(const VectorXd& force, const std::vector<ModeContact>& modes) const {
    const int d = scene_.model.dimension();
    for (std::size_t i = 0; i < modes.size(); ++i) {
      const auto f = force.segment(static_cast<Index>(i) * d, d);
      if (f[d - 1] < 0) return false;
      if (modes[i].mode == ContactMode::stick && f.head(d - 1).norm() > modes[i].mu_s * f[d - 1]) return false;
    }
    return true;
  }

  // Painlevé: contacts that have no forces at their slips. If one of them alone is the cause (its force would push it closer) and
  // letting it go is consistent, it lifts off (the solution is not unique: told); else it is struck without a collision (Lötstedt 1981;
  // Génot & Brogliato 1999). Several that wedge each other are passed by a time step.
  void jam(const std::vector<LiveContact>& contacts, const std::vector<LiveContact>& rest, const std::vector<ModeContact>& modes) {
    const int d = scene_.model.dimension();
    std::vector<ContactId> jammed, loose;
    std::vector<LiveContact> staying;
    std::vector<ModeContact> staying_modes;
    for (std::size_t i = 0; i < rest.size(); ++i) {
      const auto index = static_cast<Index>(i);
      if (modes[i].mode == ContactMode::slip && slip_stiffness(dynamics_.G, d, modes[i], index) <= 0) {
        (dynamics_.a0[index * d + d - 1] < 0 ? jammed : loose).push_back(rest[i].id);
        continue;
      }
      staying.push_back(rest[i]);
      staying_modes.push_back(modes[i]);
    }
    if (jammed.empty() && !loose.empty()) {
      for (const ContactId& id : loose) {
        RunEvent event;
        event.kind = EventKind::jam, event.contact = id;
        event.note = "not unique: contact force or lift-off; lift-off is taken";
        tell(std::move(event));
      }
      if (staying.empty()) return hold({}, {}, {});
      flow_.contact_dynamics(x_, t_, staying, dynamics_);
      const TouchingForces forces = touching_forces(dynamics_.G, dynamics_.a0, d, staying_modes);
      if (forces.solved()) return hold(staying, staying_modes, forces);
      return jam(contacts, staying, staying_modes);
    }
    if (jammed.empty() || ++jams_at_one_time_ > kJamsAtOneTime) return pass();
    CollisionOptions options;
    options.jammed = jammed;
    strike(contacts, options);
    if (running_) settle({});
  }

  void step() {
    const double end = std::min(scene_.duration, next_corner(scene_, t_));
    if (!step_.take(x_, t_, end)) return singular();
    ++summary_.steps;
    const EnergyState before_step = balance(x_);
    const std::optional<FoundEvent> event = search_.first(step_, x_);
    const double until = event ? event->time : step_.t1();
    // Forces that are singular between two stages of the integrator escape its error estimate, but not the energy balance.
    const EnergyState after_step = balance(x_);
    if (!(std::abs(after_step.check - before_step.check) <= kUnsound * std::max(energy_scale_, after_step.kinetic))) {
      x_ = step_.x0();
      return pass();
    }
    samples_until(until, [&](double t) -> const FlowVector& { return step_.dense(t, between_), between_; });
    if (until > t_ + options_.time_tolerance) at_one_time_ = 0, jams_at_one_time_ = 0;
    t_ = until;
    const bool kept = flow_.stabilise(x_, t_);
    energy_of(x_);
    const double before = event ? slip_speed(event->contact) : 0;
    flow_.follow_slip(x_, t_, options_.rest_speed);
    // In space the slip may turn through a right angle without stopping: that ends the step, not the mode.
    const bool turned = event && event->trigger == Trigger::slip_stops && slip_speed(event->contact) > std::max(kStopped * before, options_.slip_resolution);
    const bool corner = t_ < scene_.duration && t_ >= end && end == next_corner(scene_, std::nextafter(t_, 0));
    if (event && !turned) happen(*event);
    else if (!kept || corner) settle({});
    else if (t_ >= scene_.duration) sample(t_, x_);
  }

  double slip_speed(const ContactId& id) const {
    for (const HeldContact& h : flow_.held())
      if (h.id == id) return h.speed;
    return 0;
  }

  void happen(const FoundEvent& event) {
    if (++at_one_time_ > kEventsAtOneTime) return pass();
    // Events come in series: a step of the length of their intervals has the next one well inside, where dense output is good.
    if (t_ > last_event_) step_.shorten(kIntervals * (t_ - last_event_));
    last_event_ = t_;
    std::vector<Verdict> verdicts;
    if (event.trigger == Trigger::lift_off || event.trigger == Trigger::stick_breaks || event.trigger == Trigger::slip_stops) {
      FlowVector dxdt;
      flow_(x_, dxdt, t_);
      const int d = scene_.model.dimension();
      // Forces of redundant contacts are a convention: there the complementarity problem decides alone.
      bool decided = event.trigger == Trigger::slip_stops;
      for (std::size_t k = 0; k < flow_.live().size(); ++k)
        if (flow_.live()[k].id == event.contact) {
          breaking_force_ = flow_.force().segment(static_cast<Index>(k) * d, d);
          decided = decided || !flow_.redundant(k);
        }
      if (decided) verdicts.push_back({event.contact, event.trigger});
    }
    sample(t_, x_);
    if (event.trigger == Trigger::slip_stops) {
      const double left = slip_speed(event.contact);
      if (left > options_.rest_speed) ++slips_cut_, most_cut_ = std::max(most_cut_, left);
      flow_.stop_slip(x_, t_, event.contact);
    }
    settle(verdicts);
    sample(t_, x_);
  }

  // The smooth flow cannot go on: a contact force grows beyond all bounds (dynamic jam).
  void singular() {
    std::vector<ContactId> slipping;
    for (const HeldContact& h : flow_.held())
      if (h.mode == ContactMode::slip && !h.asleep) slipping.push_back(h.id);
    if (slipping.empty() || ++jams_at_one_time_ > kJamsAtOneTime) return pass();
    CollisionOptions options;
    options.jammed = slipping;
    step_.shorten(1e-6);
    strike(touching(), options);
    if (running_) settle({});
  }

  const Scene& scene_;
  const EventOptions& options_;
  Recorder& recorder_;
  SmoothFlow flow_;
  DenseStep step_;
  EventSearch search_;
  BounceSeries bounces_;
  Crowd crowd_;
  SmoothFlow::ContactDynamics dynamics_;
  RunSummary summary_;
  SimilarWarnings warnings_;  // of single collisions
  FlowVector x_, between_;
  Eigen::VectorXd breaking_force_;
  double t_ = 0, last_event_ = -1, next_sample_ = 0;
  double start_energy_ = 0, energy_scale_ = 0, worst_check_ = 0, impact_work_ = 0;
  long events_ = 0;
  int impacts_ = 0, at_one_time_ = 0, jams_at_one_time_ = 0;
  bool passing_ = false, again_ = false;
  long slips_cut_ = 0;
  double most_cut_ = 0;
  bool running_ = true;
};

}  // namespace

RunSummary run_event_driven(const Scene& scene, Recorder& recorder) { return EventDriven(scene, recorder).run(); }

}  // namespace carom
