#pragma once
// The mass matrix by the composite-rigid-body algorithm (Featherstone 2008, table 6.2): with I_c the inertia of a body and all
// it carries, taken as one rigid body, M_jk = s_k · I_c s_j for every speed k between the body of j and the ground.

#include <Eigen/Core>

#include "carom/dynamics/data.hpp"

namespace carom {

// The inertia of one body at its hub, in world axes; needs poses.
SpatialInertia rigid_inertia(const Model& model, const Data& data, int body);

// M (nv × nv), resized and filled; needs poses.
void mass_matrix(const Model& model, Data& data, Eigen::MatrixXd& M);
Eigen::MatrixXd mass_matrix(const Model& model, const Eigen::VectorXd& q);

}  // namespace carom
