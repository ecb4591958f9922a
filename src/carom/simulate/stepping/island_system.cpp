#include "carom/simulate/stepping/island_system.hpp"

#include <algorithm>

namespace carom {

void IslandSystem::plan(const StepProblem& problem, std::span<const int> blocks, std::span<const int> tree_of_speed) {
  p_ = &problem, blocks_ = blocks;
  const RootRows& rows = problem.rows;
  local_.resize(tree_of_speed.size(), -1), group_.resize(tree_of_speed.size(), -1);
  speeds_.clear(), trees_.clear(), entry_.clear(), first_.assign(1, 0);
  for (const int i : blocks)
    for (int e = rows.start[i]; e < rows.start[i + 1]; ++e) {
      const int j = rows.speed[e], tree = tree_of_speed[j];
      if (group_[tree] < 0) group_[tree] = static_cast<int>(trees_.size()), trees_.push_back(tree);
      if (local_[j] < 0) local_[j] = 0, speeds_.push_back(j);
    }
  const auto group = [&](int speed) { return group_[tree_of_speed[speed]]; };
  std::sort(speeds_.begin(), speeds_.end(), [&](int a, int b) { return group(a) != group(b) ? group(a) < group(b) : a < b; });
  lu_.clear();
  for (std::size_t k = 0, end; k < speeds_.size(); k = end) {
    for (end = k; end < speeds_.size() && group(speeds_[end]) == group(speeds_[k]); ++end) local_[speeds_[end]] = static_cast<int>(end);
    lu_.add_group(static_cast<int>(end - k));
  }
  for (const int i : blocks) {
    few_.clear();
    for (int e = rows.start[i]; e < rows.start[i + 1]; ++e) {
      entry_.push_back(local_[rows.speed[e]]);
      if (const int g = group(rows.speed[e]); std::find(few_.begin(), few_.end(), g) == few_.end()) few_.push_back(g);
    }
    first_.push_back(static_cast<int>(entry_.size()));
    lu_.add_block(few_);
  }
  lu_.plan();
  place_.resize(entry_.size());
  for (std::size_t c = 0; c < blocks.size(); ++c) {
    int last = -1, place = 0;
    for (int e = first_[c]; e < first_[c + 1]; ++e) {
      const int g = group(rows.speed[rows.start[blocks[c]] + e - first_[c]]);
      if (g != last) place = lu_.place(static_cast<int>(c), g) - lu_.first_unknown(g), last = g;
      place_[e] = place + entry_[e];
    }
  }
  for (const int j : speeds_) local_[j] = -1;
  for (const int tree : trees_) group_[tree] = -1;
}

void IslandSystem::start() {
  lu_.allocate();
  lu_.set_identity();
}

double IslandSystem::natural_map(const double* r, double scale) {
  const int d = p_->d();
  z_.assign(speeds_.size(), 0.0);
  for (std::size_t c = 0; c < blocks_.size(); ++c) {
    const double* y = row(c);
    for (int e = first_[c]; e < first_[c + 1]; ++e, y += d)
      for (int k = 0; k < d; ++k) z_[entry_[e]] += y[k] * r[c * d + k];
  }
  Residual sum;
  for (std::size_t c = 0; c < blocks_.size(); ++c) {
    const double* y = row(c);
    double u[3];
    for (int k = 0; k < d; ++k) u[k] = p_->q[static_cast<std::size_t>(blocks_[c]) * d + k];
    for (int e = first_[c]; e < first_[c + 1]; ++e, y += d)
      for (int k = 0; k < d; ++k) u[k] += y[k] * z_[entry_[e]];
    add_residual(*p_, blocks_[c], r + c * d, u, 0, scale, sum);
  }
  return sum.natural_map();
}

void IslandSystem::pack(const double* all, std::vector<double>& r) const {
  const int d = p_->d();
  r.resize(blocks_.size() * d);
  for (std::size_t c = 0; c < blocks_.size(); ++c)
    for (int k = 0; k < d; ++k) r[c * d + k] = all[static_cast<std::ptrdiff_t>(blocks_[c]) * d + k];
}

void IslandSystem::unpack(const std::vector<double>& r, double* all) const {
  const int d = p_->d();
  for (std::size_t c = 0; c < blocks_.size(); ++c)
    for (int k = 0; k < d; ++k) all[static_cast<std::ptrdiff_t>(blocks_[c]) * d + k] = r[c * d + k];
}

}  // namespace carom
