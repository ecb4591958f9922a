#pragma once
// Vectors and matrices whose memory only grows: Eigen's own are given new memory with every change of size.

#include <Eigen/Core>
#include <new>

namespace carom {

// Dense: Eigen::VectorXd or Eigen::MatrixXd.
template <class Dense>
class Kept : public Eigen::Map<Dense, Eigen::AlignedMax> {
 public:
  using View = Eigen::Map<Dense, Eigen::AlignedMax>;
  using View::operator=;

  Kept() : View(nullptr, 0, Dense::ColsAtCompileTime == 1 ? 1 : 0) {}
  Kept(const Kept& other) : Kept() { *this = other; }
  Kept& operator=(const Kept& other) {
    resize(other.rows(), other.cols());
    View::operator=(other);
    return *this;
  }
  ~Kept() = default;

  // What it held is lost.
  void resize(Eigen::Index rows, Eigen::Index cols = 1) {
    if (rows * cols > memory_.size()) memory_.resize(rows * cols);
    new (static_cast<View*>(this)) View(memory_.data(), rows, cols);  // Eigen's way of laying a Map elsewhere
  }

 private:
  Eigen::VectorXd memory_;
};

using KeptVector = Kept<Eigen::VectorXd>;
using KeptMatrix = Kept<Eigen::MatrixXd>;

}  // namespace carom
