#pragma once
// The contacts of a step: which gaps may close, how they move, and what they carried in the step before.

#include <Eigen/Core>
#include <vector>

#include "carom/simulate/contact_scan.hpp"
#include "carom/simulate/stepping/step_problem.hpp"

namespace carom {

struct StepContact {
  ContactId id;
  int body_a = kGround, body_b = kGround;
  Eigen::Vector3d point_a, point_b;
  Eigen::Matrix3d axes;                // the block's directions as columns: (t, n) planar, (t1, t2, n) spatial
  const Material* material = nullptr;
  double gap = 0;                      // [m]
  Eigen::Vector3d running;             // w, along the axes
  Eigen::Vector3d before, free;        // contact velocity J u + w before the step, and after it without contact impulses
  double mu = 0;
  int edges = 0;                       // of its friction polygon; 0: exact
  bool held = false;                   // touched at the end of the last step …
  bool moved_on = false;               // … as another feature at the same place
  bool began = false;                  // touches since this step
  bool landed = false;                 // … and no longer approached: what it does now is not part of an impact
  bool stuck = false;                  // … and did not slip
  bool at_middle = false;              // its gap is that of the θ-point
  bool kept = false;                   // has a block in the problem
  bool asleep = false;                 // between bodies that sleep: carries what it last did
  int block = -1, moments = -1;        // its blocks
  Eigen::Vector3d turning, turning_free;    // relative angular velocity along the axes, before and without impulses
  Eigen::Vector3d impulse, moment_impulse;  // along the axes; the warm start before the solve
  Eigen::Vector3d collision;                // impulse of a collision that went before, along the axes
  double after_normal = 0;                  // v_n⁺ [m/s]
  double recovery = 0;                      // normal impulse of the recovery of penetrations; that of the last step before

  bool is_limit() const { return id.a == ContactId::kLimit; }
  // The directions of its moments: about the axes, in the plane about z.
  Eigen::Matrix3d moment_axes(int dimension) const {
    if (dimension == 3) return axes;
    Eigen::Matrix3d out = Eigen::Matrix3d::Zero();
    out(2, 0) = 1;
    return out;
  }
  bool has_moments() const { return material->rolling > 0 || material->torsion > 0; }
};

class StepContacts {
 public:
  explicit StepContacts(const Scene& scene);

  // All gaps ≤ range at the poses of `data`; drives at `drive_time`. Impulses of the last step become the warm start.
  void find(const Data& data, const Eigen::VectorXd& q, double time, double drive_time, double range);
  // The contact velocities J u + w at the velocities of `data`, u for joint limits.
  void velocities_before(const Data& data, const Eigen::VectorXd& u);
  void velocities_free(const Data& data, const Eigen::VectorXd& u);
  // Friction coefficients of the step; needs velocities_before.
  void choose_friction();

  // The same in one: every gap that the speeds `before` and `free` could close within h, with some room for what impulses add. When they add
  // more: widen.
  // moreau-jean: pairs that touched in the last step as they are at the θ-point. All others as they are at the start, where they are
  // apart, carried on by their bodies: half a free step later they may be in each other, and features of bodies that overlap are ambiguous.
  // For the other schemes both moments are the same.
  struct Moment {
    const Data& data;
    const Eigen::VectorXd& q;
    double time;
    double after = 0;  // the start of the step [s]
  };
  void find(const Moment& start, const Moment& middle, double drive_time, double h);
  // The same moments once more: gaps that the velocities which middle.data has now could close besides join the list.
  void widen(const Moment& start, const Moment& middle, double drive_time, double h);
  // How much of the normal velocity impulses may change before gaps are asked for anew [m/s].
  double room(const StepContact& c) const { return c.is_limit() ? 0 : room_[static_cast<std::size_t>(c.id.a)] + room_[static_cast<std::size_t>(c.id.b)]; }
  double normal_velocity(const StepContact& contact, const Data& data, const Eigen::VectorXd& u) const;

  // One block per kept contact, and one for its moments; q is left to the scheme.
  void build(const Data& data, int edges, StepProblem& problem);
  // Contacts that were kept since get their blocks, behind the others.
  void extend(const Data& data, int edges, StepProblem& problem);

  // After the step: what the contacts carried is remembered for the next.
  void remember();

  std::vector<StepContact> list;

  // How all bodies move: before the step, after it without contact impulses, and at moreau-jean's second moment.
  struct Speeds {
    std::vector<Motion> body;
    Eigen::VectorXd u;
    void take(const Data& data, const Eigen::VectorXd& speeds) { body = data.velocity, u = speeds; }
  };
  Speeds before, free, at_middle;

  struct Memory {
    ContactId id;
    Eigen::Vector3d impulse, moment;  // world
    double recovery;
    Eigen::Vector3d point;            // on A
    bool stuck, landed;
    bool recalled;                    // by a contact of the present step
  };
  const std::vector<Memory>& memory() const { return memory_; }
  // The two fastest colliders' surface speeds together [m/s]; needs velocities.
  double speed_bound(const Data& data, double time);

 private:
  Eigen::Vector3d velocity(const StepContact& contact, const Data& data, const std::vector<Motion>& body, const Eigen::VectorXd& u) const;
  Eigen::Vector3d turning(const StepContact& contact, const std::vector<Motion>& body) const;
  void set_before(StepContact& contact, const Data& data) const;
  void set_free(StepContact& contact, const Data& data) const;
  void choose_friction(StepContact& contact) const;
  void describe(const LiveContact& live, bool late, const Data& data, double drive_time, StepContact& contact) const;
  void recall(Memory& memory, StepContact& contact) const;
  void recall_by_place();
  void describe_all(const Data& data, double drive_time);  // what has been found
  void insert(const Moment& middle, double drive_time);
  void complete(StepContact& contact, const Moment& middle) const;
  void set_ways(const std::vector<Motion>& motion, double h);
  void carry(const Moment& start, const Moment& middle);
  void look_at_touched(const Moment& middle, double more);
  double friction_used(const StepContact& contact) const;
  bool is_slow(const StepContact& contact) const;

  const Scene& scene_;
  int d_;
  ContactScan scan_;
  std::vector<LiveContact> live_, again_, some_;  // again_: at the second moment of moreau-jean
  std::vector<ContactId> touched_;
  std::vector<double> asked_;  // per id of touched_: the range that its pair was asked for
  // Per collider.
  std::vector<Motion> motion_, motion_now_;  // of `free`; of the speeds looked at
  std::vector<double> reach_, room_;         // room_: change of its surface speed that has been looked for besides `free` [m/s]
  std::vector<Eigen::Vector3d> step_;        // of its hub [m]
  std::vector<double> way_;                  // how far its surface may get beyond that [m]
  std::vector<Memory> memory_;
};

}  // namespace carom
