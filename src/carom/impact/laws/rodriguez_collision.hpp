#pragma once
// The state of a collision under law `rodriguez-bowling`, moved along by one event after the other, and what is written down of it.

#include <string>
#include <vector>

#include "carom/impact/laws/rodriguez_friction.hpp"
#include "carom/impact/outcome.hpp"

namespace carom::laws::rodriguez {

struct Tolerances {
  double rest;      // slip speed that counts as none [m/s]
  double approach;  // normal speed that counts as touching [m/s]
  double path;      // spatial: relative error per step of the integration along the impulse
};

// What the user should know, gathered while the collision runs.
struct Notes {
  bool undetermined = false, over_determined = false, dropped = false, rule_given_up = false, tension = false, locked = false;
};

struct Collision {
  const System& system;
  Tolerances tolerance;
  Eigen::VectorXd v, p;
  std::vector<ContactWork> work;
  double normal_work = 0;
  Notes notes;
  ImpactOutcome* history = nullptr;  // events and segments go here; nullptr: not recorded

  void note(const Decision& decision);
  // Moves along a straight stretch: `delta` of total normal impulse at these rates.
  void advance(const Decision& decision, const std::vector<Hold>& first, double delta, Phase phase, const std::string& mode);
  void event(ImpactEventKind kind, int contact);
};

// One event: which contacts may take part, and how much of the work of compression comes back.
struct EventPlan {
  std::vector<int> members;
  double e = 0;       // e* ∈ [−1, 1]
  std::string mode;   // name of the event in the history
};

// False: the event could not be brought to its end (it does not start, or never ends); the state is where it stopped.
bool planar_event(Collision& collision, const EventPlan& plan);
bool spatial_event(Collision& collision, const EventPlan& plan);

// Ends every approach among the members with the e = 0 Coulomb complementarity problem. False: it has no solution.
bool finish_inelastic(Collision& collision, const std::vector<int>& members, const std::string& mode);

// Σ r v_n: the rate of normal work.
double work_rate(const System& system, const Rates& rates, const Eigen::VectorXd& v);

// The members that approach.
std::vector<int> approaching(const Collision& collision, const std::vector<int>& members);

// The members of an event with their speeds of approach.
Members gather(const Collision& collision, const std::vector<int>& contacts);

// How each contact looks in a segment: `first` are the holds the event began with.
std::vector<SlipState> slip_states(const Decision& decision, const std::vector<Hold>& first, int dimension);

}  // namespace carom::laws::rodriguez
