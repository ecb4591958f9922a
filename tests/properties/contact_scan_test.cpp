// A scan that has looked at a scene many times finds what a new one finds: what it leaves out it has proved to be too far.

#include "carom/simulate/contact_scan.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

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

// Ranges of pairs: of all contacts those within the range of their pair, and when the ranges change, those of pairs that have not been asked for as much.
TEST(ContactScan, FindsWhatIsWithinTheRangeOfEachPair) {
  Scene scene = lab::box_bin(60, 0, 0.4, 1e-3);
  const Model& model = scene.model;
  const std::size_t n = scene.colliders.size();
  ContactScan seasoned(scene);
  Data data(model);
  CounterRng rng(6, 0);
  Eigen::VectorXd u(model.nv());
  Eigen::VectorXd q = scene.start.q;
  for (Eigen::Index i = 0; i < q.size() / 7; ++i) q.segment<2>(7 * i) *= 0.55;
  std::vector<Eigen::Vector3d> steps(n);
  std::vector<double> ways(n);
  // Most of them small, some great.
  const auto draw = [&](double scale) {
    for (std::size_t c = 0; c < n; ++c) {
      steps[c] = scale * std::pow(rng.uniform(0, 1), 4) * Eigen::Vector3d(rng.normal(), rng.normal(), rng.normal());
      ways[c] = scale * std::pow(rng.uniform(0, 1), 4);
    }
  };
  const auto range = [&](const ContactId& id) {
    const auto a = static_cast<std::size_t>(id.a), b = static_cast<std::size_t>(id.b);
    return (steps[a] - steps[b]).norm() + ways[a] + ways[b];
  };
  std::vector<LiveContact> found, more, all;
  long first = 0, second = 0;
  for (int k = 0; k < 100; ++k) {
    if (k % 50 == 0)
      for (double& x : u) x = rng.normal();
    advance(model, u, k % 2 == 0 ? 5e-3 : -4e-3, q);
    forward_kinematics(model, q, data);
    ContactScan fresh(scene);
    fresh.near(data, q, 0, 1, all);
    draw(0.02);
    seasoned.near(data, q, 0, steps, ways, found);
    std::size_t i = 0;
    for (const LiveContact& c : all) {
      if (c.gap.distance > range(c.id)) continue;
      ASSERT_LT(i, found.size()) << "look " << k;
      ASSERT_TRUE(found[i].id == c.id) << "look " << k;
      ASSERT_EQ(found[i++].gap.distance, c.gap.distance) << "look " << k;
    }
    ASSERT_EQ(i, found.size()) << "look " << k;
    first += std::ssize(found);
    std::set<ContactId> every, known;
    for (const LiveContact& c : all) every.insert(c.id);
    for (const LiveContact& c : found) known.insert(c.id);
    for (const double scale : {0.03, 0.06}) {
      draw(scale);
      seasoned.farther(steps, ways, 1.2, more, {});
      for (const LiveContact& c : more) {
        ASSERT_TRUE(every.contains(c.id)) << "look " << k;
        ASSERT_LE(c.gap.distance, 1.2 * range(c.id)) << "look " << k;
        second += known.insert(c.id).second;
      }
      for (const LiveContact& c : all) ASSERT_TRUE(c.gap.distance > range(c.id) || known.contains(c.id)) << "look " << k;
    }
  }
  EXPECT_GT(first, 5000);
  EXPECT_GT(second, 5000);
}

}  // namespace
