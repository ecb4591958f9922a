#pragma once
// Solves the contact problem of a step, island by island, with a certificate, climbing to stronger solvers while it is poor.
//
//   1. warm-started block sweeps (block_sweep.hpp); islands with polygons of at most kLemkeUnknowns unknowns go to Lemke first
//   2. islands of at most kSecondOrderBlocks blocks with exact cones: the method of multipliers (augmented_lagrangian.hpp)
//   3. sweeps with Anderson's acceleration, up to max_sweeps
// The best answer by its certificate is kept. With another `solver` than "default": "nsgs", "nsgs-anderson" and "augmented-lagrangian" are
// 1, 3 and 2 alone; "lemke" asks for polygons; every other id of complementarity/registry.hpp is called on the assembled island.

#include <string>

#include "carom/simulate/scene.hpp"
#include "carom/simulate/stepping/augmented_lagrangian.hpp"
#include "carom/simulate/stepping/block_sweep.hpp"
#include "carom/simulate/stepping/step_problem.hpp"

namespace carom {

struct StepReport {
  double natural_map = 0;  // of the whole step (step_problem.hpp)
  long sweeps = 0;         // of all islands
  int islands = 0, escalated = 0;
};

class StepSolver {
 public:
  static constexpr int kLemkeUnknowns = 400, kSecondOrderBlocks = 3000;

  StepSolver(const Model& model, const SteppingOptions& options);
  // r: the start on entry, the answer on exit, d per block; z = Y r.
  StepReport solve(const StepProblem& problem, std::vector<double>& r, Eigen::VectorXd& z);

 private:
  struct Island {
    std::span<const int> blocks;
    double scale;
    double error = 0;
  };
  void solve_island(const StepProblem& problem, Island& island, double* r, Eigen::VectorXd& z);
  void sweep_plain(Island& island, int limit, double* r, Eigen::VectorXd& z);
  void sweep_accelerated(Island& island, int limit, double* r, Eigen::VectorXd& z);
  bool try_lemke(const StepProblem& problem, Island& island, double* r, Eigen::VectorXd& z);
  void multiply(const StepProblem& problem, Island& island, double* r, Eigen::VectorXd& z);
  void try_assembled(const StepProblem& problem, Island& island, const std::string& solver, double* r, Eigen::VectorXd& z);
  double certified(const Island& island, const double* r, Eigen::VectorXd& z) const;

  const Model& model_;
  const SteppingOptions& options_;
  IslandFinder finder_;
  Islands islands_;
  BlockSweep sweep_;
  AugmentedLagrangian multipliers_;
  std::vector<double> best_;
  StepReport report_;
};

}  // namespace carom
