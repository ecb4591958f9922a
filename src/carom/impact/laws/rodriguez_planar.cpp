// One planar event of law `rodriguez-bowling`: velocity is piecewise linear and normal work piecewise quadratic in the impulse, with a
// bend wherever a contact's slip stops (chapter 5).

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "carom/impact/laws/rodriguez_collision.hpp"

namespace carom::laws::rodriguez {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr int kBends = 200;  // stretches after which an event counts as endless

// First positive root of slope Δ + ½ bend Δ² = rise, for rise of either sign, or never.
double reach(double slope, double bend, double rise) {
  if (rise == 0) return 0;
  const double disc = slope * slope + 2 * bend * rise;
  if (disc < 0) return kNever;
  const double toward = rise > 0 ? slope + std::sqrt(disc) : slope - std::sqrt(disc);
  const double delta = toward != 0 ? 2 * rise / toward : kNever;
  return delta > 0 ? delta : kNever;
}

// Normal work as (4.7) counts it: the part of ½ v·K v, K = J⁺ᵀ M J⁺ = G⁺, that contains v_n; over the components that carry impulse.
class PaperWork {
 public:
  PaperWork(const System& system, const std::vector<int>& members) {
    for (const int c : members) {
      if (system.problem.mu_s(c) > 0) index_.push_back(system.tangent(c)), is_normal_.push_back(0);
      index_.push_back(system.normal(c)), is_normal_.push_back(1);
    }
    const Eigen::MatrixXd G = system.problem.G(index_, index_);
    const Eigen::MatrixXd K = G.completeOrthogonalDecomposition().pseudoInverse();
    const Eigen::VectorXd n = Eigen::Map<const Eigen::VectorXd>(is_normal_.data(), static_cast<Eigen::Index>(is_normal_.size()));
    const Eigen::VectorXd t = Eigen::VectorXd::Ones(n.size()) - n;
    K_ = K - (t.asDiagonal() * K * t.asDiagonal()).eval();
  }
  // Half the bilinear form; work(v) = form(v, v).
  double form(const Eigen::VectorXd& a, const Eigen::VectorXd& b) const { return 0.5 * Eigen::VectorXd(a(index_)).dot(K_ * Eigen::VectorXd(b(index_))); }

 private:
  std::vector<Eigen::Index> index_;
  std::vector<double> is_normal_;
  Eigen::MatrixXd K_;
};

class PlanarEvent {
 public:
  PlanarEvent(Collision& at, const EventPlan& plan) : at_(at), plan_(plan) {
    members_ = gather(at, plan.members);
    // (4.7) where it is needed; at one point the work is ∫ v_n dp_n, as in 4.1.
    if (at.system.paper && plan.members.size() > 1) paper_.emplace(at.system, plan.members), origin_ = paper_->form(at.v, at.v);
  }

  bool run() {
    decision_ = decide(at_.system, members_, at_.v, at_.tolerance.rest);
    first_ = decision_.holds;
    if (!begins()) return false;
    if (plan_.e < 0 && !paper_) {
      Collision ahead = at_;
      ahead.history = nullptr;
      EventPlan inelastic = plan_;
      inelastic.e = 0;
      PlanarEvent compression(ahead, inelastic);
      if (!compression.run()) return false;
      stop_at_ = (1 - plan_.e * plan_.e) * compression.least_;
    }
    for (int k = 0; k < kBends && !done_; ++k)
      if (!stretch()) return false;
    if (done_) separate();
    return done_;
  }

 private:
  bool begins() {
    if (!decision_.rates.found) return false;
    at_.note(decision_);
    return paper_ || work_rate(at_.system, decision_.rates, at_.v) < 0;
  }

  // Impulse to the next moment at which a sliding contact comes to rest.
  double to_rest(int& which) const {
    double soonest = kNever;
    for (std::size_t k = 0; k < decision_.holds.size(); ++k) {
      const Hold& hold = decision_.holds[k];
      const int c = static_cast<int>(k), t = at_.system.tangent(c);
      const double pace = hold.direction(0) * decision_.rates.dv(t);
      if (hold.grip != Grip::slip || pace >= -rounding(at_.system, c, decision_.rates)) continue;
      const double delta = std::max(0.0, hold.direction(0) * at_.v(t)) / -pace;
      if (delta < soonest) soonest = delta, which = c;
    }
    return soonest;
  }

  // Impulse to the end of the event, or of its phase (`turns`), on this stretch.
  double to_end(bool& turns) {
    turns = false;
    if (paper_) return to_end_by_paper();
    const double slope = work_rate(at_.system, decision_.rates, at_.v), bend = work_rate(at_.system, decision_.rates, decision_.rates.dv);
    if (phase_ == Phase::compression) {
      if (stop_at_) return reach(slope, bend, *stop_at_ - work_);
      turns = true;
      return bend > 0 ? -slope / bend : kNever;
    }
    const double missing = (1 - plan_.e * plan_.e) * least_ - work_;
    if (missing <= 0) return 0;
    const double end = reach(slope, bend, missing);
    if (end < kNever || bend >= 0) return end;
    turns = true;
    return -slope / bend;
  }

  double to_end_by_paper() {
    const Eigen::VectorXd& dv = decision_.rates.dv;
    const double now = paper_->form(at_.v, at_.v) - origin_, slope = 2 * paper_->form(at_.v, dv), bend = 2 * paper_->form(dv, dv);
    least_ = std::min(least_, now);
    if (bend <= 0) return kNever;
    // The parabola of this stretch, beyond its end if need be (the "latter shift"): its least value is W_nc.
    const double bottom = slope < 0 ? now - 0.5 * slope * slope / bend : least_;
    const double target = (1 - plan_.e * plan_.e) * bottom;
    phase_ = slope < 0 ? Phase::compression : Phase::restitution;
    if (plan_.e < 0) return slope < 0 ? reach(slope, bend, std::min(0.0, target - now)) : kNever;
    const double disc = slope * slope + 2 * bend * (target - now);
    return disc < 0 ? kNever : std::max(0.0, (-slope + std::sqrt(disc)) / bend);
  }

  // Moves `delta`, split where the paper's work turns so that each segment has one phase.
  void move(double delta) {
    if (paper_ && phase_ == Phase::compression) {
      const Eigen::VectorXd& dv = decision_.rates.dv;
      const double slope = 2 * paper_->form(at_.v, dv), bend = 2 * paper_->form(dv, dv);
      const double bottom = bend > 0 ? -slope / bend : kNever;
      if (bottom < delta) {
        at_.advance(decision_, first_, bottom, Phase::compression, plan_.mode);
        delta -= bottom;
        phase_ = Phase::restitution;
      }
    }
    const double before = at_.normal_work;
    at_.advance(decision_, first_, delta, phase_, plan_.mode);
    work_ += at_.normal_work - before;
    if (!paper_) least_ = std::min(least_, work_);
  }

  bool stretch() {
    int stops = -1;
    bool turns = false;
    const double rest = to_rest(stops), end = to_end(turns);
    if (rest == kNever && end == kNever) return lock();
    move(std::min(rest, end));
    if (rest < end) return bend(stops);
    if (turns)
      turn();
    else
      done_ = true;
    return true;
  }

  // The end of compression, or of a restitution that runs dry.
  void turn() {
    phase_ = phase_ == Phase::compression ? Phase::restitution : Phase::compression;
    if (phase_ == Phase::restitution && plan_.e == 0) done_ = true;
  }

  bool bend(int stops) {
    const double before = decision_.holds[stops].direction(0);
    at_.v(at_.system.tangent(stops)) = 0;
    at_.event(ImpactEventKind::slip_stops, stops);
    decision_ = decide(at_.system, members_, at_.v, at_.tolerance.rest);
    if (!decision_.rates.found) return false;
    at_.note(decision_);
    const Hold& hold = decision_.holds[stops];
    if (hold.grip == Grip::stick) at_.event(ImpactEventKind::sticks, stops);
    if (hold.grip == Grip::slip && hold.direction(0) * before < 0) at_.event(ImpactEventKind::slip_reverses, stops);
    if (paper_) return true;
    const double slope = work_rate(at_.system, decision_.rates, at_.v);
    if ((phase_ == Phase::compression && slope >= 0) || (phase_ == Phase::restitution && slope < 0)) turn();
    return true;
  }

  // No impulse changes the work any more: what restitution could give is given.
  bool lock() {
    if (paper_ || phase_ == Phase::compression) return false;
    at_.notes.locked = done_ = true;
    return true;
  }

  void separate() {
    for (const int c : plan_.members)
      if (at_.v(at_.system.normal(c)) > at_.tolerance.approach) at_.event(ImpactEventKind::separates, c);
  }

  Collision& at_;
  const EventPlan& plan_;
  Members members_;
  Decision decision_;
  std::vector<Hold> first_;
  std::optional<PaperWork> paper_;
  std::optional<double> stop_at_;
  double origin_ = 0;       // (4.7) at the start
  double work_ = 0, least_ = 0;
  Phase phase_ = Phase::compression;
  bool done_ = false;
};

}  // namespace

bool planar_event(Collision& collision, const EventPlan& plan) { return PlanarEvent(collision, plan).run(); }

}  // namespace carom::laws::rodriguez
