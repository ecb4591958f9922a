#include "carom/simulate/stepping/root_rows.hpp"

#include <algorithm>
#include <array>

#include "carom/dynamics/inward_sweep.hpp"

namespace carom {
namespace {

using Eigen::Vector3d;

template <int D>
Load<D> load_on(const Data& data, int body, const Vector3d& x, const BlockLoad& block, double sign) {
  Load<D> load;
  load.force.setZero(), load.moment.setZero();
  if (body == kGround) return load;
  if (block.turning) {
    load.moment = sign * block.axes.leftCols<D>();
    return load;
  }
  load.force = sign * block.axes.leftCols<D>();
  add_moment_of(load, x - data.hub[body]);
  return load;
}

template <int D>
void sweep_block(const Model& model, const Data& data, const BlockLoad& block, std::vector<int>& speed, std::vector<double>& Y) {
  sweep_inward<D>(model, data, block.body_a, load_on<D>(data, block.body_a, block.point_a, block, 1), block.body_b,
                  load_on<D>(data, block.body_b, block.point_b, block, -1), [&](int j, const Eigen::Matrix<double, 1, D>& y) {
                    speed.push_back(j);
                    for (int k = 0; k < D; ++k) Y.push_back(y[k]);
                  });
}

// Yᵀ Y of the entries first … last, to the end of W: one triangle, and the other from it.
template <int D>
void add_own(int first, int last, const std::vector<double>& Y, std::vector<double>& W) {
  std::array<double, D * D> own{};
  for (int e = first; e < last; ++e) {
    const double* y = Y.data() + static_cast<std::ptrdiff_t>(e) * D;
    for (int b = 0; b < D; ++b)
      for (int a = 0; a <= b; ++a) own[static_cast<std::size_t>(b * D + a)] += y[a] * y[b];
  }
  for (int b = 0; b < D; ++b)
    for (int a = 0; a < b; ++a) own[static_cast<std::size_t>(a * D + b)] = own[static_cast<std::size_t>(b * D + a)];
  W.insert(W.end(), own.begin(), own.end());
}

}  // namespace

void RootRows::clear(int rows_per_block) {
  d = rows_per_block;
  start.assign(1, 0);
  speed.clear(), Y.clear(), W.clear();
}

void RootRows::close_block() {
  const int first = start.back(), last = static_cast<int>(speed.size());
  start.push_back(last);
  if (d == 2) add_own<2>(first, last, Y, W);
  else add_own<3>(first, last, Y, W);
}

void RootRows::add(const Model& model, const Data& data, const BlockLoad& load) {
  if (d == 2) sweep_block<2>(model, data, load, speed, Y);
  else sweep_block<3>(model, data, load, speed, Y);
  close_block();
}

void RootRows::add_speed(const Model& model, const Data& data, int freedom, double sign) {
  int body = model.freedom(freedom).body;
  const Joint& joint = model.joint(body);
  Load<1> load;
  load.force.setZero(), load.moment.setZero();
  const auto emit = [&](int j, double y) {
    speed.push_back(j);
    for (int k = 0; k < d - 1; ++k) Y.push_back(0);
    Y.push_back(y);
  };
  // Within the joint: the generalised force enters at its own speed.
  for (int j = joint.u_index + joint.nv - 1; j >= joint.u_index; --j) {
    const Screw& s = data.screw[j];
    const double y = data.root_scale[j] * ((j == freedom ? sign : 0) + s.axis.dot(s.rotation ? load.moment : load.force));
    load.moment -= y * data.root[j].moment, load.force -= y * data.root[j].force;
    emit(j, y);
  }
  add_moment_of(load, data.reach[body]);
  for (body = model.parent(body); body != kGround;)
    body = pass_joint<1>(model, data, body, load, [&](int j, const Eigen::Matrix<double, 1, 1>& y) { emit(j, y[0]); });
  close_block();
}

void RootRows::project(const Data& data) {
  if (data.rank == 0) return;
  const Eigen::Index nv = data.C.cols();
  const int n = blocks();
  full_.resize(nv, static_cast<Eigen::Index>(d) * n);
  work_.resize(full_.cols());
  full_.setZero();
  for (int i = 0; i < n; ++i)
    for (int e = start[i]; e < start[i + 1]; ++e)
      for (int k = 0; k < d; ++k) full_(speed[e], d * i + k) = Y[static_cast<std::size_t>(e) * d + k];
  // Q of the factorisation one reflection at a time: Eigen's own way allocates.
  const auto reflect = [&](Eigen::Index k) {
    const Eigen::Index rest = nv - k;
    full_.bottomRows(rest).applyHouseholderOnTheLeft(data.C_root.matrixQR().col(k).tail(rest - 1), data.C_root.hCoeffs()[k], work_.data());
  };
  for (Eigen::Index k = 0; k < data.rank; ++k) reflect(k);
  full_.topRows(data.rank).setZero();
  for (Eigen::Index k = data.rank - 1; k >= 0; --k) reflect(k);
  clear(d);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < nv; ++j) {
      speed.push_back(j);
      for (int k = 0; k < d; ++k) Y.push_back(full_(j, d * i + k));
    }
    close_block();
  }
}

void RootRows::add_velocity(int block, const Eigen::VectorXd& z, double* out) const {
  for (int e = start[block]; e < start[block + 1]; ++e)
    for (int k = 0; k < d; ++k) out[k] += Y[static_cast<std::size_t>(e) * d + k] * z[speed[e]];
}

void RootRows::add_impulse(int block, const double* p, Eigen::VectorXd& z) const {
  for (int e = start[block]; e < start[block + 1]; ++e)
    for (int k = 0; k < d; ++k) z[speed[e]] += Y[static_cast<std::size_t>(e) * d + k] * p[k];
}

void RootRows::dense(std::span<const int> chosen, Eigen::Ref<Eigen::MatrixXd> G, KeptMatrix& one, int nv) const {
  const auto n = static_cast<Eigen::Index>(chosen.size());
  one.resize(nv, d);
  one.setZero();
  for (Eigen::Index i = 0; i < n; ++i) {
    const int bi = chosen[static_cast<std::size_t>(i)];
    for (int e = start[bi]; e < start[bi + 1]; ++e)
      for (int k = 0; k < d; ++k) one(speed[e], k) = Y[static_cast<std::size_t>(e) * d + k];
    for (Eigen::Index j = 0; j <= i; ++j) {
      const int bj = chosen[static_cast<std::size_t>(j)];
      Eigen::Matrix3d block = Eigen::Matrix3d::Zero();
      for (int e = start[bj]; e < start[bj + 1]; ++e)
        for (int b = 0; b < d; ++b)
          for (int a = 0; a < d; ++a) block(a, b) += one(speed[e], a) * Y[static_cast<std::size_t>(e) * d + b];
      G.block(i * d, j * d, d, d) = block.topLeftCorner(d, d);
      G.block(j * d, i * d, d, d) = block.topLeftCorner(d, d).transpose();
    }
    for (int e = start[bi]; e < start[bi + 1]; ++e) one.row(speed[e]).setZero();
  }
}

}  // namespace carom
