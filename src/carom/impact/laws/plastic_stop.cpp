#include "carom/impact/laws/plastic_stop.hpp"

#include "carom/complementarity/default_policy.hpp"
#include "carom/impact/ledger.hpp"

namespace carom::laws {

PlasticStop plastic_stop(const ImpactProblem& problem, const Eigen::VectorXd& v) {
  const int d = problem.dimension;
  PlasticStop out;
  out.p = solve_default(FrictionContact{d, BlockMatrix::from_dense(problem.G, d), v, problem.mu_d}, {.tolerance = 1e-11}).x;
  out.v = v + problem.G * out.p;
  out.stopped = true;
  for (int c = 0; c < problem.contacts(); ++c) {
    const int n = problem.normal(c), t = d - 1;
    const double friction = 0.5 * out.p.segment(c * d, t).dot(v.segment(c * d, t) + out.v.segment(c * d, t));
    out.work.push_back(straight_work(v(n), out.v(n), out.p(n), friction));
    out.stopped = out.stopped && out.v(n) >= -1e-9 * problem.v_pre.norm();
  }
  return out;
}

}  // namespace carom::laws
