#include "carom/simulate/stepping/front_lu.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <functional>

namespace carom {
namespace {

constexpr int kPanel = 24;  // columns factorised before the rest is updated
constexpr int kTile = 192;  // of the update: Eigen's products of this size need no heap

using Matrix = Eigen::Map<Eigen::MatrixXd, 0, Eigen::OuterStride<>>;

// C −= A B in tiles.
void subtract_product(double* c, const double* a, const double* b, int rows, int inner, int columns, int stride) {
  using Const = Eigen::Map<const Eigen::MatrixXd, 0, Eigen::OuterStride<>>;
  for (int j = 0; j < columns; j += kTile)
    for (int i = 0; i < rows; i += kTile) {
      const int m = std::min(kTile, rows - i), n = std::min(kTile, columns - j);
      const std::ptrdiff_t s = stride;
      Matrix(c + i + j * s, m, n, Eigen::OuterStride<>(s)).noalias() -=
          Const(a + i, m, inner, Eigen::OuterStride<>(s)) * Const(b + j * s, inner, n, Eigen::OuterStride<>(s));
    }
}

}  // namespace

void FrontLu::clear() {
  size_.clear(), first_unknown_.clear(), block_groups_.clear();
  block_start_.assign(1, 0);
}

void FrontLu::add_group(int size) {
  first_unknown_.push_back(size_.empty() ? 0 : first_unknown_.back() + size_.back());
  size_.push_back(size);
}

void FrontLu::add_block(std::span<const int> groups) {
  block_groups_.insert(block_groups_.end(), groups.begin(), groups.end());
  block_start_.push_back(static_cast<int>(block_groups_.size()));
}

// Minimum degree on the quotient graph: an eliminated group stays as an element that couples its boundary; elements inside a new one
// are absorbed. Degrees are bounds (the sum over elements), as in the approximate method of Amestoy, Davis & Duff (1996).
void FrontLu::eliminate() {
  const int n = static_cast<int>(size_.size());
  const auto grow = [n](std::vector<std::vector<int>>& lists) {
    if (static_cast<int>(lists.size()) < n) lists.resize(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) lists[i].clear();
  };
  grow(neighbours_), grow(elements_), grow(boundary_);
  mark_.assign(static_cast<std::size_t>(n), -1);
  for (std::size_t b = 0; b + 1 < block_start_.size(); ++b)
    for (int i = block_start_[b]; i < block_start_[b + 1]; ++i)
      for (int j = block_start_[b]; j < block_start_[b + 1]; ++j)
        if (i != j) neighbours_[block_groups_[i]].push_back(block_groups_[j]);
  degree_.assign(static_cast<std::size_t>(n), 0);
  for (int i = 0; i < n; ++i) {
    std::sort(neighbours_[i].begin(), neighbours_[i].end());
    neighbours_[i].erase(std::unique(neighbours_[i].begin(), neighbours_[i].end()), neighbours_[i].end());
    for (const int j : neighbours_[i]) degree_[i] += size_[j];
  }
  state_.assign(static_cast<std::size_t>(n), 0);  // 1: eliminated; 2: absorbed element
  order_.clear();
  // A heap with stale entries; ties by index, so that the order is unique.
  auto& heap = heap_;
  heap.clear();
  const auto later = std::greater<std::pair<int, int>>();
  for (int i = 0; i < n; ++i) heap.emplace_back(degree_[i], i);
  std::make_heap(heap.begin(), heap.end(), later);
  while (!heap.empty()) {
    std::pop_heap(heap.begin(), heap.end(), later);
    const int degree = heap.back().first, p = heap.back().second;
    heap.pop_back();
    if (state_[p] != 0 || degree != degree_[p]) continue;
    std::vector<int>& edge = boundary_[p];
    const auto take = [&](int i) {
      if (state_[i] == 0 && i != p && mark_[i] != p) mark_[i] = p, edge.push_back(i);
    };
    for (const int i : neighbours_[p]) take(i);
    for (const int e : elements_[p]) {
      for (const int i : boundary_[e]) take(i);
      state_[e] = 2;
    }
    std::sort(edge.begin(), edge.end());
    state_[p] = 1;
    order_.push_back(p);
    int whole = 0;
    for (const int i : edge) whole += size_[i];
    for (const int i : edge) {
      auto& elements = elements_[i];
      std::erase_if(elements, [&](int e) { return state_[e] == 2; });
      elements.push_back(p);
      auto& near = neighbours_[i];  // those inside the new element are coupled by it
      std::erase_if(near, [&](int j) { return state_[j] != 0 || mark_[j] == p; });
      int bound = whole - size_[i];
      for (const int j : near) bound += size_[j];
      for (const int e : elements) {
        if (e == p) continue;
        for (const int j : boundary_[e])
          if (state_[j] == 0 && mark_[j] != p && j != i) bound += size_[j];
      }
      degree_[i] = bound;
      heap.emplace_back(bound, i);
      std::push_heap(heap.begin(), heap.end(), later);
    }
  }
}

// Chains of groups whose fronts nest without new zeros become one front; unknowns of every front in their order.
void FrontLu::merge_and_number() {
  const int n = static_cast<int>(size_.size());
  place_in_order_.resize(static_cast<std::size_t>(n));
  for (int k = 0; k < n; ++k) place_in_order_[order_[k]] = k;
  const auto first_neighbour = [&](int p) {
    int best = -1;
    for (const int i : boundary_[p])
      if (best < 0 || place_in_order_[i] < place_in_order_[best]) best = i;
    return best;
  };
  fronts_.clear(), index_.clear(), place_groups_.clear(), place_at_.clear();
  place_start_.assign(1, 0);
  front_of_group_.assign(static_cast<std::size_t>(n), -1);
  pivot_.clear();
  values_size_ = 0, work_ = 0;
  chained_.assign(static_cast<std::size_t>(n), -1);
  for (int k = 0; k < n; ++k) {
    // A front stands where the last of its groups does, so that what it collects has come before.
    const int p = order_[k], next = first_neighbour(p);
    if (next >= 0 && chained_[next] < 0 && boundary_[next].size() + 1 == boundary_[p].size()) {
      chained_[next] = p;
      continue;
    }
    chain_.clear();
    for (int group = p; group >= 0; group = chained_[group]) chain_.push_back(group);
    std::reverse(chain_.begin(), chain_.end());
    Front front;
    front.first = static_cast<int>(index_.size()), front.pivots = static_cast<int>(pivot_.size()), front.values = values_size_;
    const auto put = [&](int group) {
      place_groups_.push_back(group), place_at_.push_back(front.size);
      for (int a = 0; a < size_[group]; ++a) index_.push_back(first_unknown_[group] + a);
      front.size += size_[group];
    };
    for (const int group : chain_) front_of_group_[group] = static_cast<int>(fronts_.size()), put(group);
    front.own = front.size;
    for (const int group : boundary_[chain_.back()]) put(group);
    place_start_.push_back(static_cast<int>(place_groups_.size()));
    pivot_.resize(pivot_.size() + static_cast<std::size_t>(front.own));
    values_size_ += static_cast<std::size_t>(front.size) * static_cast<std::size_t>(front.size);
    const double s = front.size, r = front.size - front.own;
    work_ += 2 * (s * s * s - r * r * r) / 3;
    fronts_.push_back(front);
  }
  for (std::size_t f = 0; f < fronts_.size(); ++f) {
    // The parent is where the first of the boundary is eliminated.
    int best = -1;
    for (int k = place_start_[f]; k < place_start_[f + 1]; ++k)
      if (place_at_[k] >= fronts_[f].own) {
        const int of = front_of_group_[place_groups_[k]];
        best = best < 0 ? of : std::min(best, of);
      }
    fronts_[f].parent = best;
  }
  front_of_block_.clear();
  for (std::size_t b = 0; b + 1 < block_start_.size(); ++b) {
    int first = -1;
    for (int k = block_start_[b]; k < block_start_[b + 1]; ++k) {
      const int f = front_of_group_[block_groups_[k]];
      first = first < 0 ? f : std::min(first, f);
    }
    front_of_block_.push_back(first);
  }
}

void FrontLu::plan() {
  eliminate();
  merge_and_number();
}

int FrontLu::place(int block, int group) const {
  const int f = front_of_block_[static_cast<std::size_t>(block)];
  for (int k = place_start_[f]; k < place_start_[f + 1]; ++k)
    if (place_groups_[k] == group) return place_at_[k];
  return -1;
}

void FrontLu::allocate() {
  if (values_.size() < values_size_) values_.resize(values_size_);
  group_place_.assign(size_.size(), -1);
}

void FrontLu::set_identity() {
  std::fill(values_.begin(), values_.begin() + static_cast<std::ptrdiff_t>(values_size_), 0.0);
  for (const Front& f : fronts_)
    for (int k = 0; k < f.own; ++k) values_[f.values + static_cast<std::size_t>(k) * static_cast<std::size_t>(f.size + 1)] = 1;
}

bool FrontLu::factorise_front(double* f, int size, int own, int* pivot) {
  const std::ptrdiff_t s = size;
  for (int start = 0; start < own; start += kPanel) {
    const int end = std::min(own, start + kPanel);
    for (int k = start; k < end; ++k) {
      double* column = f + k * s;
      int best = k;
      for (int i = k + 1; i < own; ++i)
        if (std::abs(column[i]) > std::abs(column[best])) best = i;
      // The diagonal is kept unless it is poor: the matrix is nearly positive definite.
      if (std::abs(column[k]) >= 0.1 * std::abs(column[best])) best = k;
      pivot[k] = best;
      if (!(std::abs(column[best]) > 0) || !std::isfinite(column[best])) return false;
      if (best != k)
        for (int j = 0; j < size; ++j) std::swap(f[k + j * s], f[best + j * s]);
      const double inverse = 1 / column[k];
      for (int i = k + 1; i < size; ++i) column[i] *= inverse;
      for (int j = k + 1; j < end; ++j) {
        double* other = f + j * s;
        const double by = other[k];
        if (by == 0) continue;
        for (int i = k + 1; i < size; ++i) other[i] -= column[i] * by;
      }
    }
    for (int j = end; j < size; ++j) {
      double* column = f + j * s;
      for (int k = start; k < end; ++k) {
        const double by = column[k];
        if (by == 0) continue;
        const double* l = f + k * s;
        for (int i = k + 1; i < end; ++i) column[i] -= l[i] * by;
      }
    }
    if (end < size) subtract_product(f + end + end * s, f + end + start * s, f + start + end * s, size - end, end - start, size - end, size);
  }
  return true;
}

bool FrontLu::factorise() {
  for (std::size_t f = 0; f < fronts_.size(); ++f) {
    const Front& front = fronts_[f];
    double* values = values_.data() + front.values;
    if (!factorise_front(values, front.size, front.own, pivot_.data() + front.pivots)) return false;
    if (front.parent < 0) continue;
    // The Schur complement is added to the parent's front.
    const Front& parent = fronts_[front.parent];
    for (int k = place_start_[front.parent]; k < place_start_[front.parent + 1]; ++k) group_place_[place_groups_[k]] = place_at_[k];
    map_.resize(static_cast<std::size_t>(front.size));
    for (int k = place_start_[f]; k < place_start_[f + 1]; ++k) {
      if (place_at_[k] < front.own) continue;
      const int group = place_groups_[k];
      for (int a = 0; a < size_[group]; ++a) map_[place_at_[k] + a] = group_place_[group] + a;
    }
    double* to = values_.data() + parent.values;
    for (int j = front.own; j < front.size; ++j) {
      const double* from = values + static_cast<std::ptrdiff_t>(j) * front.size;
      double* column = to + static_cast<std::ptrdiff_t>(map_[j]) * parent.size;
      for (int i = front.own; i < front.size; ++i) column[map_[i]] += from[i];
    }
  }
  return true;
}

void FrontLu::solve(double* x) {
  for (const Front& front : fronts_) {
    const double* f = values_.data() + front.values;
    const int* index = index_.data() + front.first;
    for (int k = 0; k < front.own; ++k) std::swap(x[index[k]], x[index[pivot_[front.pivots + k]]]);
    for (int k = 0; k < front.own; ++k) {
      const double by = x[index[k]];
      const double* column = f + static_cast<std::ptrdiff_t>(k) * front.size;
      for (int i = k + 1; i < front.size; ++i) x[index[i]] -= column[i] * by;
    }
  }
  for (auto front = fronts_.rbegin(); front != fronts_.rend(); ++front) {
    const double* f = values_.data() + front->values;
    const int* index = index_.data() + front->first;
    for (int j = front->size - 1; j >= 0; --j) {
      const double* column = f + static_cast<std::ptrdiff_t>(j) * front->size;
      if (j < front->own) x[index[j]] /= column[j];
      const double by = x[index[j]];
      for (int i = 0; i < std::min(j, front->own); ++i) x[index[i]] -= column[i] * by;
    }
  }
}

}  // namespace carom
