#pragma once
// Random trees for tests: every joint type that the world has, bodies of any admissible inertia, skew placements.

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <vector>

#include "carom/dynamics/contact.hpp"
#include "carom/math/counter_rng.hpp"
#include "carom/model/builder.hpp"
#include "carom/model/configuration.hpp"

namespace carom::testing {

inline Eigen::Vector3d random_vector(CounterRng& rng, World world, double size = 1) {
  Eigen::Vector3d v;
  for (int k = 0; k < 3; ++k) v[k] = rng.uniform(-size, size);
  if (world == World::planar) v.z() = 0;
  return v;
}

inline Eigen::Matrix3d random_rotation(CounterRng& rng, World world) {
  if (world == World::planar) {
    return Eigen::AngleAxisd(rng.uniform(-3, 3), Eigen::Vector3d::UnitZ()).toRotationMatrix();
  }
  Eigen::Quaterniond Q(rng.normal(), rng.normal(), rng.normal(), rng.normal());
  return Q.normalized().toRotationMatrix();
}

inline Placement random_placement(CounterRng& rng, World world) {
  const Eigen::Matrix3d rotation = random_rotation(rng, world);
  return {rotation, random_vector(rng, world)};
}

// The inertia of a box of random mass and sides, turned.
inline MassProperties random_mass(CounterRng& rng, World world) {
  const double m = rng.log_uniform(0.3, 3);
  const double x = rng.uniform(0.2, 1), y = rng.uniform(0.2, 1), z = rng.uniform(0.2, 1);
  const Eigen::Vector3d moments = m / 12 * Eigen::Vector3d(y * y + z * z, z * z + x * x, x * x + y * y);
  const Eigen::Matrix3d R = random_rotation(rng, world);
  const Eigen::Vector3d com = random_vector(rng, world, 0.5);
  return {m, com, R * moments.asDiagonal() * R.transpose()};
}

inline JointKind random_kind(CounterRng& rng, World world) {
  static constexpr JointKind kinds[] = {JointKind::revolute, JointKind::prismatic, JointKind::planar,
                                        JointKind::fixed,    JointKind::spherical, JointKind::free};
  return kinds[rng.below(world == World::planar ? 4 : 6)];
}

// Bodies b0 … b{n−1}; b0 always moves.
inline ModelBuilder random_tree_builder(CounterRng& rng, World world, int bodies) {
  ModelBuilder builder(world);
  builder.gravity(random_vector(rng, world, 10));
  for (int i = 0; i < bodies; ++i) {
    const std::string name = fmt::format("b{}", i);
    builder.body(name, random_mass(rng, world));
    JointSpec spec;
    spec.name = fmt::format("j{}", i);
    spec.kind = i == 0 ? JointKind::planar : random_kind(rng, world);
    spec.parent = i == 0 || rng.uniform() < 0.1 ? "ground" : fmt::format("b{}", rng.below(i));
    spec.child = name;
    spec.in_parent = random_placement(rng, world);
    spec.in_child = random_placement(rng, world);
    spec.axis = random_vector(rng, world);
    if (world == World::planar && spec.kind == JointKind::revolute) spec.axis = Eigen::Vector3d::UnitZ();
    builder.joint(spec);
  }
  return builder;
}

inline Model random_tree(CounterRng& rng, World world, int bodies) {
  return random_tree_builder(rng, world, bodies).build();
}

inline State random_state(CounterRng& rng, const Model& model) {
  State state{Eigen::VectorXd(model.nq()), Eigen::VectorXd(model.nv())};
  for (double& x : state.q) x = rng.uniform(-1.5, 1.5);
  for (double& x : state.u) x = rng.uniform(-2, 2);
  normalise(model, state.q);
  return state;
}

inline Eigen::VectorXd random_speeds(CounterRng& rng, const Model& model) {
  Eigen::VectorXd x(model.nv());
  for (double& value : x) value = rng.uniform(-2, 2);
  return x;
}

// Contacts between random bodies, the ground among them.
inline std::vector<ContactPoint> random_contacts(CounterRng& rng, const Model& model, int count) {
  std::vector<ContactPoint> contacts;
  for (int c = 0; c < count; ++c) {
    ContactPoint contact;
    contact.body_a = rng.below(model.bodies());
    contact.body_b = rng.below(model.bodies() + 1) - 1;
    contact.point_a = random_vector(rng, model.world());
    contact.point_b = random_vector(rng, model.world());
    contact.frame = contact_frame(model.world(), random_vector(rng, model.world()).normalized());
    contacts.push_back(contact);
  }
  return contacts;
}

}  // namespace carom::testing
