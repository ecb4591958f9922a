// Simbody on random trees of ten bodies with every joint type: mass matrix, accelerations and the contact-space matrix G.

#include <gtest/gtest.h>

#include "carom/dynamics/delassus.hpp"
#include "carom/dynamics/forward_dynamics.hpp"
#include "carom/dynamics/kinematics.hpp"
#include "carom/dynamics/mass_matrix.hpp"
#include "carom/dynamics/testing/random_tree.hpp"
#include "cross/simbody_peer.hpp"

namespace {

using namespace carom;
using namespace carom::testing;
using Eigen::MatrixXd;
using Eigen::VectorXd;

double relative_error(const MatrixXd& found, const MatrixXd& expected) {
  return (found - expected).cwiseAbs().maxCoeff() / std::max(1.0, expected.cwiseAbs().maxCoeff());
}

TEST(Simbody, AgreesOnRandomTreesOfTenBodies) {
  for (std::uint64_t run = 0; run < 10; ++run) {
    SCOPED_TRACE(run);
    CounterRng rng(40, run);
    const Model model = random_tree(rng, World::spatial, 10);
    const State state = random_state(rng, model);
    const auto contacts = random_contacts(rng, model, 3);
    const SimbodyPeer peer(model, state);
    std::vector<SimbodyContact> same;
    for (const ContactPoint& c : contacts) same.push_back({c.body_a, c.body_b, c.point_a, c.point_b, c.frame});

    Data data(model);
    forward_kinematics(model, state, data);
    MatrixXd M, G;
    VectorXd udot;
    mass_matrix(model, data, M);
    forward_dynamics(model, data, VectorXd::Zero(model.nv()), udot);
    delassus(model, data, contacts, G);
    EXPECT_LE(relative_error(M, peer.mass_matrix()), 1e-10);
    EXPECT_LE(relative_error(udot, peer.accelerations()), 1e-10);
    EXPECT_LE(relative_error(G, peer.delassus(same)), 1e-10);
  }
}

}  // namespace
