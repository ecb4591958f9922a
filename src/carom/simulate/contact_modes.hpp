#pragma once
// Contact forces at the level of accelerations: a = G λ + a₀ for contacts that touch and do not approach.
//
// A contact that slips along the unit vector d has λ = λ_n (−μ_d d, 1): one unknown, one row (the normal one). A contact whose
// slip is zero has all its components: 0 ≤ λ_n ⊥ a_n ≥ 0 and ‖λ_t‖ ≤ μ λ_n with a_t opposite to λ_t where that is an equality,
// first with μ_s; those that cannot stick are solved again with μ_d, since static friction only keeps what rests.
// Both problems are FrictionContact problems: a slipping contact enters with μ = 0 and its own column G (−μ_d d, 1).
//
// Once it is known which contacts hold and which stick, the forces follow from linear equations (held_forces), which is
// what the integrator uses. Redundant contacts leave them undetermined: then the solution nearest to `reference` is taken.

#include <Eigen/Core>
#include <algorithm>
#include <vector>

#include "carom/math/least_norm.hpp"
#include "carom/simulate/record.hpp"

namespace carom {

struct ModeContact {
  ContactMode mode = ContactMode::stick;  // slip: along `direction`; stick: slip is zero
  Eigen::Vector2d direction = Eigen::Vector2d::Zero();  // unit, in the contact frame (planar: x = ±1)
  double mu_s = 0, mu_d = 0;
};

struct TouchingForces {
  Eigen::VectorXd force;                   // d per contact
  std::vector<ContactMode> mode;           // open, slip, stick
  std::vector<Eigen::Vector2d> direction;  // of slip
  // Contacts of islands that have no certified solution: they jam (Painlevé). Their force is zero, their mode open.
  std::vector<bool> jams;
  bool solved() const { return std::find(jams.begin(), jams.end(), true) == jams.end(); }
};

// Of a slipping contact: G_nn − μ_d d·G_nt, what its normal force does to its normal acceleration. Not positive: Painlevé.
double slip_stiffness(const Eigen::MatrixXd& G, int dimension, const ModeContact& contact, Eigen::Index index);

// Which of the touching contacts hold, and how; island by island.
TouchingForces touching_forces(const Eigen::MatrixXd& G, const Eigen::VectorXd& a0, int dimension, const std::vector<ModeContact>& contacts);

// The linear equations of a mode, island by island, with their memory.
class HeldForces {
 public:
  // λ with a_n = 0 at every contact and a_t = 0 at sticking ones; `reference` (d per contact, or empty) for redundant ones.
  const Eigen::VectorXd& solve(const Eigen::MatrixXd& G, const Eigen::VectorXd& a0, int dimension, const std::vector<ModeContact>& contacts,
                               const Eigen::VectorXd& reference);
  // Does the contact belong to an island whose forces are not determined by the equations alone?
  bool redundant(std::size_t contact) const { return redundant_[contact]; }

 private:
  void solve_island(const Eigen::MatrixXd& G, const Eigen::VectorXd& a0, int dimension, const std::vector<ModeContact>& contacts,
                    const Eigen::VectorXd& reference, int island);

  std::vector<int> island_;  // per contact
  std::vector<bool> redundant_;
  Eigen::MatrixXd A_;
  Eigen::VectorXd rhs_, x_, x_reference_, force_;
  LeastNorm linear_;
};

// Modes that are consistent to rounding: starting from `modes`, contacts that would pull are let go, contacts that would sink in are
// held and those that cannot stick slip, one at a time, the worst first; contacts of redundant islands are left as they are, and so
// are islands in which that does not end.
void polish_modes(const Eigen::MatrixXd& G, const Eigen::VectorXd& a0, int dimension, const std::vector<ModeContact>& entered,
                  std::vector<ContactMode>& modes, std::vector<Eigen::Vector2d>& directions);

}  // namespace carom
