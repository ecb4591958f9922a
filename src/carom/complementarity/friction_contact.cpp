#include "carom/complementarity/friction_contact.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

#include "carom/core/error.hpp"

namespace carom {
namespace {

using Eigen::VectorXd;

double tangential_norm(const double* x, int d) { return d == 3 ? std::hypot(x[0], x[1]) : std::abs(x[0]); }

// The change of variable: u + μ‖u_t‖ n of one contact.
void de_saxce(const double* u, int d, double mu, double* out) {
  for (int a = 0; a < d; ++a) out[a] = u[a];
  out[d - 1] += mu * tangential_norm(u, d);
}

}  // namespace

void validate(const FrictionContact& p) {
  const int d = p.dimension, nc = p.contacts();
  if (d != 2 && d != 3) throw InputError("dimension", fmt::format("{}", d), "must be 2 or 3");
  if (p.size() != nc * d)
    throw InputError("q", fmt::format("{} numbers", p.size()), fmt::format("must have {} ({} contacts × {})", nc * d, nc, d));
  if (p.W.d != d || p.W.rows() != nc)
    throw InputError("W", fmt::format("{} rows of {}×{} blocks", p.W.rows(), p.W.d, p.W.d),
                     fmt::format("must be {} rows of {}×{} blocks", nc, d, d));
  const Eigen::Map<const VectorXd> values(p.W.value.data(), static_cast<Eigen::Index>(p.W.value.size()));
  if (!values.allFinite()) throw InputError("W", "NaN or Inf", "must be finite");
  if (!p.q.allFinite()) throw InputError("q", "NaN or Inf", "must be finite");
  for (int i = 0; i < nc; ++i)
    if (!(p.mu[i] >= 0) || !std::isfinite(p.mu[i]))
      throw InputError(fmt::format("mu[{}]", i), fmt::format("{}", p.mu[i]), "must be finite and at least 0");
}

void project_cone(double* x, int d, double mu) {
  const double t = tangential_norm(x, d), n = x[d - 1];
  if (n >= 0 && t <= mu * n) return;  // n ≥ 0 by itself: without friction the other test passes pulling forces
  if (mu * t <= -n) {
    for (int a = 0; a < d; ++a) x[a] = 0;
    return;
  }
  const double normal = (n + mu * t) / (1 + mu * mu), shrink = mu * normal / t;
  for (int a = 0; a + 1 < d; ++a) x[a] *= shrink;
  x[d - 1] = normal;
}

double natural_map_error(const FrictionContact& p, const VectorXd& r, const VectorXd& u) {
  const int d = p.dimension;
  double sum = 0;
  for (int i = 0; i < p.contacts(); ++i) {
    const double *ri = r.data() + i * d, *ui = u.data() + i * d;
    double x[3];
    de_saxce(ui, d, p.mu[i], x);
    for (int a = 0; a < d; ++a) x[a] = ri[a] - x[a];
    project_cone(x, d, p.mu[i]);
    for (int a = 0; a < d; ++a) sum += (ri[a] - x[a]) * (ri[a] - x[a]);
  }
  const double scale = std::max({p.q.norm(), r.norm(), u.norm()});
  return std::sqrt(sum) / (scale > 0 ? scale : 1.0);
}

Certificate certify(const FrictionContact& p, const VectorXd& r) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  if (r.size() != p.q.size() || !r.allFinite()) return {kInf, kInf, kInf};
  if (r.size() == 0) return {};
  const VectorXd u = p.W * r + p.q;
  if (!u.allFinite()) return {kInf, kInf, kInf};
  Certificate c;
  c.natural_map = natural_map_error(p, r, u);
  const int d = p.dimension;
  double r_max = 0, u_max = 0, r_off = 0, u_off = 0, product = 0;
  for (int i = 0; i < p.contacts(); ++i) {
    const double *ri = r.data() + i * d, *ui = u.data() + i * d;
    double dual[3], x[3];
    de_saxce(ui, d, p.mu[i], dual);
    double r2 = 0, u2 = 0, off2 = 0, dot = 0;
    for (int a = 0; a < d; ++a) x[a] = ri[a];
    project_cone(x, d, p.mu[i]);
    for (int a = 0; a < d; ++a) {
      r2 += ri[a] * ri[a], u2 += ui[a] * ui[a], dot += ri[a] * dual[a];
      off2 += (ri[a] - x[a]) * (ri[a] - x[a]);
    }
    // u + μ‖u_t‖ n ∈ K* is u_n ≥ 0; its distance from K* is at most −u_n.
    r_off = std::max(r_off, std::sqrt(off2)), u_off = std::max(u_off, -ui[d - 1]);
    r_max = std::max(r_max, std::sqrt(r2)), u_max = std::max(u_max, std::sqrt(u2)), product = std::max(product, std::abs(dot));
  }
  const double r_scale = r_max > 0 ? r_max : 1, u_scale = std::max(u_max, p.q.cwiseAbs().maxCoeff());
  c.cone = std::max(r_off / r_scale, u_off / (u_scale > 0 ? u_scale : 1));
  c.complementarity = product / (r_scale * (u_scale > 0 ? u_scale : 1));
  return c;
}

ContactSolution finish(const FrictionContact& p, VectorXd r, int iterations, double tolerance, SolveStatus otherwise) {
  ContactSolution s;
  s.certificate = certify(p, r);
  s.u = p.W * r + p.q;
  s.r = std::move(r);
  s.iterations = iterations;
  s.status = s.certificate.natural_map <= tolerance ? SolveStatus::solved : otherwise;
  return s;
}

}  // namespace carom
