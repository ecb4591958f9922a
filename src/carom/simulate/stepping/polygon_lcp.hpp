#pragma once
// The mixed LCP of the notes with v and the bilateral impulses eliminated (Stewart & Trinkle, Int. J. Numer. Meth. Eng. 39,
// 1996): per contact the unknowns p_n, p_f of its own number of directions, and σ,
//     0 ≤ W_n·(…) + q_n ⊥ p_n ≥ 0,   0 ≤ D_fᵀ u_t + E σ ⊥ p_f ≥ 0,   0 ≤ μ (p_n + floor) − Eᵀ p_f ⊥ σ ≥ 0,
// and the same for rolling (polygon) and spin (two directions). E is (Σ n_f) × n_c, not the n_c × (n_b + n_f) of the notes.

#include <Eigen/Core>
#include <span>
#include <vector>

#include "carom/math/kept.hpp"
#include "carom/simulate/stepping/step_problem.hpp"

namespace carom {

// Nothing is allocated once the greatest problem has been seen.
class PolygonLcp {
 public:
  // The LCP of some blocks of a spatial problem, every one with edges ≥ 3; velocities are divided by `scale`.
  void assemble(const StepProblem& problem, std::span<const int> blocks, int nv, double scale);
  const KeptMatrix& M() const { return M_; }
  const KeptVector& q() const { return q_; }
  // r (d per block of the whole problem) from its solution z.
  void read(std::span<const int> blocks, const Eigen::Ref<const Eigen::VectorXd>& z, double* r) const;

 private:
  // What an unknown does: it acts along at most two rows of W, or it is a multiplier σ.
  struct Unknown {
    int row = -1;                // its first row; −1: a σ
    double first = 0, next = 0;  // along that row, and along the one after it
    int bound = -1;              // the σ that bounds it; −1: none
  };
  struct Multiplier {
    int at;             // its place among the unknowns
    int normal;         // the p_n that feeds it
    double ratio, rest; // bound = ratio p_n + rest
  };
  void lay_out(const StepProblem& problem, std::span<const int> blocks);
  void add_polygon(int row, int edges, double ratio, double rest);
  void close_group(int first, double ratio, double rest);

  std::vector<Unknown> unknown_;
  std::vector<Multiplier> multiplier_;
  int normal_ = -1;  // the latest p_n
  KeptMatrix W_, work_, half_, M_;
  KeptVector q_;
};

}  // namespace carom
