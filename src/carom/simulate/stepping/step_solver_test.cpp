// The contact problem of a step: rows in root space against the dense J M⁻¹ Jᵀ, local solutions against their laws, islands, and the
// solver on random piles.

#include "carom/simulate/stepping/step_solver.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "carom/dynamics/articulated.hpp"
#include "carom/dynamics/constraints.hpp"
#include "carom/dynamics/kinematics.hpp"
#include "carom/dynamics/mass_matrix.hpp"
#include "carom/math/counter_rng.hpp"
#include "carom/model/builder.hpp"
#include "carom/simulate/stepping/limit_surface.hpp"

namespace carom {
namespace {

using Eigen::Matrix2d;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;

Vector3d random_vector(CounterRng& rng) { return {rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)}; }

// A free body, a chain of three on a pin, and a free body again; with `closed` the chain's end is tied to the first body.
Model mixed_model(bool closed) {
  ModelBuilder b(World::spatial);
  MassProperties mass;
  mass.mass = 1.5, mass.com = {0.1, 0.05, -0.02}, mass.inertia = Vector3d(0.2, 0.3, 0.4).asDiagonal();
  for (const char* name : {"free", "upper", "middle", "lower", "other"}) b.body(name, mass);
  b.joint({.name = "free", .kind = JointKind::free, .child = "free"});
  b.joint({.name = "pin", .kind = JointKind::spherical, .child = "upper"});
  JointSpec elbow{.name = "elbow", .kind = JointKind::revolute, .parent = "upper", .child = "middle", .axis = {0, 1, 0.2}};
  elbow.in_parent.translation = {0.5, 0, 0};
  JointSpec slide{.name = "slide", .kind = JointKind::prismatic, .parent = "middle", .child = "lower", .axis = {1, 0, 0}};
  slide.in_parent.translation = {0.4, 0, 0};
  b.joint(elbow).joint(slide).joint({.name = "other", .kind = JointKind::free, .child = "other"});
  if (closed) b.coincidence("tie", "lower", {0.1, 0, 0}, "free", {0, 0.2, 0});
  return b.build();
}

BlockLoad random_load(CounterRng& rng, int a, int b, bool turning) {
  BlockLoad load{a, b, random_vector(rng), random_vector(rng), Matrix3d::Identity(), turning};
  load.axes.col(0) = random_vector(rng).normalized();
  return load;
}

TEST(RootRows, AreTheDelassusMatrixOfPointsMomentsAndLimits) {
  for (const bool closed : {false, true}) {
    const Model model = mixed_model(closed);
    CounterRng rng(7, 1);
    VectorXd q = neutral(model);
    for (Eigen::Index k = 0; k < q.size(); ++k) q[k] += 0.3 * rng.uniform(-1, 1);
    normalise(model, q);
    Data data(model);
    forward_kinematics(model, q, data);
    articulated_inertias(model, data);
    constraint_factorisation(model, data);
    const std::vector<BlockLoad> loads{random_load(rng, 0, -1, false), random_load(rng, 3, 0, false), random_load(rng, 3, 1, false), random_load(rng, 3, 4, true), random_load(rng, -1, 2, false)};
    RootRows rows;
    rows.clear(3);
    MatrixXd J = MatrixXd::Zero(18, model.nv());
    int row = 0;
    for (const BlockLoad& load : loads) {
      rows.add(model, data, load);
      for (int k = 0; k < 3; ++k, ++row) {
        if (load.turning) {
          add_rotation_row(model, data, load.body_a, load.axes.col(k), J.row(row));
          if (load.body_b != kGround) add_rotation_row(model, data, load.body_b, -load.axes.col(k), J.row(row));
        } else {
          add_point_row(model, data, load.body_a, load.point_a, load.axes.col(k), J.row(row));
          add_point_row(model, data, load.body_b, load.point_b, -load.axes.col(k), J.row(row));
        }
      }
    }
    const int freedom = model.joint(model.joint_index("elbow")).u_index;
    rows.add_speed(model, data, freedom, -1);
    J(17, freedom) = -1;
    rows.project(data);
    MatrixXd M, C;
    mass_matrix(model, data, M);
    constraint_jacobian(model, data, C);
    MatrixXd inverse = M.inverse();
    if (closed) inverse -= inverse * C.transpose() * (C * inverse * C.transpose()).inverse() * C * inverse;
    const MatrixXd expected = J * inverse * J.transpose();
    MatrixXd G(18, 18);
    KeptMatrix work;
    rows.dense(std::vector<int>{0, 1, 2, 3, 4, 5}, G, work, model.nv());
    EXPECT_LT((G - expected).cwiseAbs().maxCoeff(), 1e-11 * expected.cwiseAbs().maxCoeff());
    for (int i = 0; i < 6; ++i) EXPECT_LT((Eigen::Map<const Matrix3d>(rows.own(i)) - expected.block<3, 3>(3 * i, 3 * i)).norm(), 1e-11 * expected.norm());
    // An impulse moves the contacts by G p.
    VectorXd z = VectorXd::Zero(model.nv()), p = VectorXd::Random(18), v(18);
    for (int i = 0; i < 6; ++i) rows.add_impulse(i, p.data() + 3 * i, z);
    v.setZero();
    for (int i = 0; i < 6; ++i) rows.add_velocity(i, z, v.data() + 3 * i);
    EXPECT_LT((v - expected * p).norm(), 1e-10 * v.norm());
  }
}

TEST(BlockSweep, HoldsImpulsesSpeedsAndCertificateOfTheProblemItWasPackedFrom) {
  // Free bodies alone and together, a chain, a limit, moments; in another order than that of the problem.
  const Model model = mixed_model(false);
  CounterRng rng(8, 1);
  VectorXd q = neutral(model);
  for (Eigen::Index k = 0; k < q.size(); ++k) q[k] += 0.3 * rng.uniform(-1, 1);
  normalise(model, q);
  Data data(model);
  forward_kinematics(model, q, data);
  articulated_inertias(model, data);
  StepProblem problem;
  problem.clear(3);
  const int pairs[][2] = {{0, kGround}, {3, 0}, {4, 0}, {4, kGround}, {kGround, 2}};
  for (const auto& [a, b] : pairs) problem.rows.add(model, data, random_load(rng, a, b, false));
  problem.rows.add_speed(model, data, model.joint(model.joint_index("elbow")).u_index, 1);
  problem.rows.add(model, data, random_load(rng, 4, 0, true));
  problem.block.resize(7);
  for (StepBlock& block : problem.block) block.mu = 0.4;
  problem.block[3].edges = 6;
  problem.block[5].mu = 0;
  problem.block[6] = {.parent = 2, .rolling = 0.1, .torsion = 0.05};
  for (int k = 0; k < 21; ++k) problem.q.push_back(rng.uniform(-1, 0.3));
  BlockSweep sweep;
  sweep.pack(problem, std::vector<int>{2, 5, 1, 6, 0, 4, 3}, model.nv());
  std::vector<double> r(21), back(21);
  for (double& x : r) x = rng.uniform(-1, 1);
  sweep.take(r.data(), sweep.all());
  sweep.give(back.data(), sweep.all());
  for (int k = 0; k < 21; ++k) EXPECT_NEAR(back[k], r[k], 1e-14);
  sweep.go_on(0, sweep.all(), 0, 1);
  for (int k = 0; k < 4; ++k) {
    if (k > 0) sweep.go_on(0.5, sweep.all(), 0, 1);
    sweep.sweep(0, 7);
    sweep.give(r.data(), sweep.all());
    VectorXd z = VectorXd::Zero(model.nv()), told = z;
    for (int i = 0; i < 7; ++i) problem.rows.add_impulse(i, r.data() + 3 * i, z);
    sweep.give_speeds(told, sweep.all());
    EXPECT_LT((told - z).norm(), 1e-13 * z.norm());
    Residual expected;
    for (int i = 0; i < 7; ++i) {
      Vector3d u(problem.q[3 * i], problem.q[3 * i + 1], problem.q[3 * i + 2]);
      problem.rows.add_velocity(i, z, u.data());
      add_residual(problem, i, r.data() + 3 * i, u.data(), i == 6 ? r[8] : 0, 0.7, expected);
    }
    EXPECT_NEAR(sweep.residual(0, 7, 0.7).natural_map(), expected.natural_map(), 1e-12);
  }
}

TEST(LimitSurface, DiscAndPolygonSolutionsObeyTheirLaws) {
  for (int run = 0; run < 2000; ++run) {
    CounterRng rng(11, static_cast<std::uint64_t>(run));
    Matrix2d A;
    A << rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1);
    const Matrix2d W = A * A.transpose() + 1e-3 * Matrix2d::Identity();
    const Vector2d c(rng.uniform(-1, 1), rng.uniform(-1, 1));
    const double radius = rng.uniform(0.01, 2);
    const Vector2d r = solve_disc(W, c, radius), u = W * r + c;
    EXPECT_LE(r.norm(), radius * (1 + 1e-12));
    EXPECT_NEAR(u.dot(r), -radius * u.norm(), 1e-9 * std::max(1.0, u.norm() * radius)) << run;  // most opposed
    const PolygonDirections& directions = polygon(3 + run % 7);
    const Vector2d rp = solve_polygon(W, c, radius, directions), up = W * rp + c;
    const auto wedge = directions.wedge(rp);
    EXPECT_LE(wedge.a + wedge.b, radius * (1 + 1e-12));
    double least = 0;
    for (int k = 0; k < directions.edges(); ++k) least = std::min(least, radius * directions[k].dot(up));
    EXPECT_NEAR(up.dot(rp), least, 1e-9 * std::max(1.0, up.norm() * radius)) << run;
  }
}

TEST(LimitSurface, PolygonalContactObeysStewartAndTrinklesConditions) {
  int slid = 0, stuck = 0;
  for (int run = 0; run < 9000; ++run) {
    CounterRng rng(12, static_cast<std::uint64_t>(run));
    Matrix3d A;
    for (int k = 0; k < 9; ++k) A(k / 3, k % 3) = rng.uniform(-1, 1);
    const Matrix3d W = A * A.transpose() + 0.3 * Matrix3d::Identity();
    Vector3d q = random_vector(rng);
    if (run % 2 == 0) q.head<2>() *= 0.02;  // slow: many stick
    const double mu = rng.uniform(0, 0.4);  // with this W no wedging: W_nn + μ W_nt x stays positive
    const PolygonDirections& directions = polygon(3 + run % 9);
    if (W(2, 2) <= mu * W.row(2).head<2>().norm()) continue;
    const Vector3d r = solve_polygonal_contact(W, q, mu, directions), u = W * r + q;
    EXPECT_GE(r[2], 0);
    EXPECT_GE(u[2], -1e-12);
    EXPECT_NEAR(r[2] * u[2], 0, 1e-12);
    const auto wedge = directions.wedge(r.head<2>());
    EXPECT_LE(wedge.a + wedge.b, mu * r[2] + 1e-12);
    double least = 0;
    for (int k = 0; k < directions.edges(); ++k) least = std::min(least, mu * r[2] * directions[k].dot(u.head<2>()));
    EXPECT_NEAR(u.head<2>().dot(r.head<2>()), least, 1e-10) << run;
    if (r[2] > 0) ++(u.head<2>().norm() > 1e-9 ? slid : stuck);
  }
  EXPECT_GT(slid, 300);
  EXPECT_GT(stuck, 100);
}

// n free balls in a row over the ground, each on it and touching the next, in two groups that do not meet.
StepProblem row_of_balls(const Model& model, const Data& data, int n, int edges, std::uint64_t seed) {
  CounterRng rng(13, seed);
  StepProblem problem;
  problem.clear(3);
  const auto add = [&](int a, int b, const Vector3d& x, const Vector3d& normal) {
    Matrix3d axes;
    axes.col(2) = normal, axes.col(0) = normal.unitOrthogonal(), axes.col(1) = normal.cross(axes.col(0));
    problem.rows.add(model, data, {a, b, x, x, axes, false});
    StepBlock block;
    block.mu = 0.5, block.edges = edges;
    problem.block.push_back(block);
    for (int k = 0; k < 3; ++k) problem.q.push_back(rng.uniform(-1, 0.3));
  };
  for (int i = 0; i < n; ++i) {
    add(i, kGround, Vector3d(i, 0, -0.5), Vector3d::UnitZ());
    if (i + 1 < n && i + 1 != n / 2) add(i + 1, i, Vector3d(i + 0.5, 0, 0), Vector3d::UnitX());
  }
  return problem;
}

// Balls of 1 kg at x = 0, 1, 2, …
struct Balls {
  Model model;
  Data data;
  explicit Balls(int n) : model(free_balls(n)), data(model) {
    VectorXd q = neutral(model);
    for (int i = 0; i < n; ++i) q[7 * i] = i;
    forward_kinematics(model, q, data);
    articulated_inertias(model, data);
  }

 private:
  static Model free_balls(int n) {
    ModelBuilder builder(World::spatial);
    MassProperties mass;
    mass.mass = 1, mass.inertia = 0.1 * Matrix3d::Identity();
    for (int i = 0; i < n; ++i) {
      const std::string name(1, static_cast<char>('a' + i));
      builder.body(name, mass).joint({.name = name, .kind = JointKind::free, .child = name});
    }
    return builder.build();
  }
};

TEST(StepSolver, SolvesBothIslandsOfARowToTheToleranceWithEverySolver) {
  const int n = 12;
  const Balls balls(n);
  const Model& model = balls.model;
  const Data& data = balls.data;
  for (const int edges : {0, 5}) {
    const StepProblem problem = row_of_balls(model, data, n, edges, 3);
    std::vector<std::string> solvers{"default", "nsgs", "nsgs-anderson"};
    if (edges > 0) solvers.emplace_back("lemke");
    else solvers.insert(solvers.end(), {"proximal", "augmented-lagrangian", "interior-point"});
    VectorXd first;
    for (const std::string& id : solvers) {
      SteppingOptions options;
      // The method of multipliers works with penalties up to 1e5: rounding leaves it 1e5 ε. The interior-point method alone reaches √ε where
      // a contact is on the border of its cone without sliding.
      const bool penalties = id == "augmented-lagrangian", border = id == "interior-point";
      options.solver = id, options.tolerance = border ? 1e-7 : penalties ? 1e-9 : 1e-11, options.max_sweeps = 20000;
      Workers workers(1);
      StepSolver solver(model, options, workers);
      std::vector<double> r(problem.q.size(), 0.0);
      VectorXd z;
      const StepReport report = solver.solve(problem, r, z);
      EXPECT_EQ(report.islands, 2) << id;
      EXPECT_EQ(solver.islands().count(), 2) << id;
      EXPECT_LE(report.natural_map, options.tolerance) << id;
      // The velocities are unique here: every solver finds the same.
      if (first.size() == 0) first = z;
      EXPECT_LT((z - first).norm(), border ? 1e-5 : penalties ? 1e-7 : 1e-9) << id;
    }
  }
}

// The first `blocks` blocks of a row of twelve balls in two groups: blocks 0 to 10 are the first group's.
StepProblem part_of_row(const Balls& balls, int blocks) {
  StepProblem whole = row_of_balls(balls.model, balls.data, 12, 0, 5);
  StepProblem part = whole;
  part.rows.start.resize(static_cast<std::size_t>(blocks) + 1);
  part.block.resize(static_cast<std::size_t>(blocks)), part.q.resize(3 * static_cast<std::size_t>(blocks));
  return part;
}

struct SolverOfBalls {
  Balls balls{12};
  SteppingOptions options;
  Workers workers{1};
  StepSolver solver{balls.model, options, workers};
  std::vector<double> r;
  VectorXd z;
  SolverOfBalls() { options.tolerance = 1e-11; }
  // The answer, and z = Y r to rounding.
  StepReport solve(const StepProblem& problem, const StepAsk& ask = {}) {
    r.resize(problem.q.size(), 0.0);
    const StepReport report = solver.solve(problem, r, z, ask);
    VectorXd told = VectorXd::Zero(balls.model.nv());
    for (int i = 0; i < problem.blocks(); ++i) problem.rows.add_impulse(i, r.data() + static_cast<std::ptrdiff_t>(i) * 3, told);
    EXPECT_LT((told - z).norm(), 1e-12 * (1 + z.norm()));
    return report;
  }
  // The same problem from nothing.
  VectorXd afresh(const StepProblem& problem) const {
    SolverOfBalls other;
    other.solve(problem);
    return other.z;
  }
};

TEST(StepSolver, BlocksThatJoinLeaveIslandsAloneThatTheyDoNotReach) {
  SolverOfBalls s;
  // Without the last blocks of both groups' rows the first group is whole, and the second lacks three.
  const StepProblem before = part_of_row(s.balls, 19), after = part_of_row(s.balls, 22);
  s.solve(before);
  const std::vector<double> answer = s.r;
  const StepReport report = s.solve(after, {.known = 19});
  EXPECT_EQ(report.islands, 2);
  EXPECT_LE(report.natural_map, s.options.tolerance);
  for (std::size_t k = 0; k < 33; ++k) EXPECT_EQ(s.r[k], answer[k]) << k;
  EXPECT_LT((s.z - s.afresh(after)).norm(), 1e-9);
  // An island whose answer does not suffice is solved again all the same.
  SolverOfBalls loose;
  loose.solve(before, {.looseness = 1e9});
  const StepReport tight = loose.solve(before, {.same_rows = true, .known = 19});
  EXPECT_LE(tight.natural_map, s.options.tolerance);
  EXPECT_LT((loose.z - s.afresh(before)).norm(), 1e-9);
  EXPECT_GT(tight.sweeps, 0);
  EXPECT_EQ(loose.solve(before, {.same_rows = true, .known = 19}).sweeps, 0);
}

TEST(StepSolver, SameRowsWithOtherVelocitiesAndFriction) {
  SolverOfBalls s;
  StepProblem problem = part_of_row(s.balls, 22);
  s.solve(problem);
  CounterRng rng(14, 1);
  for (double& q : problem.q) q += rng.uniform(-0.5, 0.5);
  for (StepBlock& block : problem.block) block.mu = 0.1;
  const StepReport report = s.solve(problem, {.same_rows = true});
  EXPECT_LE(report.natural_map, s.options.tolerance);
  EXPECT_LT((s.z - s.afresh(problem)).norm(), 1e-9);
}

TEST(StepSolver, OnlySomeIslands) {
  SolverOfBalls s;
  StepProblem problem = part_of_row(s.balls, 22);
  s.solve(part_of_row(s.balls, 19));
  s.solve(problem, {.known = 19});  // lays out the second island alone
  const std::vector<double> answer = s.r;
  const VectorXd speeds = s.z;
  for (double& q : problem.q) q -= 0.5;
  const std::vector<int> first{0}, second{1};
  s.solve(problem, {.same_rows = true, .only = second});
  for (std::size_t k = 0; k < 33; ++k) EXPECT_EQ(s.r[k], answer[k]) << k;
  const VectorXd all = s.afresh(problem);
  EXPECT_EQ(s.z.head(36), speeds.head(36));
  EXPECT_LT((s.z - all).tail(36).norm(), 1e-9);
  EXPECT_GT((s.z - all).head(36).norm(), 0.1);
  s.solve(problem, {.same_rows = true, .only = first});
  EXPECT_LT((s.z - all).norm(), 1e-9);
}

TEST(StepSolver, AStepWithoutContactsHasNoIslands) {
  const Model model = mixed_model(false);
  SteppingOptions options;
  Workers workers(1);
  StepSolver solver(model, options, workers);
  Data data(model);
  forward_kinematics(model, neutral(model), data);
  articulated_inertias(model, data);
  StepProblem problem;
  problem.clear(3);
  CounterRng rng(9, 1);
  problem.rows.add(model, data, random_load(rng, 0, -1, false));
  problem.block.push_back({});
  problem.q = {0, 0, -1};
  std::vector<double> r(3, 0.0);
  VectorXd z;
  (void)solver.solve(problem, r, z);
  EXPECT_EQ(solver.islands().count(), 1);
  problem.clear(3);
  problem.q.clear();
  r.clear();
  (void)solver.solve(problem, r, z);
  EXPECT_EQ(solver.islands().count(), 0);
}

}  // namespace
}  // namespace carom
