#include "carom/complementarity/mlcp.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

#include "carom/core/error.hpp"

namespace carom {

using Eigen::VectorXd;

std::vector<int> Mlcp::rows(bool complementarity) const {
  std::vector<int> found;
  for (int i = 0; i < size(); ++i)
    if (complementary[i] == complementarity) found.push_back(i);
  return found;
}

void validate(const Mlcp& p) {
  const auto n = p.q.size();
  if (p.M.rows() != n || p.M.cols() != n)
    throw InputError("M", fmt::format("{} × {}", p.M.rows(), p.M.cols()), fmt::format("must be {0} × {0} like q", n));
  if (p.complementary.size() != static_cast<std::size_t>(n))
    throw InputError("complementary", fmt::format("{} rows", p.complementary.size()), fmt::format("must mark {} rows", n));
  if (!p.M.allFinite()) throw InputError("M", "NaN or Inf", "must be finite");
  if (!p.q.allFinite()) throw InputError("q", "NaN or Inf", "must be finite");
}

Certificate certify(const Mlcp& p, const VectorXd& z) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  if (z.size() != p.q.size() || !z.allFinite()) return {kInf, kInf, kInf};
  if (z.size() == 0) return {};
  const VectorXd w = p.M * z + p.q;
  if (!w.allFinite()) return {kInf, kInf, kInf};
  const double z_scale = std::max(1.0, z.cwiseAbs().maxCoeff());
  const double w_scale = std::max({1.0, w.cwiseAbs().maxCoeff(), p.q.cwiseAbs().maxCoeff()});
  Certificate c;
  double sum = 0;
  for (int i = 0; i < p.size(); ++i) {
    const double natural = p.complementary[i] ? std::min(z[i], w[i]) : w[i];
    sum += natural * natural;
    c.cone = std::max(c.cone, p.complementary[i] ? std::max(-z[i] / z_scale, -w[i] / w_scale) : std::abs(w[i]) / w_scale);
    if (p.complementary[i]) c.complementarity = std::max(c.complementarity, std::abs(z[i] * w[i]) / (z_scale * w_scale));
  }
  const double q_norm = p.q.norm();
  c.natural_map = std::sqrt(sum) / (q_norm > 0 ? q_norm : 1.0);
  return c;
}

MlcpSolution finish(const Mlcp& p, VectorXd z, int iterations, double tolerance, SolveStatus otherwise) {
  MlcpSolution s;
  s.certificate = certify(p, z);
  s.w = p.M * z + p.q;
  s.z = std::move(z);
  s.iterations = iterations;
  s.status = s.certificate.natural_map <= tolerance ? SolveStatus::solved : otherwise;
  return s;
}

}  // namespace carom
