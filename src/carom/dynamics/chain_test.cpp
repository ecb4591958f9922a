// Chains: a closed form for any length, and the same chain once by joints and once by loop rows.

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "carom/dynamics/constraints.hpp"
#include "carom/dynamics/delassus.hpp"
#include "carom/dynamics/kinematics.hpp"
#include "carom/dynamics/testing/random_tree.hpp"

namespace carom {
namespace {

using namespace carom::testing;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

const Vector3d kEnd(1, 0, 0);  // of a link whose joint is at its origin

MassProperties link(World world) {
  if (world == World::planar) return MassProperties::planar(1, {0.5, 0}, 1.0 / 12);
  return {1, 0.5 * kEnd, Vector3d(0.02, 1.0 / 12, 1.0 / 12 + 0.01).asDiagonal()};
}

// n links on revolute joints about z and, in space, y in turn.
Vector3d axis(World world, int i) {
  return world == World::spatial && i % 2 == 1 ? Vector3d::UnitY() : Vector3d::UnitZ();
}

Model jointed_chain(World world, int n) {
  ModelBuilder b(world);
  for (int i = 0; i < n; ++i) {
    b.body(fmt::format("l{}", i), link(world));
    b.joint({.name = fmt::format("j{}", i),
             .kind = JointKind::revolute,
             .parent = i == 0 ? "ground" : fmt::format("l{}", i - 1),
             .child = fmt::format("l{}", i),
             .in_parent = {Eigen::Matrix3d::Identity(), i == 0 ? Vector3d(0, 0, 0) : kEnd},
             .axis = axis(world, i)});
  }
  return b.build();
}

// The same links flying free, held together by hinges.
Model hinged_chain(World world, int n) {
  ModelBuilder b(world);
  for (int i = 0; i < n; ++i) {
    const std::string name = fmt::format("l{}", i);
    const std::string before = i == 0 ? "ground" : fmt::format("l{}", i - 1);
    b.body(name, link(world));
    b.joint({.name = fmt::format("j{}", i),
             .kind = world == World::planar ? JointKind::planar : JointKind::free,
             .child = name});
    b.hinge(fmt::format("h{}", i), before, i == 0 ? Vector3d(0, 0, 0) : kEnd, axis(world, i), name, {0, 0, 0},
            axis(world, i));
  }
  return b.build();
}

// The configuration of the flying links that has the poses of the jointed ones.
VectorXd flying_configuration(const Model& flying, const Data& jointed) {
  VectorXd q(flying.nq());
  for (int i = 0; i < flying.bodies(); ++i) {
    const Placement& pose = jointed.pose[static_cast<std::size_t>(i)];
    const int k = flying.joint(i).q_index;
    if (flying.world() == World::planar) {
      q.segment<3>(k) << pose.translation.head<2>(), std::atan2(pose.rotation(1, 0), pose.rotation(0, 0));
    } else {
      const Eigen::Quaterniond Q(pose.rotation);
      q.segment<7>(k) << pose.translation, Q.w(), Q.vec();
    }
  }
  return q;
}

ContactPoint tip(World world, int n) {
  return {n - 1, kEnd, kGround, {0, 0, 0}, contact_frame(world, Vector3d::UnitY())};
}

// A straight chain of uniform rods, struck across at its tip: a rod answers a unit impulse at its end with 4/m there and −2/m at
// the other end, so that g_n = 4/m − (2/m)² / (4/m + g_{n−1}), g_0 = 0 at the pivot; g → 2√3/m.
TEST(Chain, StraightChainStruckAcrossHasTheClosedForm) {
  double g = 0;
  for (int n = 1; n <= 1024; ++n) {
    g = 4 - 4 / (4 + g);
    if (n > 4 && (n & (n - 1)) != 0) continue;
    const Model model = jointed_chain(World::planar, n);
    Data data(model);
    forward_kinematics(model, VectorXd::Zero(n), data);
    const ContactPoint contact = tip(World::planar, n);
    MatrixXd G;
    delassus(model, data, {&contact, 1}, G);
    EXPECT_NEAR(G(1, 1), g, 1e-13) << n;
    EXPECT_NEAR(G(0, 0), 0, 1e-13) << n;
  }
  EXPECT_NEAR(g, 2 * std::sqrt(3.0), 1e-15);
}

TEST(Chain, JointsAndHingesGiveTheSameDelassus) {
  for (const World world : {World::planar, World::spatial}) {
    const int n = 20;
    CounterRng rng(50, world == World::planar ? 0 : 1);
    const Model jointed = jointed_chain(world, n), hinged = hinged_chain(world, n);
    const State state = random_state(rng, jointed);
    Data data(jointed), loose(hinged);
    forward_kinematics(jointed, state.q, data);
    VectorXd q = flying_configuration(hinged, data), g;
    forward_kinematics(hinged, q, loose);
    constraint_residual(hinged, loose, q, g);
    EXPECT_LE(g.cwiseAbs().maxCoeff(), 1e-13);

    std::vector<ContactPoint> contacts = random_contacts(rng, jointed, 3);
    contacts.push_back(tip(world, n));
    MatrixXd G, G_loose;
    delassus(jointed, data, contacts, G);
    delassus(hinged, loose, contacts, G_loose);
    EXPECT_EQ(loose.rank, hinged.nv() - n);
    EXPECT_LE((G - G_loose).cwiseAbs().maxCoeff(), 1e-11 * G.cwiseAbs().maxCoeff());
  }
}

}  // namespace
}  // namespace carom
