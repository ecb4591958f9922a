#pragma once
// One island of contacts laid out for Newton methods in the space of speeds: matrices I + Σ Y D Yᵀ with a d × d matrix D per block, over
// the speeds that the island reaches, and their sparse factorisation (front_lu.hpp).

#include <span>
#include <vector>

#include "carom/simulate/stepping/front_lu.hpp"
#include "carom/simulate/stepping/step_problem.hpp"

namespace carom {

class IslandSystem {
 public:
  // tree_of_speed: the tree that a speed of the model moves; the speeds of one tree are eliminated together.
  void plan(const StepProblem& problem, std::span<const int> blocks, std::span<const int> tree_of_speed);

  const StepProblem& problem() const { return *p_; }
  std::span<const int> blocks() const { return blocks_; }
  std::size_t count() const { return blocks_.size(); }
  std::size_t speeds() const { return speeds_.size(); }
  // Operations of one factorisation, and the numbers it holds.
  double work() const { return lu_.work(); }
  double memory() const { return lu_.memory(); }

  // Entries of the rows of block c (its place in the island): first(c) … first(c + 1) − 1; the local speed of each.
  int first(std::size_t c) const { return first_[c]; }
  int speed(int entry) const { return entry_[static_cast<std::size_t>(entry)]; }
  const double* row(std::size_t c) const { return p_->rows.Y.data() + static_cast<std::ptrdiff_t>(p_->rows.start[blocks_[c]]) * p_->d(); }

  // The matrix: start, then add the block of c, add(row e, column f, value) with entries e, f of it, then factorise.
  void start();
  struct Target {
    double* front;
    std::ptrdiff_t stride;
    const int* place;  // per entry of the island
    void add(int e, int f, double value) const { front[place[e] + place[f] * stride] += value; }
  };
  Target target(std::size_t c) { return {lu_.front(static_cast<int>(c)), lu_.stride(static_cast<int>(c)), place_.data()}; }
  bool factorise() { return lu_.factorise(); }
  void solve(double* x) { lu_.solve(x); }

  // The certificate of impulses r, d per block of the island.
  double natural_map(const double* r, double scale);
  // Impulses of the island out of and into those of the whole problem.
  void pack(const double* all, std::vector<double>& r) const;
  void unpack(const std::vector<double>& r, double* all) const;

 private:
  const StepProblem* p_ = nullptr;
  std::span<const int> blocks_;
  FrontLu lu_;
  std::vector<int> local_, group_;    // per speed and per tree of the model: place here
  std::vector<int> speeds_, trees_;   // and back
  std::vector<int> first_, entry_, place_, few_;
  std::vector<double> z_;
};

}  // namespace carom
