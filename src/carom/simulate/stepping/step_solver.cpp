#include "carom/simulate/stepping/step_solver.hpp"

#include <algorithm>
#include <cmath>

#include "carom/complementarity/anderson.hpp"
#include "carom/complementarity/lemke.hpp"
#include "carom/complementarity/registry.hpp"
#include "carom/simulate/stepping/polygon_lcp.hpp"

namespace carom {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr int kFirstSweeps = 30;       // before an island that the method of multipliers may take is handed on
constexpr int kAndersonWindow = 8;

bool exact(const StepProblem& p, std::span<const int> blocks) {
  return std::all_of(blocks.begin(), blocks.end(), [&](int i) { return p.block[i].parent < 0 && p.block[i].edges == 0 && p.block[i].floor == 0; });
}

bool polygonal(const StepProblem& p, std::span<const int> blocks) {
  return p.d() == 3 && std::all_of(blocks.begin(), blocks.end(), [&](int i) { return p.block[i].edges > 0; });
}

int unknowns(const StepProblem& p, std::span<const int> blocks) {
  int n = 0;
  for (const int i : blocks) n += 2 + p.block[i].edges;
  return n;
}

// The island in local form, velocities divided by the scale.
FrictionContact assembled(const StepProblem& p, std::span<const int> blocks, double scale, int nv) {
  FrictionContact out;
  const int d = p.d();
  out.dimension = d;
  Eigen::MatrixXd W;
  p.rows.dense({blocks.begin(), blocks.end()}, W, nv);
  out.W = BlockMatrix::from_dense(W / scale, d);
  out.q.resize(W.rows()), out.mu.resize(static_cast<Index>(blocks.size()));
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    out.mu[static_cast<Index>(k)] = p.block[blocks[k]].mu;
    for (int a = 0; a < d; ++a) out.q[static_cast<Index>(k) * d + a] = p.q[static_cast<std::size_t>(blocks[k]) * d + a] / scale;
  }
  return out;
}

VectorXd packed(std::span<const int> blocks, int d, const double* r) {
  VectorXd x(static_cast<Index>(blocks.size()) * d);
  for (std::size_t k = 0; k < blocks.size(); ++k)
    for (int a = 0; a < d; ++a) x[static_cast<Index>(k) * d + a] = r[static_cast<std::ptrdiff_t>(blocks[k]) * d + a];
  return x;
}

void unpack(std::span<const int> blocks, int d, const VectorXd& x, double* r) {
  for (std::size_t k = 0; k < blocks.size(); ++k)
    for (int a = 0; a < d; ++a) r[static_cast<std::ptrdiff_t>(blocks[k]) * d + a] = x[static_cast<Index>(k) * d + a];
}

}  // namespace

StepSolver::StepSolver(const Model& model, const SteppingOptions& options) : model_(model), options_(options), finder_(model) {}

double StepSolver::certified(const Island& island, const double* r, VectorXd& z) const {
  sweep_.gather(island.blocks, r, z);
  return sweep_.residual(island.blocks, r, z, island.scale).natural_map();
}

// The natural map costs half a sweep: it is predicted from the change of r and computed when the prediction reaches the
// tolerance, and now and then.
void StepSolver::sweep_plain(Island& island, int limit, double* r, VectorXd& z) {
  double factor = 0;
  int next = 4;
  for (int k = 1; k <= limit; ++k) {
    const double change = std::sqrt(sweep_.sweep(island.blocks, r, z));
    ++report_.sweeps;
    if (change > 0 && change * factor > options_.tolerance && k < next && k < limit) continue;
    island.error = certified(island, r, z);
    if (change == 0 || island.error <= options_.tolerance) return;
    factor = island.error / change;
    next = k + std::max(4, k / 4);
  }
}

void StepSolver::sweep_accelerated(Island& island, int limit, double* r, VectorXd& z) {
  const double infinity = std::numeric_limits<double>::infinity();
  const int d = model_.dimension();
  VectorXd x = packed(island.blocks, d, r), image, fallback = x, best = x;
  double least = island.error, fallback_change = infinity, factor = 0;
  Anderson anderson(static_cast<int>(x.size()), kAndersonWindow);
  int next = 4;
  for (int k = 1; k <= limit; ++k) {
    unpack(island.blocks, d, x, r);
    sweep_.gather(island.blocks, r, z);
    const double change = std::sqrt(sweep_.sweep(island.blocks, r, z));
    ++report_.sweeps;
    image = packed(island.blocks, d, r);
    if (change == 0 || change * factor <= options_.tolerance || k >= next) {
      const double error = certified(island, r, z);
      if (error < least) least = error, best = image;
      if (error <= options_.tolerance || change == 0) break;
      factor = error / change;
      next = k + std::max(10, k / 8);
    }
    if (change > 2 * fallback_change) {  // a bad extrapolation
      x = fallback;
      fallback_change = infinity;
      anderson.forget();
      continue;
    }
    fallback = image, fallback_change = change;
    x = anderson.next(x, image);
  }
  unpack(island.blocks, d, best, r);
  island.error = certified(island, r, z);
}

bool StepSolver::try_lemke(const StepProblem& problem, Island& island, double* r, VectorXd& z) {
  const std::vector<int> blocks(island.blocks.begin(), island.blocks.end());
  const VectorXd before = packed(island.blocks, problem.d(), r);
  const LcpSolution s = solve_lemke(polygon_lcp(problem, blocks, model_.nv(), island.scale), {.tolerance = options_.tolerance});
  if (s.z.allFinite() && s.z.size() > 0) {
    read_polygon_lcp(problem, blocks, s.z, r);
    island.error = certified(island, r, z);
    if (island.error <= options_.tolerance) return true;
  }
  unpack(island.blocks, problem.d(), before, r);
  island.error = certified(island, r, z);
  return false;
}

void StepSolver::try_assembled(const StepProblem& problem, Island& island, const std::string& solver, double* r, VectorXd& z) {
  const int d = problem.d();
  const VectorXd before = packed(island.blocks, d, r);
  const double error = island.error;
  ContactOptions o;
  o.tolerance = options_.tolerance;
  o.warm = before;
  if (solver == "newton") o.max_iterations = 30;
  const ContactSummary s = solve_contact(assembled(problem, island.blocks, island.scale, model_.nv()), solver, o);
  if (s.x.size() == before.size() && s.x.allFinite()) {
    unpack(island.blocks, d, s.x, r);
    island.error = certified(island, r, z);
    if (island.error <= error) return;
  }
  unpack(island.blocks, d, before, r);
  island.error = certified(island, r, z);
}

void StepSolver::multiply(const StepProblem& problem, Island& island, double* r, VectorXd& z) {
  multipliers_.solve(problem, island.blocks, island.scale, options_.tolerance, r);
  island.error = certified(island, r, z);
}

void StepSolver::solve_island(const StepProblem& problem, Island& island, double* r, VectorXd& z) {
  const std::string& solver = options_.solver;
  const int n = static_cast<int>(island.blocks.size());
  const bool standard = solver == "default";
  const bool pivoting = polygonal(problem, island.blocks) && (solver == "lemke" || (standard && unknowns(problem, island.blocks) <= kLemkeUnknowns));
  if (pivoting && try_lemke(problem, island, r, z)) return;
  sweep_.gather(island.blocks, r, z);
  if (solver == "augmented-lagrangian" && exact(problem, island.blocks)) return multiply(problem, island, r, z);
  if (!standard && solver != "nsgs" && solver != "nsgs-anderson" && solver != "lemke" && exact(problem, island.blocks)) {
    island.error = certified(island, r, z);
    return try_assembled(problem, island, solver, r, z);
  }
  if (solver == "nsgs") return sweep_plain(island, options_.max_sweeps, r, z);
  const bool second_order = standard && n <= kSecondOrderBlocks && exact(problem, island.blocks);
  sweep_plain(island, second_order ? kFirstSweeps : std::max(kFirstSweeps, options_.max_sweeps / 10), r, z);
  if (island.error <= options_.tolerance) return;
  ++report_.escalated;
  if (second_order) multiply(problem, island, r, z);
  if (island.error <= options_.tolerance) return;
  sweep_accelerated(island, options_.max_sweeps, r, z);
}

StepReport StepSolver::solve(const StepProblem& problem, std::vector<double>& r, VectorXd& z) {
  report_ = {};
  z.setZero(model_.nv());
  if (problem.blocks() == 0) return report_;
  const double scale = velocity_scale(problem);
  sweep_.prepare(problem);
  finder_.find(problem, islands_);
  report_.islands = islands_.count();
  Residual whole;
  for (int k = 0; k < islands_.count(); ++k) {
    Island island{std::span<const int>(islands_.order).subspan(islands_.start[k], islands_.start[k + 1] - islands_.start[k]), scale};
    solve_island(problem, island, r.data(), z);
    sweep_.gather(island.blocks, r.data(), z);
    whole.add(sweep_.residual(island.blocks, r.data(), z, scale));
  }
  report_.natural_map = whole.natural_map();
  return report_;
}

}  // namespace carom
