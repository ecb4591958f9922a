#pragma once
// The contact-space matrices L = M⁻¹ Jᵀ and G = J M⁻¹ Jᵀ (Delassus matrix, inverse inertia at the contacts), without forming
// M, by Featherstone's articulated-body method (Morgan 2011, ch. 3): a unit impulse along each contact direction goes inward
// along the path from the contact's bodies to the ground, y = Z Jᵀ (articulated.hpp); G = yᵀ y is summed on the way. L = Zᵀ y
// goes outward over all bodies. O(n) per contact for one contact's G and for its columns of L; contacts that share part of
// their paths meet in G there.
//
// Constraints enter by projection: y loses its component along the constrained directions Q (constraints.hpp), so that
//     G = J (M⁻¹ − M⁻¹Cᵀ (C M⁻¹Cᵀ)⁺ C M⁻¹) Jᵀ,   L = (M⁻¹ − M⁻¹Cᵀ (C M⁻¹Cᵀ)⁺ C M⁻¹) Jᵀ.

#include <Eigen/Core>
#include <span>

#include "carom/dynamics/contact.hpp"
#include "carom/dynamics/data.hpp"

namespace carom {

// G ((dimension · contacts)²) and L (nv × dimension · contacts), resized and filled; need poses.
void delassus(const Model& model, Data& data, std::span<const ContactPoint> contacts, Eigen::MatrixXd& G);
void delassus(const Model& model, Data& data, std::span<const ContactPoint> contacts, Eigen::MatrixXd& G,
              Eigen::MatrixXd& L);

}  // namespace carom
