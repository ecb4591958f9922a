#pragma once
// Moves a scene by steps of fixed length, contacts and friction resolved as one complementarity problem per step.
//
// Unknowns of a step: the new speeds u⁺, bilateral impulses, and impulses p of the contacts,
//     M (u⁺ − u) = h (τ − b) + Jᵀ p + Cᵀ λ,   C u⁺ + γ g/h = 0,   v⁺ = J u⁺ + w,   q⁺ = q ∘ exp(h u⁺),
// b gyroscopic, centrifugal and gravity forces (with the sign of Euler's equations: −ω × Iω on the right), w what drives and
// running surfaces add: ∂Ψ/∂t of a pushed gap, the surface velocity of wheels and conveyors. Friction opposes v_t⁺ inside the
// exact cone or inside a polygon with cone_edges vertices. The normal rows are
//     stewart-trinkle   0 ≤ v_n⁺ + Ψ/h ⊥ p_n ≥ 0 for every gap Ψ that the step could close. No restitution.
//     anitescu-potra    first, where gaps that close approach: a collision in two phases with Poisson's restitution, all contacts at
//                       once; then 0 ≤ v_n⁺ ⊥ p_n ≥ 0 for the gaps that the step would close
//     moreau-jean       0 ≤ v_n⁺ + e v_n⁻ ⊥ p_n ≥ 0 for the gaps that the step would close (Newton's restitution). Closed at the middle of the
//                       step, as is usual, lets v h/2 in before it acts, and what is in has lost the face it came through;
//                       M, J and forces at q_θ = q ∘ exp(θ h u_θ), q⁺ = q ∘ exp(h ((1−θ) u + θ u⁺)): second order while smooth
// A penetration Ψ < 0 asks nothing of the velocities: Ψ/h, as in the notes, ejects 1 mm of penetration at 1 m/s for h = 1 ms, and what velocities
// are given they keep. It is taken out of the configuration instead: after the step, min(γ |Ψ|, h recovery_speed) of it, γ the
// stabilisation, by the least motion that frictionless contacts ask for. What this lifts is booked as work of the contacts.
// moreau-jean: where Newton's restitution would gain energy in an island, it gets the nearest answer on the way to e = 0 that does not.
//
// Where τ and b are evaluated: free_motion.hpp. What has landed and lies within 0.1 nm takes part from the start. v_n⁻ counts as none, and strikes nothing,
// where it closes less than 1 nm in a step: rounding.
// The mean of mu_s and mu_d does not exist: a contact that stuck in the last step has mu_s, else mu_d.
// Energy: with ū = (u + u⁺)/2 the work of a step is ū · (h τ + Jᵀ p) exactly; EnergyState::check is what the discretisation of
// the smooth motion gains or loses.

#include "carom/simulate/record.hpp"
#include "carom/simulate/scene.hpp"

namespace carom {

// `scene` must be valid (validate).
RunSummary run_time_stepping(const Scene& scene, Recorder& recorder);

}  // namespace carom
