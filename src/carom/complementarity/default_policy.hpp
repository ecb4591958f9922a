#pragma once
// The default: warm start, the cheap solver, its certificate, and escalation. No return code is believed; the answer with the
// least natural map is kept. Friction: NSGS for a few sweeps; semismooth Newton from there; the proximal method; ADMM; and a
// long accelerated NSGS. LCP: Lemke, enumeration when tiny, Fischer–Burmeister, PGS. MLCP: the same without enumeration.

#include "carom/complementarity/registry.hpp"

namespace carom {

[[nodiscard]] ContactSummary solve_default(const Lcp& problem, const ContactOptions& options);
[[nodiscard]] ContactSummary solve_default(const Mlcp& problem, const ContactOptions& options);
[[nodiscard]] ContactSummary solve_default(const FrictionContact& problem, const ContactOptions& options);

}  // namespace carom
