// A scan that has looked at a scene many times finds what a new one finds: what it leaves out it has proved to be too far.

#include "carom/simulate/contact_scan.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "carom/dynamics/kinematics.hpp"
#include "carom/lab/piles.hpp"
#include "carom/math/counter_rng.hpp"

namespace {

using namespace carom;

// Boxes on their way through the bin, each with speeds of its own; now and then all are elsewhere, and the range changes.
TEST(ContactScan, FindsWhatANewOneFinds) {
  Scene scene = lab::box_bin(60, 0, 0.4, 1e-3);
  const Model& model = scene.model;
  ContactScan seasoned(scene);
  Data data(model);
  CounterRng rng(5, 0);
  Eigen::VectorXd u(model.nv());
  Eigen::VectorXd q = scene.start.q;
  for (Eigen::Index i = 0; i < q.size() / 7; ++i) q.segment<2>(7 * i) *= 0.55;  // some overlap from the start
  std::vector<LiveContact> found, expected;
  long contacts = 0;
  for (int k = 0; k < 400; ++k) {
    if (k % 50 == 0)
      for (double& x : u) x = rng.normal();
    const double h = k % 70 == 69 ? 0.05 : std::pow(10.0, -4 + 2 * rng.uniform(0, 1));
    advance(model, u, k % 2 == 0 ? h : -0.8 * h, q);
    forward_kinematics(model, q, data);
    const double range = 0.1 * std::pow(rng.uniform(0, 1), 4);
    ContactScan fresh(scene);
    fresh.near(data, q, 0, range, expected);
    seasoned.near(data, q, 0, range, found);
    ASSERT_EQ(found.size(), expected.size()) << "look " << k;
    for (std::size_t i = 0; i < found.size(); ++i) {
      ASSERT_TRUE(found[i].id == expected[i].id) << "look " << k;
      ASSERT_EQ(found[i].gap.distance, expected[i].gap.distance) << "look " << k;
    }
    contacts += std::ssize(found);
  }
  EXPECT_GT(contacts, 20000);
}

}  // namespace
