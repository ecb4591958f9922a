#pragma once
// Friction of contacts that do not slip, for law `lzb`: what keeps all of them at rest together, and who breaks loose.
//
// With normal forces given, sideways acceleration of the held contacts is a = A f + b (A: their tangential block of G, b: what all other
// forces do). Friction is the f of least norm with a = 0 if it respects every limit |f_i| ≤ L_i; else the minimiser of ½ fᵀA f + bᵀf
// within the limits (convex, so unique in a), where every contact that still accelerates has f_i = −L_i a_i/|a_i|: it breaks loose along a_i.

#include <Eigen/Core>
#include <vector>

namespace carom::laws {

class HeldFriction {
 public:
  HeldFriction(const Eigen::MatrixXd& G, int dimension) : G_(G), d_(dimension) {}

  // The contacts that are held, in rising order.
  void hold(const std::vector<int>& contacts);
  const std::vector<int>& contacts() const { return contacts_; }

  // Solves for the held contacts' friction. `force`: of all contacts, with zero friction at the held ones, which is filled in.
  // limits(i): of the i-th held contact. Returns how far beyond rest: < 0 margin to the nearest limit, 0 held only by another
  // distribution than the least norm, > 0 the greatest acceleration left, over that without friction.
  // `thorough`: to be decided upon; else a step away from the last solution, which starts it.
  double solve(Eigen::VectorXd& force, const Eigen::VectorXd& limits, bool thorough);

  // Acceleration that the last solve left at the i-th held contact; zero where it is held.
  Eigen::VectorXd::ConstSegmentReturnType drift(int i) const { return drift_.segment(i * (d_ - 1), d_ - 1); }

 private:
  bool within(const Eigen::VectorXd& limits) const;
  void push_within(const Eigen::VectorXd& limits, int sweeps);  // projected Gauss–Seidel
  void polish(const Eigen::VectorXd& limits);       // those inside their limits exactly at rest

  const Eigen::MatrixXd& G_;
  int d_;
  std::vector<int> contacts_;
  Eigen::MatrixXd A_, A_inverse_;  // coupling and its pseudo-inverse
  Eigen::VectorXd b_, push_, drift_, last_;
};

}  // namespace carom::laws
