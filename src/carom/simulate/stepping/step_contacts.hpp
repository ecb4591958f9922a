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
  bool stuck = false;                  // … inside its cone
  bool landed = false;                 // … and no longer approached: what it does now is not part of an impact
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
  // The same of moreau-jean: pairs that touched in the last step as they are at the θ-point. All others as they are at the start, where they are
  // apart, carried on by their bodies: half a free step later they may be in each other, and features of bodies that overlap are ambiguous.
  struct Moment {
    const Data& data;
    const Eigen::VectorXd& q;
    double time;
  };
  void find(const Moment& start, const Moment& middle, double drive_time, double range);
  // The contact velocities J u + w at the velocities of `data`, u for joint limits.
  void velocities_before(const Data& data, const Eigen::VectorXd& u);
  void velocities_free(const Data& data, const Eigen::VectorXd& u);
  double normal_velocity(const StepContact& contact, const Data& data, const Eigen::VectorXd& u) const;
  // Friction coefficients of the step; needs velocities_before.
  void choose_friction(double rest_speed);

  // One block per kept contact, and one for its moments; q is left to the scheme.
  void build(const Data& data, int edges, StepProblem& problem);
  // Contacts that were kept since get their blocks, behind the others.
  void extend(const Data& data, int edges, StepProblem& problem);

  // After the step: what the contacts carried is remembered for the next.
  void remember();

  std::vector<StepContact> list;

  struct Memory {
    ContactId id;
    Eigen::Vector3d impulse, moment;  // world
    double recovery;
    Eigen::Vector3d point;            // on A
    bool stuck, landed;
    bool recalled;                    // by a contact of the present step
  };
  const std::vector<Memory>& memory() const { return memory_; }
  double speed_bound(const Data& data, double time) const { return scan_.speed_bound(data, time); }

 private:
  Eigen::Vector3d velocity(const StepContact& contact, const Data& data, const Eigen::VectorXd& u) const;
  Eigen::Vector3d turning(const StepContact& contact, const Data& data) const;
  void describe(const Data& data, double drive_time);  // what has been found
  void recall(Memory& memory, StepContact& contact) const;
  void recall_by_place();
  double friction_used(const StepContact& contact) const;

  const Scene& scene_;
  int d_;
  ContactScan scan_;
  std::vector<LiveContact> live_, again_;  // again_: at the middle of the step
  std::vector<ContactId> touched_;
  std::vector<Memory> memory_;
};

}  // namespace carom
