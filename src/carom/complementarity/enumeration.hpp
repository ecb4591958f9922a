#pragma once
// Enumeration: every complementary choice of basis of a small LCP is solved and certified. Exponential, and the reference for
// everything else; it also finds solutions of LCPs that Lemke's path misses, and counts them.

#include <vector>

#include "carom/complementarity/lcp.hpp"

namespace carom {

struct EnumerationOptions {
  double tolerance = 1e-8;  // natural map of a solution
  int max_size = 16;        // refuse (status not_applicable) beyond: 2ⁿ linear systems

  void validate() const;  // throws InputError
};

// The choice with the least natural map; stops early at one within rounding of zero.
[[nodiscard]] LcpSolution solve_enumeration(const Lcp& lcp, const EnumerationOptions& options = {});

// All solutions at complementary bases, without repetition (distance 1e-9 of their size), in the order of their active sets.
[[nodiscard]] std::vector<Eigen::VectorXd> all_solutions(const Lcp& lcp, const EnumerationOptions& options = {});

}  // namespace carom
