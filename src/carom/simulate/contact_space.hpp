#pragma once
// G = J M⁻¹ Jᵀ and L = M⁻¹ Jᵀ for rows of any kind (contacts, joint limits), bilateral constraints projected out; by the
// square root of M⁻¹ (dynamics/articulated.hpp), as dynamics/delassus.hpp does for contact points.

#include <Eigen/Core>

#include "carom/dynamics/data.hpp"

namespace carom {

// Needs poses; G and L are resized and filled.
void contact_space(const Model& model, Data& data, const Eigen::MatrixXd& J, Eigen::MatrixXd& G, Eigen::MatrixXd& L);

}  // namespace carom
