#pragma once
// Nonsmooth Gauss–Seidel in root space: block after block is solved exactly with the others held, and z = Y r is kept up to date
// (root_rows.hpp). A sweep costs two passes over Y; nothing is allocated once the greatest problem has been seen.

#include <Eigen/Core>
#include <span>
#include <vector>

#include "carom/complementarity/local_contact.hpp"
#include "carom/simulate/stepping/limit_surface.hpp"
#include "carom/simulate/stepping/step_problem.hpp"

namespace carom {

class BlockSweep {
 public:
  // Prepares the local problems; `problem` must outlive the sweeps.
  void prepare(const StepProblem& problem);

  // z = Y r over the given blocks: the entries of z that they reach are overwritten.
  void gather(std::span<const int> blocks, const double* r, Eigen::VectorXd& z) const;
  // One sweep in the order given; returns the sum of the squares of the changes of r. Exact contacts may be relaxed: they go `relaxation` times
  // as far as their own solution, back into the cone. Blocks that share no speeds with others may be swept at the same time.
  double sweep(std::span<const int> blocks, double* r, Eigen::VectorXd& z, double relaxation = 1);
  // The certificate of the blocks at r, with z = Y r.
  Residual residual(std::span<const int> blocks, const double* r, const Eigen::VectorXd& z, double scale) const;

 private:
  template <int D>
  double sweep_blocks(std::span<const int> blocks, double* r, Eigen::VectorXd& z, double relaxation);
  void solve_block(int i, const double* q, double* r, const double* all);

  const StepProblem* p_ = nullptr;
  std::vector<LocalContact3> spatial_;
  std::vector<LocalContact2> planar_;
  std::vector<double> lambda_;
  std::vector<const PolygonDirections*> polygon_;
  std::vector<char> plain_;  // exact contact without floor
};

}  // namespace carom
