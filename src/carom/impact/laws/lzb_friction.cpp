#include "carom/impact/laws/lzb_friction.hpp"

#include <Eigen/QR>
#include <algorithm>

namespace carom::laws {
namespace {

constexpr double kOnLimit = 1e-9;  // relative: |f| that counts as at its limit
constexpr double kAtRest = 1e-8;   // acceleration over that without friction that is rounding of the joint solve
constexpr int kSweeps = 50, kThorough = 500;
constexpr double kSettled = 1e-13;

}  // namespace

void HeldFriction::hold(const std::vector<int>& contacts) {
  if (contacts == contacts_) return;
  contacts_ = contacts;
  const int t = d_ - 1, count = static_cast<int>(contacts.size());
  A_.resize(count * t, count * t);
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < count; ++j) A_.block(i * t, j * t, t, t) = G_.block(contacts[i] * d_, contacts[j] * d_, t, t);
  if (count > 0) A_inverse_ = A_.completeOrthogonalDecomposition().pseudoInverse();
  b_.resize(count * t), push_.resize(count * t), drift_.setZero(count * t), last_.resize(0);
}

bool HeldFriction::within(const Eigen::VectorXd& limits) const {
  const int t = d_ - 1;
  for (int i = 0; i < static_cast<int>(contacts_.size()); ++i)
    if (push_.segment(i * t, t).norm() > limits(i) * (1 + kOnLimit)) return false;
  return true;
}

double HeldFriction::solve(Eigen::VectorXd& force, const Eigen::VectorXd& limits, bool thorough) {
  const int t = d_ - 1, count = static_cast<int>(contacts_.size());
  if (count == 0) return -1;
  for (int i = 0; i < count; ++i) b_.segment(i * t, t).noalias() = G_.middleRows(contacts_[i] * d_, t) * force;
  push_.noalias() = -(A_inverse_ * b_);
  double excess = -1;
  drift_.setZero();
  if (within(limits)) {
    for (int i = 0; i < count; ++i) excess = std::max(excess, limits(i) > 0 ? push_.segment(i * t, t).norm() / limits(i) - 1 - kOnLimit : -kOnLimit);
  } else {
    if (last_.size() == push_.size()) push_ = last_;  // a good start
    push_within(limits, thorough ? kThorough : kSweeps);
    polish(limits);
    last_ = push_;
    drift_.noalias() = A_ * push_ + b_;
    excess = 0;
    for (int i = 0; i < count; ++i) {
      const double left = drift_.segment(i * t, t).norm();
      if (left <= kAtRest * b_.norm()) drift_.segment(i * t, t).setZero();
      else excess = std::max(excess, left / b_.norm());
    }
  }
  for (int i = 0; i < count; ++i) force.segment(contacts_[i] * d_, t) = push_.segment(i * t, t);
  return excess;
}

void HeldFriction::push_within(const Eigen::VectorXd& limits, int sweeps) {
  const int t = d_ - 1, count = static_cast<int>(contacts_.size());
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    double moved = 0;
    for (int i = 0; i < count; ++i) {
      auto own = push_.segment(i * t, t);
      const double mobility = A_.block(i * t, i * t, t, t).trace();
      Eigen::Vector2d old = Eigen::Vector2d::Zero(), f = Eigen::Vector2d::Zero();
      old.head(t) = own;
      if (mobility > 0)
        for (int k = 0; k < t; ++k) f(k) = old(k) - (b_(i * t + k) + A_.col(i * t + k).dot(push_)) / mobility;
      const double size = f.norm();
      if (size > limits(i)) f *= limits(i) / size;
      own = f.head(t);
      moved = std::max(moved, (f - old).norm());
    }
    if (moved <= kSettled * limits.head(count).sum()) return;
  }
}

void HeldFriction::polish(const Eigen::VectorXd& limits) {
  const int t = d_ - 1, count = static_cast<int>(contacts_.size());
  std::vector<int> inside, rest;
  for (int i = 0; i < count; ++i)
    for (int k = 0; k < t; ++k) (push_.segment(i * t, t).norm() < limits(i) * (1 - kOnLimit) ? inside : rest).push_back(i * t + k);
  if (inside.empty()) return;
  const Eigen::VectorXd wanted = -Eigen::VectorXd(b_(inside)) - A_(inside, rest) * Eigen::VectorXd(push_(rest));
  const Eigen::VectorXd start = push_(inside);
  const Eigen::MatrixXd own = A_(inside, inside);
  const Eigen::VectorXd step = own.completeOrthogonalDecomposition().solve(wanted - own * start);
  const Eigen::VectorXd before = push_;
  push_(inside) = start + step;
  if (!within(limits)) push_ = before;
}

}  // namespace carom::laws
