// The examples with many bodies: counts, weights, bounds of mechanics. How each body moves is chaotic and tells nothing.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "motion/examples.hpp"

namespace carom {
namespace {

using Eigen::Vector3d;
using examples::kG, examples::Ran, examples::read, examples::run;

Vector3d place(const Sample& s, int body) { return s.poses[static_cast<std::size_t>(body)].translation; }

double mean_height(const Sample& s) {
  double sum = 0;
  for (const Placement& pose : s.poses) sum += pose.translation.z();
  return sum / static_cast<double>(s.poses.size());
}

// The sum of the forces of the ground on the bodies, upwards, averaged over the last samples.
struct FloorScale : MemoryRecorder {
  explicit FloorScale(const Scene& s) : scene(s) {}
  void contacts(double time, std::span<const ContactForce> forces) override {
    double sum = 0;
    for (const ContactForce& f : forces) {
      const auto ground = [&](int c) { return scene.colliders[static_cast<std::size_t>(c)].body == kGround; };
      if (ground(f.contact.b)) sum += f.force.z();
      if (ground(f.contact.a)) sum -= f.force.z();
    }
    readings.emplace_back(time, sum);
  }
  double mean_since(double time) const {
    double sum = 0;
    int count = 0;
    for (const auto& [t, force] : readings)
      if (t >= time) sum += force, ++count;
    return sum / count;
  }
  const Scene& scene;
  std::vector<std::pair<double, double>> readings;
};

TEST(ManyBodies, SettlingBalls) {
  Scene scene = read("17_settling_balls/scene.yaml");
  ASSERT_EQ(scene.model.bodies(), 125);
  scene.sampling = scene.integrator.stepping.step;
  FloorScale scale(scene);
  const RunSummary summary = simulate(scene, scale);
  const double r = 0.05, width = 0.5125, below = 1e-5;  // [m] overlap that the solver's tolerance leaves
  const Sample& end = scale.samples.back();
  for (int b = 0; b < 125; ++b) {
    const Vector3d x = place(end, b);
    EXPECT_GE(x.minCoeff(), r - below);
    EXPECT_LE(x.head<2>().maxCoeff(), width - r + below);
  }
  // Columns of five: a ball stands on the one below, sideways from it by no more than the play of the row, 0.0125 m each way.
  const double rise = std::sqrt(4 * r * r - 2 * 0.0125 * 0.0125);
  EXPECT_LE(mean_height(end), 5 * r + below);
  EXPECT_GE(mean_height(end), r + 2 * rise - below);
  EXPECT_LE(summary.energy.kinetic, 1e-3 * (mean_height(scale.samples.front()) - mean_height(end)) * 62.5 * kG) << "of the energy that was set free";
  EXPECT_NEAR(scale.mean_since(1) / (62.5 * kG), 1, 0.01);
}

TEST(ManyBodies, BoxesInABin) {
  const Ran ran = run("18_box_bin/scene.yaml");
  ASSERT_EQ(ran.scene.model.bodies(), 200);
  // The lowest centres fall from 0.2 m until a corner (0.0866 m from it) or a face (0.05 m) is down.
  const double first = std::sqrt(2 * (0.2 - 0.05 * std::sqrt(3)) / kG), last = std::sqrt(2 * (0.2 - 0.05) / kG), h = ran.scene.integrator.stepping.step;
  EXPECT_GE(ran.first(EventKind::contact_begins).time, first - h);
  EXPECT_LE(ran.first(EventKind::contact_begins).time, last + h);
  const Sample& end = ran.record.samples.back();
  const double below = -ran.summary.worst_gap;
  for (int b = 0; b < 200; ++b) {
    const Vector3d x = place(end, b);
    EXPECT_GE(x.minCoeff(), 0.05 - below);
    EXPECT_LE(x.head<2>().maxCoeff(), 0.95 + below);
  }
  // 0.2 m³ of wood on 1 m² lies 0.1 m high at the least.
  EXPECT_GE(mean_height(end), 0.1);
  EXPECT_LT(mean_height(end), 0.25);  // packed to 0.4, looser than boxes lie
}

TEST(ManyBodies, BrickWall) {
  const Ran ran = run("19_brick_wall/scene.yaml");
  ASSERT_EQ(ran.scene.model.bodies(), 40);
  const int ball = ran.scene.model.body_index("ball");
  const double struck = 0.82 / 8, h = ran.scene.integrator.stepping.step;
  const auto first_of_ball = std::find_if(ran.record.events.begin(), ran.record.events.end(), [&](const RunEvent& e) {
    return e.kind == EventKind::contact_begins && (ran.scene.colliders[static_cast<std::size_t>(e.contact.a)].name == "ball" || ran.scene.colliders[static_cast<std::size_t>(e.contact.b)].name == "ball");
  });
  ASSERT_NE(first_of_ball, ran.record.events.end());
  EXPECT_NEAR(first_of_ball->time, struck, 2 * h);
  const Sample &start = ran.record.samples.front(), &before = ran.at(0.1), &end = ran.record.samples.back();
  for (int b = 0; b < 40; ++b) {
    if (b == ball) continue;
    EXPECT_LE((place(before, b) - place(start, b)).norm(), 1e-5) << "the wall stands until it is struck: " << ran.scene.model.body_name(b);
  }
  // Steps fall by ½ g t (t + h).
  EXPECT_NEAR(place(before, ball).z(), 0.3 - 0.5 * kG * 0.1 * (0.1 + h), 1e-9);
  for (int b = 0; b < 40; ++b) EXPECT_GE(place(end, b).z(), 0.04 + ran.summary.worst_gap) << "half the least edge of a brick";
  EXPECT_LT(mean_height(end), mean_height(start));
  // 160 J came flying and what falls is set free; contacts take, no more than there is.
  EXPECT_LT(end.energy.kinetic + end.energy.potential, start.energy.kinetic + start.energy.potential);
}

TEST(ManyBodies, Arches) {
  const Scene scene = read("20_arch/scene.yaml");
  FloorScale scale(scene);
  static_cast<void>(simulate(scene, scale));
  const double part = M_PI / 15, area = 0.5 * (1 - 0.64) * std::sin(part);  // of a stone: two triangles' difference
  for (int b = 0; b < 15; ++b) {
    EXPECT_NEAR(scene.model.body(b).mass, 2000 * area * 0.3, 1e-9);
    EXPECT_LE((place(scale.samples.back(), b) - place(scale.samples.front(), b)).norm(), 1e-6) << "stands still for ten seconds";
  }
  EXPECT_NEAR(scale.mean_since(5) / (15 * 2000 * area * 0.3 * kG), 1, 1e-6);
  const Ran thin = run("20_arch/thin.yaml");
  EXPECT_GT(place(thin.record.samples.front(), 7).z(), 0.9);
  EXPECT_LT(place(thin.record.samples.back(), 7).z(), 0.1) << "the keystone is down";
}

TEST(ManyBodies, Chute) {
  const Ran ran = run("21_chute/scene.yaml");
  ASSERT_EQ(ran.scene.model.bodies(), 480);
  const Eigen::VectorXd& u = ran.record.samples.back().u;
  Vector3d v = Vector3d::Zero();
  for (int b = 0; b < 480; ++b) v += u.segment<3>(6 * b) / 480;
  // Smooth walls: along the chute act gravity and the bed, whose friction is at most μ times what it pushes.
  const double slope = 25 * M_PI / 180, t = ran.scene.duration;
  EXPECT_LE(v.x(), kG * std::sin(slope) * t);
  EXPECT_GE(v.x(), kG * (std::sin(slope) - 0.3 * std::cos(slope)) * t - 0.3 * v.z());
  const double below = -ran.summary.worst_gap;
  for (int b = 0; b < 480; ++b) {
    const Vector3d x = place(ran.record.samples.back(), b);
    EXPECT_GE(x.z(), 0.03 - below);
    EXPECT_GE(x.y(), 0.03 - below);
    EXPECT_LE(x.y(), 0.60 + below);
  }
}

}  // namespace
}  // namespace carom
