#pragma once
// What a simulation tells while it runs. A Recorder is given samples, events and impacts in the order of time; io/run_file.hpp
// writes them to HDF5, MemoryRecorder keeps them.

#include <Eigen/Core>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "carom/impact/outcome.hpp"
#include "carom/impact/problem.hpp"
#include "carom/simulate/scene.hpp"

namespace carom {

// Which contact: feature `feature` of colliders a and b; joint limits have a = kLimit, b the limit, feature 0 lower, 1 upper.
struct ContactId {
  static constexpr int kLimit = -2;
  int a = 0, b = 0, feature = 0;
  auto operator<=>(const ContactId&) const = default;
};
std::string name(const Scene& scene, const ContactId& contact);  // "block/floor#2", "knee lower limit"

// The energy account at one moment: check = T + V − (T_0 + V_0) − work_forces − work_impacts − work_contacts, zero but for error.
struct EnergyState {
  double kinetic = 0, potential = 0;  // [J]
  double forces = 0;                  // work so far of the forces that are not gravity …
  double contacts = 0;                // … of lasting contacts and drives
  double impacts = 0;                 // … of impacts (ΔT of each, ≤ 0 under laws that promise it)
  double check = 0;
};

struct Sample {
  double time = 0;
  Eigen::VectorXd q, u;
  EnergyState energy;
  std::vector<Placement> poses;  // of the bodies
};

enum class EventKind {
  impact,         // gaps closed with approach: an ImpactRecord tells
  contact_begins, // a contact becomes lasting without a blow
  lift_off,
  slip_stops,     // and sticks
  slip_reverses,  // planar: passes through zero; spatial: slip stops and starts in another direction
  stick_breaks,
  accumulation,   // a Zeno series of bounces has been summed up
  jam,            // Painlevé: no or no unique acceleration; resolved as an impact without collision
  feature_change, // a lasting contact moved on to another feature
};
std::string_view name(EventKind);

struct RunEvent {
  double time = 0;
  EventKind kind{};
  ContactId contact{};
  int impact = -1;           // kind impact, jam: index of the ImpactRecord
  int bounces = 0;           // accumulation: bounces resolved in the series
  double ratio = 0;          // accumulation: of successive intervals
  double gap = 0;            // [m]
  std::string note{};
};

enum class ContactMode { open, slip, stick };
std::string_view name(ContactMode);

struct ImpactRecord {
  double time = 0;
  std::vector<ContactId> contacts;
  ImpactProblem problem;
  ImpactOutcome outcome;
  double kinetic_before = 0, kinetic_after = 0;  // of the whole system [J]
  bool without_collision = false;                // Painlevé
};

enum class RunStatus { finished, stopped, failed };  // to the end; by the user or a limit; numerically impossible, see reason
std::string_view name(RunStatus);

struct RunSummary {
  RunStatus status = RunStatus::finished;
  std::string reason{};
  double end_time = 0;
  long steps = 0, rejected = 0;         // integrator steps
  std::vector<long> events_by_kind{};   // indexed by EventKind
  double smooth_drift = 0;              // worst |check| over the greatest energy met
  double impact_loss = 0;               // −Σ ΔT [J]
  double worst_gap = 0;                 // most negative gap met [m], ≤ 0
  double worst_gain = 0;                // greatest ΔT of an impact, ≥ 0; time-stepping: work of an island's contacts in a step, drives counted [J]
  double worst_certificate = 0;         // time-stepping: worst natural-map residual …
  long sweeps = 0, factorisations = 0;  // … and the work of the contact solver
  int most_contacts = 0;                // … and the most contacts that took part in a step
  EnergyState energy{};
  std::vector<std::string> warnings{};
};

// What a contact carried: the mean over the step that ended at a sample.
struct ContactForce {
  ContactId contact{};
  Eigen::Vector3d point = Eigen::Vector3d::Zero();   // world [m]
  Eigen::Vector3d force = Eigen::Vector3d::Zero();   // on A, world axes [N]; of a joint limit: along the last axis its generalised force
  Eigen::Vector3d moment = Eigen::Vector3d::Zero();  // of rolling and spinning friction, on A [N m]
};

class Recorder {
 public:
  virtual ~Recorder() = default;
  virtual void sample(const Sample&) {}
  virtual void event(const RunEvent&) {}
  virtual void impact(const ImpactRecord&) {}
  // Beside every sample but the first, by time-stepping: the contacts with a force.
  virtual void contacts(double /*time*/, std::span<const ContactForce>) {}
  virtual void finish(const RunSummary&) {}
  // Called about every step; false stops the run with status `stopped`.
  virtual bool progress(double /*time*/) { return true; }
};

class MemoryRecorder : public Recorder {
 public:
  void sample(const Sample& s) override { samples.push_back(s); }
  void event(const RunEvent& e) override { events.push_back(e); }
  void impact(const ImpactRecord& r) override { impacts.push_back(r); }

  std::vector<Sample> samples;
  std::vector<RunEvent> events;
  std::vector<ImpactRecord> impacts;
};

}  // namespace carom
