#include "carom/simulate/stepping/time_stepping.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/dynamics/articulated.hpp"
#include "carom/dynamics/energy.hpp"
#include "carom/dynamics/kinematics.hpp"
#include "carom/simulate/stepping/free_motion.hpp"
#include "carom/simulate/stepping/resting.hpp"
#include "carom/simulate/stepping/sleepers.hpp"
#include "carom/simulate/stepping/step_contacts.hpp"
#include "carom/simulate/stepping/step_solver.hpp"

namespace carom {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr int kRounds = 8;             // times that contacts first left out of a step may join it
constexpr double kLoose = 100;         // times the tolerance, while contacts join, and of the recovery of penetrations …
constexpr double kRecovered = 0.03;    // … but for that no looser than this
constexpr double kStill = 1e-3;        // bodies rest where their speeds are less than so much of what forces change in a step
constexpr double kLying = 1e-10;       // what has landed and comes no farther away than this lies [m]
constexpr double kTouching = 1e-9;     // a gap nearer than this is touching [m] …
constexpr double kParted = 1e-7;       // … and touches until it is wider than this: redundant contacts do not begin and end [m]

// What the contacts of an island did in a step: to the bodies, and to bodies and driven surfaces together.
struct IslandWork {
  double on_bodies = 0, at_contacts = 0;
  bool struck = false;  // some of them had not landed before, and arrive
};

class TimeStepping {
 public:
  TimeStepping(const Scene& scene, Recorder& recorder)
      : scene_(scene), model_(scene.model), o_(scene.integrator.stepping), recorder_(recorder), data_(model_), start_(model_), contacts_(scene), workers_(o_.threads), sleepers_(scene), solver_(model_, o_, workers_), free_(scene), state_(scene.start) {
    summary_.events_by_kind.assign(static_cast<std::size_t>(EventKind::feature_change) + 1, 0);
    lasting_.setZero(model_.nv());
  }

  RunSummary run() {
    warn_of_restitution();
    forward_kinematics(model_, state_, data_);
    start_energy_ = kinetic_energy(model_, data_) + potential_energy(model_, data_);
    account();
    sample();
    const auto steps = static_cast<long>(std::ceil(scene_.duration / o_.step - 1e-9));
    for (long k = 0; k < steps && running_; ++k) {
      if (!recorder_.progress(t_)) {
        stop(RunStatus::stopped, "stopped by the user");
        break;
      }
      const double next = k + 1 == steps ? scene_.duration : static_cast<double>(k + 1) * o_.step;
      sampling_ = k + 1 == steps || next >= next_sample_ - 1e-9 * o_.step;
      step(next - t_);
      t_ = next;
      ++summary_.steps;
      if (sampling_) {
        recorder_.contacts(t_, forces_);
        sample();
      }
    }
    summary_.end_time = t_;
    summary_.energy = energy_;
    summary_.smooth_drift = energy_scale_ > 0 ? worst_check_ / energy_scale_ : 0;
    if (missed_ > 0)
      summary_.warnings.push_back(fmt::format("{} of {} steps missed the tolerance {} of the contact solver; worst {:.3g}", missed_, summary_.steps, o_.tolerance, summary_.worst_certificate));
    if (limited_ > 0)
      summary_.warnings.push_back(fmt::format("restitution was lessened {} times where Newton's law would have gained energy", limited_));
    return summary_;
  }

 private:
  void stop(RunStatus status, std::string reason) {
    summary_.status = status, summary_.reason = std::move(reason);
    running_ = false;
  }

  void warn_of_restitution() {
    if (o_.scheme != Scheme::stewart_trinkle) return;
    const auto bounces = [](double e) { return e > 0; };
    bool any = false;
    for (const Material& m : scene_.materials) any = any || bounces(m.e);
    for (const MaterialPair& p : scene_.pairs) any = any || bounces(p.together.e);
    for (const JointLimit& l : scene_.limits) any = any || bounces(l.e);
    if (any) summary_.warnings.emplace_back("stewart-trinkle has no restitution: e is taken as 0; anitescu-potra and moreau-jean have it");
  }

  // ---- records ---------------------------------------------------------------------------------------------------------

  // The energy account at the present state; needs velocities in data_.
  void account() {
    energy_.kinetic = kinetic_energy(model_, data_);
    energy_.potential = potential_energy(model_, data_);
    energy_.check = energy_.kinetic + energy_.potential - start_energy_ - energy_.forces - energy_.contacts - energy_.impacts;
    energy_scale_ = std::max({energy_scale_, energy_.kinetic, std::abs(energy_.potential), std::abs(energy_.forces), std::abs(energy_.contacts)});
    worst_check_ = std::max(worst_check_, std::abs(energy_.check));
  }

  void sample() {
    Sample s;
    s.time = t_, s.q = state_.q, s.u = state_.u, s.energy = energy_, s.poses = data_.pose;
    recorder_.sample(s);
    while (next_sample_ <= t_ + 1e-9 * o_.step) next_sample_ += scene_.sampling;
  }

  void tell(EventKind kind, const ContactId& contact, double time, double gap) {
    RunEvent event;
    event.time = time, event.kind = kind, event.contact = contact, event.gap = gap;
    ++summary_.events_by_kind[static_cast<std::size_t>(kind)];
    recorder_.event(event);
  }

  void note_forces(double h) {
    forces_.clear();
    for (const StepContact& c : contacts_.list) {
      if (c.block < 0 && !c.asleep) continue;
      const Vector3d p = c.impulse + c.collision;
      if (p.isZero(0)) continue;
      const Vector3d moment = !c.has_moments() ? Vector3d::Zero().eval() : Vector3d(c.moment_axes(model_.dimension()) * c.moment_impulse / h);
      forces_.push_back({c.id, c.point_a, c.is_limit() ? Vector3d(p / h) : Vector3d(c.axes * p / h), moment});
    }
  }

  // ---- one step --------------------------------------------------------------------------------------------------------

  void step(double h) {
    poor_ = false;
    if (o_.scheme == Scheme::moreau_jean) std::swap(data_, start_);  // which holds the poses at the start of the step, as move left them
    u_free_ = free_.move(state_, t_, h, lasting_, data_);
    find_contacts(h);
    z_collision_.setZero(model_.nv());
    if (o_.scheme == Scheme::anitescu_potra) collide(h);
    resolve(h);
    if (!u_new_.allFinite()) return stop(RunStatus::failed, fmt::format("the contact problem at t = {} s has no finite answer", t_));
    if (o_.sleeping) sleepers_.after(h, u_new_);
    balance(h);
    tell_changes(h);
    if (sampling_) note_forces(h);
    move(h);
    contacts_.remember();
    if (poor_) ++missed_;
    account();
  }

  // The new configuration and speeds; data_ holds their kinematics.
  void move(double h) {
    mean_ = u_new_;
    if (o_.scheme == Scheme::moreau_jean) mean_ = (1 - o_.theta) * state_.u + o_.theta * u_new_;
    const bool recovers = recover(h);
    if (recovers) {
      unlifted_ = state_.q;
      advance(model_, mean_, h, unlifted_);
      mean_ += correction_;
    }
    advance(model_, mean_, h, state_.q);
    state_.u = u_new_;
    if (recovers) {  // what it lifts is the contacts' work
      forward_kinematics(model_, unlifted_, data_);
      energy_.contacts -= potential_energy(model_, data_);
    }
    forward_kinematics(model_, state_, data_);
    if (recovers) energy_.contacts += potential_energy(model_, data_);
  }

  // Where contacts are looked for: moreau-jean's two moments, else one; data_ stands at the second.
  StepContacts::Moment start(double h) const { return o_.scheme == Scheme::moreau_jean ? StepContacts::Moment{start_, state_.q, t_} : here(h); }
  StepContacts::Moment here(double h) const {
    return o_.scheme == Scheme::moreau_jean ? StepContacts::Moment{data_, free_.middle().q, t_ + o_.theta * h, o_.theta * h} : StepContacts::Moment{data_, state_.q, t_};
  }

  void find_contacts(double h) {
    const bool middle = o_.scheme == Scheme::moreau_jean;
    if (middle) contacts_.at_middle.take(data_, free_.middle().u);
    update_velocities(model_, u_free_, data_);
    contacts_.free.take(data_, u_free_);
    update_velocities(model_, state_.u, data_);
    contacts_.before.take(data_, state_.u);
    contacts_.find(start(h), here(h), t_ + 0.5 * h, h);
    const int n = model_.dimension() - 1;
    if (o_.sleeping) sleepers_.before(contacts_.list, u_free_);
    for (StepContact& c : contacts_.list) {
      summary_.worst_gap = std::min(summary_.worst_gap, c.gap);
      if (c.asleep) continue;
      // Stewart & Trinkle's gaps that impulses may close take part at once, which saves rounds.
      const double end = closed_by(c, c.free[n], h);
      // What arrives and comes to touch strikes: rounding is not to choose which corners of a face strike a wall.
      c.kept = end <= (arrives(c, h) ? kTouching : 0) || (o_.scheme == Scheme::stewart_trinkle && (c.held || (!resting_.still() && end <= h * contacts_.room(c))));
    }
  }

  // The gap at the end of the step, when its normal velocity is then `after`.
  double closed_by(const StepContact& c, double after, double h) const {
    const double before = c.before[model_.dimension() - 1];
    return c.gap + h * (o_.scheme == Scheme::moreau_jean ? (1 - o_.theta) * before + o_.theta * after : after);
  }

  // What rests approaches by its rounding, and strikes nothing.
  bool arrives(const StepContact& c, double h) const { return h * c.before[model_.dimension() - 1] < -kTouching; }

  // What the scheme adds to the normal velocity, so that the sum must not be negative.
  double normal_term(const StepContact& c, double h) const {
    // A touching gap is rounding: taken as zero, so that what rests poses the same problem step after step.
    if (o_.scheme == Scheme::stewart_trinkle) return c.gap > kTouching ? c.gap / h : 0;
    if (o_.scheme == Scheme::anitescu_potra) return 0;
    return arrives(c, h) ? c.material->e * c.before[model_.dimension() - 1] : 0;
  }

  // Velocities of the contacts, block by block.
  void fill(Vector3d StepContact::*velocity, Vector3d StepContact::*turning, std::vector<double>& out) {
    const int d = model_.dimension();
    out.assign(static_cast<std::size_t>(problem_.blocks() * d), 0.0);
    for (const StepContact& c : contacts_.list) {
      if (c.block < 0) continue;
      for (int k = 0; k < d; ++k) out[static_cast<std::size_t>(c.block * d + k)] = (c.*velocity)[k];
      if (c.moments < 0) continue;
      for (int k = 0; k < d; ++k) out[static_cast<std::size_t>(c.moments * d + k)] = (c.*turning)[k];
    }
  }

  // True: within the tolerance asked. A loose answer is no step's own and is not counted as one.
  bool solve(const StepAsk& ask = {}) {
    const StepReport report = solver_.solve(problem_, r_, z_, ask);
    summary_.sweeps += report.sweeps, summary_.factorisations += report.factorisations;
    summary_.most_contacts = std::max(summary_.most_contacts, problem_.blocks());
    const bool good = report.natural_map <= o_.tolerance;
    if (ask.looseness == 1 || good) summary_.worst_certificate = std::max(summary_.worst_certificate, report.natural_map);
    if (ask.looseness == 1 && !good) poor_ = true;
    resting_.solved(ask, report, o_.tolerance);
    return good;
  }

  // Anitescu & Potra's collision with Poisson's restitution: compression to v_n ≥ 0 at all contacts, then e times its normal
  // impulse and what non-penetration asks besides. Friction of the second phase is bounded by its whole normal impulse: bounded
  // by the extra part alone, as printed, it never sticks.
  void collide(double h) {
    const int d = model_.dimension();
    bool strikes = false;
    for (const StepContact& c : contacts_.list) strikes = strikes || (c.kept && c.material->e > 0 && arrives(c, h));
    if (!strikes) return;
    contacts_.build(data_, o_.cone_edges, problem_);
    const std::size_t size = static_cast<std::size_t>(problem_.blocks()) * d;
    fill(&StepContact::before, &StepContact::turning, problem_.q);
    r_.assign(size, 0.0);
    solve();
    z_collision_ = z_;
    r_collision_ = r_;
    for (const StepContact& c : contacts_.list) {
      if (c.block < 0) continue;
      const std::size_t normal = static_cast<std::size_t>(c.block * d + d - 1);
      const double back = c.material->e * r_[normal];
      problem_.block[c.block].floor = back;
      double p[3] = {0, 0, 0};
      p[d - 1] = back;
      problem_.rows.add_impulse(c.block, p, z_collision_);
      r_collision_[normal] += back;
    }
    fill(&StepContact::before, &StepContact::turning, problem_.q);
    for (int i = 0; i < problem_.blocks(); ++i) problem_.rows.add_velocity(i, z_collision_, problem_.q.data() + static_cast<std::ptrdiff_t>(i) * d);
    r_.assign(size, 0.0);
    solve();
    z_collision_ += z_;
    for (std::size_t k = 0; k < size; ++k) r_collision_[k] += r_[k];
    take_collision(h);
  }

  // The collision becomes part of the free motion, and of the impulses that the balance counts.
  void take_collision(double h) {
    const int d = model_.dimension();
    for (StepContact& c : contacts_.list) {
      if (c.asleep) continue;
      c.impulse.setZero(), c.moment_impulse.setZero();
      if (c.block < 0) continue;
      c.collision = Vector3d::Zero();
      for (int k = 0; k < d; ++k) c.collision[k] = r_collision_[static_cast<std::size_t>(c.block * d + k)];
    }
    correction_ = z_collision_;
    apply_root_transpose(model_, data_, correction_);
    u_free_ += correction_;
    update_velocities(model_, u_free_, data_);
    contacts_.velocities_free(data_, u_free_);
    contacts_.widen(start(h), here(h), t_ + 0.5 * h, h);
    for (StepContact& c : contacts_.list) c.kept = c.kept || (!c.asleep && c.gap + h * c.free[d - 1] <= 0);
  }

  // The step's own contact problem, again while contacts that were left out would be pierced.
  void resolve(double h) {
    const int d = model_.dimension();
    // What lies goes on to take part, although bodies that lie on each other fall alike without contacts: they would join one after the other.
    for (StepContact& c : contacts_.list) c.kept = c.kept || (!c.asleep && c.held && c.landed && closed_by(c, c.free[d - 1], h) <= kLying);
    // Which contacts join shows at a loose answer already, where some may.
    bool tight = o_.scheme == Scheme::stewart_trinkle || resting_.tight(), joined = false;
    int known = 0;  // blocks, the first, whose answer is that of the last round
    for (int round = 0;; ++round) {
      tight = tight || round >= kRounds;
      const int before = problem_.blocks();
      if (round == 0) contacts_.build(data_, o_.cone_edges, problem_);
      else contacts_.extend(data_, o_.cone_edges, problem_);
      fill(&StepContact::free, &StepContact::turning_free, problem_.q);
      r_.assign(problem_.q.size(), 0.0);
      for (const StepContact& c : contacts_.list) {
        if (c.block < 0) continue;
        problem_.q[static_cast<std::size_t>(c.block * d + d - 1)] += normal_term(c, h);
        for (int k = 0; k < d; ++k) r_[static_cast<std::size_t>(c.block * d + k)] = c.impulse[k];
        if (c.moments < 0) continue;
        for (int k = 0; k < d; ++k) r_[static_cast<std::size_t>(c.moments * d + k)] = c.moment_impulse[k];
      }
      StepAsk ask = resting_.ask(tight ? 1 : kLoose, joined);
      ask.known = known, ask.same_rows = round > 0 && problem_.blocks() == before;
      const bool good = solve(ask);
      const long limited = o_.scheme == Scheme::moreau_jean && (tight || good) ? limit_restitution() : 0;
      known = limited > 0 || data_.rank > 0 ? 0 : problem_.blocks();  // loops lay all rows anew
      for (StepContact& c : contacts_.list) {
        if (c.asleep) continue;
        c.impulse.setZero(), c.moment_impulse.setZero();
        if (c.block < 0) continue;
        for (int k = 0; k < d; ++k) c.impulse[k] = r_[static_cast<std::size_t>(c.block * d + k)];
        if (c.moments < 0) continue;
        for (int k = 0; k < d; ++k) c.moment_impulse[k] = r_[static_cast<std::size_t>(c.moments * d + k)];
      }
      u_new_ = z_;
      apply_root_transpose(model_, data_, u_new_);
      u_new_ += u_free_;
      update_velocities(model_, u_new_, data_);
      if (!u_new_.allFinite()) break;
      if (round < 2 * kRounds && more_contacts(h)) {
        joined = true;
        continue;
      }
      if (tight || good) {
        limited_ += limited;
        break;
      }
      tight = true;
    }
    resting_.after(joined, problem_.blocks(), u_new_.norm() <= kStill * (u_free_ - state_.u).norm());
  }

  // Newton's restitution gains energy where friction or other contacts couple it (Kane & Levinson 1985). Without restitution nothing is gained,
  // cones are convex, and energy is quadratic: an island that would gain gets the mean of both answers, as near to its own as
  // gains nothing.
  long limit_restitution() {
    const int d = model_.dimension();
    const Islands& islands = solver_.islands();
    fill(&StepContact::before, &StepContact::turning, v_before_);
    fill(&StepContact::free, &StepContact::turning_free, v_free_);
    gaining_.clear();
    for (int k = 0; k < islands.count(); ++k) {
      double work = 0, size = 0;
      bool bounces = false;  // else there is nothing to lessen: the motion's own error
      for (int at = islands.start[k]; at < islands.start[k + 1]; ++at) {
        const int i = islands.order[at];
        double after[3] = {0, 0, 0};
        problem_.rows.add_velocity(i, z_, after);
        for (int a = 0; a < d; ++a) {
          const std::size_t j = static_cast<std::size_t>(i * d + a);
          const double part = r_[j] * 0.5 * (v_before_[j] + v_free_[j] + after[a]);
          work += part, size += std::abs(part);
          bounces = bounces || problem_.q[j] != v_free_[j];
        }
      }
      if (bounces && work > std::max(o_.tolerance * size, 1e-12 * energy_scale_)) gaining_.push_back(k);
    }
    if (gaining_.empty()) return 0;
    r_bounced_ = r_, z_bounced_ = z_;
    problem_.q = v_free_;
    solve({.same_rows = true, .only = gaining_});
    for (const int k : gaining_) {
      double constant = 0, slope = 0, bend = 0;  // work at r + s (r_bounced − r)
      for (int at = islands.start[k]; at < islands.start[k + 1]; ++at) {
        const int i = islands.order[at];
        double after[3] = {0, 0, 0}, bounced[3] = {0, 0, 0};
        problem_.rows.add_velocity(i, z_, after);
        problem_.rows.add_velocity(i, z_bounced_, bounced);
        for (int a = 0; a < d; ++a) {
          const std::size_t j = static_cast<std::size_t>(i * d + a);
          const double mean = 0.5 * (v_before_[j] + v_free_[j] + after[a]), more = 0.5 * (bounced[a] - after[a]), by = r_bounced_[j] - r_[j];
          constant += r_[j] * mean, slope += r_[j] * more + by * mean, bend += by * more;
        }
      }
      const double s = constant < 0 && bend > 0 ? std::clamp((std::sqrt(slope * slope - 4 * bend * constant) - slope) / (2 * bend), 0.0, 1.0) : 0;
      for (int at = islands.start[k]; at < islands.start[k + 1]; ++at)
        for (int a = 0; a < d; ++a) {
          const std::size_t j = static_cast<std::size_t>(islands.order[at] * d + a);
          r_bounced_[j] = r_[j] + s * (r_bounced_[j] - r_[j]);
        }
    }
    r_ = r_bounced_;
    z_.setZero();
    for (int i = 0; i < problem_.blocks(); ++i) problem_.rows.add_impulse(i, r_.data() + static_cast<std::ptrdiff_t>(i) * d, z_);
    return static_cast<long>(gaining_.size());
  }

  // Penetrations are taken out of the configuration, not of the velocities, which would keep what they are given: the least motion, in the
  // metric of M, that frictionless contacts ask for beside `move`. False: nothing is to be done.
  bool recover(double h) {
    const int d = model_.dimension();
    const bool middle = o_.scheme == Scheme::moreau_jean;
    overlapping_.assign(island_work_.size(), 0);
    for (StepBlock& b : problem_.block) b.mu = b.floor = b.rolling = b.torsion = 0;
    problem_.q.assign(problem_.q.size(), 0.0);
    for (const StepContact& c : contacts_.list) {
      if (c.block < 0) continue;
      const double speed = middle ? (1 - o_.theta) * c.before[d - 1] + o_.theta * c.after_normal : c.after_normal, end = c.gap + h * speed;
      double target = std::min(end, 0.0);
      if (c.gap < -kTouching) target = std::min(0.0, c.gap + std::min(-o_.stabilisation * c.gap, h * o_.recovery_speed));
      problem_.q[static_cast<std::size_t>(c.block * d + d - 1)] = (end - target) / h;
      const int island = island_of_[static_cast<std::size_t>(c.block)];
      if (end < target && island >= 0) overlapping_[static_cast<std::size_t>(island)] = 1;
    }
    recovering_.clear();
    for (int k = 0; k < static_cast<int>(overlapping_.size()); ++k)
      if (overlapping_[static_cast<std::size_t>(k)]) recovering_.push_back(k);
    r_.assign(problem_.q.size(), 0.0);
    for (StepContact& c : contacts_.list) {
      if (c.block < 0) continue;
      const int island = island_of_[static_cast<std::size_t>(c.block)];
      if (island < 0 || !overlapping_[static_cast<std::size_t>(island)]) c.recovery = 0;
      r_[static_cast<std::size_t>(c.block * d + d - 1)] = c.recovery;
    }
    if (recovering_.empty()) return false;
    z_.setZero();
    // What it leaves of the overlaps is taken out in the steps to come.
    solve({.looseness = std::max(1.0, std::min(kLoose, kRecovered / o_.tolerance)), .same_rows = true, .only = recovering_});
    for (StepContact& c : contacts_.list)
      if (c.block >= 0) c.recovery = r_[static_cast<std::size_t>(c.block * d + d - 1)];
    correction_ = z_;
    apply_root_transpose(model_, data_, correction_);
    if (correction_.allFinite()) return true;
    for (StepContact& c : contacts_.list) c.recovery = 0;  // overlaps wait for the next step
    return false;
  }

  bool more_contacts(double h) {
    bool more = false;
    contacts_.widen(start(h), here(h), t_ + 0.5 * h, h);
    for (StepContact& c : contacts_.list) {
      if (c.kept || c.asleep) continue;
      const double after = contacts_.normal_velocity(c, data_, u_new_);
      if (closed_by(c, after, h) < -kTouching) c.kept = more = true;
    }
    return more;
  }

  // Work of the step with ū = (u + u⁺)/2; data_ has the velocities of u⁺. Where something arrives, the work of all contacts of its island is that of
  // an impact: they act on each other, and one may well give what another takes more of.
  void balance(double h) {
    const int d = model_.dimension();
    const Islands& islands = solver_.islands();
    island_of_.assign(static_cast<std::size_t>(problem_.blocks()), -1);
    for (int k = 0; k < islands.count(); ++k)
      for (int at = islands.start[k]; at < islands.start[k + 1]; ++at) island_of_[static_cast<std::size_t>(islands.order[at])] = k;
    island_work_.assign(static_cast<std::size_t>(islands.count()), {});
    for (StepContact& c : contacts_.list) {
      if (c.block < 0) continue;
      double after[3] = {c.free[0], c.free[1], c.free[2]};
      problem_.rows.add_velocity(c.block, z_, after);
      c.after_normal = after[d - 1];
      const int at = island_of_[static_cast<std::size_t>(c.block)];
      if (at < 0) continue;  // neither body can move
      IslandWork& island = island_work_[static_cast<std::size_t>(at)];
      double work = 0, driven = 0;
      for (int k = 0; k < d; ++k) {
        const double p = c.impulse[k] + c.collision[k];
        work += p * 0.5 * (c.before[k] + after[k]), driven += p * c.running[k];
      }
      if (c.moments >= 0) {
        double turned[3] = {c.turning_free[0], c.turning_free[1], c.turning_free[2]};
        problem_.rows.add_velocity(c.moments, z_, turned);
        for (int k = 0; k < d; ++k) work += c.moment_impulse[k] * 0.5 * (c.turning[k] + turned[k]);
      }
      island.at_contacts += work, island.on_bodies += work - driven;
      island.struck = island.struck || (!c.landed && arrives(c, h) && c.impulse[d - 1] + c.collision[d - 1] > 0);
    }
    for (const IslandWork& island : island_work_) {
      if (island.struck) energy_.impacts += island.on_bodies, summary_.impact_loss -= island.on_bodies;
      else energy_.contacts += island.on_bodies;
      summary_.worst_gain = std::max(summary_.worst_gain, island.at_contacts);
    }
    if (o_.scheme == Scheme::moreau_jean) note_lasting(h);
    if (scene_.forces.joints.empty() && scene_.forces.springs.empty() && scene_.forces.drags.empty() && scene_.forces.pushes.empty()) return;
    update_velocities(model_, state_.u, data_);
    const double before = power(state_.u);
    update_velocities(model_, u_new_, data_);
    energy_.forces += 0.5 * h * (before + power(u_new_));
  }

  // The accelerations by contacts of islands where nothing arrived.
  void note_lasting(double h) {
    const Islands& islands = solver_.islands();
    const RootRows& rows = problem_.rows;
    lasting_ = z_ / h;
    for (int k = 0; k < islands.count(); ++k) {
      if (!island_work_[static_cast<std::size_t>(k)].struck) continue;
      for (const int i : islands.of(k))
        for (int e = rows.start[i]; e < rows.start[i + 1]; ++e) lasting_[rows.speed[e]] = 0;
    }
    apply_root_transpose(model_, data_, lasting_);
  }

  // Of the step's forces at the velocities in data_.
  double power(const VectorXd& u) const {
    double sum = free_.forces().tau.dot(u);
    for (int i = 0; i < model_.bodies(); ++i) {
      const Motion v = at(data_.velocity[i], data_.pose[i].translation - data_.hub[i]);
      sum += dot(free_.forces().wrenches[i], v);
    }
    return sum;
  }

  void tell_changes(double h) {
    const int d = model_.dimension();
    for (const StepContacts::Memory& memory : contacts_.memory())
      if (!memory.recalled) tell(EventKind::lift_off, memory.id, t_, 0);
    for (StepContact& c : contacts_.list) {
      if (c.asleep) continue;  // as it was
      const bool known = c.held;
      const bool presses = c.impulse[d - 1] + c.collision[d - 1] > 0;
      // Redundant contacts may carry nothing: what has touched does so until it parts, and Stewart & Trinkle's gaps touch where they close.
      if (known && c.block < 0) c.after_normal = contacts_.normal_velocity(c, data_, u_new_);
      const bool near = known ? c.gap + h * c.after_normal <= kParted : o_.scheme == Scheme::stewart_trinkle && c.block >= 0 && c.gap + h * c.after_normal <= kTouching;
      c.held = presses || near;
      c.landed = c.held && c.after_normal * h >= -kTouching;
      c.began = c.held && !known;
      if (!c.held && known) tell(EventKind::lift_off, c.id, t_, c.gap);
      else if (c.moved_on) tell(EventKind::feature_change, c.id, t_, c.gap);
    }
    for (const StepContact& c : contacts_.list)  // later than what left at the step's start
      if (c.began) tell(EventKind::contact_begins, c.id, t_ + h, c.gap);
  }

  const Scene& scene_;
  const Model& model_;
  const SteppingOptions& o_;
  Recorder& recorder_;
  Data data_, start_;  // start_: moreau-jean's poses at the start of the step
  StepContacts contacts_;
  Workers workers_;
  Sleepers sleepers_;
  StepSolver solver_;
  Resting resting_;
  StepProblem problem_;
  FreeMotion free_;
  State state_;
  VectorXd u_free_, u_new_, lasting_, mean_, unlifted_, z_, z_collision_, z_bounced_, correction_;
  std::vector<double> r_, r_collision_, r_bounced_, v_before_, v_free_;
  std::vector<int> gaining_, recovering_;  // islands
  std::vector<char> overlapping_;          // island by island
  std::vector<int> island_of_;           // block by block
  std::vector<IslandWork> island_work_;
  std::vector<ContactForce> forces_;
  RunSummary summary_;
  EnergyState energy_;
  double t_ = 0, next_sample_ = 0, start_energy_ = 0, energy_scale_ = 0, worst_check_ = 0;
  long missed_ = 0, limited_ = 0;
  bool running_ = true, poor_ = false, sampling_ = false;
};

}  // namespace

RunSummary run_time_stepping(const Scene& scene, Recorder& recorder) { return TimeStepping(scene, recorder).run(); }

}  // namespace carom
