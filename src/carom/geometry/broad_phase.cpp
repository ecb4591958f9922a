#include "carom/geometry/broad_phase.hpp"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

bool overlap(const Bounds& a, const Bounds& b, double margin) {
  return (a.low.array() - margin <= b.high.array() + margin).all() && (b.low.array() - margin <= a.high.array() + margin).all();
}

bool is_bounded(const Bounds& b) { return b.low.allFinite() && b.high.allFinite(); }

// The axis along which the lower ends of the bounded shapes spread most.
int widest_axis(std::span<const Bounds> bounds, const std::vector<int>& bounded) {
  if (bounded.empty()) return 0;
  Bounds all = {bounds[bounded[0]].low, bounds[bounded[0]].low};
  for (const int i : bounded) all = {all.low.cwiseMin(bounds[i].low), all.high.cwiseMax(bounds[i].low)};
  int axis = 0;
  (all.high - all.low).maxCoeff(&axis);
  return axis;
}

// Insertion sort: nearly no work when the order of the last call still holds.
template <class Before>
void insertion_sort(std::vector<int>& order, Before&& before) {
  for (std::size_t k = 1; k < order.size(); ++k) {
    const int moving = order[k];
    std::size_t hole = k;
    for (; hole > 0 && before(moving, order[hole - 1]); --hole) order[hole] = order[hole - 1];
    order[hole] = moving;
  }
}

}  // namespace

std::span<const std::pair<int, int>> BroadPhase::pairs(std::span<const Bounds> bounds, double margin) {
  const int n = static_cast<int>(bounds.size());
  pairs_.clear();
  const std::size_t unbounded_before = unbounded_.size();
  unbounded_.clear();
  for (int i = 0; i < n; ++i)
    if (!is_bounded(bounds[i])) unbounded_.push_back(i);

  // The order of the last call is the start of this one while the same shapes are bounded.
  const bool fresh = order_.size() + unbounded_.size() != bounds.size() || unbounded_.size() != unbounded_before ||
                     std::any_of(order_.begin(), order_.end(), [&](int i) { return !is_bounded(bounds[i]); });
  if (fresh) {
    order_.clear();
    for (int i = 0; i < n; ++i)
      if (is_bounded(bounds[i])) order_.push_back(i);
  }
  const int axis = widest_axis(bounds, order_);
  const auto before = [&](int i, int j) {
    const double a = bounds[i].low[axis], b = bounds[j].low[axis];
    return a != b ? a < b : i < j;
  };
  if (fresh) std::sort(order_.begin(), order_.end(), before);
  else insertion_sort(order_, before);

  for (std::size_t k = 0; k < order_.size(); ++k)
    for (std::size_t l = k + 1; l < order_.size(); ++l) {
      const int i = order_[k], j = order_[l];
      if (bounds[j].low[axis] - margin > bounds[i].high[axis] + margin) break;
      if (overlap(bounds[i], bounds[j], margin)) pairs_.emplace_back(std::min(i, j), std::max(i, j));
    }
  for (const int i : unbounded_)
    for (int j = 0; j < n; ++j)
      if (j > i || (j < i && is_bounded(bounds[j]))) pairs_.emplace_back(std::min(i, j), std::max(i, j));
  std::sort(pairs_.begin(), pairs_.end());
  return pairs_;
}

}  // namespace carom
