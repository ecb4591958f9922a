#include "carom/complementarity/lcp.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

#include "carom/core/error.hpp"

namespace carom {

void validate_lcp(const Eigen::Ref<const Eigen::MatrixXd>& M, const Eigen::Ref<const Eigen::VectorXd>& q) {
  const auto n = q.size();
  if (M.rows() != n || M.cols() != n) throw InputError("M", fmt::format("{} × {}", M.rows(), M.cols()), fmt::format("must be {0} × {0} like q", n));
  if (!M.allFinite()) throw InputError("M", "NaN or Inf", "must be finite");
  if (!q.allFinite()) throw InputError("q", "NaN or Inf", "must be finite");
}

void validate(const Lcp& lcp) { validate_lcp(lcp.M, lcp.q); }

Certificate certify_lcp(const Eigen::Ref<const Eigen::MatrixXd>& M, const Eigen::Ref<const Eigen::VectorXd>& q,
                        const Eigen::Ref<const Eigen::VectorXd>& z, Eigen::Ref<Eigen::VectorXd> w) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  if (z.size() == 0) return {};
  w.noalias() = M * z;
  w += q;
  if (!z.allFinite() || !w.allFinite()) return {kInf, kInf, kInf};
  const double q_norm = q.norm();
  const double z_scale = std::max(1.0, z.cwiseAbs().maxCoeff()), w_scale = std::max(1.0, w.cwiseAbs().maxCoeff());
  Certificate c;
  c.natural_map = z.cwiseMin(w).norm() / (q_norm > 0 ? q_norm : 1.0);
  c.cone = std::max({0.0, -z.minCoeff() / z_scale, -w.minCoeff() / w_scale});
  c.complementarity = z.cwiseProduct(w).cwiseAbs().maxCoeff() / (z_scale * w_scale);
  return c;
}

Certificate certify(const Lcp& lcp, const Eigen::VectorXd& z) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  if (z.size() != lcp.q.size()) return {kInf, kInf, kInf};
  Eigen::VectorXd w(z.size());
  return certify_lcp(lcp.M, lcp.q, z, w);
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
