#pragma once
// Bodies at rest that are not moved, for scenes that ask for it (SteppingOptions::sleeping).
//
// Trees that touch, or could within the step, make a group. A group falls asleep when all its speeds have stayed below kRestSpeed for
// kRestTime; it then has no speed, no weight and no contact problem, exactly. It wakes when anything awake could reach it. Trees with
// forces of their own or at driven or running surfaces stay awake.

#include <Eigen/Core>
#include <vector>

#include "carom/simulate/stepping/step_contacts.hpp"

namespace carom {

class Sleepers {
 public:
  static constexpr double kRestSpeed = 1e-3;  // [m/s], [rad/s]
  static constexpr double kRestTime = 0.5;    // [s]

  explicit Sleepers(const Scene& scene);
  // Before the contact problem: wakes what must be, marks the contacts of sleeping groups, takes u_free from them.
  void before(std::vector<StepContact>& list, Eigen::VectorXd& u_free);
  // After it: who rests falls asleep.
  void after(double h, Eigen::VectorXd& u);
  int asleep() const;  // trees

 private:
  int root(int tree);
  void join(const StepContact& contact);

  const Scene& scene_;
  std::vector<int> tree_of_body_, tree_of_speed_, parent_;
  std::vector<double> rest_;   // per tree: how long it has rested [s]; least of the group at its root
  std::vector<char> asleep_, forced_, awake_;
};

}  // namespace carom
