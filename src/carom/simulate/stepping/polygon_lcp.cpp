#include "carom/simulate/stepping/polygon_lcp.hpp"

#include "carom/simulate/stepping/limit_surface.hpp"

namespace carom {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

// Unknowns that act along rows of blocks, and the multipliers σ that bound groups of them.
struct Layout {
  MatrixXd T;                       // (3 · blocks) × n: r = T z, zero columns for σ
  std::vector<int> bound;           // per unknown: the σ that bounds it, −1: none
  std::vector<int> multipliers;     // positions of the σ
  std::vector<int> normal;          // per σ: position of the p_n that feeds it
  std::vector<double> ratio, rest;  // per σ: bound = ratio p_n + rest
};

int directions(const StepBlock& b) { return b.parent < 0 ? 1 + b.edges + 1 : (b.rolling > 0 ? b.edges + 1 : 0) + (b.torsion > 0 ? 3 : 0); }

Layout layout(const StepProblem& problem, const std::vector<int>& blocks) {
  int n = 0;
  for (const int i : blocks) n += directions(problem.block[i]);
  Layout l{MatrixXd::Zero(3 * static_cast<Index>(blocks.size()), n), std::vector<int>(static_cast<std::size_t>(n), -1), {}, {}, {}, {}};
  int at = 0;
  int last_normal = -1;
  const auto close_group = [&](int first, double ratio, double rest) {
    for (int k = first; k < at; ++k) l.bound[k] = at;
    l.multipliers.push_back(at), l.normal.push_back(last_normal), l.ratio.push_back(ratio), l.rest.push_back(rest);
    ++at;
  };
  const auto add_polygon = [&](Index row, int edges, double ratio, double rest) {
    const PolygonDirections& d = polygon(edges);
    const int first = at;
    for (int k = 0; k < edges; ++k) l.T.block<2, 1>(row, at++) = d[k];
    close_group(first, ratio, rest);
  };
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    const StepBlock& b = problem.block[blocks[k]];
    const Index row = 3 * static_cast<Index>(k);
    if (b.parent < 0) {
      last_normal = at;
      l.T(row + 2, at++) = 1;
      add_polygon(row, b.edges, b.mu, b.mu * b.floor);
      continue;
    }
    if (b.rolling > 0) add_polygon(row, b.edges, b.rolling, 0);
    if (b.torsion > 0) {
      l.T(row + 2, at) = 1, l.T(row + 2, at + 1) = -1;
      at += 2;
      close_group(at - 2, b.torsion, 0);
    }
  }
  return l;
}

}  // namespace

Lcp polygon_lcp(const StepProblem& problem, const std::vector<int>& blocks, int nv, double scale) {
  const Layout l = layout(problem, blocks);
  MatrixXd W;
  problem.rows.dense(blocks, W, nv);
  Eigen::VectorXd q(W.rows());
  for (std::size_t k = 0; k < blocks.size(); ++k)
    for (int a = 0; a < 3; ++a) q[3 * static_cast<Index>(k) + a] = problem.q[static_cast<std::size_t>(blocks[k]) * 3 + a];
  Lcp lcp{l.T.transpose() * (W / scale) * l.T, l.T.transpose() * (q / scale)};
  for (std::size_t s = 0; s < l.multipliers.size(); ++s) {
    const int row = l.multipliers[s];
    lcp.M(row, l.normal[s]) += l.ratio[s];
    lcp.q[row] = l.rest[s];
  }
  for (int k = 0; k < static_cast<int>(l.bound.size()); ++k)
    if (l.bound[k] >= 0) lcp.M(k, l.bound[k]) += 1, lcp.M(l.bound[k], k) -= 1;
  return lcp;
}

void read_polygon_lcp(const StepProblem& problem, const std::vector<int>& blocks, const Eigen::VectorXd& z, double* r) {
  const Eigen::VectorXd x = layout(problem, blocks).T * z;
  for (std::size_t k = 0; k < blocks.size(); ++k)
    for (int a = 0; a < 3; ++a) r[static_cast<std::ptrdiff_t>(blocks[k]) * 3 + a] = x[3 * static_cast<Index>(k) + a];
}

}  // namespace carom
