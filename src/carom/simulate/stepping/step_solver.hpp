#pragma once
// Solves the contact problem of a step, island by island, with a certificate, climbing to stronger solvers while it is poor.
//
//   1. islands with polygons of at most kLemkeUnknowns unknowns: Lemke
//   2. warm-started block sweeps (block_sweep.hpp) along conjugate directions, until they have cost what Newton's method would or promise to
//   3. exact cones only: Newton methods in the space of speeds, for at most kNewtonBlocks blocks and factors that fit kNewtonMemory: the interior-point
//      method, where its steps become short the method of multipliers; both from no impulses; sweeps with momentum; Newton again; all from no impulses
//   4. other laws: sweeps with Anderson's acceleration, up to max_sweeps
// The best answer by its certificate is kept. With another `solver` than "default": "nsgs", "nsgs-anderson", "interior-point" and
// "augmented-lagrangian" are one method alone; "lemke" asks for polygons; every other id of complementarity/registry.hpp is called on the
// assembled island.
//
// Threads take islands in turn; within an island of more than 2 kChunk blocks they take chunks (slabs.hpp). No choice depends on time or on
// the number of threads, and so the answer does not.

#include <memory>
#include <string>

#include "carom/complementarity/anderson.hpp"
#include "carom/complementarity/lemke.hpp"
#include "carom/simulate/scene.hpp"
#include "carom/simulate/stepping/augmented_lagrangian.hpp"
#include "carom/simulate/stepping/block_sweep.hpp"
#include "carom/simulate/stepping/interior_point.hpp"
#include "carom/simulate/stepping/polygon_lcp.hpp"
#include "carom/simulate/stepping/slabs.hpp"
#include "carom/simulate/stepping/step_problem.hpp"
#include "carom/simulate/stepping/workers.hpp"

namespace carom {

struct StepReport {
  double natural_map = 0;  // of the whole step (step_problem.hpp)
  long sweeps = 0;         // blocks visited, divided by the blocks of the problem and rounded up
  long factorisations = 0;
  int islands = 0, escalated = 0;
};

// What is asked of a solve.
struct StepAsk {
  double looseness = 1;  // the tolerance is so many times that of the options
  // Not 0: bodies may rest. The start is looked at before it is changed, and is the answer if its natural map is at most `enough` of the tolerance. If it
  // just misses the tolerance, sweeps go on to StepSolver::kBeyond of it, for the steps to come, while they are no more than so many.
  int patience = 0;
  double enough = 1;
  // The problem is that of the last solve, with the same rows; q and friction may be others, floors none that were not there.
  bool same_rows = false;
  // So many blocks, the first, are those of the last solve in everything, and r and z still its answer: an island that has no others is left as it is
  // if it suffices.
  int known = 0;
  // Not empty: of the last solve's islands only these; the others keep r and z. Needs same_rows.
  std::span<const int> only{};
};

class StepSolver {
 public:
  static constexpr int kLemkeUnknowns = 400, kChunk = 1000, kNewtonBlocks = 8000;
  static constexpr double kNewtonMemory = 4e7;  // numbers
  static constexpr double kBeyond = 1e-3;       // of the tolerance: see StepAsk

  StepSolver(const Model& model, const SteppingOptions& options, Workers& workers);
  // r: the start on entry, the answer on exit, d per block; z = Y r.
  StepReport solve(const StepProblem& problem, std::vector<double>& r, Eigen::VectorXd& z, const StepAsk& ask = {});
  // Of the last problem.
  const Islands& islands() const { return islands_; }

 private:
  struct Check {  // of an island's certificate, between sweeps
    int sweeps;
    double error;
  };
  struct Workspace {  // of one thread
    IslandSystem system;
    InteriorPoint interior_point;
    AugmentedLagrangian multipliers;
    std::vector<double> impulses, kept, sums;
    std::vector<Residual> residuals;
    std::vector<Check> checks;
    PolygonLcp polygon_lcp;
    Lemke lemke;
    KeptVector before;  // impulses before Lemke's method
    Anderson anderson;
    struct {
      KeptVector point, image, fallback, best;
    } accelerated;
    double visits = 0;
    long factorisations = 0;
    int escalated = 0;
  };
  struct Island {
    std::span<const int> blocks;
    double scale;
    BlockSweep::Range range;
    Workspace& work;
    const Slabs* slabs = nullptr;  // not null: its chunks are swept by all threads
    double error = 0;
    Residual certificate{};  // of the impulses, while it is `current`
    bool current = false;
    bool planned = false, newton = false;  // laid out for Newton's method; and it may be used
  };
  struct Place {  // of an island in sweep_
    int first = -1;
    int slabs = -1;  // in slabs_
  };
  void choose(const StepAsk& ask);
  void lay_out(const StepProblem& problem, bool same_rows);
  void solve_chosen(const StepProblem& problem, double scale, std::vector<double>& r, Eigen::VectorXd& z);
  void solve_island(const StepProblem& problem, Island& island, double* r);
  double sweep(Island& island);
  void go_on(Island& island, double beta);
  const Residual& residual(Island& island);
  double certified(Island& island);
  void take(Island& island, const double* r);
  double ahead(Island& island);
  enum class Directions { conjugate, momentum };
  void sweep_plain(const StepProblem& problem, Island& island, int limit, Directions directions, bool may_leave);
  void sweep_accelerated(Island& island, int limit);
  bool try_lemke(const StepProblem& problem, Island& island, double* r);
  bool plan_newton(const StepProblem& problem, Island& island);
  static const Check& around(const std::vector<Check>& checks, int sweeps);
  bool sweeps_are_dearer(const Island& island) const;
  double newton_sweeps(const Island& island) const;
  void newton(Island& island, double* r);
  void climb(const StepProblem& problem, Island& island, double* r);
  void try_assembled(const StepProblem& problem, Island& island, const std::string& solver, double* r);

  const Model& model_;
  const SteppingOptions& options_;
  Workers& workers_;
  double tolerance_ = 0;  // asked of every island
  int patience_ = 0;
  double enough_ = 1;
  IslandFinder finder_;
  Islands islands_;
  BlockSweep sweep_;                              // of the islands that are solved, each in one piece
  SlabCutter cutter_;
  std::vector<Slabs> slabs_;
  std::vector<int> order_;                        // of sweep_
  std::vector<Place> place_;                      // per island
  std::vector<std::unique_ptr<Workspace>> work_;  // per thread
  std::vector<int> chosen_, large_, small_;       // islands that are solved
  std::vector<Residual> certificate_;             // per island
  std::vector<Residual> left_;                    // per block: if it is the first of an island, the island's certificate after the last solve
};

}  // namespace carom
