#include "carom/geometry/broad_phase.hpp"

#include <algorithm>
#include <limits>

namespace carom {
namespace {

constexpr std::size_t kLeaf = 4;  // shapes in a leaf at the most
constexpr long kOvergrown = 2;    // times the comparisons of a new tree, and another is planted

bool overlap(const Bounds& a, const Bounds& b) {
  bool apart = false;  // no branches: which axis parts two neighbours is a matter of chance
  for (int k = 0; k < 3; ++k) apart |= (a.low[k] > b.high[k]) | (b.low[k] > a.high[k]);
  return !apart;
}

bool is_bounded(const Bounds& b) { return b.low.allFinite() && b.high.allFinite(); }

Bounds around(const Bounds& a, const Bounds& b) { return {a.low.cwiseMin(b.low), a.high.cwiseMax(b.high)}; }

Bounds nothing() {
  const Eigen::Vector3d infinity = Eigen::Vector3d::Constant(std::numeric_limits<double>::infinity());
  return {infinity, -infinity};
}

}  // namespace

// Halves by the median along the axis of greatest spread: deep as the logarithm of the number, whatever the sizes and places are.
void BroadPhase::split(std::span<const Bounds> bounds, std::size_t first_leaf, std::size_t last_leaf) {
  if (last_leaf - first_leaf < 2) return;
  const std::size_t middle_leaf = (first_leaf + last_leaf) / 2;
  const auto first = order_.begin() + static_cast<std::ptrdiff_t>(begin(first_leaf)), last = order_.begin() + static_cast<std::ptrdiff_t>(begin(last_leaf));
  const auto middle = order_.begin() + static_cast<std::ptrdiff_t>(begin(middle_leaf));
  Bounds centres = nothing();
  std::for_each(first, last, [&](int i) {
    const Eigen::Vector3d twice = bounds[i].low + bounds[i].high;
    centres = around(centres, {twice, twice});
  });
  int axis = 0;
  (centres.high - centres.low).maxCoeff(&axis);
  std::nth_element(first, middle, last, [&](int i, int j) { return bounds[i].low[axis] + bounds[i].high[axis] < bounds[j].low[axis] + bounds[j].high[axis]; });
  split(bounds, first_leaf, middle_leaf);
  split(bounds, middle_leaf, last_leaf);
}

void BroadPhase::plant(std::span<const Bounds> bounds) {
  leaves_ = 1;
  while (leaves_ * kLeaf < order_.size()) leaves_ *= 2;
  split(bounds, 0, leaves_);
}

void BroadPhase::grow(std::span<const Bounds> bounds, double margin) {
  grown_.resize(order_.size());
  for (std::size_t k = 0; k < order_.size(); ++k) {
    const Bounds& b = bounds[order_[k]];
    grown_[k] = {b.low.array() - margin, b.high.array() + margin};
  }
  nodes_.resize(2 * leaves_);
  for (std::size_t l = 0; l < leaves_; ++l) {
    Bounds all = nothing();
    for (std::size_t k = begin(l); k < begin(l + 1); ++k) all = around(all, grown_[k]);
    nodes_[leaves_ + l] = all;
  }
  for (std::size_t node = leaves_ - 1; node > 0; --node) nodes_[node] = around(nodes_[2 * node], nodes_[2 * node + 1]);
}

void BroadPhase::within_leaf(std::size_t leaf) {
  const std::size_t last = begin(leaf + 1);
  for (std::size_t k = begin(leaf); k < last; ++k)
    for (std::size_t l = k + 1; l < last; ++l) {
      ++looks_;
      if (overlap(grown_[k], grown_[l])) found_.push_back(std::minmax(order_[k], order_[l]));
    }
}

void BroadPhase::between_leaves(std::size_t leaf, std::size_t other) {
  const std::size_t last = begin(leaf + 1), first_other = begin(other), last_other = begin(other + 1);
  for (std::size_t k = begin(leaf); k < last; ++k) {
    ++looks_;
    if (!overlap(grown_[k], nodes_[leaves_ + other])) continue;
    for (std::size_t l = first_other; l < last_other; ++l) {
      ++looks_;
      if (overlap(grown_[k], grown_[l])) found_.push_back(std::minmax(order_[k], order_[l]));
    }
  }
}

void BroadPhase::within(std::size_t node) {
  if (node >= leaves_) return within_leaf(node - leaves_);
  within(2 * node);
  within(2 * node + 1);
  between(2 * node, 2 * node + 1);
}

// Nodes of one level.
void BroadPhase::between(std::size_t node, std::size_t other) {
  ++looks_;
  if (!overlap(nodes_[node], nodes_[other])) return;
  if (node >= leaves_) return between_leaves(node - leaves_, other - leaves_);
  for (const std::size_t half : {2 * node, 2 * node + 1})
    for (const std::size_t half_other : {2 * other, 2 * other + 1}) between(half, half_other);
}

// By counting: first by the lower shape, then the few of each.
void BroadPhase::sort_pairs(std::size_t shapes) {
  place_.assign(shapes + 1, 0);
  for (const auto& [i, j] : found_) ++place_[static_cast<std::size_t>(i) + 1];
  for (std::size_t i = 0; i < shapes; ++i) place_[i + 1] += place_[i];
  pairs_.resize(found_.size());
  for (const auto& pair : found_) pairs_[place_[static_cast<std::size_t>(pair.first)]++] = pair;
  std::size_t first = 0;
  for (std::size_t i = 0; i < shapes; ++i) {
    std::sort(pairs_.begin() + static_cast<std::ptrdiff_t>(first), pairs_.begin() + static_cast<std::ptrdiff_t>(place_[i]));
    first = place_[i];
  }
}

std::span<const std::pair<int, int>> BroadPhase::pairs(std::span<const Bounds> bounds, double margin) {
  const int n = static_cast<int>(bounds.size());
  unbounded_.clear();
  for (int i = 0; i < n; ++i)
    if (!is_bounded(bounds[i])) unbounded_.push_back(i);
  const bool others = order_.size() + unbounded_.size() != bounds.size() || std::any_of(order_.begin(), order_.end(), [&](int i) { return !is_bounded(bounds[i]); });
  if (others) {
    order_.clear();
    for (int i = 0; i < n; ++i)
      if (is_bounded(bounds[i])) order_.push_back(i);
  }
  const bool planted = others || looks_ > kOvergrown * looks_then_;
  if (planted) plant(bounds);
  grow(bounds, margin);

  found_.clear();
  looks_ = 0;
  within(1);
  if (planted) looks_then_ = looks_;
  for (const int i : unbounded_)
    for (int j = 0; j < n; ++j)
      if (j > i || (j < i && is_bounded(bounds[j]))) found_.push_back(std::minmax(i, j));
  sort_pairs(bounds.size());
  return pairs_;
}

}  // namespace carom
