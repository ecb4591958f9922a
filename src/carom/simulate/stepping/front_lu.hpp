#pragma once
// A sparse LU factorisation by fronts, for matrices that are sums of small dense blocks: each block couples the unknowns of a few
// groups (the speeds of the bodies or trees that one contact joins).
//
// Groups are eliminated in an order of least degree; groups with the same neighbours are eliminated together. Every elimination is a
// dense partial LU of a front (own unknowns first, then those of the neighbours left), whose Schur complement goes to the front of the
// first neighbour (Duff & Reid, ACM Trans. Math. Softw. 9, 1983). Rows are exchanged only among a front's own unknowns: enough for
// matrices whose symmetric part is nearly positive definite. All memory is kept between calls.

#include <span>
#include <utility>
#include <vector>

namespace carom {

class FrontLu {
 public:
  // The pattern: sizes of the groups, and per block the groups it couples (distinct). plan() chooses the order and lays out the fronts.
  void clear();
  void add_group(int size);
  void add_block(std::span<const int> groups);
  void plan();

  int first_unknown(int group) const { return first_unknown_[static_cast<std::size_t>(group)]; }
  int unknowns() const { return size_.empty() ? 0 : first_unknown_.back() + size_.back(); }
  // Multiplications and additions of one factorisation, known after plan().
  double work() const { return work_; }
  // Numbers held by all fronts.
  double memory() const { return static_cast<double>(values_size_); }

  // Numbers: the identity, then the blocks; entries of a block are addressed by unknowns of its groups.
  void allocate();
  void set_identity();
  // The block's front as a column-major matrix, and the place of the first unknown of one of its groups in it; needs allocate().
  double* front(int block) { return values_.data() + fronts_[static_cast<std::size_t>(front_of_block_[static_cast<std::size_t>(block)])].values; }
  int stride(int block) const { return fronts_[static_cast<std::size_t>(front_of_block_[static_cast<std::size_t>(block)])].size; }
  int place(int block, int group) const;

  bool factorise();
  // x: one number per unknown in the order of add_group; overwritten by the solution.
  void solve(double* x);

 private:
  struct Front {
    int own = 0, size = 0;      // unknowns
    int first = 0;              // in index_: the unknowns of the front
    int parent = -1;
    std::size_t values = 0;     // in values_
    int pivots = 0;             // in pivot_
  };

  void eliminate();
  void merge_and_number();
  static bool factorise_front(double* f, int size, int own, int* pivot);

  // The pattern.
  std::vector<int> size_, first_unknown_;
  std::vector<int> block_groups_, block_start_{0};
  // Elimination: per group its neighbours (groups) and elements (eliminated groups that still couple it).
  std::vector<std::vector<int>> neighbours_, elements_, boundary_;
  std::vector<int> degree_, order_, place_in_order_, mark_, front_of_group_;
  std::vector<char> state_;
  std::vector<std::pair<int, int>> heap_;
  // Fronts, in the order of elimination.
  std::vector<Front> fronts_;
  std::vector<int> chain_, chained_;   // groups of a front; per group the one before it there
  std::vector<int> index_;             // per front: its unknowns
  std::vector<int> group_place_;       // per group: place in the front being looked at
  std::vector<int> place_groups_, place_start_, place_at_;  // per front: groups and where each begins
  std::vector<int> front_of_block_, pivot_, map_;
  std::vector<double> values_;
  std::size_t values_size_ = 0;
  double work_ = 0;
};

}  // namespace carom
