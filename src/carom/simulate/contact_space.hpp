#pragma once
// G = J M⁻¹ Jᵀ and L = M⁻¹ Jᵀ for rows of any kind (contacts, joint limits), bilateral constraints projected out; by the
// square root of M⁻¹ (dynamics/articulated.hpp), as dynamics/delassus.hpp does for contact points.

#include <Eigen/Core>
#include <vector>

#include "carom/dynamics/data.hpp"

namespace carom {

// Needs poses; G and L are resized and filled.
void contact_space(const Model& model, Data& data, const Eigen::MatrixXd& J, Eigen::MatrixXd& G, Eigen::MatrixXd& L);

// Which contacts impulses can reach each other: a number per contact, the same for contacts that are joined by blocks of G above
// rounding, counted from 0 in the order of their first contacts. Returns how many there are.
int contact_islands(const Eigen::MatrixXd& G, int dimension, std::vector<int>& island);

}  // namespace carom
