#pragma once
// Nonsmooth Gauss–Seidel (Moreau; Jourdan, Alart & Jean 1998): contact after contact is solved exactly (local_contact.hpp)
// with the others held, sweep after sweep. The cone is exact, De Saxcé's term included.

#include <vector>

#include "carom/complementarity/friction_contact.hpp"
#include "carom/complementarity/local_contact.hpp"

namespace carom {

struct NsgsOptions {
  double tolerance = 1e-8;  // natural map (friction_contact.hpp)
  int max_sweeps = 10000;
  int anderson = 0;         // window of Anderson's acceleration; 0: plain Gauss–Seidel

  void validate() const;  // throws InputError
};

// The sweep, with everything prepared that does not change between sweeps.
class NsgsSweeper {
 public:
  explicit NsgsSweeper(const FrictionContact& problem);
  // One sweep over all contacts, in order; returns ‖change of r‖₂.
  double sweep(Eigen::VectorXd& r);

 private:
  double sweep_spatial(double* r);
  double sweep_planar(double* r);

  const FrictionContact& p_;
  std::vector<LocalContact3> spatial_;
  std::vector<LocalContact2> planar_;
  std::vector<double> lambda_;  // the local solver's root of the last sweep
};

// `warm`: starting reactions; empty for zero.
[[nodiscard]] ContactSolution solve_nsgs(const FrictionContact& problem, const NsgsOptions& options = {},
                                         const Eigen::VectorXd& warm = {});

}  // namespace carom
