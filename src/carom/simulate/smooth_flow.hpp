#pragma once
// The motion between events: ẋ = f(t, x) with x = (q, u, work of forces, work of contacts), while a set of held contacts
// keeps its modes. The flow goes on smoothly a little beyond the end of a mode, so that events can be located on it.

#include <Eigen/Core>
#include <span>
#include <vector>

#include "carom/dynamics/data.hpp"
#include "carom/simulate/contact_kinematics.hpp"
#include "carom/simulate/contact_modes.hpp"
#include "carom/simulate/contact_scan.hpp"
#include "carom/simulate/forces.hpp"

namespace carom {

struct HeldContact {
  ContactId id;
  ContactMode mode = ContactMode::stick;                // slip or stick
  Eigen::Vector3d direction = Eigen::Vector3d::Zero();  // slip: the direction to go by while the slip speed is zero or has passed it
  double speed = 0;                                     // of slip, at the last follow_slip [m/s]
  bool asleep = false;                                  // between bodies at rest: its force does not change
};

// A state together with the works done.
using FlowVector = std::vector<double>;

class SmoothFlow {
 public:
  static constexpr double kDrift = 1e-6;       // a held contact that moves faster than this has not drifted [m/s]

  explicit SmoothFlow(const Scene& scene);

  FlowVector pack(const State& state, double work_forces, double work_contacts) const;
  // The same into x, whose works stay.
  void write(const State& state, FlowVector& x) const;
  void unpack(const FlowVector& x, State& state) const;  // quaternions made unit
  double work_forces(const FlowVector& x) const { return x[x.size() - 2]; }
  double work_contacts(const FlowVector& x) const { return x[x.size() - 1]; }

  // Sets the mode; `reference` are forces (d per contact) that redundant contacts are to stay near, or empty.
  void hold(std::vector<HeldContact> contacts, Eigen::VectorXd reference);
  const std::vector<HeldContact>& held() const { return held_; }
  // Bodies that rest (rest.hpp) do so until an event: their contacts leave the equations until the next hold().
  void let_sleep(FlowVector& x, double t);
  bool asleep(int body) const { return !asleep_.empty() && asleep_[static_cast<std::size_t>(body)]; }
  // Slip directions and speeds follow the slip velocities at x; directions only where faster than `rest_speed`.
  void follow_slip(const FlowVector& x, double t, double rest_speed);
  // What is left of the slip velocity of a contact that has stopped is taken away, least in the metric of M; friction's work.
  void stop_slip(FlowVector& x, double t, const ContactId& contact);
  // The normal velocities of the contacts are taken away, least in the metric of M.
  void stop_separation(FlowVector& x, double t, std::span<const LiveContact> contacts);

  void operator()(const FlowVector& x, FlowVector& dxdt, double t);

  // What the last evaluation found, for the contacts that are held (in their order).
  const Eigen::VectorXd& force() const { return force_; }
  const ContactRows& rows() const { return rows_; }
  const std::vector<LiveContact>& live() const { return live_; }
  const std::vector<ModeContact>& modes() const { return modes_; }
  bool lost() const { return lost_; }            // a held feature was not there any more
  bool redundant(std::size_t live) const { return solver_.redundant(live); }
  Data& data() { return data_; }
  ContactScan& scan() { return scan_; }
  const State& state() const { return state_; }

  // Poses and velocities of x, forces left alone.
  void place(const FlowVector& x);

  // Moves (q, u) onto the held contacts: gaps, normal velocities and the slip of sticking ones to zero, least in the metric of M;
  // the model's own constraints too. False, and speeds left alone, when a held contact moves too fast for that to be rounding: its
  // surface has turned under it and the contacts must be looked at anew.
  bool stabilise(FlowVector& x, double t, double rounding = kDrift);

  // G, Y and a₀ of any contacts at x; slips as they are. u̇ and the power of forces without contacts.
  struct ContactDynamics {
    ContactRows rows;
    Eigen::MatrixXd G, Y;
    Eigen::VectorXd a0, udot;
    double power = 0;
  };
  void contact_dynamics(const FlowVector& x, double t, std::span<const LiveContact> contacts, ContactDynamics& out);

 private:
  void accelerations_without_contacts(double t);
  void keep_asleep();
  void find_held(double t);
  void take_away_speeds();

  const Scene& scene_;
  ContactScan scan_;
  Data data_;
  State state_;
  AppliedForces applied_;
  Eigen::VectorXd udot_;
  std::vector<HeldContact> held_;
  std::vector<ContactId> held_ids_;  // of those that are awake
  std::vector<bool> asleep_;         // per body; empty: none
  Eigen::VectorXd reference_;        // of those that are awake
  FlowVector slope_;
  std::vector<LiveContact> nearby_, live_;
  std::vector<ModeContact> modes_;
  ContactRows rows_;
  Eigen::MatrixXd G_, Y_;
  Eigen::VectorXd a0_, force_, change_, Ju_;
  const Eigen::VectorXd none_;
  std::vector<Eigen::Index> kept_;  // rows that stabilise makes vanish
  struct Correction {               // its own memory: other sizes than the flow's
    Eigen::MatrixXd J, G, Y;
    Eigen::VectorXd v, gap, impulse;
    LeastNorm inverse;
  } correction_;
  HeldForces solver_;
  bool lost_ = false;
};

}  // namespace carom
