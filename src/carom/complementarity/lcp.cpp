#include "carom/complementarity/lcp.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

#include "carom/core/error.hpp"

namespace carom {

void validate(const Lcp& lcp) {
  const auto n = lcp.q.size();
  if (lcp.M.rows() != n || lcp.M.cols() != n)
    throw InputError("M", fmt::format("{} × {}", lcp.M.rows(), lcp.M.cols()),
                     fmt::format("must be {0} × {0} like q", n));
  if (!lcp.M.allFinite()) throw InputError("M", "NaN or Inf", "must be finite");
  if (!lcp.q.allFinite()) throw InputError("q", "NaN or Inf", "must be finite");
}

Certificate certify(const Lcp& lcp, const Eigen::VectorXd& z) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  if (z.size() != lcp.q.size() || !z.allFinite()) return {kInf, kInf, kInf};
  if (z.size() == 0) return {};
  const Eigen::VectorXd w = lcp.M * z + lcp.q;
  if (!w.allFinite()) return {kInf, kInf, kInf};
  const double q_norm = lcp.q.norm();
  const double z_scale = std::max(1.0, z.cwiseAbs().maxCoeff()), w_scale = std::max(1.0, w.cwiseAbs().maxCoeff());
  Certificate c;
  c.natural_map = z.cwiseMin(w).norm() / (q_norm > 0 ? q_norm : 1.0);
  c.cone = std::max({0.0, -z.minCoeff() / z_scale, -w.minCoeff() / w_scale});
  c.complementarity = z.cwiseProduct(w).cwiseAbs().maxCoeff() / (z_scale * w_scale);
  return c;
}

LcpSolution finish(const Lcp& lcp, Eigen::VectorXd z, int iterations, double tolerance, SolveStatus otherwise) {
  LcpSolution s;
  s.certificate = certify(lcp, z);
  s.w = lcp.M * z + lcp.q;
  s.z = std::move(z);
  s.iterations = iterations;
  s.status = s.certificate.natural_map <= tolerance ? SolveStatus::solved : otherwise;
  return s;
}

}  // namespace carom
