#include "carom/impact/problem.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <string>

#include "carom/core/error.hpp"

namespace carom {
namespace {

constexpr double kSymmetry = 1e-9;      // relative to the largest entry
constexpr double kNegativeEigen = 1e-9; // relative to the largest eigenvalue

std::string number(double x) { return fmt::format("{}", x); }

void require_size(const char* field, Eigen::Index size, Eigen::Index expected) {
  if (size != expected) throw InputError(field, fmt::format("{} values", size), fmt::format("must have {} values", expected));
}

void require_finite(const char* field, const Eigen::MatrixXd& x) {
  for (Eigen::Index i = 0; i < x.size(); ++i)
    if (!std::isfinite(x.data()[i])) throw InputError(field, number(x.data()[i]), "must be finite");
}

// Every entry of x lies in [low, high], or in (low, high] when `open`.
void require_range(const char* field, const Eigen::VectorXd& x, double low, double high, bool open, const char* words) {
  require_finite(field, x);
  for (const double value : x)
    if (value < low || value > high || (open && value == low)) throw InputError(field, number(value), words);
}

void check_delassus(const ImpactProblem& problem) {
  const Eigen::MatrixXd& G = problem.G;
  const Eigen::Index size = problem.v_pre.size();
  if (G.rows() != size || G.cols() != size)
    throw InputError("delassus", fmt::format("{} x {} matrix", G.rows(), G.cols()),
                     fmt::format("must be {} x {}, as many rows and columns as velocity has values", size, size));
  require_finite("delassus", G);
  const double scale = G.cwiseAbs().maxCoeff();
  for (Eigen::Index i = 0; i < size; ++i)
    for (Eigen::Index j = 0; j < i; ++j)
      if (std::abs(G(i, j) - G(j, i)) > kSymmetry * scale)
        throw InputError(fmt::format("delassus[{}][{}]", i, j), number(G(i, j)),
                         fmt::format("must equal delassus[{}][{}] = {}: G = J M⁻¹ Jᵀ is symmetric", j, i, G(j, i)));
  for (int c = 0; c < problem.contacts(); ++c) {
    const int n = problem.normal(c);
    if (!(G(n, n) > 0))
      throw InputError(fmt::format("delassus[{}][{}]", n, n), number(G(n, n)),
                       fmt::format("must be > 0: contact {} has no mobility along its normal", c));
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(G, Eigen::EigenvaluesOnly);
  const double least = eigen.eigenvalues()(0), most = eigen.eigenvalues()(size - 1);
  if (least < -kNegativeEigen * most)
    throw InputError("delassus", fmt::format("matrix with eigenvalue {}", least),
                     "must have no negative eigenvalue: G = J M⁻¹ Jᵀ is positive semidefinite");
}

void check_geometry(const ContactGeometry& geometry, int dimension, int n) {
  require_size("points", geometry.points.cols(), n);
  require_size("normals", geometry.normals.cols(), n);
  require_size("bodies", static_cast<Eigen::Index>(geometry.bodies.size()), n);
  if (geometry.points.rows() != dimension) throw InputError("points", fmt::format("{} coordinates", geometry.points.rows()), fmt::format("must have {} coordinates each", dimension));
  if (geometry.normals.rows() != dimension) throw InputError("normals", fmt::format("{} coordinates", geometry.normals.rows()), fmt::format("must have {} coordinates each", dimension));
  require_finite("points", geometry.points);
  require_finite("normals", geometry.normals);
  for (int c = 0; c < n; ++c)
    if (std::abs(geometry.normals.col(c).norm() - 1) > 1e-6)
      throw InputError(fmt::format("normals[{}]", c), fmt::format("a vector of length {}", geometry.normals.col(c).norm()),
                       "must be a unit vector");
  if (geometry.tangents.size() > 0) {
    require_size("tangents", geometry.tangents.cols(), n);
    if (geometry.tangents.rows() != dimension) throw InputError("tangents", fmt::format("{} coordinates", geometry.tangents.rows()), fmt::format("must have {} coordinates each", dimension));
    require_finite("tangents", geometry.tangents);
    for (int c = 0; c < n; ++c)
      if (std::abs(geometry.tangents.col(c).norm() - 1) > 1e-6 || std::abs(geometry.tangents.col(c).dot(geometry.normals.col(c))) > 1e-6)
        throw InputError(fmt::format("tangents[{}]", c), "", "must be a unit vector across the normal");
  }
  for (int c = 0; c < n; ++c)
    for (const int body : geometry.bodies[static_cast<std::size_t>(c)])
      if (body < -1) throw InputError(fmt::format("bodies[{}]", c), std::to_string(body), "must be a body's index, or -1 for the ground");
}

void check_system(const GeneralisedSystem& system, Eigen::Index rows) {
  const Eigen::Index dof = system.qdot_pre.size();
  if (system.M.rows() != dof || system.M.cols() != dof)
    throw InputError("mass_matrix", fmt::format("{} x {} matrix", system.M.rows(), system.M.cols()), fmt::format("must be {} x {}", dof, dof));
  if (system.J.rows() != rows || system.J.cols() != dof)
    throw InputError("jacobian", fmt::format("{} x {} matrix", system.J.rows(), system.J.cols()), fmt::format("must be {} x {}", rows, dof));
  if (system.constraint.size() > 0 && system.constraint.cols() != dof)
    throw InputError("constraint", fmt::format("{} columns", system.constraint.cols()), fmt::format("must have {} columns", dof));
  require_finite("mass_matrix", system.M);
  require_finite("jacobian", system.J);
  require_finite("qdot", system.qdot_pre);
}

}  // namespace

void validate(const ImpactProblem& problem) {
  const int d = problem.dimension;
  if (d != 2 && d != 3) throw InputError("dimension", std::to_string(d), "must be 2 (planar) or 3 (spatial)");
  if (problem.v_pre.size() == 0 || problem.v_pre.size() % d != 0)
    throw InputError("velocity", fmt::format("{} values", problem.v_pre.size()),
                     fmt::format("must have {} values per contact, tangential first, normal last", d));
  require_finite("velocity", problem.v_pre);
  check_delassus(problem);

  const int n = problem.contacts();
  require_size("friction.static", problem.mu_s.size(), n);
  require_size("friction.kinetic", problem.mu_d.size(), n);
  require_size("restitution", problem.e.size(), n);
  constexpr double kAny = std::numeric_limits<double>::max();
  require_range("friction.kinetic", problem.mu_d, 0, kAny, false, "must be >= 0");
  require_range("friction.static", problem.mu_s, 0, kAny, false, "must be >= 0");
  for (int c = 0; c < n; ++c)
    if (problem.mu_s(c) < problem.mu_d(c))
      throw InputError("friction.static", number(problem.mu_s(c)),
                       fmt::format("must be >= friction.kinetic = {}", problem.mu_d(c)));
  require_range("restitution", problem.e, 0, 1, false, "must lie in [0, 1]");
  if (problem.stiffness.size() > 0) {
    require_size("stiffness", problem.stiffness.size(), n);
    require_range("stiffness", problem.stiffness, 0, kAny, true, "must be > 0");
  }
  if (problem.exponent.size() > 0) {
    require_size("exponent", problem.exponent.size(), n);
    require_range("exponent", problem.exponent, 1, kAny, false, "must be >= 1 (1 linear, 1.5 Hertz)");
  }
  if (problem.geometry) check_geometry(*problem.geometry, d, n);
  if (problem.system) check_system(*problem.system, problem.v_pre.size());
}

}  // namespace carom
