#include "carom/complementarity/local_contact.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <numbers>

#include "carom/math/counter_rng.hpp"

using namespace carom;
using Eigen::Matrix3d;
using Eigen::Vector3d;

namespace {

using Real = long double;

// Violation of Coulomb's law with u = W r + q, evaluated in extended precision, over the size of the data in that equation:
// what rounding of the inputs alone can cause is about 1e-16.
double violation(const Matrix3d& W, const Vector3d& q, double mu, const Vector3d& r) {
  const Eigen::Matrix<Real, 3, 1> R = r.cast<Real>(), u = W.cast<Real>() * R + q.cast<Real>();
  const Real velocity = W.cast<Real>().norm() * R.norm() + q.cast<Real>().norm(), force = R.norm();
  if (force == 0) return static_cast<double>(std::max<Real>(0, -u[2]) / velocity);
  const Real ut = std::hypot(u[0], u[1]), rt = std::hypot(R[0], R[1]);
  Real worst = std::max(std::abs(u[2]) / velocity, (rt - Real(mu) * R[2]) / force);
  // The slip that is not against the friction: what u_t would have to be changed by, times how far the friction is used.
  const Real off = mu == 0 ? 0 : std::hypot(R[0] * ut + Real(mu) * R[2] * u[0], R[1] * ut + Real(mu) * R[2] * u[1]);
  worst = std::max(worst, off / (velocity * force));
  return static_cast<double>(worst);
}

Matrix3d random_block(CounterRng& rng, double condition) {
  const Matrix3d A = Matrix3d::NullaryExpr([&] { return rng.normal(); });
  const Matrix3d Q = Eigen::HouseholderQR<Matrix3d>(A).householderQ();
  const Vector3d e(1, rng.log_uniform(1 / condition, 1), 1 / condition);
  return Q * e.asDiagonal() * Q.transpose() * rng.log_uniform(1e-3, 1e3);
}

}  // namespace

TEST(LocalContact3, SolvesToRoundingOn100000RandomContacts) {
  int modes[3] = {0, 0, 0};
  double worst = 0;
  for (std::uint64_t run = 0; run < 100000; ++run) {
    CounterRng rng(21, run);
    Matrix3d W = random_block(rng, rng.log_uniform(1.01, 1e8));
    W = (0.5 * (W + W.transpose())).eval();
    const Vector3d q = Vector3d(rng.normal(), rng.normal(), rng.normal()) * rng.log_uniform(1e-3, 1e3);
    const double mu = rng.below(20) == 0 ? 0 : rng.log_uniform(1e-3, 3);
    Vector3d r;
    double lambda = rng.below(2) == 0 ? 0 : rng.log_uniform(1e-6, 1e6);
    ++modes[static_cast<int>(LocalContact3(W.data(), mu).solve(q.data(), r.data(), lambda))];
    const double v = violation(W, q, mu, r);
    worst = std::max(worst, v);
    // 1e-13: the tangent problem S loses up to the ratio of |W_tn|²/W_nn to W_tt; measured worst is 4e-16.
    EXPECT_LE(v, 1e-13) << run;
  }
  RecordProperty("worst", std::to_string(worst));
  std::printf("worst violation %.2e; separate %d, stick %d, slip %d\n", worst, modes[0], modes[1], modes[2]);
  for (const int count : modes) EXPECT_GT(count, 3000);
}

TEST(LocalContact3, SlipDirectionAgreesWithAScanOfTheCircle) {
  // Slip along e(θ): r = r_n (−μ e, 1), r_n from u_n = 0; the solution is where u_t is along e. Found by sign changes of the
  // cross product on 2000 angles and bisection, without any of the algebra of the solver.
  int compared = 0;
  for (std::uint64_t run = 0; run < 3000; ++run) {
    CounterRng rng(22, run);
    const Matrix3d W = random_block(rng, rng.log_uniform(1.01, 100));
    const Vector3d q(rng.normal(), rng.normal(), -std::abs(rng.normal()));
    const double mu = rng.log_uniform(0.01, 1);
    Vector3d r;
    double lambda = 0;
    if (LocalContact3(W.data(), mu).solve(q.data(), r.data(), lambda) != LocalMode::slip) continue;
    const auto reaction = [&](double a) {
      const Vector3d w(-mu * std::cos(a), -mu * std::sin(a), 1);
      return Vector3d(w * (-q[2] / W.row(2).dot(w)));
    };
    const auto cross = [&](double a) {
      const Vector3d u = W * reaction(a) + q;
      return std::cos(a) * u[1] - std::sin(a) * u[0];
    };
    double nearest = 1e300;
    const double step = 2 * std::numbers::pi / 2000;
    for (int i = 0; i < 2000; ++i) {
      double low = i * step, high = low + step, at_low = cross(low);
      if ((at_low > 0) == (cross(high) > 0)) continue;
      for (int k = 0; k < 60; ++k) {
        const double middle = 0.5 * (low + high);
        ((cross(middle) > 0) == (at_low > 0) ? low : high) = middle;
      }
      nearest = std::min(nearest, (reaction(low) - r).norm() / r.norm());
    }
    EXPECT_LE(nearest, 1e-9) << run;  // 1e-9: bisection on a function of condition up to 1e4 or so
    ++compared;
  }
  EXPECT_GT(compared, 500);
}

TEST(LocalContact3, SingularBlocksAreSolvedToo) {
  for (std::uint64_t run = 0; run < 2000; ++run) {
    CounterRng rng(23, run);
    const int rank = 1 + rng.below(2);
    const Eigen::MatrixXd A = Eigen::MatrixXd::NullaryExpr(3, rank, [&] { return rng.normal(); });
    const Matrix3d W = A * A.transpose();
    const Vector3d q = -W * Vector3d(0.1 * rng.normal(), 0.1 * rng.normal(), 1);  // a solution exists: inside the cone
    Vector3d r;
    double lambda = 0;
    (void)LocalContact3(W.data(), 0.8).solve(q.data(), r.data(), lambda);
    EXPECT_LE(violation(W, q, 0.8, r), 1e-13) << run;
  }
}

TEST(PrincipalContact3, SolvesToRoundingInItsOwnAxes) {
  int modes[3] = {0, 0, 0};
  for (std::uint64_t run = 0; run < 50000; ++run) {
    CounterRng rng(25, run);
    Matrix3d W = random_block(rng, rng.log_uniform(1.01, 1e8));
    W = (0.5 * (W + W.transpose())).eval();
    const Vector3d q = Vector3d(rng.normal(), rng.normal(), rng.normal()) * rng.log_uniform(1e-3, 1e3);
    const double mu = rng.below(20) == 0 ? 0 : rng.log_uniform(1e-3, 3);
    Matrix3d turn = Matrix3d::Identity();  // rows: the new axes
    const PrincipalContact3 contact = PrincipalContact3::of(W.data(), mu, turn(0, 0), turn(1, 0));
    turn(1, 1) = turn(0, 0), turn(0, 1) = -turn(1, 0);
    const Vector3d turned = turn * q;
    Vector3d r;
    double lambda = rng.below(2) == 0 ? 0 : rng.log_uniform(1e-6, 1e6);
    ++modes[static_cast<int>(contact.solve(turned.data(), r.data(), lambda))];
    EXPECT_LE(violation(W, q, mu, turn.transpose() * r), 1e-13) << run;
    // W r of any r, as its numbers tell it.
    const Vector3d any(rng.normal(), rng.normal(), rng.normal());
    Vector3d left = turn * (W * any);
    contact.take_away(Vector3d(turn * any).data(), left.data());
    EXPECT_LE(left.norm(), 1e-14 * W.norm() * any.norm()) << run;
  }
  for (const int count : modes) EXPECT_GT(count, 1500);
}

TEST(LocalContact2, SolvesToRounding) {
  int modes[3] = {0, 0, 0};
  for (std::uint64_t run = 0; run < 100000; ++run) {
    CounterRng rng(24, run);
    const double a = rng.log_uniform(1e-4, 1e4), b = rng.log_uniform(1e-4, 1e4);
    const double off = std::sqrt(a * b) * rng.uniform(-0.999, 0.999);
    Matrix3d W = Matrix3d::Zero();
    W(0, 0) = a, W(0, 2) = W(2, 0) = off, W(2, 2) = b, W(1, 1) = 1;
    const double block[4] = {a, off, off, b}, q[2] = {rng.normal(), rng.normal()};
    const double mu = rng.below(20) == 0 ? 0 : rng.log_uniform(1e-3, 3);
    double r[2], lambda = 0;
    ++modes[static_cast<int>(LocalContact2(block, mu).solve(q, r, lambda))];
    EXPECT_LE(violation(W, Vector3d(q[0], 0, q[1]), mu, Vector3d(r[0], 0, r[1])), 1e-13) << run;
  }
  for (const int count : modes) EXPECT_GT(count, 3000);
}
