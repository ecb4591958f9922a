#include "carom/impact/derivatives.hpp"

#include <algorithm>
#include <array>

#include "carom/core/error.hpp"
#include "carom/impact/laws/routh_planar.hpp"
#include "carom/impact/laws/routh_spatial.hpp"

namespace carom {
namespace {

constexpr std::array kPlanar{"v_t", "v_n", "G_tt", "G_tn", "G_nn", "mu_s", "mu_d", "e"};
constexpr std::array kSpatial{"v_1", "v_2", "v_n", "G_11", "G_12", "G_22", "G_1n", "G_2n", "G_nn", "mu_s", "mu_d", "e"};

// Writes values and gradients of one row each of v⁺ and p.
template <int N>
void write(ImpactDerivatives& out, int row, const Dual<N>& v, const Dual<N>& p) {
  out.v_post(row) = v.value, out.p(row) = p.value;
  for (int j = 0; j < N; ++j) out.dv(row, j) = v.grad[static_cast<std::size_t>(j)], out.dp(row, j) = p.grad[static_cast<std::size_t>(j)];
}

template <std::size_t N>
ImpactDerivatives prepare(const std::array<const char*, N>& names, int dimension) {
  ImpactDerivatives out;
  out.parameters.assign(names.begin(), names.end());
  out.v_post = out.p = Eigen::VectorXd::Zero(dimension);
  out.dv = out.dp = Eigen::MatrixXd::Zero(dimension, static_cast<Eigen::Index>(N));
  return out;
}

ImpactDerivatives planar(const ImpactProblem& problem, Restitution restitution, const laws::PlanarOptions& options) {
  constexpr int N = kPlanar.size();
  using T = Dual<N>;
  ImpactDerivatives out = prepare(kPlanar, 2);
  const Eigen::MatrixXd& G = problem.G;
  laws::PlanarContact<T> c;
  c.v_t = T::variable(problem.v_pre(0), 0), c.v_n = T::variable(problem.v_pre(1), 1);
  c.G_tt = T::variable(G(0, 0), 2), c.G_tn = T::variable(0.5 * (G(0, 1) + G(1, 0)), 3), c.G_nn = T::variable(G(1, 1), 4);
  c.mu_s = T::variable(problem.mu_s(0), 5), c.mu_d = T::variable(problem.mu_d(0), 6), c.e = T::variable(problem.e(0), 7);
  const laws::PlanarResult<T> result = laws::routh_planar(c, restitution, options);
  write(out, 0, result.end.v_t, result.end.p_t);
  write(out, 1, result.end.v_n, result.end.p_n);
  out.valid = result.solved;
  return out;
}

ImpactDerivatives spatial(const ImpactProblem& problem, Restitution restitution, const laws::SpatialOptions& options) {
  constexpr int N = kSpatial.size();
  using T = Dual<N>;
  ImpactDerivatives out = prepare(kSpatial, 3);
  const Eigen::MatrixXd& G = problem.G;
  const auto entry = [&](int i, int j, int seed) { return T::variable(0.5 * (G(i, j) + G(j, i)), seed); };
  laws::SpatialContact<T> c;
  c.v1 = T::variable(problem.v_pre(0), 0), c.v2 = T::variable(problem.v_pre(1), 1), c.v_n = T::variable(problem.v_pre(2), 2);
  c.A11 = entry(0, 0, 3), c.A12 = entry(0, 1, 4), c.A22 = entry(1, 1, 5), c.b1 = entry(0, 2, 6), c.b2 = entry(1, 2, 7), c.c = entry(2, 2, 8);
  c.mu_s = T::variable(problem.mu_s(0), 9), c.mu_d = T::variable(problem.mu_d(0), 10), c.e = T::variable(problem.e(0), 11);
  const laws::SpatialResult<T> result = laws::routh_spatial(c, restitution, options);
  write(out, 0, result.end.v1, result.end.p1);
  write(out, 1, result.end.v2, result.end.p2);
  write(out, 2, result.end.v_n, result.end.p_n);
  out.valid = result.solved && result.converged;
  return out;
}

}  // namespace

ImpactDerivatives differentiate(const ImpactProblem& problem, const ImpactLaw& law) {
  const ImpactOutcome outcome = resolve(problem, {law.process, law.restitution, law.options, false});  // also checks the input
  if (outcome.law != "routh") throw InputError("law", outcome.law, "has no derivatives; routh has");
  Restitution restitution = Restitution::newton;
  for (const Restitution r : {Restitution::poisson, Restitution::stronge})
    if (outcome.restitution == name(r)) restitution = r;
  const int d = problem.dimension;
  if (outcome.status == ImpactStatus::separating) {
    ImpactDerivatives out = d == 2 ? prepare(kPlanar, 2) : prepare(kSpatial, 3);
    out.v_post = problem.v_pre;
    out.dv.leftCols(d).setIdentity();
    return out;
  }
  const double zero_slip = std::get<double>(outcome.options.at("zero_slip")), rank = std::get<double>(outcome.options.at("rank_tolerance"));
  return d == 2 ? planar(problem, restitution, {zero_slip, rank}) : spatial(problem, restitution, {zero_slip, rank});
}

}  // namespace carom
