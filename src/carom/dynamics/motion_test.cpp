// Jacobians, biases and energy against the motion itself: finite differences and integration in time.

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "carom/dynamics/contact.hpp"
#include "carom/dynamics/energy.hpp"
#include "carom/dynamics/forward_dynamics.hpp"
#include "carom/dynamics/kinematics.hpp"
#include "carom/dynamics/testing/random_tree.hpp"

namespace carom {
namespace {

using namespace carom::testing;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

// Central differences with h = 1e-5: truncation h² and rounding 1e-16/h, both about 1e-10 times third derivatives that the
// speeds raise to some thousands through a tree of ten bodies.
constexpr double kStep = 1e-5;
constexpr double kDifference = 1e-6;

World world_of(int run) { return run % 2 == 0 ? World::planar : World::spatial; }

TEST(Motion, JacobianIsTheDerivativeOfPosition) {
  for (int run = 0; run < 40; ++run) {
    CounterRng rng(21, static_cast<std::uint64_t>(run));
    const Model model = random_tree(rng, world_of(run), 10);
    const State state = random_state(rng, model);
    const int body = rng.below(model.bodies());
    const Vector3d point = random_vector(rng, model.world());
    Data data(model);
    MatrixXd J;
    forward_kinematics(model, state.q, data);
    point_jacobian(model, data, body, point, J);
    for (int j = 0; j < model.nv(); ++j) {
      const VectorXd unit = VectorXd::Unit(model.nv(), j);
      forward_kinematics(model, integrate(model, state.q, unit, kStep), data);
      const Vector3d ahead = point_position(data, body, point);
      forward_kinematics(model, integrate(model, state.q, unit, -kStep), data);
      const Vector3d behind = point_position(data, body, point);
      EXPECT_LE(((ahead - behind) / (2 * kStep) - J.col(j)).norm(), 1e-8 * std::max(1.0, J.norm())) << run << " " << j;
    }
  }
}

TEST(Motion, RotationJacobianIsTheDerivativeOfRotation) {
  CounterRng rng(22, 0);
  const Model model = random_tree(rng, World::spatial, 10);
  const State state = random_state(rng, model);
  Data data(model);
  forward_kinematics(model, state, data);
  MatrixXd W;
  rotation_jacobian(model, data, 9, W);
  const Vector3d omega = W * state.u;
  EXPECT_LE((omega - data.velocity[9].angular).norm(), 1e-12);
  const Eigen::Matrix3d R = data.pose[9].rotation;
  forward_kinematics(model, integrate(model, state.q, state.u, kStep), data);
  const Eigen::Matrix3d ahead = data.pose[9].rotation;
  forward_kinematics(model, integrate(model, state.q, state.u, -kStep), data);
  const Eigen::Matrix3d rate = (ahead - data.pose[9].rotation) / (2 * kStep);
  for (int k = 0; k < 3; ++k) EXPECT_LE((rate.col(k) - omega.cross(R.col(k))).norm(), kDifference);
}

TEST(Motion, BiasIsTheRateOfTheJacobianTimesSpeeds) {
  for (int run = 0; run < 40; ++run) {
    CounterRng rng(23, static_cast<std::uint64_t>(run));
    const Model model = random_tree(rng, world_of(run), 10);
    const State state = random_state(rng, model);
    const auto contacts = random_contacts(rng, model, 3);
    Data data(model);
    VectorXd bias;
    forward_kinematics(model, state, data);
    contact_bias(model, data, contacts, bias);
    MatrixXd ahead, behind;
    forward_kinematics(model, integrate(model, state.q, state.u, kStep), data);
    contact_jacobian(model, data, contacts, ahead);
    forward_kinematics(model, integrate(model, state.q, state.u, -kStep), data);
    contact_jacobian(model, data, contacts, behind);
    const VectorXd difference = (ahead - behind) * state.u / (2 * kStep);
    EXPECT_LE((difference - bias).norm(), kDifference * std::max(1.0, bias.norm())) << run;
  }
}

// d/dt (q, u); q̇ in the ambient space of the quaternions.
State rate(const Model& model, Data& data, const State& state, const VectorXd& tau) {
  State out;
  forward_kinematics(model, state, data);
  forward_dynamics(model, data, tau, out.u);
  out.q = qdot(model, state.q, state.u);
  return out;
}

State moved(const State& s, const State& k, double h) { return {s.q + h * k.q, s.u + h * k.u}; }

void runge_kutta_step(const Model& model, Data& data, State& s, const VectorXd& tau, double h) {
  const State k1 = rate(model, data, s, tau);
  const State k2 = rate(model, data, moved(s, k1, h / 2), tau);
  const State k3 = rate(model, data, moved(s, k2, h / 2), tau);
  const State k4 = rate(model, data, moved(s, k3, h), tau);
  s.q += h / 6 * (k1.q + 2 * k2.q + 2 * k3.q + k4.q);
  s.u += h / 6 * (k1.u + 2 * k2.u + 2 * k3.u + k4.u);
  normalise(model, s.q);
}

double energy(const Model& model, Data& data, const State& s) {
  forward_kinematics(model, s, data);
  return kinetic_energy(model, data) + potential_energy(model, data);
}

TEST(Motion, EnergyIsConservedWithoutForces) {
  for (int run = 0; run < 8; ++run) {
    CounterRng rng(24, static_cast<std::uint64_t>(run));
    const Model model = random_tree(rng, world_of(run), 6);
    State state = random_state(rng, model);
    Data data(model);
    const VectorXd none = VectorXd::Zero(model.nv());
    const double start = energy(model, data, state);
    forward_kinematics(model, state, data);
    double scale = kinetic_energy(model, data);
    for (int step = 0; step < 2000; ++step) {
      runge_kutta_step(model, data, state, none, 2.5e-4);
      scale = std::max(scale, kinetic_energy(model, data));
    }
    // Fourth order: (h ω)⁴ with h ω about 1e-2 at the fastest swing.
    EXPECT_NEAR(energy(model, data, state), start, 1e-8 * scale) << run;
  }
}

TEST(Motion, PowerOfTheForcesIsTheRateOfEnergy) {
  for (int run = 0; run < 20; ++run) {
    CounterRng rng(25, static_cast<std::uint64_t>(run));
    const Model model = random_tree(rng, world_of(run), 8);
    const State state = random_state(rng, model);
    const VectorXd tau = random_speeds(rng, model);
    Data data(model);
    State ahead = state, behind = state;
    runge_kutta_step(model, data, ahead, tau, kStep);
    runge_kutta_step(model, data, behind, tau, -kStep);
    const double power = (energy(model, data, ahead) - energy(model, data, behind)) / (2 * kStep);
    forward_kinematics(model, state, data);
    EXPECT_NEAR(power, tau.dot(state.u), kDifference * std::max(1.0, kinetic_energy(model, data))) << run;
  }
}

// A symmetric top turns its angular momentum nowhere; a thin rod, which has no inertia about itself, flies as well.
TEST(Motion, ThinRodInFreeFlightKeepsEnergyAndSpin) {
  const Model model = ModelBuilder(World::spatial)
                          .body("rod", {1, Vector3d::Zero(), Vector3d(0, 1, 1).asDiagonal()})
                          .joint({.name = "flight", .kind = JointKind::free, .child = "rod"})
                          .build();
  Data data(model);
  State state{neutral(model), VectorXd::Zero(6)};
  state.u << 1, 2, 3, 0.5, 1, -2;
  const double start = energy(model, data, state);
  for (int step = 0; step < 1000; ++step) runge_kutta_step(model, data, state, VectorXd::Zero(6), 1e-3);
  EXPECT_NEAR(energy(model, data, state), start, 1e-11);
  EXPECT_EQ(data.massless_speed, 3);
  EXPECT_EQ(state.u[3], 0.5);
}

}  // namespace
}  // namespace carom
