#pragma once
// Articulated-body inertias (Featherstone 2008, ch. 7) and the square root of M⁻¹ that they are.
//
// Inward over the bodies, and over the speeds of each joint from the last to the first, with s the speed's screw:
//     U = I s,  D = s · U,  I ← I − U Uᵀ / D;   then  I_parent += I seen from the parent's hub.
// A joint with several speeds is so many single-speed joints at one point. With V = U/√D and f = 1/√D the two sweeps
//     inward   y = f (τ + s · w),  w ← w − V y,   handed to the parent            y = Z τ
//     outward  α = y − V · a,  u̇ = f α,  a ← a + s u̇,   handed to the children    u̇ = Zᵀ y
// factor M⁻¹ = Zᵀ Z (the innovations factorisation of Rodriguez, Jain & Kreutz-Delgado, Int. J. Robotics Research 10, 1991),
// each sweep O(n). Hence J M⁻¹ Jᵀ = (Z Jᵀ)ᵀ (Z Jᵀ) needs the inward sweep only and is symmetric, positive semidefinite by form.
//
// A speed that nothing resists (the spin of a thin rod, D ≤ kMassless of the inertia before the joint's other speeds were
// let loose) gets f = 0 and V = 0: forces cannot act on it either, it keeps its value. data.massless_speed tells of it.

#include <Eigen/Core>

#include "carom/dynamics/data.hpp"

namespace carom {

inline constexpr double kMassless = 1e-13;

// Fills data.articulated, root and root_scale; needs poses. Does nothing when they are up to date.
void articulated_inertias(const Model& model, Data& data);

// y = Z τ and u = Zᵀ y, in place: nv numbers each.
void apply_root(const Model& model, Data& data, Eigen::Ref<Eigen::VectorXd> tau_to_y);
void apply_root_transpose(const Model& model, Data& data, Eigen::Ref<Eigen::VectorXd> y_to_u);
// M⁻¹ x in place, in O(n).
void solve_mass(const Model& model, Data& data, Eigen::Ref<Eigen::VectorXd> x);

}  // namespace carom
