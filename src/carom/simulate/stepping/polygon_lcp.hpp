#pragma once
// The mixed LCP of the notes with v and the bilateral impulses eliminated (Stewart & Trinkle, Int. J. Numer. Meth. Eng. 39,
// 1996): per contact the unknowns p_n, p_f of its own number of directions, and σ,
//     0 ≤ W_n·(…) + q_n ⊥ p_n ≥ 0,   0 ≤ D_fᵀ u_t + E σ ⊥ p_f ≥ 0,   0 ≤ μ (p_n + floor) − Eᵀ p_f ⊥ σ ≥ 0,
// and the same for rolling (polygon) and spin (two directions). E is (Σ n_f) × n_c, not the n_c × (n_b + n_f) of the notes.

#include "carom/complementarity/lcp.hpp"
#include "carom/simulate/stepping/step_problem.hpp"

namespace carom {

// The LCP of some blocks of a spatial problem, every one with edges ≥ 3; velocities are divided by `scale`.
Lcp polygon_lcp(const StepProblem& problem, const std::vector<int>& blocks, int nv, double scale);
// r (d per block of the whole problem) from z of that LCP.
void read_polygon_lcp(const StepProblem& problem, const std::vector<int>& blocks, const Eigen::VectorXd& z, double* r);

}  // namespace carom
