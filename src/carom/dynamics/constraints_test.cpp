#include "carom/dynamics/constraints.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "carom/dynamics/delassus.hpp"
#include "carom/dynamics/energy.hpp"
#include "carom/dynamics/forward_dynamics.hpp"
#include "carom/dynamics/kinematics.hpp"
#include "carom/dynamics/mass_matrix.hpp"
#include "carom/dynamics/testing/random_tree.hpp"

namespace carom {
namespace {

using namespace carom::testing;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

// Every kind of constraint on a random tree, far from closed: the formulas hold there too.
Model constrained_tree(CounterRng& rng, World world) {
  ModelBuilder b = random_tree_builder(rng, world, 8);
  const Vector3d z = Vector3d::UnitZ();
  const bool planar = world == World::planar;
  b.coincidence("c", "b1", random_vector(rng, world), "b4", random_vector(rng, world));
  b.hinge("h", "b2", random_vector(rng, world), planar ? z : random_vector(rng, world), "b7", random_vector(rng, world),
          planar ? z : random_vector(rng, world));
  b.slider("s", "b3", random_placement(rng, world), "b1", random_placement(rng, world));
  b.weld("w", "b5", random_placement(rng, world), "ground", random_placement(rng, world));
  b.distance("d", "b6", random_vector(rng, world), "b0", random_vector(rng, world), 0.7);
  b.coupling("g", {{"j0", 1.5, 0}, {"j0", -0.5, 2}}, 0.3);
  return b.build();
}

TEST(Constraints, RowsAndBiasAreDerivativesOfTheResidual) {
  const double h = 1e-5;
  for (int run = 0; run < 30; ++run) {
    CounterRng rng(30, static_cast<std::uint64_t>(run));
    const Model model = constrained_tree(rng, run % 2 == 0 ? World::planar : World::spatial);
    const State state = random_state(rng, model);
    Data data(model);
    MatrixXd C, C_ahead, C_behind;
    VectorXd bias, g_ahead, g_behind;
    forward_kinematics(model, state, data);
    constraint_jacobian(model, data, C);
    constraint_bias(model, data, bias);
    const VectorXd q_ahead = integrate(model, state.q, state.u, h), q_behind = integrate(model, state.q, state.u, -h);
    forward_kinematics(model, q_ahead, data);
    constraint_residual(model, data, q_ahead, g_ahead);
    constraint_jacobian(model, data, C_ahead);
    forward_kinematics(model, q_behind, data);
    constraint_residual(model, data, q_behind, g_behind);
    constraint_jacobian(model, data, C_behind);
    const VectorXd rate = (g_ahead - g_behind) / (2 * h), C_rate_u = (C_ahead - C_behind) * state.u / (2 * h);
    EXPECT_LE((C * state.u - rate).norm(), 1e-7 * std::max(1.0, rate.norm())) << run;
    EXPECT_LE((bias - C_rate_u).norm(), 1e-6 * std::max(1.0, bias.norm())) << run;
  }
}

// G = J (M⁻¹ − M⁻¹Cᵀ (C M⁻¹Cᵀ)⁺ C M⁻¹) Jᵀ formed densely: the speeds that C allows are N z, so that G = J N (NᵀMN)⁻¹ NᵀJᵀ.
MatrixXd reduced_L(const Model& model, Data& data, const MatrixXd& J) {
  MatrixXd M, C;
  mass_matrix(model, data, M);
  constraint_jacobian(model, data, C);
  Eigen::FullPivLU<MatrixXd> lu(C);
  lu.setThreshold(1e-9);
  const MatrixXd N = lu.kernel();
  if (lu.dimensionOfKernel() == 0) return MatrixXd::Zero(model.nv(), J.rows());
  return N * (N.transpose() * M * N).ldlt().solve(N.transpose() * J.transpose());
}

TEST(Constraints, ProjectedDelassusIsThatOfReducedCoordinates) {
  for (int run = 0; run < 40; ++run) {
    CounterRng rng(31, static_cast<std::uint64_t>(run));
    const World world = run % 2 == 0 ? World::planar : World::spatial;
    ModelBuilder b = random_tree_builder(rng, world, 12);
    b.coincidence("c", "b3", random_vector(rng, world), "b11", random_vector(rng, world));
    b.distance("d", "b6", random_vector(rng, world), "ground", random_vector(rng, world), 0.7);
    const Model model = b.build();
    const State state = random_state(rng, model);
    Data data(model);
    forward_kinematics(model, state, data);
    const auto contacts = random_contacts(rng, model, 3);
    MatrixXd J, G, G_alone, L;
    contact_jacobian(model, data, contacts, J);
    delassus(model, data, contacts, G, L);
    delassus(model, data, contacts, G_alone);
    const MatrixXd expected = reduced_L(model, data, J);
    const double scale = std::max(1.0, expected.cwiseAbs().maxCoeff());
    EXPECT_LE((L - expected).cwiseAbs().maxCoeff(), 1e-10 * scale) << run;
    EXPECT_LE((G - J * expected).cwiseAbs().maxCoeff(), 1e-10 * scale) << run;
    EXPECT_EQ(G, G_alone);
  }
}

// Four-bar linkage: crank (length a, on the ground at 0), coupler (b), rocker (c, on the ground at (d, 0)); uniform rods of
// 2 kg/m. `copies` pins join coupler and rocker: all but the first are redundant.
struct FourBar {
  static constexpr double a = 0.4, b = 1.1, c = 0.8, d = 1.0;

  explicit FourBar(int copies) : model(made(copies)), data(model), q(Eigen::Vector3d(0.9, -0.6, 1.7)) {
    assembly = assemble(model, data, q);
  }
  static MassProperties rod(double length) {
    return MassProperties::planar(2 * length, {length / 2, 0}, 2 * length * length * length / 12);
  }
  static Model made(int copies) {
    ModelBuilder builder(World::planar);
    builder.gravity({0, -9.81, 0}).body("crank", rod(a)).body("coupler", rod(b)).body("rocker", rod(c));
    builder.joint({.name = "A", .kind = JointKind::revolute, .child = "crank"});
    builder.joint({.name = "B",
                   .kind = JointKind::revolute,
                   .parent = "crank",
                   .child = "coupler",
                   .in_parent = {Eigen::Matrix3d::Identity(), {a, 0, 0}}});
    builder.joint({.name = "D",
                   .kind = JointKind::revolute,
                   .child = "rocker",
                   .in_parent = {Eigen::Matrix3d::Identity(), {d, 0, 0}}});
    for (int k = 0; k < copies; ++k) {
      builder.coincidence(fmt::format("C{}", k), "coupler", {b, 0, 0}, "rocker", {c, 0, 0});
    }
    return builder.build();
  }
  // Speeds (crank, coupler relative to crank, rocker) per unit crank speed, from the loop's velocity equation
  // a t₁ + b w₂ t₂ = c w₃ t₃ with t = (−sin, cos) of the absolute angles.
  Eigen::Vector3d speeds_per_crank() const {
    const double f1 = q[0], f2 = q[0] + q[1], f3 = q[2];
    const double w2 = a * std::sin(f1 - f3) / (b * std::sin(f3 - f2));
    const double w3 = a * std::sin(f1 - f2) / (c * std::sin(f3 - f2));
    return {1, w2 - 1, w3};
  }
  // A point on the coupler against a floor: t = x, n = y.
  ContactPoint contact() const {
    return {model.body_index("coupler"),
            {0.7, 0.2, 0},
            kGround,
            {0, 0, 0},
            contact_frame(World::planar, Vector3d::UnitY())};
  }

  Model model;
  Data data;
  VectorXd q;
  Assembly assembly;
};

TEST(FourBar, AssemblesAndHasOneFreedom) {
  const FourBar linkage(1);
  EXPECT_TRUE(linkage.assembly.closed) << linkage.assembly.residual;
  const Vector3d end_of_coupler = point_position(linkage.data, 1, {FourBar::b, 0, 0});
  const Vector3d end_of_rocker = point_position(linkage.data, linkage.model.body_index("rocker"), {FourBar::c, 0, 0});
  EXPECT_LE((end_of_coupler - end_of_rocker).norm(), 2e-12);
}

TEST(FourBar, ProjectedDelassusIsTheOneFreedomsClosedForm) {
  FourBar linkage(1);
  MatrixXd M, J, G, L;
  const ContactPoint contact = linkage.contact();
  mass_matrix(linkage.model, linkage.data, M);
  contact_jacobian(linkage.model, linkage.data, {&contact, 1}, J);
  delassus(linkage.model, linkage.data, {&contact, 1}, G, L);
  const Vector3d N = linkage.speeds_per_crank();
  const double reduced_mass = N.dot(M * N);
  const Eigen::Vector2d jacobian = J * N;
  EXPECT_LE((G - jacobian * jacobian.transpose() / reduced_mass).cwiseAbs().maxCoeff(), 1e-11 * G.norm());
  EXPECT_LE((L - N * jacobian.transpose() / reduced_mass).cwiseAbs().maxCoeff(), 1e-11 * L.norm());
}

TEST(FourBar, RedundantPinsChangeNothing) {
  FourBar once(1), thrice(3);
  thrice.q = once.q;
  forward_kinematics(thrice.model, thrice.q, thrice.data);
  forward_kinematics(once.model, once.q, once.data);
  const ContactPoint contact = once.contact();
  MatrixXd G1, L1, G3, L3;
  delassus(once.model, once.data, {&contact, 1}, G1, L1);
  delassus(thrice.model, thrice.data, {&contact, 1}, G3, L3);
  EXPECT_EQ(once.data.rank, 2);
  EXPECT_EQ(thrice.data.rank, 2);
  EXPECT_EQ(thrice.model.constraint_rows(), 6);
  EXPECT_LE((G1 - G3).norm(), 1e-13 * G1.norm());
  EXPECT_LE((L1 - L3).norm(), 1e-13 * L1.norm());
}

TEST(FourBar, SwingsOnItsLoopWithConstantEnergy) {
  FourBar linkage(2);
  const Model& model = linkage.model;
  Data& data = linkage.data;
  const auto rate = [&](const State& s) {
    State out;
    forward_kinematics(model, s, data);
    constrained_forward_dynamics(model, data, s, VectorXd::Zero(3), out.u);
    out.q = s.u;
    return out;
  };
  const auto moved = [](const State& s, const State& k, double h) { return State{s.q + h * k.q, s.u + h * k.u}; };
  const auto energy = [&](const State& s) {
    forward_kinematics(model, s, data);
    return kinetic_energy(model, data) + potential_energy(model, data);
  };
  State s{linkage.q, 3 * linkage.speeds_per_crank()};
  const double start = energy(s), h = 5e-4;
  for (int step = 0; step < 2000; ++step) {
    const State k1 = rate(s), k2 = rate(moved(s, k1, h / 2)), k3 = rate(moved(s, k2, h / 2)),
                k4 = rate(moved(s, k3, h));
    s.q += h / 6 * (k1.q + 2 * k2.q + 2 * k3.q + k4.q);
    s.u += h / 6 * (k1.u + 2 * k2.u + 2 * k3.u + k4.u);
  }
  EXPECT_NEAR(energy(s), start, 1e-9 * std::abs(start));
  VectorXd g;
  constraint_residual(model, data, s.q, g);
  EXPECT_LE(g.norm(), 1e-8);
  MatrixXd C;
  constraint_jacobian(model, data, C);
  EXPECT_LE((C * s.u).norm(), 1e-7);
}

TEST(Constraints, ProjectedSpeedsObeyTheRowsAndLoseTheLeastEnergy) {
  CounterRng rng(32, 0);
  const Model model = constrained_tree(rng, World::spatial);
  const State state = random_state(rng, model);
  Data data(model);
  forward_kinematics(model, state, data);
  MatrixXd M, C;
  mass_matrix(model, data, M);
  constraint_jacobian(model, data, C);
  VectorXd u = state.u;
  project_speeds(model, data, u);
  EXPECT_LE((C * u).norm(), 1e-10 * C.norm() * state.u.norm());
  const VectorXd lost = state.u - u;
  EXPECT_NEAR(u.dot(M * lost), 0, 1e-9 * state.u.dot(M * state.u));
}

TEST(Constraints, ConstrainedAccelerationsSatisfyTheRowsWithForcesOfTheRowsAlone) {
  for (int run = 0; run < 20; ++run) {
    CounterRng rng(33, static_cast<std::uint64_t>(run));
    const World world = run % 2 == 0 ? World::planar : World::spatial;
    ModelBuilder b = random_tree_builder(rng, world, 10);
    b.coincidence("c", "b3", random_vector(rng, world), "b9", random_vector(rng, world));
    const Model model = b.build();
    const State state = random_state(rng, model);
    const VectorXd tau = random_speeds(rng, model);
    Data data(model);
    forward_kinematics(model, state, data);
    VectorXd udot, bias, used;
    MatrixXd C;
    constrained_forward_dynamics(model, data, state, tau, udot);
    constraint_jacobian(model, data, C);
    constraint_bias(model, data, bias);
    if (data.rank == model.constraint_rows()) {
      EXPECT_LE((C * udot + bias).norm(), 1e-9 * std::max(1.0, bias.norm())) << run;
    }
    inverse_dynamics(model, data, udot, used);
    const VectorXd reaction = used - tau;
    const VectorXd multipliers = C.transpose().completeOrthogonalDecomposition().solve(reaction);
    EXPECT_LE((C.transpose() * multipliers - reaction).norm(), 1e-9 * std::max(1.0, used.norm())) << run;
  }
}

// Two wheels with 2 : 1 gears share their inertia as one wheel: I₁ + I₂/4 seen from the first.
TEST(Constraints, GearsCoupleInertia) {
  const auto wheel = [](double I) { return MassProperties::planar(1, {0, 0}, I); };
  const Model model = ModelBuilder(World::planar)
                          .body("a", wheel(0.3))
                          .body("b", wheel(0.8))
                          .joint({.name = "ja", .kind = JointKind::revolute, .child = "a"})
                          .joint({.name = "jb", .kind = JointKind::revolute, .child = "b"})
                          .coupling("gear", {{"ja", 1, 0}, {"jb", 2, 0}})
                          .build();
  Data data(model);
  const State state{VectorXd::Zero(2), VectorXd::Zero(2)};
  forward_kinematics(model, state, data);
  VectorXd udot;
  constrained_forward_dynamics(model, data, state, Eigen::Vector2d(1, 0), udot);
  EXPECT_NEAR(udot[0], 1 / (0.3 + 0.8 / 4), 1e-15);
  EXPECT_NEAR(udot[1], -0.5 * udot[0], 1e-15);
}

// A welded pair of free bodies moves as one.
TEST(Constraints, WeldedBodiesAreOneBody) {
  const MassProperties p{2, Vector3d::Zero(), Vector3d(0.2, 0.3, 0.4).asDiagonal()};
  const Vector3d offset(1, 0, 0);
  ModelBuilder two(World::spatial), one(World::spatial);
  two.body("a", p).body("b", p);
  two.joint({.name = "ja", .kind = JointKind::free, .child = "a"});
  two.joint({.name = "jb", .kind = JointKind::free, .child = "b"});
  two.weld("w", "a", {Eigen::Matrix3d::Identity(), offset}, "b", {});
  one.body("a", p).body("b", p);
  one.joint({.name = "ja", .kind = JointKind::free, .child = "a"});
  one.joint({.name = "jb", .parent = "a", .child = "b", .in_parent = {Eigen::Matrix3d::Identity(), offset}});
  const auto G_of = [&](const Model& model, VectorXd q) {
    Data data(model);
    EXPECT_TRUE(assemble(model, data, q).closed);
    const ContactPoint contact{1, {0.3, 0.4, -0.2}, kGround, {0, 0, 0}, Eigen::Matrix3d::Identity()};
    MatrixXd G;
    delassus(model, data, {&contact, 1}, G);
    return G;
  };
  const Model welded = two.build(), fixed = one.build();
  VectorXd q = neutral(welded);
  q[7] = 1;
  EXPECT_LE((G_of(welded, q) - G_of(fixed, neutral(fixed))).cwiseAbs().maxCoeff(), 1e-14);
}

}  // namespace
}  // namespace carom
