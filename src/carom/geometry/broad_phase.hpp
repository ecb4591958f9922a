#pragma once
// Which shapes are near enough to be worth a gap: sweep and prune along the axis of greatest spread, deterministic.

#include <span>
#include <utility>
#include <vector>

#include "carom/geometry/shape.hpp"

namespace carom {

class BroadPhase {
 public:
  // Pairs (i < j, ascending) whose bounds, each grown by `margin`, overlap. Keeps its memory and its order between calls, so
  // that slowly moving scenes cost little. Half-spaces have infinite bounds and pair with everything.
  std::span<const std::pair<int, int>> pairs(std::span<const Bounds> bounds, double margin);

 private:
  std::vector<int> order_;
  std::vector<std::pair<int, int>> pairs_;
  std::vector<int> unbounded_;
};

}  // namespace carom
