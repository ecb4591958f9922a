#pragma once
// G = J M⁻¹ Jᵀ for rows of any kind (contacts, joint limits), bilateral constraints projected out; by the square root of
// M⁻¹ = Zᵀ Z (dynamics/articulated.hpp), as dynamics/delassus.hpp does for contact points.

#include <Eigen/Core>
#include <vector>

#include "carom/dynamics/articulated.hpp"
#include "carom/dynamics/data.hpp"

namespace carom {

// Needs poses; G and Y = Z Jᵀ (without what constraints hold) are resized and filled.
void contact_space(const Model& model, Data& data, const Eigen::MatrixXd& J, Eigen::MatrixXd& G, Eigen::MatrixXd& Y);

// The speeds M⁻¹ Jᵀ f that impulses f give; `data` at the poses of Y.
template <class Columns, class Impulses>
void contact_speeds(const Model& model, Data& data, const Columns& Y, const Impulses& f, Eigen::VectorXd& u) {
  u.noalias() = Y * f;
  apply_root_transpose(model, data, u);
}

// Which contacts impulses can reach each other: a number per contact, the same for contacts that are joined by blocks of G above
// rounding, counted from 0 in the order of their first contacts. Returns how many there are.
int contact_islands(const Eigen::MatrixXd& G, int dimension, std::vector<int>& island);

// The same as lists: contacts and their rows.
struct ContactIsland {
  std::vector<Eigen::Index> member, rows;
};
std::vector<ContactIsland> contact_islands(const Eigen::MatrixXd& G, int dimension);

}  // namespace carom
