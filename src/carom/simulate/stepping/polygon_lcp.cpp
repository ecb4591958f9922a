#include "carom/simulate/stepping/polygon_lcp.hpp"

#include "carom/simulate/stepping/limit_surface.hpp"

namespace carom {

using Eigen::Index;

void PolygonLcp::close_group(int first, double ratio, double rest) {
  const int at = static_cast<int>(unknown_.size());
  for (int k = first; k < at; ++k) unknown_[k].bound = at;
  unknown_.emplace_back();
  multiplier_.push_back({at, normal_, ratio, rest});
}

void PolygonLcp::add_polygon(int row, int edges, double ratio, double rest) {
  const PolygonDirections& d = polygon(edges);
  const int first = static_cast<int>(unknown_.size());
  for (int k = 0; k < edges; ++k) unknown_.push_back({row, d[k].x(), d[k].y()});
  close_group(first, ratio, rest);
}

void PolygonLcp::lay_out(const StepProblem& problem, std::span<const int> blocks) {
  unknown_.clear(), multiplier_.clear();
  normal_ = -1;
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    const StepBlock& b = problem.block[blocks[k]];
    const int row = 3 * static_cast<int>(k), at = static_cast<int>(unknown_.size());
    if (b.parent < 0) {
      normal_ = at;
      unknown_.push_back({row + 2, 1});
      add_polygon(row, b.edges, b.mu, b.mu * b.floor);
      continue;
    }
    if (b.rolling > 0) add_polygon(row, b.edges, b.rolling, 0);
    if (b.torsion > 0) {
      const int first = static_cast<int>(unknown_.size());
      unknown_.push_back({row + 2, 1});
      unknown_.push_back({row + 2, -1});
      close_group(first, b.torsion, 0);
    }
  }
}

// With T the directions of the unknowns as columns: M = (Tᵀ W / scale) T and q, then what belongs to σ.
void PolygonLcp::assemble(const StepProblem& problem, std::span<const int> blocks, int nv, double scale) {
  lay_out(problem, blocks);
  const Index n = static_cast<Index>(unknown_.size()), rows = 3 * static_cast<Index>(blocks.size());
  W_.resize(rows, rows), half_.resize(n, rows), M_.resize(n, n), q_.resize(n);
  problem.rows.dense(blocks, W_, work_, nv);
  W_ /= scale;
  for (Index b = 0; b < rows; ++b)
    for (Index i = 0; i < n; ++i) {
      const Unknown& x = unknown_[i];
      half_(i, b) = x.row < 0 ? 0 : x.next == 0 ? x.first * W_(x.row, b) : x.first * W_(x.row, b) + x.next * W_(x.row + 1, b);
    }
  for (Index j = 0; j < n; ++j) {
    const Unknown& x = unknown_[j];
    if (x.row < 0) M_.col(j).setZero();
    else if (x.next == 0) M_.col(j) = x.first * half_.col(x.row);
    else M_.col(j) = x.first * half_.col(x.row) + x.next * half_.col(x.row + 1);
  }
  for (Index i = 0; i < n; ++i) {
    const Unknown& x = unknown_[i];
    q_[i] = 0;
    if (x.row < 0) continue;
    const double* q = problem.q.data() + 3 * static_cast<std::ptrdiff_t>(blocks[static_cast<std::size_t>(x.row / 3)]) + x.row % 3;
    q_[i] = x.first * (q[0] / scale);
    if (x.next != 0) q_[i] += x.next * (q[1] / scale);
  }
  for (const Multiplier& s : multiplier_) M_(s.at, s.normal) += s.ratio, q_[s.at] = s.rest;
  for (Index k = 0; k < n; ++k)
    if (const int s = unknown_[k].bound; s >= 0) M_(k, s) += 1, M_(s, k) -= 1;
}

void PolygonLcp::read(std::span<const int> blocks, const Eigen::Ref<const Eigen::VectorXd>& z, double* r) const {
  for (const int i : blocks)
    for (int a = 0; a < 3; ++a) r[static_cast<std::ptrdiff_t>(i) * 3 + a] = 0;
  for (std::size_t k = 0; k < unknown_.size(); ++k) {
    const Unknown& x = unknown_[k];
    if (x.row < 0) continue;
    double* at = r + static_cast<std::ptrdiff_t>(blocks[static_cast<std::size_t>(x.row / 3)]) * 3 + x.row % 3;
    at[0] += x.first * z[static_cast<Index>(k)];
    if (x.next != 0) at[1] += x.next * z[static_cast<Index>(k)];
  }
}

}  // namespace carom
