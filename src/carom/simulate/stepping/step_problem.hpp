#pragma once
// The contact problem of one step: u = Yᵀ z + q with z = Y r, and a law between r and u of every block.
//
//   contact   (t1, t2, n) or (t, n): 0 ≤ u_n ⊥ r_n ≥ 0; r_t opposes u_t inside μ (r_n + floor) times the unit disc, or times the
//             regular polygon with `edges` vertices d_k = (cos 2πk/edges, sin 2πk/edges) (Stewart & Trinkle's limit surface)
//   moment    (roll1, roll2, spin) or (roll, –) of the contact block `parent`: the rolling part inside rolling · r_n(parent) times
//             the disc or polygon, the spin inside ± torsion · r_n(parent), each opposing its own angular velocity
//
// u_n is what the scheme wants nonnegative: the normal velocity plus Ψ/h, or plus e v_n⁻ (time_stepping.hpp).

#include <Eigen/Core>
#include <span>
#include <vector>

#include "carom/simulate/stepping/root_rows.hpp"

namespace carom {

struct StepBlock {
  int parent = -1;                 // −1: a contact; else a moment block and its contact block, which stands before it
  int edges = 0;                   // 0: the exact disc
  double mu = 0;                   // contact
  double floor = 0;                // contact: normal impulse that is there already and that friction may use [N s]
  double rolling = 0, torsion = 0; // moment [m]
};

struct StepProblem {
  RootRows rows;
  std::vector<StepBlock> block;
  std::vector<double> q;  // d per block

  int d() const { return rows.d; }
  int blocks() const { return rows.blocks(); }
  void clear(int dimension);
};

// Blocks that reach each other over bodies, ascending in each island and by their first blocks.
struct Islands {
  std::vector<int> order;     // blocks
  std::vector<int> start{0};  // per island and one more: first place in `order`

  int count() const { return static_cast<int>(start.size()) - 1; }
  std::span<const int> of(int island) const { return std::span<const int>(order).subspan(start[island], start[island + 1] - start[island]); }
};

class IslandFinder {
 public:
  explicit IslandFinder(const Model& model);
  void find(const StepProblem& problem, Islands& out);
  // Per speed: the body at the foot of the tree that it moves.
  std::span<const int> tree_of_speed() const { return tree_of_speed_; }

 private:
  int root(int tree);
  std::vector<int> tree_of_speed_;
  std::vector<int> parent_, island_of_;
};

// Sums of squares that make the certificate of some blocks: the natural map and the greatest of q, r, u, velocities divided
// by `scale`, a mean of the own blocks' diagonals, so that the figure does not depend on units.
//   exact contact without floor   r − P_K(r − u − μ‖u_t‖ n)                          (complementarity/friction_contact.hpp)
//   all others                    r_n − max(0, r_n − u_n),  r_t − P(r_t − u_t) with P onto the disc or polygon of the present r_n
struct Residual {
  double map = 0, q = 0, r = 0, u = 0;
  void add(const Residual& other);
  double natural_map() const;  // ‖map‖ / max(‖q‖, ‖r‖, ‖u‖)
};
double velocity_scale(const StepProblem& problem);
void add_residual(const StepProblem& problem, int block, const double* r, const double* u, double parent_normal, double scale,
                  Residual& sum);

}  // namespace carom
