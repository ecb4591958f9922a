#pragma once
// LCPs of Stewart–Trinkle time steps of stacked boxes that rest flat on each other with all four corners: three of the
// corners would do, so the normal forces are redundant, the friction forces more so, and after the first steps velocities
// and gaps are zero up to rounding, which makes ties that rounding decides.
//
//   [ c_n ]   [ NᵀM⁻¹N  NᵀM⁻¹D  0 ] [ p_n ]   [ Nᵀ(v + h M⁻¹f) + ψ/h ]
//   [ c_f ] = [ DᵀM⁻¹N  DᵀM⁻¹D  E ] [ p_f ] + [ Dᵀ(v + h M⁻¹f)       ]
//   [ ζ   ]   [ U       −Eᵀ     0 ] [ s   ]   [ 0                    ]

#include <Eigen/Dense>
#include <cmath>
#include <numbers>
#include <vector>

#include "carom/complementarity/lcp.hpp"
#include "carom/complementarity/lemke.hpp"
#include "carom/math/counter_rng.hpp"

namespace carom_test {

class BoxTower {
 public:
  // `scene` selects the tower: 1 to 3 boxes, 4 to 8 friction directions, masses, sizes, yaw, friction and velocities.
  explicit BoxTower(std::uint64_t scene) : rng_(2024, scene) {
    boxes_ = 1 + static_cast<int>(scene % 3);
    edges_ = 4 + 2 * static_cast<int>(scene / 3 % 3);
    const int nc = 4 * boxes_, dof = 6 * boxes_;
    inverse_mass_ = Eigen::VectorXd(dof);
    velocity_ = Eigen::VectorXd(dof);
    N_ = Eigen::MatrixXd::Zero(dof, nc);
    D_ = Eigen::MatrixXd::Zero(dof, nc * edges_);
    mu_ = rng_.below(6) == 0 ? 0.0 : rng_.uniform(0.05, 1.0);
    gap_ = Eigen::VectorXd::Zero(nc);
    for (int b = 0; b < boxes_; ++b) add_box(b);
  }

  carom::Lcp lcp() const {
    const int nc = static_cast<int>(N_.cols()), nf = static_cast<int>(D_.cols()), n = 2 * nc + nf;
    const Eigen::MatrixXd W = inverse_mass_.asDiagonal();
    carom::Lcp l{Eigen::MatrixXd::Zero(n, n), Eigen::VectorXd::Zero(n)};
    Eigen::MatrixXd E = Eigen::MatrixXd::Zero(nf, nc);
    for (int f = 0; f < nf; ++f) E(f, f / edges_) = 1;
    l.M.topLeftCorner(nc, nc) = N_.transpose() * W * N_;
    l.M.block(0, nc, nc, nf) = N_.transpose() * W * D_;
    l.M.block(nc, 0, nf, nc) = D_.transpose() * W * N_;
    l.M.block(nc, nc, nf, nf) = D_.transpose() * W * D_;
    l.M.block(nc, nc + nf, nf, nc) = E;
    l.M.block(nc + nf, 0, nc, nc).diagonal().setConstant(mu_);
    l.M.block(nc + nf, nc, nc, nf) = -E.transpose();
    l.q.head(nc) = N_.transpose() * free_velocity() + gap_ / kStep;
    l.q.segment(nc, nf) = D_.transpose() * free_velocity();
    return l;
  }

  void advance(const Eigen::VectorXd& z) {
    const auto nc = N_.cols(), nf = D_.cols();
    velocity_ = free_velocity() + inverse_mass_.cwiseProduct(N_ * z.head(nc) + D_ * z.segment(nc, nf));
    gap_ += kStep * N_.transpose() * velocity_;
  }

 private:
  static constexpr double kStep = 0.01;

  Eigen::VectorXd free_velocity() const {
    Eigen::VectorXd v = velocity_;
    for (int b = 0; b < boxes_; ++b) v[6 * b + 2] -= 9.81 * kStep;
    return v;
  }

  void add_box(int b) {
    const double m = rng_.log_uniform(0.1, 10), yaw = rng_.uniform(0, 6.3);
    const Eigen::Vector3d half(rng_.uniform(0.1, 0.5), rng_.uniform(0.1, 0.5), rng_.uniform(0.05, 0.5));
    const double y2 = half.y() * half.y(), x2 = half.x() * half.x(), z2 = half.z() * half.z();
    inverse_mass_.segment<3>(6 * b).setConstant(1 / m);
    inverse_mass_.segment<3>(6 * b + 3) = Eigen::Vector3d(3 / m / (y2 + z2), 3 / m / (x2 + z2), 3 / m / (x2 + y2));
    for (int k = 0; k < 6; ++k) velocity_[6 * b + k] = k == 2 ? -rng_.uniform(0, 0.5) : 0.5 * rng_.normal();
    for (int corner = 0; corner < 4; ++corner) {
      const Eigen::Vector3d arm((corner & 1 ? 1 : -1) * half.x(), (corner & 2 ? 1 : -1) * half.y(), -half.z());
      const int c = 4 * b + corner;
      N_.col(c) = wrench(b, arm, Eigen::Vector3d::UnitZ());
      for (int k = 0; k < edges_; ++k) {
        const double a = yaw + 2 * std::numbers::pi * k / edges_;
        D_.col(c * edges_ + k) = wrench(b, arm, {std::cos(a), std::sin(a), 0});
      }
    }
    height_ = half.z();
  }

  // Velocity of box b relative to what carries it, at `arm` from the centre of b, along n. Centres stand above each other.
  Eigen::VectorXd wrench(int b, const Eigen::Vector3d& arm, const Eigen::Vector3d& n) const {
    Eigen::VectorXd g = Eigen::VectorXd::Zero(6 * boxes_);
    g.segment<3>(6 * b) = n;
    g.segment<3>(6 * b + 3) = arm.cross(n);
    if (b > 0) {
      const Eigen::Vector3d below(arm.x(), arm.y(), height_);
      g.segment<3>(6 * b - 6) = -n;
      g.segment<3>(6 * b - 3) = -below.cross(n);
    }
    return g;
  }

  carom::CounterRng rng_;
  int boxes_ = 0, edges_ = 0;
  double mu_ = 0, height_ = 0;
  Eigen::VectorXd inverse_mass_, velocity_, gap_;
  Eigen::MatrixXd N_, D_;
};

// 26 towers, five steps each. A step that Lemke does not solve ends nothing: its LCP is in the list like the others.
inline std::vector<carom::Lcp> box_lcps() {
  std::vector<carom::Lcp> all;
  for (std::uint64_t scene = 0; scene < 26; ++scene) {
    BoxTower tower(scene);
    for (int step = 0; step < 5; ++step) {
      all.push_back(tower.lcp());
      tower.advance(carom::solve_lemke(all.back()).z);
    }
  }
  return all;
}

}  // namespace carom_test
