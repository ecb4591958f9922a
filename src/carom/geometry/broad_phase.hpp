#pragma once
// Which shapes are near enough to be worth a gap: a balanced tree of bounds, each half of it compared with the other.

#include <span>
#include <utility>
#include <vector>

#include "carom/geometry/shape.hpp"

namespace carom {

class BroadPhase {
 public:
  // Pairs (i < j, ascending) whose bounds, each grown by `margin`, overlap. Half-spaces have infinite bounds and pair with everything.
  // Keeps its memory between calls, and its tree while that serves: slowly moving scenes cost a pass over the shapes and the pairs. What
  // is found does not depend on earlier calls.
  std::span<const std::pair<int, int>> pairs(std::span<const Bounds> bounds, double margin);

 private:
  // Leaf l of the 2^depth leaves holds the shapes order_[begin(l)] … order_[begin(l + 1) − 1].
  std::size_t begin(std::size_t leaf) const { return order_.size() * leaf / leaves_; }
  void plant(std::span<const Bounds> bounds);
  void split(std::span<const Bounds> bounds, std::size_t first_leaf, std::size_t last_leaf);
  void grow(std::span<const Bounds> bounds, double margin);
  void within(std::size_t node);
  void between(std::size_t node, std::size_t other);
  void within_leaf(std::size_t leaf);
  void between_leaves(std::size_t leaf, std::size_t other);
  void sort_pairs(std::size_t shapes);

  std::vector<int> order_, unbounded_;
  std::size_t leaves_ = 1;
  std::vector<Bounds> grown_;  // by the margin, in the order of order_
  std::vector<Bounds> nodes_;  // around the grown ones: node 1 is the root, 2 k and 2 k + 1 are the halves of node k, leaves stand last
  long looks_ = 0, looks_then_ = 0;  // comparisons of the last call, and of the call when the tree was planted
  std::vector<std::pair<int, int>> found_, pairs_;
  std::vector<std::size_t> place_;  // of the pairs of each shape
};

}  // namespace carom
