#include "carom/simulate/stepping/block_sweep.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace carom {
namespace {

using Eigen::Matrix2d;
using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::Vector3d;

Vector2d solve_tangent(const Matrix2d& W, const Vector2d& c, double radius, const PolygonDirections* polygon) {
  return polygon != nullptr ? solve_polygon(W, c, radius, *polygon) : solve_disc(W, c, radius);
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

// Speeds that have not been met get the next places, upwards; six in a row are a free body's, met downwards (dynamics/inward_sweep.hpp).
void BlockSweep::number(int block) {
  const RootRows& rows = p_->rows;
  const int last = rows.start[block + 1];
  const auto put = [&](int speed) {
    if (local_[speed] < 0) local_[speed] = static_cast<int>(speeds_.size()), speeds_.push_back(speed);
  };
  for (int e = rows.start[block]; e < last;) {
    const int speed = rows.speed[e];
    int run = 1;
    while (e + run < last && rows.speed[e + run] == speed - run) ++run;
    for (int k = run - 1; k >= 0; --k) put(speed - k);
    e += run;
  }
}

// False: not an exact contact of one or two free bodies.
bool BlockSweep::pack_exact(int block) {
  const RootRows& rows = p_->rows;
  const StepBlock& b = p_->block[block];
  const int first = rows.start[block], count = rows.start[block + 1] - first;
  if (rows.d != 3 || b.parent >= 0 || b.edges > 0 || b.floor > 0 || (count != 6 && count != 12)) return false;
  for (int e = 0; e < count; ++e)
    if (local_[rows.speed[first + e]] != local_[rows.speed[first + e / 6 * 6]] - e % 6) return false;
  Record record;
  record.block = block, record.at = static_cast<int>(Y_.size() / 18);
  record.a = local_[rows.speed[first + 5]], record.b = count == 12 ? local_[rows.speed[first + 11]] : -1;
  double cos, sin;
  record.law = PrincipalContact3::of(rows.own(block), b.mu, cos, sin);
  set_law(record, cos, sin);
  for (int body = 0; body < count / 6; ++body) {
    std::array<double, 18> turned;
    for (int k = 0; k < 6; ++k) {
      const double* y = rows.Y.data() + static_cast<std::ptrdiff_t>(first + 6 * body + 5 - k) * 3;
      turned[k] = cos * y[0] - sin * y[1], turned[6 + k] = sin * y[0] + cos * y[1], turned[12 + k] = y[2];
    }
    Y_.insert(Y_.end(), turned.begin(), turned.end());
  }
  record_.push_back(record), turn_.push_back({cos, sin});
  return true;
}

void BlockSweep::pack_general(int block) {
  const RootRows& rows = p_->rows;
  const StepBlock& b = p_->block[block];
  General g;
  g.first = static_cast<int>(entry_.size());
  for (int e = rows.start[block]; e < rows.start[block + 1]; ++e) entry_.push_back(local_[rows.speed[e]]);
  g.last = static_cast<int>(entry_.size());
  g.parent = -1;
  if (b.parent >= 0)
    for (g.parent = static_cast<int>(record_.size()) - 1; record_[g.parent].block != b.parent;) --g.parent;
  g.Y = rows.Y.data() + static_cast<std::ptrdiff_t>(rows.start[block]) * rows.d, g.W = rows.own(block);
  set_law(g, block);
  Record record{};
  record.block = block, record.a = record.b = -1, record.at = static_cast<int>(general_.size());
  record_.push_back(record), turn_.push_back({1, 0});
  general_.push_back(g);
}

void BlockSweep::set_law(Record& record, double cos, double sin) const {
  record.law.mu = p_->block[record.block].mu;
  const double* q = p_->q.data() + static_cast<std::ptrdiff_t>(record.block) * 3;
  record.q[0] = cos * q[0] - sin * q[1], record.q[1] = sin * q[0] + cos * q[1], record.q[2] = q[2];
}

void BlockSweep::set_law(General& g, int block) const {
  const StepBlock& b = p_->block[block];
  g.plain = b.parent < 0 && b.edges == 0 && b.floor == 0;
  g.q = p_->q.data() + static_cast<std::ptrdiff_t>(block) * p_->d();
  g.block = &b;
  g.polygon = b.edges > 0 ? &polygon(b.edges) : nullptr;
  if (p_->d() == 3) g.spatial = LocalContact3(g.W, b.mu);
  else g.planar = LocalContact2(g.W, b.mu);
}

void BlockSweep::renew() {
  for (std::size_t i = 0; i < record_.size(); ++i) {
    Record& record = record_[i];
    if (record.a < 0) set_law(general_[record.at], record.block);
    else set_law(record, turn_[i][0], turn_[i][1]);
  }
}

void BlockSweep::pack(const StepProblem& problem, std::span<const int> order, int speeds) {
  p_ = &problem;
  local_.resize(static_cast<std::size_t>(speeds), -1);
  for (const int speed : speeds_) local_[speed] = -1;
  speeds_.clear(), record_.clear(), general_.clear(), entry_.clear(), Y_.clear(), turn_.clear(), met_.clear();
  met_.push_back(0);
  for (const int i : order) {
    number(i);
    met_.push_back(static_cast<int>(speeds_.size()));
    if (!pack_exact(i)) pack_general(i);
  }
  r_.clear(), lambda_.clear(), z_.clear();  // resize leaves room, assign does not
  r_.resize(record_.size() * 3), lambda_.resize(record_.size()), z_.resize(speeds_.size());
  for (auto* like_r : {&r_from_, &r_way_}) like_r->resize(r_.size());
  for (auto* like_z : {&z_from_, &z_way_}) like_z->resize(z_.size());
}

std::span<double> BlockSweep::impulses(const Range& range) {
  return std::span<double>(r_).subspan(3 * static_cast<std::size_t>(range.first), 3 * static_cast<std::size_t>(range.blocks()));
}

void BlockSweep::take(const double* all, const Range& range) {
  const int d = p_->d();
  for (int i = range.first; i < range.last; ++i) {
    const double* from = all + static_cast<std::ptrdiff_t>(record_[i].block) * d;
    double* r = r_.data() + static_cast<std::ptrdiff_t>(i) * 3;
    for (int k = 0; k < d; ++k) r[k] = from[k];
    if (d < 3) continue;
    const auto [cos, sin] = turn_[i];
    const double t1 = r[0], t2 = r[1];
    r[0] = cos * t1 - sin * t2, r[1] = sin * t1 + cos * t2;
  }
  gather(range);
}

void BlockSweep::give(double* all, const Range& range) const {
  const int d = p_->d();
  for (int i = range.first; i < range.last; ++i) {
    double* to = all + static_cast<std::ptrdiff_t>(record_[i].block) * d;
    const double* r = r_.data() + static_cast<std::ptrdiff_t>(i) * 3;
    for (int k = 0; k < d; ++k) to[k] = r[k];
    if (d < 3) continue;
    const auto [cos, sin] = turn_[i];
    to[0] = cos * r[0] + sin * r[1], to[1] = cos * r[1] - sin * r[0];
  }
}

void BlockSweep::give_speeds(Eigen::VectorXd& z, const Range& range) const {
  for (int j = range.first_speed; j < range.last_speed; ++j) z[speeds_[j]] = z_[j];
}

namespace {

using Six = Eigen::Map<Eigen::Matrix<double, 6, 1>>;
using Rows = Eigen::Map<const Eigen::Matrix<double, 6, 3>>;

}  // namespace

void BlockSweep::gather(const Range& range) {
  const int d = p_->d();
  std::fill(z_.begin() + range.first_speed, z_.begin() + range.last_speed, 0.0);
  for (int i = range.first; i < range.last; ++i) {
    const Record& record = record_[i];
    const double* r = r_.data() + static_cast<std::ptrdiff_t>(i) * 3;
    if (record.a < 0) {
      const General& g = general_[record.at];
      const double* y = g.Y;
      for (int e = g.first; e < g.last; ++e, y += d)
        for (int k = 0; k < d; ++k) z_[entry_[e]] += y[k] * r[k];
      continue;
    }
    const double* y = Y_.data() + static_cast<std::ptrdiff_t>(record.at) * 18;
    const auto add = [&](int at, const double* of) {
      const Rows Y(of);
      Six(z_.data() + at) += Y.col(0) * r[0] + Y.col(1) * r[1] + Y.col(2) * r[2];
    };
    add(record.a, y);
    if (record.b >= 0) add(record.b, y + 18);
  }
}

// q: velocity of the block with its own impulse taken away.
void BlockSweep::solve_general(const General& g, const double* q, double* r, double& lambda) const {
  const StepBlock& b = *g.block;
  const int d = p_->d();
  const double* own = g.W;
  if (g.plain) {
    if (d == 2) g.planar.solve(q, r, lambda);
    else g.spatial.solve(q, r, lambda);
    return;
  }
  if (b.parent >= 0) {
    const double normal = r_[static_cast<std::size_t>(g.parent) * 3 + d - 1];
    if (d == 2) r[0] = own[0] > 0 ? std::clamp(-q[0] / own[0], -b.rolling * normal, b.rolling * normal) : 0, r[1] = 0;
    else solve_moments(Eigen::Map<const Matrix3d>(own), Eigen::Map<const Vector3d>(q), b.rolling * normal, b.torsion * normal, g.polygon, r);
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
      const Vector2d t = solve_tangent(W.topLeftCorner<2, 2>(), {q[0], q[1]}, b.mu * b.floor, g.polygon);
      r[0] = t.x(), r[1] = t.y(), r[2] = 0;
      u_n = q[2] + W(2, 0) * t.x() + W(2, 1) * t.y();
    }
    if (u_n >= 0) return;
    // Else u_n = 0: the ordinary contact for the whole normal impulse r_n + floor.
    double whole[3];
    for (int k = 0; k < d; ++k) whole[k] = q[k] - own[(d - 1) * d + k] * b.floor;
    if (d == 2) g.planar.solve(whole, r, lambda);
    else if (g.polygon != nullptr) Eigen::Map<Vector3d>{r} = solve_polygonal_contact(Eigen::Map<const Matrix3d>(own), Eigen::Map<const Vector3d>(whole), b.mu, *g.polygon);
    else g.spatial.solve(whole, r, lambda);
    r[d - 1] = std::max(0.0, r[d - 1] - b.floor);
    return;
  }
  if (d == 3) Eigen::Map<Vector3d>{r} = solve_polygonal_contact(Eigen::Map<const Matrix3d>(own), Eigen::Map<const Vector3d>(q), b.mu, *g.polygon);
  else g.planar.solve(q, r, lambda);
}

template <int D>
double BlockSweep::visit_general(const Record& record, int place) {
  const General& g = general_[record.at];
  double* ri = r_.data() + static_cast<std::ptrdiff_t>(place) * 3;
  const double* y = g.Y;
  double u[D], old[D];
  for (int k = 0; k < D; ++k) u[k] = g.q[k], old[k] = ri[k];
  for (int e = g.first; e < g.last; ++e, y += D)
    for (int k = 0; k < D; ++k) u[k] += y[k] * z_[entry_[e]];
  for (int b = 0; b < D; ++b)
    for (int a = 0; a < D; ++a) u[a] -= g.W[b * D + a] * old[b];
  solve_general(g, u, ri, lambda_[place]);
  double by[D], size = 0;
  for (int k = 0; k < D; ++k) by[k] = ri[k] - old[k], size += by[k] * by[k];
  if (size == 0) return 0;
  y = g.Y;
  for (int e = g.first; e < g.last; ++e, y += D) {
    double sum = 0;
    for (int k = 0; k < D; ++k) sum += y[k] * by[k];
    z_[entry_[e]] += sum;
  }
  return size;
}

template <bool kPair>
double BlockSweep::visit(const Record& record, double* r, double& lambda) {
  const double* y = Y_.data() + static_cast<std::ptrdiff_t>(record.at) * 18;
  const Rows Ya(y), Yb(y + (kPair ? 18 : 0));
  Six za(z_.data() + record.a), zb(z_.data() + (kPair ? record.b : record.a));
  double u[3];
  for (int k = 0; k < 3; ++k) {
    if constexpr (kPair) u[k] = record.q[k] + (Ya.col(k).cwiseProduct(za) + Yb.col(k).cwiseProduct(zb)).sum();
    else u[k] = record.q[k] + Ya.col(k).dot(za);
  }
  const double old[3] = {r[0], r[1], r[2]};
  record.law.take_away(old, u);
  record.law.solve(u, r, lambda);
  const double by[3] = {r[0] - old[0], r[1] - old[1], r[2] - old[2]}, size = by[0] * by[0] + by[1] * by[1] + by[2] * by[2];
  if (size == 0) return 0;
  za += Ya.col(0) * by[0] + Ya.col(1) * by[1] + Ya.col(2) * by[2];
  if constexpr (kPair) zb += Yb.col(0) * by[0] + Yb.col(1) * by[1] + Yb.col(2) * by[2];
  return size;
}

double BlockSweep::sweep(int first, int last) {
  double change = 0;
  for (int i = first; i < last; ++i) {
    const Record& record = record_[i];
    double* r = r_.data() + static_cast<std::ptrdiff_t>(i) * 3;
    if (record.b >= 0) change += visit<true>(record, r, lambda_[i]);
    else if (record.a >= 0) change += visit<false>(record, r, lambda_[i]);
    else change += p_->d() == 3 ? visit_general<3>(record, i) : visit_general<2>(record, i);
  }
  return change;
}

namespace {

// Part k of n of the places first … last − 1.
std::pair<int, int> piece(int first, int last, int k, int n) {
  const auto size = static_cast<std::ptrdiff_t>(last - first);
  return {first + static_cast<int>(size * k / n), first + static_cast<int>(size * (k + 1) / n)};
}

}  // namespace

void BlockSweep::go_on(double beta, const Range& range, int k, int n) {
  const auto part = [&](std::vector<double>& x, std::vector<double>& from, std::vector<double>& way, int low, int high) {
    const auto [first, last] = piece(low, high, k, n);
    for (int i = first; i < last; ++i) {
      way[i] = beta * (way[i] + x[i] - from[i]);
      from[i] = x[i] += way[i];
    }
  };
  part(r_, r_from_, r_way_, 3 * range.first, 3 * range.last), part(z_, z_from_, z_way_, range.first_speed, range.last_speed);
}

double BlockSweep::ahead(const Range& range, int k, int n) const {
  double sum = 0;
  const auto [first, last] = piece(3 * range.first, 3 * range.last, k, n);
  for (int i = first; i < last; ++i) sum += (r_[i] - r_from_[i]) * (r_way_[i] + r_[i] - r_from_[i]);
  return sum;
}

Residual BlockSweep::residual(int first, int last, double scale) const {
  Residual sum;
  const int d = p_->d();
  const double part = 1 / scale;
  for (int i = first; i < last; ++i) {
    const Record& record = record_[i];
    const double* r = r_.data() + static_cast<std::ptrdiff_t>(i) * 3;
    double u[3];
    if (record.a < 0) {
      const General& g = general_[record.at];
      const double* y = g.Y;
      for (int k = 0; k < d; ++k) u[k] = g.q[k];
      for (int e = g.first; e < g.last; ++e, y += d)
        for (int k = 0; k < d; ++k) u[k] += y[k] * z_[entry_[e]];
      add_residual(*p_, record.block, r, u, g.parent < 0 ? 0 : r_[static_cast<std::size_t>(g.parent) * 3 + d - 1], scale, sum);
      continue;
    }
    const double* y = Y_.data() + static_cast<std::ptrdiff_t>(record.at) * 18;
    const Eigen::Map<const Eigen::Matrix<double, 6, 1>> za(z_.data() + record.a), zb(z_.data() + (record.b >= 0 ? record.b : record.a));
    const Rows Ya(y), Yb(y + (record.b >= 0 ? 18 : 0));
    for (int k = 0; k < 3; ++k) {
      u[k] = record.q[k] + Ya.col(k).dot(za);
      if (record.b >= 0) u[k] += Yb.col(k).dot(zb);
      u[k] *= part;
    }
    // As add_residual for an exact contact; both are the same in any tangent axes. off: r less the projection of x onto the cone.
    const double mu = record.law.mu, slip = std::sqrt(u[0] * u[0] + u[1] * u[1]);
    const double x[3] = {r[0] - u[0], r[1] - u[1], r[2] - u[2] - mu * slip}, length = std::sqrt(x[0] * x[0] + x[1] * x[1]);
    double off[3] = {u[0], u[1], u[2] + mu * slip};
    if (mu * length <= -x[2]) {
      off[0] = r[0], off[1] = r[1], off[2] = r[2];
    } else if (x[2] < 0 || length > mu * x[2]) {
      const double normal = (x[2] + mu * length) / (1 + mu * mu), shrink = length > 0 ? mu * normal / length : 0;
      off[0] = r[0] - shrink * x[0], off[1] = r[1] - shrink * x[1], off[2] = r[2] - normal;
    }
    for (int k = 0; k < 3; ++k) {
      sum.map += off[k] * off[k];
      sum.q += record.q[k] * record.q[k] * part * part, sum.r += r[k] * r[k], sum.u += u[k] * u[k];
    }
  }
  return sum;
}

}  // namespace carom
