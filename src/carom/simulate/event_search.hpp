#pragma once
// Where the present mode ends inside one integrator step. A trigger is looked for over the half-open interval t₀ < t ≤ t₁: what
// already holds at t₀ has been dealt with.
//
//   closing      a gap that is not held becomes negative while it shrinks (or is found overlapping by more than the tolerance)
//   lift_off     the normal force of a held contact becomes negative
//   stick_breaks the friction a sticking contact needs exceeds μ_s times its normal force
//   slip_stops   the slip velocity of a slipping contact reaches zero
//   lost         a held feature is no longer there
//   redundant    redundant contacts, whose single forces are a convention: no admissible forces keep the mode any more
//
// No fall-through: gaps are sampled by conservative advancement, each sample as far on as the fastest surface point could close
// the smallest gap, and between samples a gap that shrinks and grows again is searched at its minimum.

#include <functional>
#include <optional>
#include <vector>

#include "carom/simulate/smooth_flow.hpp"

namespace carom {

enum class Trigger { closing, lift_off, stick_breaks, slip_stops, lost, redundant };

struct FoundEvent {
  double time = 0;
  Trigger trigger{};
  ContactId contact{};
};

// The state within the step: by dense output, and by one exact step from its beginning.
struct StepView {
  double t0 = 0, t1 = 0;
  std::function<void(double, FlowVector&)> dense, exact;
};

class EventSearch {
 public:
  EventSearch(const Scene& scene, SmoothFlow& flow) : scene_(scene), options_(scene.integrator.event), flow_(flow) {}

  // The first event of the step, if any; its time located to the time tolerance on exact steps.
  std::optional<FoundEvent> first(const StepView& step);
  // The most negative gap met while looking.
  double worst_gap() const { return worst_gap_; }

 private:
  struct Bracket {
    double low = 0, high = 0;
    Trigger trigger{};
    ContactId contact{};
  };
  struct Seen {  // a contact that is not held, at one moment
    ContactId id;
    double gap = 0, rate = 0;
  };
  // The candidates of the first interval between samples that has any.
  std::vector<Bracket> closings(const StepView& step);
  std::vector<Bracket> mode_ends(const StepView& step);
  void look(double t, const FlowVector& x, double range, std::vector<Seen>& seen);
  std::optional<Seen> look_at(double t, const FlowVector& x, const ContactId& id);
  std::vector<Bracket> between(const StepView& step, double s0, const std::vector<Seen>& before, double s1, const std::vector<Seen>& after);
  double turning_point(const StepView& step, const ContactId& id, double low, double high);
  double margin(const StepView& step, const Bracket& bracket, double t, bool exact);
  double locate(const StepView& step, const Bracket& bracket);
  double mode_margin(std::size_t held, Trigger trigger) const;
  double slack(Trigger trigger) const;
  bool still_held(double t, const FlowVector& x);

  const Scene& scene_;
  const EventOptions& options_;
  SmoothFlow& flow_;
  FlowVector x_, dxdt_;
  std::vector<LiveContact> near_;
  double worst_gap_ = 0;
  SmoothFlow::ContactDynamics dynamics_;
  std::vector<LiveContact> held_;
};

}  // namespace carom
