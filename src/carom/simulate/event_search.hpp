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
// No fall-through: gaps are followed pair by pair by conservative advancement. A look is as far on from the last as the fastest surface
// points could close the gap, or, if that is longer, as its rate and the greatest acceleration the step shows could; between two looks a
// gap that shrinks and grows again is searched at its minimum.

#include <optional>
#include <vector>

#include "carom/simulate/dense_step.hpp"
#include "carom/simulate/smooth_flow.hpp"

namespace carom {

enum class Trigger { closing, lift_off, stick_breaks, slip_stops, lost, redundant };

struct FoundEvent {
  double time = 0;
  Trigger trigger{};
  ContactId contact{};
};

class EventSearch {
 public:
  EventSearch(const Scene& scene, SmoothFlow& flow) : scene_(scene), options_(scene.integrator.event), flow_(flow) {}

  // The first event of the step, if any; its time located to the time tolerance on exact steps. `x` goes to the state there, or to the
  // end of the step.
  std::optional<FoundEvent> first(DenseStep& step, FlowVector& x);
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
  struct Followed {  // a pair of colliders, or a joint limit, over the step
    ContactId pair;
    double speed = 0, acceleration = 0;  // bounds for its gaps
    double last = 0;                     // when it was looked at
    int next = 0;                        // … and when it will be, in kSubsteps parts of the step
    std::vector<Seen> seen{};            // then, of the features that are not held
    bool held = false;                   // then: has it held ones?
  };
  // The candidates of the first interval between looks that has any, into brackets_.
  void closings(DenseStep& step);
  void mode_ends(DenseStep& step);
  void follow(DenseStep& step);
  Followed& followed(const ContactId& pair, double speed, double acceleration);
  void plan(const DenseStep& step, Followed& pair, int part) const;
  void look(double t, Followed& pair, double range, std::vector<Seen>& seen);
  std::optional<Seen> look_at(double t, const FlowVector& x, const ContactId& id);
  void between(DenseStep& step, const Followed& pair, double now, const std::vector<Seen>& after);
  double turning_point(DenseStep& step, const ContactId& id, double low, double high);
  double margin(const Bracket& bracket, double t, const FlowVector& x);
  double locate(DenseStep& step, const Bracket& bracket);
  double refine(DenseStep& step, const Bracket& bracket, double near);
  double refine_closing(DenseStep& step, const Bracket& bracket, double near);
  double locate_first_of_pair(DenseStep& step, Bracket& bracket);
  double mode_margin(std::size_t held, Trigger trigger) const;
  double slack(Trigger trigger) const;
  bool still_held(double t, const FlowVector& x);

  const Scene& scene_;
  const EventOptions& options_;
  SmoothFlow& flow_;
  FlowVector x_, dxdt_;
  std::vector<LiveContact> near_;
  std::vector<Followed> followed_;  // the first followed_count_ are in use
  std::size_t followed_count_ = 0;
  std::vector<Motion> motion_;      // per collider, at the step's ends
  std::vector<double> margin_;
  std::vector<Seen> after_;
  std::vector<Bracket> brackets_;
  double worst_gap_ = 0;
  SmoothFlow::ContactDynamics dynamics_;
  std::vector<LiveContact> held_;
};

}  // namespace carom
