#include "carom/simulate/stepping/step_problem.hpp"

#include <algorithm>
#include <cmath>

#include "carom/complementarity/friction_contact.hpp"
#include "carom/simulate/stepping/limit_surface.hpp"

namespace carom {
namespace {

using Eigen::Vector2d;

Vector2d project_tangent(const Vector2d& x, double radius, int edges) {
  if (edges > 0) return polygon(edges).project(x, radius);
  const double length = x.norm();
  return length <= radius ? x : Vector2d(x * (radius / length));
}

// The tangential or rolling part of a block's natural map.
double tangent_map(const double* r, const double* u, int d, double radius, int edges, double scale) {
  if (d == 2) {
    const double x = r[0] - u[0] / scale, off = r[0] - std::clamp(x, -radius, radius);
    return off * off;
  }
  const Vector2d x(r[0] - u[0] / scale, r[1] - u[1] / scale);
  return (Vector2d(r[0], r[1]) - project_tangent(x, radius, edges)).squaredNorm();
}

}  // namespace

void StepProblem::clear(int dimension) {
  rows.clear(dimension);
  block.clear(), q.clear();
}

IslandFinder::IslandFinder(const Model& model) {
  std::vector<int> foot(static_cast<std::size_t>(model.bodies()));
  for (int i = 0; i < model.bodies(); ++i) foot[i] = model.parent(i) == kGround ? i : foot[model.parent(i)];
  for (int j = 0; j < model.nv(); ++j) tree_of_speed_.push_back(foot[model.freedom(j).body]);
  parent_.resize(foot.size());
  island_of_.resize(foot.size());
}

int IslandFinder::root(int tree) {
  while (parent_[tree] != tree) tree = parent_[tree] = parent_[parent_[tree]];
  return tree;
}

void IslandFinder::find(const StepProblem& problem, Islands& out) {
  const RootRows& rows = problem.rows;
  const int n = rows.blocks();
  for (std::size_t i = 0; i < parent_.size(); ++i) parent_[i] = static_cast<int>(i);
  for (int i = 0; i < n; ++i) {
    int first = -1, last = -1;
    for (int e = rows.start[i]; e < rows.start[i + 1]; ++e) {
      const int tree = tree_of_speed_[rows.speed[e]];
      if (tree == last) continue;
      last = tree;
      if (first < 0) first = tree;
      const int a = root(first), b = root(tree);
      parent_[std::max(a, b)] = std::min(a, b);
    }
  }
  // Count, then place: islands in the order of their first blocks.
  std::fill(island_of_.begin(), island_of_.end(), -1);
  out.start.assign(1, 0);
  const auto tree_of = [&](int i) { return rows.start[i] < rows.start[i + 1] ? root(tree_of_speed_[rows.speed[rows.start[i]]]) : -1; };
  for (int i = 0; i < n; ++i) {
    const int tree = tree_of(i);
    if (tree < 0) continue;
    if (island_of_[tree] < 0) island_of_[tree] = out.count(), out.start.push_back(0);
    ++out.start[island_of_[tree] + 1];
  }
  for (int k = 0; k < out.count(); ++k) out.start[k + 1] += out.start[k];
  out.order.resize(out.start.back());
  for (int i = n - 1; i >= 0; --i)
    if (const int tree = tree_of(i); tree >= 0) out.order[--out.start[island_of_[tree] + 1]] = i;
  // Filling from behind moved every start one place to the front.
  for (int k = 0; k + 1 < static_cast<int>(out.start.size()); ++k) out.start[k] = out.start[k + 1];
  out.start.back() = static_cast<int>(out.order.size());
}

void Residual::add(const Residual& other) { map += other.map, q += other.q, r += other.r, u += other.u; }

double Residual::natural_map() const {
  const double size = std::max({q, r, u});
  return size > 0 ? std::sqrt(map / size) : 0;
}

double velocity_scale(const StepProblem& problem) {
  const int d = problem.d();
  double sum = 0;
  int count = 0;
  for (int i = 0; i < problem.blocks(); ++i)
    if (problem.block[i].parent < 0) sum += problem.rows.own(i)[d * d - 1], ++count;
  return sum > 0 ? sum / count : 1;
}

void add_residual(const StepProblem& problem, int block, const double* r, const double* u, double parent_normal, double scale, Residual& sum) {
  const int d = problem.d();
  const StepBlock& b = problem.block[block];
  const double* q = problem.q.data() + static_cast<std::ptrdiff_t>(block) * d;
  for (int k = 0; k < d; ++k) {
    sum.q += q[k] * q[k] / (scale * scale), sum.r += r[k] * r[k], sum.u += u[k] * u[k] / (scale * scale);
  }
  if (b.parent >= 0) {
    sum.map += tangent_map(r, u, d, b.rolling * parent_normal, b.edges, scale);
    if (d == 3) {
      const double bound = b.torsion * parent_normal, off = r[2] - std::clamp(r[2] - u[2] / scale, -bound, bound);
      sum.map += off * off;
    }
    return;
  }
  if (b.edges == 0 && b.floor == 0) {
    double x[3];
    double slip = 0;
    for (int k = 0; k < d - 1; ++k) slip += u[k] * u[k];
    for (int k = 0; k < d; ++k) x[k] = r[k] - u[k] / scale;
    x[d - 1] -= b.mu * std::sqrt(slip) / scale;
    project_cone(x, d, b.mu);
    for (int k = 0; k < d; ++k) sum.map += (r[k] - x[k]) * (r[k] - x[k]);
    return;
  }
  const double off = r[d - 1] - std::max(0.0, r[d - 1] - u[d - 1] / scale);
  sum.map += off * off + tangent_map(r, u, d, b.mu * (std::max(0.0, r[d - 1]) + b.floor), b.edges, scale);
}

}  // namespace carom
