// The end of a collision that would go on for ever: the e = 0 Coulomb complementarity problem over all contacts of the group,
//   0 ≤ v_n ⊥ p_n ≥ 0,   0 ≤ D'v_t + λ ⊥ β ≥ 0,   0 ≤ μ p_n − Σβ ⊥ λ ≥ 0,   v = v⁻ + G p,  p_t = D β,
// in the plane by Lemke's method (Stewart & Trinkle 1996), where it is exact; in space with the exact cone by the default solvers of
// `complementarity`. Each stands in for the other when an answer fails the check of `ends`; in space Lemke's D is then a regular
// 16-gon inside the cone, which dissipates and ends every approach as the cone does.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/complementarity/lemke.hpp"
#include "carom/complementarity/registry.hpp"
#include "carom/impact/laws/rodriguez_collision.hpp"

namespace carom::laws::rodriguez {
namespace {

constexpr int kEdges = 16;
constexpr double kResidual = 1e-10;  // natural map asked of the solvers, and slack of the check

struct Columns {
  Eigen::MatrixXd B;     // components × impulses: normals first, then edges
  std::vector<int> owner;  // of each edge: position in `members`
  std::vector<int> frictional;  // positions with friction
};

Columns columns(const System& system, const std::vector<int>& members) {
  Columns out;
  const int edges = system.d() == 2 ? 2 : kEdges;
  std::vector<Eigen::VectorXd> all;
  for (const int c : members) all.push_back(Eigen::VectorXd::Unit(system.problem.v_pre.size(), system.normal(c)));
  for (std::size_t k = 0; k < members.size(); ++k) {
    if (system.problem.mu_d(members[k]) <= 0) continue;
    out.frictional.push_back(static_cast<int>(k));
    for (int e = 0; e < edges; ++e) {
      Eigen::VectorXd column = Eigen::VectorXd::Zero(system.problem.v_pre.size());
      const double angle = 2 * std::numbers::pi * e / edges;
      const int t = system.tangent(members[k]);
      column(t) = system.d() == 2 ? (e == 0 ? 1 : -1) : std::cos(angle);
      if (system.d() == 3) column(t + 1) = std::sin(angle);
      all.push_back(std::move(column));
      out.owner.push_back(static_cast<int>(k));
    }
  }
  out.B.resize(system.problem.v_pre.size(), static_cast<Eigen::Index>(all.size()));
  for (std::size_t k = 0; k < all.size(); ++k) out.B.col(static_cast<Eigen::Index>(k)) = all[k];
  return out;
}

// The impulse by Lemke, empty when it has none.
Eigen::VectorXd by_lemke(const Collision& at, const std::vector<int>& members) {
  const System& system = at.system;
  const Columns part = columns(system, members);
  const auto normals = static_cast<Eigen::Index>(members.size()), impulses = part.B.cols();
  const auto multipliers = static_cast<Eigen::Index>(part.frictional.size());
  const double speed = at.v.cwiseAbs().maxCoeff(), stiff = system.problem.G.diagonal().maxCoeff();  // unit-free: v/speed, p·G/speed
  Lcp lcp;
  lcp.M.setZero(impulses + multipliers, impulses + multipliers);
  lcp.M.topLeftCorner(impulses, impulses) = part.B.transpose() * system.problem.G * part.B / stiff;
  for (std::size_t e = 0; e < part.owner.size(); ++e)
    for (std::size_t f = 0; f < part.frictional.size(); ++f)
      if (part.owner[e] == part.frictional[f]) {
        lcp.M(normals + e, impulses + f) = 1;
        lcp.M(impulses + f, normals + e) = -1;
      }
  for (std::size_t f = 0; f < part.frictional.size(); ++f) lcp.M(impulses + f, part.frictional[f]) = system.problem.mu_d(members[part.frictional[f]]);
  lcp.q.setZero(impulses + multipliers);
  lcp.q.head(impulses) = part.B.transpose() * at.v / speed;
  LemkeOptions options;
  options.tolerance = kResidual;
  const LcpSolution solution = solve_lemke(lcp, options);
  return part.B * solution.z.head(impulses) * (speed / stiff);
}

// The impulse by the solvers with the exact cone.
Eigen::VectorXd by_cone(const Collision& at, const std::vector<int>& members) {
  const System& system = at.system;
  const int d = system.d();
  const double speed = at.v.cwiseAbs().maxCoeff(), stiff = system.problem.G.diagonal().maxCoeff();
  Eigen::ArrayXi index(static_cast<Eigen::Index>(members.size()) * d);
  for (std::size_t k = 0; k < members.size(); ++k) index.segment(static_cast<Eigen::Index>(k) * d, d).setLinSpaced(system.tangent(members[k]), system.normal(members[k]));
  FrictionContact problem;
  problem.dimension = d;
  problem.W = BlockMatrix::from_dense(system.problem.G(index, index) / stiff, d);
  problem.q = at.v(index) / speed;
  problem.mu = system.problem.mu_d(members);
  const ContactSummary summary = solve_contact(problem, "default", {.tolerance = kResidual, .max_iterations = 0, .warm = {}});
  Eigen::VectorXd p = Eigen::VectorXd::Zero(at.v.size());
  p(index) = summary.x * (speed / stiff);
  return p;
}

// Does this impulse end the approach, inside the cones, without a gain?
bool ends(const Collision& at, const std::vector<int>& members, const Eigen::VectorXd& p) {
  if (!p.allFinite()) return false;
  const System& system = at.system;
  const Eigen::VectorXd v = at.v + system.problem.G * p;
  const double impulse = at.p.norm() + p.norm();  // slack is measured against the whole collision, of which this may be a tiny rest
  const double gain = 0.5 * p.dot(at.v + v), size = impulse * std::max(at.v.norm(), at.tolerance.approach);
  for (const int c : members) {
    if (v(system.normal(c)) < -at.tolerance.approach) return false;
    if (p.segment(system.tangent(c), system.d() - 1).norm() > system.problem.mu_s(c) * p(system.normal(c)) + kResidual * impulse) return false;
  }
  return gain <= kResidual * size;
}

}  // namespace

bool finish_inelastic(Collision& at, const std::vector<int>& members, const std::string& mode) {
  const System& system = at.system;
  const bool planar = system.d() == 2;
  Eigen::VectorXd p = planar ? by_lemke(at, members) : by_cone(at, members);
  if (!ends(at, members, p)) p = planar ? by_cone(at, members) : by_lemke(at, members);
  if (!ends(at, members, p)) return false;

  Decision decision;
  decision.holds.resize(system.frame.size());
  decision.rates.dp = p;
  decision.rates.dv = system.problem.G * p;
  for (const int c : members) {
    decision.holds[c] = sliding(system, c, at.v + decision.rates.dv);
    if (decision.holds[c].speed <= at.tolerance.rest) decision.holds[c].grip = Grip::stick;
  }
  at.advance(decision, decision.holds, 1, Phase::compression, mode);
  return true;
}

}  // namespace carom::laws::rodriguez
