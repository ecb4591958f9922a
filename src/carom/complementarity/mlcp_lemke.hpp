#pragma once
// MLCP through an LCP. With the equality rows first, M = [A C; D B]: if A is regular, u = −A⁻¹(C v + a) leaves the LCP
// (B − D A⁻¹ C, b − D A⁻¹ a) in the complementary unknowns. If A is singular (or that fails), free unknowns are split
// into two nonnegative parts and equalities into two inequalities. The LCP is solved by lexicographic Lemke.

#include "carom/complementarity/lemke.hpp"
#include "carom/complementarity/mlcp.hpp"

namespace carom {

[[nodiscard]] MlcpSolution solve_lemke(const Mlcp& mlcp, const LemkeOptions& options = {});

}  // namespace carom
