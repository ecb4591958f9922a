#include "carom/simulate/stepping/slabs.hpp"

#include <algorithm>

namespace carom {

void SlabCutter::cut(const StepProblem& problem, std::span<const int> blocks, std::span<const int> tree_of_speed, int least, Slabs& out) {
  const RootRows& rows = problem.rows;
  const int n = static_cast<int>(blocks.size());
  out.order.assign(blocks.begin(), blocks.end());
  out.start.assign({0, n});
  out.phase = {0, 1, 1, 1};
  if (n < 2 * least) return;

  // Neighbours of every tree, as linked lists.
  head_.assign(tree_of_speed.size(), -1), level_.assign(tree_of_speed.size(), -1);
  links_.clear();
  const auto link = [&](int a, int b) { links_.push_back({b, head_[a]}), head_[a] = static_cast<int>(links_.size()) - 1; };
  const auto trees = [&](int i, auto&& visit) {
    int last = -1;
    for (int e = rows.start[i]; e < rows.start[i + 1]; ++e)
      if (const int tree = tree_of_speed[rows.speed[e]]; tree != last) visit(last = tree);
  };
  for (const int i : blocks) {
    int first = -1, met = 0;
    trees(i, [&](int tree) {
      ++met;
      if (first < 0) first = tree;
      else link(first, tree), link(tree, first);
    });
    if (met > 2) return;  // loop constraints couple everything
  }
  queue_.assign(1, tree_of_speed[rows.speed[rows.start[blocks[0]]]]);
  level_[queue_[0]] = 0;
  for (std::size_t k = 0; k < queue_.size(); ++k)
    for (int l = head_[queue_[k]]; l >= 0; l = links_[l].next)
      if (int& level = level_[links_[l].tree]; level < 0) level = level_[queue_[k]] + 1, queue_.push_back(links_[l].tree);

  // Levels to slabs by the number of blocks that begin in each.
  const int levels = level_[queue_.back()] + 1;
  first_.resize(static_cast<std::size_t>(n)), second_.resize(static_cast<std::size_t>(n));
  count_.assign(static_cast<std::size_t>(levels), 0);
  for (int k = 0; k < n; ++k) {
    int low = levels, high = 0;
    trees(blocks[k], [&](int tree) { low = std::min(low, level_[tree]), high = std::max(high, level_[tree]); });
    first_[k] = low, second_[k] = high;
    ++count_[low];
  }
  int slabs = 0, held = 0;
  for (int& c : count_) {
    const int here = c;
    c = slabs;
    held += here;
    if (held >= least) ++slabs, held = 0;
  }
  slabs = count_.back() + 1;
  // Chunk of every block: slab k, then the seams above even slabs, then above odd ones.
  const int even = slabs / 2;
  key_.resize(static_cast<std::size_t>(n));
  const int chunks = 2 * slabs - 1;
  out.start.assign(static_cast<std::size_t>(chunks) + 1, 0);
  for (int k = 0; k < n; ++k) {
    const int low = count_[first_[k]], high = count_[second_[k]];
    key_[k] = low == high ? low : slabs + (low % 2 == 0 ? low / 2 : even + low / 2);
    ++out.start[key_[k] + 1];
  }
  for (int c = 0; c < chunks; ++c) out.start[c + 1] += out.start[c];
  first_.assign(out.start.begin(), out.start.end());
  for (int k = 0; k < n; ++k) out.order[first_[key_[k]]++] = blocks[k];
  out.phase = {0, slabs, slabs + even, chunks};
}

}  // namespace carom
