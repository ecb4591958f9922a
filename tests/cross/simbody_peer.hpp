#pragma once
// A carom tree rebuilt in Simbody (Sherman, Seth & Delp 2011; Debian's libsimbody) in the same state. Simbody's headers are
// C++17 and do not compile as C++20: simbody_peer.cpp is a C++17 file and this interface stays within that.
//
// Simbody's speeds differ from ours where it takes angular velocity in F axes and the angle of a planar joint first:
// u_simbody = T u, and u̇_simbody = T u̇ because the rotation that T holds leaves its own ω as it is.

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "carom/model/configuration.hpp"

struct SimbodyContact {
  int body_a, body_b;  // −1: ground
  Eigen::Vector3d point_a, point_b;
  Eigen::Matrix3d frame;  // columns t1, t2, n in the world
};

class SimbodyPeer {
 public:
  SimbodyPeer(const carom::Model& model, const carom::State& state);
  ~SimbodyPeer();

  Eigen::MatrixXd mass_matrix() const;    // in carom's speeds
  Eigen::VectorXd accelerations() const;  // under gravity alone, in carom's speeds
  Eigen::MatrixXd delassus(const std::vector<SimbodyContact>& contacts) const;

 private:
  struct Tree;
  std::unique_ptr<Tree> tree_;
};
