// Law `anitescu-potra`: two linear complementarity problems, one per phase, on a cone with p edges.
//
// Compression: find p_n, β ≥ 0 (friction along p directions χ_j, eq. 12) and λ ≥ 0 with v = v⁻ + G (N p_n + χ β) and
//   v_n ≥ 0 ⊥ p_n ≥ 0,   χᵀv + λ ≥ 0 ⊥ β ≥ 0,   μ p_n − Σβ ≥ 0 ⊥ λ ≥ 0                              [Park 9, 13a, 13b, 16a]
// Expansion: the impulse e p_n of restitution is given; a further p̃_n ≥ 0 ⊥ v_n⁺ ≥ 0 keeps bodies apart (eq. 10, 15, 16b), and
//   cone = printed:    friction of the expansion is bounded by μ p̃_n alone, as (16b) has it: then hardly anything ever sticks;
//   cone = corrected:  by μ (p̃_n + e p_n), the whole normal impulse of the expansion (Anitescu & Potra's own model).
// In the plane (two directions, ±t) this is Glocker & Pfeiffer's law. Solved by Lemke's method (complementarity/lemke.hpp).
//
// Deviations: velocity is eliminated with G itself, so G may be singular. One coefficient of friction: the kinetic one.
// Validity: any number of contacts. Poisson's hypothesis per contact. The polygon is inscribed: friction falls short of μ p_n by up
// to 1 − cos(π/edges) in directions between the edges. Energy may grow for several contacts; the ledger tells.
// Failure: Lemke ends on a ray or misses its tolerance: status not-converged, with the residual in the warning.
// Citation: anitescu1997, glocker1995, park. Checked by: tests/reference/spatial_oracle_test.cpp, anitescu_potra_test.cpp.

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "carom/complementarity/lemke.hpp"
#include "carom/core/error.hpp"
#include "carom/impact/laws/laws.hpp"
#include "carom/impact/laws/straight_path.hpp"

namespace carom::laws {
namespace {

// The LCP of one phase over z = (p_n, β, λ): everything but q, which changes with the phase.
struct PolygonCone {
  Eigen::MatrixXd B;  // columns: N, then the edges of contact 0, 1, …: impulse = B (p_n, β)
  Eigen::MatrixXd M;
  int contacts = 0, edges = 0;

  PolygonCone(const ImpactProblem& problem, int edge_count) : contacts(problem.contacts()), edges(edge_count) {
    const int n = contacts, forces = n * (1 + edges), d = problem.dimension;
    B = Eigen::MatrixXd::Zero(problem.v_pre.size(), forces);
    for (int c = 0; c < n; ++c) {
      B(problem.normal(c), c) = 1;
      for (int j = 0; j < edges; ++j) {
        const double angle = 2 * std::numbers::pi * j / edges;
        B(c * d, n + c * edges + j) = d == 2 ? (j == 0 ? 1 : -1) : std::cos(angle);
        if (d == 3) B(c * d + 1, n + c * edges + j) = std::sin(angle);
      }
    }
    M = Eigen::MatrixXd::Zero(forces + n, forces + n);
    M.topLeftCorner(forces, forces) = B.transpose() * problem.G * B;
    for (int c = 0; c < n; ++c) {
      M.block(n + c * edges, forces + c, edges, 1).setOnes();
      M(forces + c, c) = problem.mu_d(c);
      M.block(forces + c, n + c * edges, 1, edges).setConstant(-1);
    }
  }
  int forces() const { return contacts * (1 + edges); }

  // Impulse that a phase adds, from the velocity without it and a given normal impulse that friction may lean on.
  LcpSolution solve(const Eigen::VectorXd& v, const Eigen::VectorXd& lean) const {
    Eigen::VectorXd q = Eigen::VectorXd::Zero(M.rows());
    q.head(forces()) = B.transpose() * v;
    q.tail(contacts) = lean;
    LemkeOptions options;
    options.tolerance = 1e-11;
    return solve_lemke({M, q}, options);
  }
};

std::vector<SlipState> states(const ImpactProblem& problem, const Eigen::VectorXd& v, const Eigen::VectorXd& p) {
  std::vector<SlipState> out;
  const int d = problem.dimension;
  for (int c = 0; c < problem.contacts(); ++c) {
    const int n = problem.normal(c);
    const bool rests = v.segment(n - (d - 1), d - 1).norm() <= 1e-10 * problem.v_pre.norm();
    out.push_back(p(n) <= 0 ? SlipState::separated : rests ? SlipState::stick : SlipState::slip);
  }
  return out;
}

bool accept(const LcpSolution& solution, const char* phase, StraightPath& path) {
  if (solution.usable()) return true;
  path.status(ImpactStatus::not_converged);
  path.warn(fmt::format("the complementarity problem of the {} phase ended as {} with natural map {:.3g}", phase, name(solution.status), solution.certificate.natural_map));
  return false;
}

int edge_count(const LawCall& call) {
  if (call.problem.dimension == 2) return 2;
  const double edges = call.number("edges");
  if (edges != std::floor(edges) || std::fmod(edges, 2) != 0)
    throw InputError("options.edges", fmt::format("{}", edges), "must be an even whole number: every direction needs its opposite");
  return static_cast<int>(edges);
}

ImpactOutcome solve(const LawCall& call) {
  const ImpactProblem& problem = call.problem;
  const int n = problem.contacts();
  const bool corrected = call.word("cone") == "corrected";
  const PolygonCone cone(problem, edge_count(call));
  StraightPath path(call);
  if (problem.mu_s != problem.mu_d) path.warn("anitescu-potra knows one coefficient of friction: took the kinetic one");

  const LcpSolution compression = cone.solve(problem.v_pre, Eigen::VectorXd::Zero(n));
  const Eigen::VectorXd p_c = cone.B * compression.z.head(cone.forces());
  const Eigen::VectorXd v_c = problem.v_pre + problem.G * p_c;
  path.move(p_c, v_c, Phase::compression, states(problem, v_c, p_c), "compression");
  for (int c = 0; c < n; ++c)
    if (p_c(problem.normal(c)) > 0) path.event(ImpactEventKind::compression_ends, c);
  if (!accept(compression, "compression", path)) return path.take();

  const Eigen::VectorXd returned = problem.e.cwiseProduct(compression.z.head(n));
  const Eigen::VectorXd given = cone.B.leftCols(n) * returned;
  const Eigen::VectorXd lean = corrected ? Eigen::VectorXd(problem.mu_d.cwiseProduct(returned)) : Eigen::VectorXd::Zero(n);
  const LcpSolution expansion = cone.solve(v_c + problem.G * given, lean);
  const Eigen::VectorXd p_e = given + cone.B * expansion.z.head(cone.forces());
  const Eigen::VectorXd v_post = v_c + problem.G * p_e;
  path.move(p_e, v_post, Phase::restitution, states(problem, v_post, p_e), "expansion");
  for (int c = 0; c < n; ++c)
    if (path.impulse()(problem.normal(c)) > 0) path.event(ImpactEventKind::separates, c);
  accept(expansion, "expansion", path);
  return path.take();
}

}  // namespace

LawInfo anitescu_potra() {
  return {
      .id = "anitescu-potra",
      .aliases = {"glocker-pfeiffer"},
      .dimensions = {2, 3},
      .many_contacts = true,
      .restitutions = {Restitution::poisson},
      .options = {{.name = "edges", .fallback = 16.0, .low = 4, .high = 256, .choices = {}, .unit = "1",
                   .meaning = "edges of the friction cone in three dimensions, an even number"},
                  {.name = "cone", .fallback = std::string("corrected"), .choices = {"corrected", "printed"}, .unit = "",
                   .meaning = "what bounds friction in the expansion: the whole normal impulse, or (printed) only its part beyond restitution"}},
      .summary = "Two linear complementarity problems, compression and expansion, on a cone with edges (Glocker & Pfeiffer in the plane).",
      .citation = "anitescu1997, glocker1995, park",
      .solve = solve,
  };
}

}  // namespace carom::laws
