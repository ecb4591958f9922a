#pragma once
// Proximal point: r ← solution of the contact problem with W + α I and q − α r, which is well posed where W is singular
// (redundant contacts), and whose fixed points solve the problem itself. The inner problem is solved by the semismooth Newton
// method, loosely at first. α follows success: it shrinks after an inner solve that converged, grows after one that did not.

#include "carom/complementarity/friction_contact.hpp"

namespace carom {

struct ProximalOptions {
  double tolerance = 1e-8;  // natural map (friction_contact.hpp)
  int max_outer = 100;
  int max_inner = 30;       // Newton steps per outer iteration
  double alpha = 0.1;       // first α, relative to the mean diagonal of W

  void validate() const;  // throws InputError
};

[[nodiscard]] ContactSolution solve_proximal(const FrictionContact& problem, const ProximalOptions& options = {},
                                             const Eigen::VectorXd& warm = {});

}  // namespace carom
