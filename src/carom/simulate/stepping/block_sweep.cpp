#include "carom/simulate/stepping/block_sweep.hpp"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

using Eigen::Matrix2d;
using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::Vector3d;

Vector2d solve_tangent(const Matrix2d& W, const Vector2d& c, double radius, const PolygonDirections* polygon) {
  return polygon != nullptr ? solve_polygon(W, c, radius, *polygon) : solve_disc(W, c, radius);
}

// The nearest point of the cone.
template <int D>
void into_cone(double mu, double* r) {
  double length = 0;
  for (int k = 0; k < D - 1; ++k) length += r[k] * r[k];
  length = std::sqrt(length);
  if (length <= mu * r[D - 1]) return;
  const double normal = std::max(0.0, (mu * length + r[D - 1]) / (1 + mu * mu));
  for (int k = 0; k < D - 1; ++k) r[k] *= length > 0 ? mu * normal / length : 0;
  r[D - 1] = normal;
}

// Rolling and spin in turn until they agree: their coupling inside one block is weak.
void solve_moments(const Matrix3d& W, const Vector3d& q, double rolling, double torsion, const PolygonDirections* polygon, double* r) {
  for (int k = 0; k < 20; ++k) {
    const double before[3] = {r[0], r[1], r[2]};
    const Vector2d t = solve_tangent(W.topLeftCorner<2, 2>(), q.head<2>() + W.topRightCorner<2, 1>() * r[2], rolling, polygon);
    r[0] = t.x(), r[1] = t.y();
    const double c = q[2] + W(2, 0) * r[0] + W(2, 1) * r[1];
    r[2] = W(2, 2) > 0 ? std::clamp(-c / W(2, 2), -torsion, torsion) : 0;
    const double change = std::max({std::abs(r[0] - before[0]), std::abs(r[1] - before[1]), std::abs(r[2] - before[2])});
    if (change <= 1e-15 * (rolling + torsion)) return;
  }
}

}  // namespace

void BlockSweep::prepare(const StepProblem& problem) {
  p_ = &problem;
  const int n = problem.blocks(), d = problem.d();
  spatial_.clear(), planar_.clear(), polygon_.clear(), plain_.clear();
  lambda_.assign(static_cast<std::size_t>(n), 0.0);
  for (int i = 0; i < n; ++i) {
    const StepBlock& b = problem.block[i];
    if (d == 3) spatial_.emplace_back(problem.rows.own(i), b.mu);
    else planar_.emplace_back(problem.rows.own(i), b.mu);
    polygon_.push_back(b.edges > 0 ? &polygon(b.edges) : nullptr);
    plain_.push_back(b.parent < 0 && b.edges == 0 && b.floor == 0);
  }
}

void BlockSweep::gather(std::span<const int> blocks, const double* r, Eigen::VectorXd& z) const {
  const RootRows& rows = p_->rows;
  for (const int i : blocks)
    for (int e = rows.start[i]; e < rows.start[i + 1]; ++e) z[rows.speed[e]] = 0;
  for (const int i : blocks) rows.add_impulse(i, r + static_cast<std::ptrdiff_t>(i) * rows.d, z);
}

// q: velocity of the block with its own impulse taken away. Floors, polygons and moments; the plain contact is solved in line.
void BlockSweep::solve_block(int i, const double* q, double* r, const double* all) {
  const StepBlock& b = p_->block[i];
  const int d = p_->d();
  const double* own = p_->rows.own(i);
  if (b.parent >= 0) {
    const double normal = all[static_cast<std::ptrdiff_t>(b.parent) * d + d - 1];
    if (d == 2) r[0] = own[0] > 0 ? std::clamp(-q[0] / own[0], -b.rolling * normal, b.rolling * normal) : 0, r[1] = 0;
    else solve_moments(Eigen::Map<const Matrix3d>(own), Eigen::Map<const Vector3d>(q), b.rolling * normal, b.torsion * normal, polygon_[i], r);
    return;
  }
  if (b.floor > 0) {
    // No further normal impulse: friction on the floor alone.
    double u_n;
    if (d == 2) {
      r[0] = own[0] > 0 ? std::clamp(-q[0] / own[0], -b.mu * b.floor, b.mu * b.floor) : 0, r[1] = 0;
      u_n = q[1] + own[1] * r[0];
    } else {
      const Eigen::Map<const Matrix3d> W(own);
      const Vector2d t = solve_tangent(W.topLeftCorner<2, 2>(), {q[0], q[1]}, b.mu * b.floor, polygon_[i]);
      r[0] = t.x(), r[1] = t.y(), r[2] = 0;
      u_n = q[2] + W(2, 0) * t.x() + W(2, 1) * t.y();
    }
    if (u_n >= 0) return;
    // Else u_n = 0: the ordinary contact for the whole normal impulse r_n + floor.
    double whole[3];
    for (int k = 0; k < d; ++k) whole[k] = q[k] - own[(d - 1) * d + k] * b.floor;
    if (d == 2) planar_[i].solve(whole, r, lambda_[i]);
    else if (polygon_[i] != nullptr) Eigen::Map<Vector3d>{r} = solve_polygonal_contact(Eigen::Map<const Matrix3d>(own), Eigen::Map<const Vector3d>(whole), b.mu, *polygon_[i]);
    else spatial_[i].solve(whole, r, lambda_[i]);
    r[d - 1] = std::max(0.0, r[d - 1] - b.floor);
    return;
  }
  if (d == 3) Eigen::Map<Vector3d>{r} = solve_polygonal_contact(Eigen::Map<const Matrix3d>(own), Eigen::Map<const Vector3d>(q), b.mu, *polygon_[i]);
  else planar_[i].solve(q, r, lambda_[i]);
}

template <int D>
double BlockSweep::sweep_blocks(std::span<const int> blocks, double* r, Eigen::VectorXd& z_vector, double relaxation) {
  const RootRows& rows = p_->rows;
  const int* speed = rows.speed.data();
  double* z = z_vector.data();
  double change = 0;
  for (const int i : blocks) {
    const int first = rows.start[i], last = rows.start[i + 1];
    const double* y = rows.Y.data() + static_cast<std::ptrdiff_t>(first) * D;
    const double* W = rows.own(i);
    double* ri = r + static_cast<std::ptrdiff_t>(i) * D;
    double u[D], old[D];
    for (int k = 0; k < D; ++k) u[k] = p_->q[static_cast<std::size_t>(i) * D + k], old[k] = ri[k];
    for (int e = first; e < last; ++e, y += D) {
      const double at = z[speed[e]];
      for (int k = 0; k < D; ++k) u[k] += y[k] * at;
    }
    for (int b = 0; b < D; ++b)
      for (int a = 0; a < D; ++a) u[a] -= W[b * D + a] * old[b];
    if (plain_[i]) {
      if constexpr (D == 3) spatial_[i].solve(u, ri, lambda_[i]);
      else planar_[i].solve(u, ri, lambda_[i]);
      if (relaxation != 1) {
        for (int k = 0; k < D; ++k) ri[k] = old[k] + relaxation * (ri[k] - old[k]);
        into_cone<D>(p_->block[i].mu, ri);
      }
    } else {
      solve_block(i, u, ri, r);
    }
    double by[D], size = 0;
    for (int k = 0; k < D; ++k) by[k] = ri[k] - old[k], size += by[k] * by[k];
    if (size == 0) continue;
    change += size;
    y = rows.Y.data() + static_cast<std::ptrdiff_t>(first) * D;
    for (int e = first; e < last; ++e, y += D) {
      double sum = 0;
      for (int k = 0; k < D; ++k) sum += y[k] * by[k];
      z[speed[e]] += sum;
    }
  }
  return change;
}

double BlockSweep::sweep(std::span<const int> blocks, double* r, Eigen::VectorXd& z, double relaxation) {
  return p_->d() == 3 ? sweep_blocks<3>(blocks, r, z, relaxation) : sweep_blocks<2>(blocks, r, z, relaxation);
}

Residual BlockSweep::residual(std::span<const int> blocks, const double* r, const Eigen::VectorXd& z, double scale) const {
  Residual sum;
  const int d = p_->d();
  for (const int i : blocks) {
    double u[3];
    for (int k = 0; k < d; ++k) u[k] = p_->q[static_cast<std::size_t>(i) * d + k];
    p_->rows.add_velocity(i, z, u);
    const int parent = p_->block[i].parent;
    add_residual(*p_, i, r + static_cast<std::ptrdiff_t>(i) * d, u, parent < 0 ? 0 : r[static_cast<std::ptrdiff_t>(parent) * d + d - 1], scale, sum);
  }
  return sum;
}

}  // namespace carom
