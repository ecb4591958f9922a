#pragma once
// The blocks of an island cut into chunks that may be swept at the same time.
//
// The trees that the blocks join are put into levels by their distance in the contact graph from the first of them; blocks join trees of the
// same level or of neighbouring ones. Some levels make a slab. A sweep goes over all slabs' own blocks, then over the blocks between
// slabs 2k and 2k + 1, then between 2k + 1 and 2k + 2: within each of the three phases the chunks share no tree. The order does not depend on the number
// of threads, so neither does the result; Gauss–Seidel converges in it as well as in the order of the blocks.

#include <array>
#include <span>
#include <vector>

#include "carom/simulate/stepping/step_problem.hpp"

namespace carom {

struct Slabs {
  std::vector<int> order;                // the blocks
  std::vector<int> start;                // per chunk and one more: first place in `order`
  std::array<int, 4> phase{0, 0, 0, 0};  // first chunk of each phase, and one more

  int chunks() const { return static_cast<int>(start.size()) - 1; }
  std::span<const int> chunk(int k) const { return std::span<const int>(order).subspan(start[k], start[k + 1] - start[k]); }
};

class SlabCutter {
 public:
  // Chunks of at least about `least` blocks; an island that is smaller stays whole.
  void cut(const StepProblem& problem, std::span<const int> blocks, std::span<const int> tree_of_speed, int least, Slabs& out);

 private:
  struct Link {
    int tree, next;
  };
  std::vector<int> head_, level_, queue_, key_, first_, second_, count_;
  std::vector<Link> links_;
};

}  // namespace carom
