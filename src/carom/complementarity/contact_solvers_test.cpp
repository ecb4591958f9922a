#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "carom/complementarity/admm.hpp"
#include "carom/complementarity/nsgs.hpp"
#include "carom/complementarity/proximal.hpp"
#include "carom/complementarity/registry.hpp"
#include "carom/complementarity/semismooth_newton.hpp"
#include "carom/core/error.hpp"
#include "carom/math/counter_rng.hpp"

using namespace carom;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// W = Jᵀ J with `rank` generalised coordinates; contacts approach.
FrictionContact random_problem(std::uint64_t run, int d, int contacts, int rank, double mu) {
  CounterRng rng(31, run);
  const MatrixXd J = MatrixXd::NullaryExpr(rank, contacts * d, [&] { return rng.normal(); });
  FrictionContact p;
  p.dimension = d;
  MatrixXd W = J.transpose() * J / rank;
  if (rank >= contacts * d) W.diagonal().array() += 0.5;
  p.W = BlockMatrix::from_dense(W, d);
  // In the range of W, so that a solution exists for singular W too.
  p.q = -W * VectorXd::NullaryExpr(contacts * d, [&] { return rng.normal(); });
  for (int i = 0; i < contacts; ++i) p.q[i * d + d - 1] = rank >= contacts * d ? -std::abs(rng.normal()) : p.q[i * d + d - 1];
  p.mu = VectorXd::Constant(contacts, mu);
  return p;
}

}  // namespace

TEST(BlockMatrix, ProductsAndConversions) {
  const FrictionContact p = random_problem(1, 3, 4, 20, 0.3);
  const MatrixXd W = p.W.dense();
  const VectorXd x = VectorXd::LinSpaced(12, -1, 1);
  EXPECT_LE((p.W * x - W * x).norm(), 1e-14 * W.norm());
  EXPECT_EQ((MatrixXd(p.W.sparse()) - W).norm(), 0);
  EXPECT_EQ((BlockMatrix::from_sparse(p.W.sparse(), 3).dense() - W).norm(), 0);
  EXPECT_EQ(BlockMatrix::from_dense(MatrixXd::Zero(6, 6), 2).blocks(), 3);
}

TEST(ContactSolvers, AgreeWhereTheSolutionIsUnique) {
  for (const int d : {2, 3})
    for (std::uint64_t run = 0; run < 60; ++run) {
      const FrictionContact p = random_problem(run, d, 2 + static_cast<int>(run % 6), 60, 0.2);
      const auto nsgs = solve_nsgs(p, {.tolerance = 1e-12});
      ASSERT_TRUE(nsgs.usable()) << run;
      // 1e-9: natural maps of 1e-12 times the condition of W, which is below 1e3 here.
      for (const auto& other : {solve_nsgs(p, {.tolerance = 1e-12, .anderson = 5}), solve_newton(p, {.tolerance = 1e-12}),
                                solve_proximal(p, {.tolerance = 1e-12}), solve_admm(p, {.tolerance = 1e-12})}) {
        EXPECT_TRUE(other.usable()) << run << " d " << d;
        EXPECT_LE((other.r - nsgs.r).norm(), 1e-9 * (1 + nsgs.r.norm())) << run << " d " << d;
      }
    }
}

TEST(ContactSolvers, DefaultSolvesRedundantContacts) {
  for (const int d : {2, 3})
    for (std::uint64_t run = 0; run < 40; ++run) {
      const FrictionContact p = random_problem(100 + run, d, 12, 6, 0.4);
      const auto s = solve_contact(p);
      EXPECT_TRUE(s.usable()) << run << " d " << d << ' ' << s.brief();
      EXPECT_LE(certify(p, s.x).natural_map, 1e-8);
    }
}

TEST(ContactCertificate, TellsCoulombFromTheConvexRelaxation) {
  // One contact sliding at u_t = 1: Coulomb keeps u_n = 0, the relaxation lifts off with u_n = μ‖u_t‖.
  FrictionContact p;
  p.W = BlockMatrix::from_dense(MatrixXd::Identity(3, 3), 3);
  p.q = Eigen::Vector3d(2, 0, -1);
  p.mu = VectorXd::Constant(1, 0.5);
  const auto s = solve_nsgs(p);
  EXPECT_LE((s.r - Eigen::Vector3d(-0.5, 0, 1)).norm(), 1e-15);
  EXPECT_LE(s.certificate.natural_map, 1e-15);
  // Projection of −q onto K solves min ½‖r‖² + qᵀr over K, the relaxation.
  VectorXd relaxed = -p.q;
  project_cone(relaxed.data(), 3, 0.5);
  EXPECT_GT(certify(p, relaxed).natural_map, 0.1);
}

TEST(ContactCertificate, SeesEveryKindOfWrongAnswer) {
  const FrictionContact p = random_problem(5, 3, 3, 60, 0.3);
  const auto s = solve_nsgs(p, {.tolerance = 1e-13});
  ASSERT_TRUE(s.usable());
  for (int i = 0; i < p.size(); ++i) {
    VectorXd r = s.r;
    r[i] += 1e-3;
    EXPECT_GT(certify(p, r).natural_map, 1e-5) << i;
  }
  VectorXd outside = s.r;
  outside[0] = 10;
  EXPECT_GT(certify(p, outside).cone, 0.1);
  EXPECT_GT(certify(p, VectorXd::Zero(9)).cone, 0.1);
  EXPECT_TRUE(std::isinf(certify(p, VectorXd::Constant(9, std::nan(""))).natural_map));
}

// A frictionless contact that pulls: r_t = 0 ≤ μ r_n = −0 is no excuse.
TEST(ContactCertificate, PullingWithoutFrictionIsNoAnswer) {
  for (const int d : {2, 3}) {
    FrictionContact problem{d, BlockMatrix::from_dense(MatrixXd::Identity(d, d), d), VectorXd::Zero(d), VectorXd::Zero(1)};
    problem.q[d - 1] = 0.5;  // leaves by itself
    VectorXd pull = VectorXd::Zero(d);
    pull[d - 1] = -0.5;
    EXPECT_GT(certify(problem, pull).natural_map, 0.5);
    EXPECT_GT(certify(problem, pull).cone, 0.5);
    EXPECT_EQ(solve_contact(problem).x.norm(), 0);
  }
}

TEST(ContactSolvers, StatusFollowsTheCertificateOnly) {
  const FrictionContact p = random_problem(7, 3, 8, 60, 0.3);
  const auto s = solve_nsgs(p, {.tolerance = 1e-14, .max_sweeps = 2});
  EXPECT_EQ(s.status, SolveStatus::iteration_limit);
  EXPECT_GT(s.certificate.natural_map, 1e-14);
}

TEST(ContactSolvers, WarmStartAtTheSolutionNeedsOneSweep) {
  const FrictionContact p = random_problem(8, 3, 10, 60, 0.3);
  const auto cold = solve_nsgs(p, {.tolerance = 1e-12});
  EXPECT_GT(cold.iterations, 3);
  EXPECT_EQ(solve_nsgs(p, {.tolerance = 1e-10}, cold.r).iterations, 1);
}

TEST(GlobalFrictionContact, ReductionKeepsTheDynamics) {
  CounterRng rng(41, 0);
  GlobalFrictionContact g;
  const MatrixXd A = MatrixXd::NullaryExpr(8, 8, [&] { return rng.normal(); });
  g.M = MatrixXd(A * A.transpose() + MatrixXd::Identity(8, 8)).sparseView();
  g.H = MatrixXd(MatrixXd::NullaryExpr(8, 6, [&] { return rng.normal(); })).sparseView();
  g.f = VectorXd::LinSpaced(8, -1, 1);
  g.w = VectorXd::LinSpaced(6, -2, 1);
  g.mu = VectorXd::Constant(2, 0.3);
  const auto check = [&](const FrictionContact& local) {
    const VectorXd r = VectorXd::LinSpaced(6, 0.1, 1), v = velocity(g, r);
    EXPECT_LE((local.W * r + local.q - (MatrixXd(g.H).transpose() * v + g.w)).norm(), 1e-12);
    return v;
  };
  const VectorXd v = check(reduce(g));
  EXPECT_LE((MatrixXd(g.M) * v - MatrixXd(g.H) * VectorXd::LinSpaced(6, 0.1, 1) - g.f).norm(), 1e-12);
  g.G = MatrixXd(MatrixXd::NullaryExpr(8, 2, [&] { return rng.normal(); })).sparseView();
  g.b = VectorXd::Constant(2, 0.7);
  const VectorXd held = check(reduce(g));
  EXPECT_LE((MatrixXd(g.G).transpose() * held + g.b).norm(), 1e-12);
  g.M.setZero();
  g.G.resize(8, 0);
  EXPECT_THROW((void)reduce(g), InputError);
}

TEST(Registry, KnowsItsSolversAndRefusesOthersByName) {
  const FrictionContact p = random_problem(9, 3, 2, 60, 0.3);
  const Lcp lcp{MatrixXd::Identity(2, 2), VectorXd::Constant(2, -1)};
  const Mlcp mlcp{MatrixXd::Identity(2, 2), VectorXd::Constant(2, -1), {false, true}};
  for (const SolverInfo& s : solvers()) {
    if (s.friction) {
      EXPECT_TRUE(solve_contact(p, s.id).usable()) << s.id;
    }
    if (s.lcp) {
      EXPECT_TRUE(solve_contact(lcp, s.id).usable()) << s.id;
    }
    if (s.mlcp) {
      EXPECT_TRUE(solve_contact(mlcp, s.id).usable()) << s.id;
    }
    if (!s.friction) {
      EXPECT_THROW((void)solve_contact(p, s.id), InputError) << s.id;
    }
  }
  try {
    (void)solve_contact(p, "magic");
    FAIL();
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("nsgs"), std::string::npos);
  }
}
