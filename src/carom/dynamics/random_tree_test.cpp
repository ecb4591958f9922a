// Independent algorithms agree on random trees of all joint types. Tolerance 1e-11 relative to the largest entry: some
// hundred roundings of 1e-16 through up to twenty bodies and mass matrices of condition up to about 1e4.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "carom/dynamics/articulated.hpp"
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

constexpr double kAgree = 1e-11;

double relative_error(const MatrixXd& found, const MatrixXd& expected) {
  return (found - expected).cwiseAbs().maxCoeff() / std::max(1.0, expected.cwiseAbs().maxCoeff());
}

// A random tree in a random state, its poses and velocities known.
struct Case {
  explicit Case(std::uint64_t run)
      : rng(20, run),
        world(run % 2 == 0 ? World::planar : World::spatial),
        model(random_tree(rng, world, 1 + static_cast<int>(run) % 20)),
        state(random_state(rng, model)),
        data(model) {
    forward_kinematics(model, state, data);
    mass_matrix(model, data, M);
  }
  VectorXd random() { return random_speeds(rng, model); }

  CounterRng rng;
  World world;
  Model model;
  State state;
  Data data;
  MatrixXd M;
};

template <class Check>
void for_random_trees(Check check) {
  for (std::uint64_t run = 0; run < 200; ++run) {
    SCOPED_TRACE(run);
    Case c(run);
    check(c);
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(RandomTree, MassMatrixIsSumOfBodyJacobiansAndKineticEnergyHessian) {
  for_random_trees([](Case& c) {
    MatrixXd sum = MatrixXd::Zero(c.model.nv(), c.model.nv()), J, W;
    for (int i = 0; i < c.model.bodies(); ++i) {
      const Body& body = c.model.body(i);
      const Eigen::Matrix3d& R = c.data.pose[i].rotation;
      point_jacobian(c.model, c.data, i, body.com, J);
      rotation_jacobian(c.model, c.data, i, W);
      sum += body.mass * J.transpose() * J + W.transpose() * R * body.inertia * R.transpose() * W;
    }
    EXPECT_LE(relative_error(c.M, sum), kAgree);
    const double T = kinetic_energy(c.model, c.data);
    EXPECT_NEAR(T, 0.5 * c.state.u.dot(c.M * c.state.u), kAgree * std::max(1.0, T));
  });
}

TEST(RandomTree, InverseDynamicsIsMassMatrixPlusBias) {
  for_random_trees([](Case& c) {
    const VectorXd udot = c.random();
    VectorXd tau, b;
    inverse_dynamics(c.model, c.data, udot, tau);
    bias_forces(c.model, c.data, b);
    EXPECT_LE(relative_error(tau, c.M * udot + b), kAgree);
  });
}

TEST(RandomTree, ForwardDynamicsInvertsInverseDynamics) {
  for_random_trees([](Case& c) {
    std::vector<Wrench> wrenches;
    for (int i = 0; i < c.model.bodies(); ++i) {
      Wrench w{random_vector(c.rng, World::spatial), random_vector(c.rng, c.world)};
      if (c.world == World::planar) w.moment.head<2>().setZero();
      wrenches.push_back(w);
    }
    const VectorXd tau = c.random();
    VectorXd udot, b, back;
    forward_dynamics(c.model, c.data, tau, udot, wrenches);
    bias_forces(c.model, c.data, b, wrenches);
    EXPECT_LE(relative_error(udot, c.M.ldlt().solve(tau - b)), kAgree);
    inverse_dynamics(c.model, c.data, udot, back, wrenches);
    EXPECT_LE(relative_error(back, tau), kAgree * std::max(1.0, b.cwiseAbs().maxCoeff()));
  });
}

TEST(RandomTree, OutsideWrenchesActThroughBodyJacobians) {
  for_random_trees([](Case& c) {
    std::vector<Wrench> wrenches(c.model.bodies());
    const int body = c.rng.below(c.model.bodies());
    wrenches[body] = {random_vector(c.rng, World::spatial), random_vector(c.rng, World::spatial)};
    VectorXd with, without;
    bias_forces(c.model, c.data, with, wrenches);
    bias_forces(c.model, c.data, without);
    MatrixXd J, W;
    point_jacobian(c.model, c.data, body, Vector3d::Zero(), J);
    rotation_jacobian(c.model, c.data, body, W);
    const VectorXd acts = J.transpose() * wrenches[body].force + W.transpose() * wrenches[body].moment;
    EXPECT_LE(relative_error(without - with, acts), kAgree * std::max(1.0, without.cwiseAbs().maxCoeff()));
  });
}

TEST(RandomTree, SolveMassAndItsRoot) {
  for_random_trees([](Case& c) {
    const VectorXd x = c.random();
    VectorXd solved = x, y = x;
    solve_mass(c.model, c.data, solved);
    const VectorXd expected = c.M.ldlt().solve(x);
    EXPECT_LE(relative_error(solved, expected), kAgree);
    apply_root(c.model, c.data, y);
    EXPECT_NEAR(y.squaredNorm(), x.dot(expected), kAgree * std::max(1.0, x.dot(expected)));
    EXPECT_EQ(c.data.massless_speed, -1);
  });
}

TEST(RandomTree, DelassusInLinearTimeIsTheDenseOne) {
  for_random_trees([](Case& c) {
    const auto contacts = random_contacts(c.rng, c.model, 1 + c.rng.below(7));
    MatrixXd J, G, L, G_alone;
    contact_jacobian(c.model, c.data, contacts, J);
    delassus(c.model, c.data, contacts, G, L);
    delassus(c.model, c.data, contacts, G_alone);
    const MatrixXd L_dense = c.M.ldlt().solve(J.transpose());
    EXPECT_LE(relative_error(L, L_dense), kAgree);
    EXPECT_LE(relative_error(G, J * L_dense), kAgree);
    EXPECT_EQ(G, G_alone);
    EXPECT_EQ(G, G.transpose());
    VectorXd v;
    contact_velocity(c.model, c.data, contacts, v);
    EXPECT_LE(relative_error(v, J * c.state.u), kAgree);
  });
}

// Free bodies that carry nothing and whose hub is their centre of mass have code of their own: with frames that coincide and with frames
// that do not, against the mass matrix and Newton-Euler.
TEST(LoneBodies, AgreeWithMassMatrixAndInverseDynamics) {
  for (int run = 0; run < 40; ++run) {
    CounterRng rng(37, static_cast<std::uint64_t>(run));
    ModelBuilder builder(World::spatial);
    builder.gravity({0.3, -0.2, -9.81});
    for (int i = 0; i < 3; ++i) {
      const std::string name = fmt::format("b{}", i);
      MassProperties properties;
      properties.mass = 0.5 + i;
      const Eigen::Quaterniond axes(rng.normal(), rng.normal(), rng.normal(), rng.normal());
      const Eigen::Matrix3d R = axes.normalized().toRotationMatrix();
      properties.inertia = R * Vector3d(1, 1.5, 2).asDiagonal() * R.transpose();
      JointSpec joint{.name = name, .kind = JointKind::free, .child = name};
      if (run % 2 == 1) {
        joint.in_parent = {R, random_vector(rng, World::spatial)};
        joint.in_child.rotation = R.transpose() * R.transpose();
      }
      builder.body(name, properties).joint(joint);
    }
    const Model model = builder.build();
    Data data(model);
    for (const auto& single : data.single) ASSERT_TRUE(single.is && single.straight == (run % 2 == 0));
    const State state = random_state(rng, model);
    forward_kinematics(model, state, data);
    std::vector<Wrench> wrenches(3);
    for (Wrench& w : wrenches) w = {random_vector(rng, World::spatial), random_vector(rng, World::spatial)};
    const VectorXd tau = VectorXd::Random(model.nv());
    VectorXd udot, back, x = tau;
    forward_dynamics(model, data, tau, udot, wrenches);
    inverse_dynamics(model, data, udot, back, wrenches);
    EXPECT_LE((back - tau).norm(), 1e-13 * tau.norm());
    MatrixXd M;
    mass_matrix(model, data, M);
    solve_mass(model, data, x);
    EXPECT_LE((M * x - tau).norm(), 1e-13 * tau.norm());
    MatrixXd J;
    for (int i = 0; i < 3; ++i) {
      point_jacobian(model, data, i, Vector3d(0.1, 0.2, 0.3), J);
      EXPECT_LE((J * state.u - point_velocity(data, i, Vector3d(0.1, 0.2, 0.3))).norm(), 1e-14 * state.u.norm());
    }
  }
}

}  // namespace
}  // namespace carom
