#pragma once
// Rows of J in the metric of M⁻¹, stored only where they are not zero.
//
// With M⁻¹ = Zᵀ Z (dynamics/articulated.hpp) let Y = Z Jᵀ. The column of Y of a contact reaches only the speeds between its two
// bodies and the ground: six numbers per free body. Impulses p act through z = Y p, which has as many components as u:
//     Δu = Zᵀ z,   Δv = Yᵀ z,   J M⁻¹ Jᵀ = Yᵀ Y.
// So a sweep over contacts needs neither J M⁻¹ Jᵀ nor any matrix of contacts × speeds, for free bodies and for trees alike.
// Loop constraints couple what they join: Y is then projected onto the directions they leave free, and is full.
//
// Rows come in blocks of d = 2 (planar) or 3 (spatial): a contact's (t, n) or (t1, t2, n), or the moments at a contact.

#include <Eigen/Core>
#include <span>
#include <vector>

#include "carom/dynamics/data.hpp"
#include "carom/math/kept.hpp"

namespace carom {

// Where a block acts: on body A along, or with `turning` about, the columns of `axes` (as many as the block has rows), on body
// B against them.
struct BlockLoad {
  int body_a = kGround, body_b = kGround;
  Eigen::Vector3d point_a = Eigen::Vector3d::Zero(), point_b = Eigen::Vector3d::Zero();  // world [m]
  Eigen::Matrix3d axes = Eigen::Matrix3d::Zero();
  bool turning = false;
};

struct RootRows {
  int d = 3;                   // rows per block
  std::vector<int> start{0};   // per block and one more: its first entry
  std::vector<int> speed{};    // per entry: the component of z
  std::vector<double> Y{};     // per entry: d numbers
  std::vector<double> W{};     // per block: the d × d block Yᵀ Y of its own

  int blocks() const { return static_cast<int>(start.size()) - 1; }
  const double* own(int block) const { return W.data() + static_cast<std::ptrdiff_t>(block) * d * d; }

  void clear(int rows_per_block);
  // Needs articulated inertias.
  void add(const Model& model, const Data& data, const BlockLoad& load);
  // A block whose last row is ±u of one speed, the others empty: joint limits.
  void add_speed(const Model& model, const Data& data, int freedom, double sign);
  // Takes out what loop constraints hold; needs constraint_factorisation. Without constraints nothing happens.
  void project(const Data& data);

  // out[d] += Yᵀ z of one block, and z += Y p.
  void add_velocity(int block, const Eigen::VectorXd& z, double* out) const;
  void add_impulse(int block, const double* p, Eigen::VectorXd& z) const;
  // G = Yᵀ Y of some blocks, in their order; `work` has no meaning between calls.
  void dense(std::span<const int> blocks, Eigen::Ref<Eigen::MatrixXd> G, KeptMatrix& work, int nv) const;

 private:
  void close_block();

  // Work space without meaning between calls.
  KeptMatrix full_;
  KeptVector work_;
};

}  // namespace carom
