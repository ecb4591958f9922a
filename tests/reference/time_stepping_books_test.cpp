// What the summary of a run says of impacts and of restitution.

#include <gtest/gtest.h>

#include <algorithm>

#include "carom/lab/piles.hpp"
#include "carom/simulate/simulate.hpp"
#include "support/stepping_scenes.hpp"

namespace carom {
namespace {

using Eigen::Vector3d;

constexpr Scheme kSchemes[] = {Scheme::stewart_trinkle, Scheme::anitescu_potra, Scheme::moreau_jean};

bool told(const RunSummary& summary, const char* words) {
  return std::any_of(summary.warnings.begin(), summary.warnings.end(), [&](const std::string& w) { return w.find(words) != std::string::npos; });
}

// Its friction is the work of lasting contacts, from the first step on, and also where some feet of four carry nothing, as Lemke's answers have it.
TEST(TimeSteppingBooks, WhatSlidesOnTheFloorStrikesNothing) {
  MassProperties mass;
  mass.mass = 2;
  mass.inertia = 0.3 * Eigen::Matrix3d::Identity();
  for (const Scheme scheme : kSchemes)
    for (const int edges : {0, 5}) {
      Scene scene = test::footed_body(mass, {{0.2, 0.2, 0}, {-0.2, 0.2, 0}, {-0.2, -0.2, 0}, {0.2, -0.2, 0}}, 0, 0.4, scheme, 1e-3, 1);
      scene.integrator.stepping.cone_edges = edges;
      scene.start.u[0] = 2;
      MemoryRecorder record;
      const RunSummary summary = simulate(scene, record);
      EXPECT_NEAR(summary.impact_loss, 0, 1e-9) << name(scheme) << ' ' << edges;
      EXPECT_NEAR(record.samples.back().energy.contacts, -4, 1e-6) << name(scheme) << ' ' << edges;
    }
}

TEST(TimeSteppingBooks, WhatFallsOnTheFloorStrikesIt) {
  for (const Scheme scheme : kSchemes) {
    Scene scene = test::footed_body(MassProperties{.mass = 2, .com = Vector3d::Zero(), .inertia = Eigen::Matrix3d::Identity()}, {Vector3d::Zero()}, 0.1, 0, scheme, 1e-3, 0.3);
    MemoryRecorder record;
    EXPECT_NEAR(simulate(scene, record).impact_loss, 2 * test::kG * 0.1, 0.03) << name(scheme);
  }
}

TEST(TimeSteppingBooks, WithoutRestitutionNoneIsLessened) {
  Scene scene = lab::brick_wall(3, 3, 1e-3);
  scene.integrator.stepping.scheme = Scheme::moreau_jean;
  scene.duration = 0.3;
  for (const Material& m : scene.materials) ASSERT_EQ(m.e, 0);
  MemoryRecorder record;
  EXPECT_FALSE(told(simulate(scene, record), "lessened"));
}

TEST(TimeSteppingBooks, RestitutionOfAJointLimitIsToldWhereThereIsNone) {
  ModelBuilder builder(World::planar);
  builder.body("body", MassProperties{.mass = 1, .com = Vector3d::Zero(), .inertia = Eigen::Matrix3d::Identity()}).joint({.name = "rail", .kind = JointKind::prismatic, .child = "body", .axis = Vector3d::UnitX()});
  Scene scene = test::empty_scene(builder.build(), Scheme::stewart_trinkle, 1e-2, 0.1);
  JointLimit limit;
  limit.joint = "rail", limit.upper = 1, limit.e = 0.5;
  scene.limits.push_back(limit);
  MemoryRecorder record;
  EXPECT_TRUE(told(simulate(scene, record), "stewart-trinkle has no restitution"));
}

// Four contacts each, which begin with the first step. Some carry nothing, now these and now those.
TEST(TimeSteppingBooks, ContactsOfBoxesAtRestDoNotComeAndGo) {
  for (const Scheme scheme : kSchemes) {
    Scene scene = lab::box_stack(5, 1e-3);
    for (int i = 0; i < 5; ++i) scene.start.q[7 * i] += 0.01 * (i % 3), scene.start.q[7 * i + 1] += 0.02 * (i % 2);
    scene.integrator.stepping.scheme = scheme;
    scene.duration = 1;
    Recorder silent;
    const RunSummary summary = simulate(scene, silent);
    EXPECT_GE(summary.events_by_kind[static_cast<std::size_t>(EventKind::contact_begins)], 20) << name(scheme);
    EXPECT_LE(summary.events_by_kind[static_cast<std::size_t>(EventKind::lift_off)], 20) << name(scheme);  // hundreds, before
  }
}

}  // namespace
}  // namespace carom
