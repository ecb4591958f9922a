// Motions that have a closed form.

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <boost/math/special_functions/ellint_1.hpp>
#include <cmath>

#include "carom/simulate/simulate.hpp"
#include "support/scenes.hpp"

namespace carom {
namespace {

using namespace carom::testing;
using Eigen::Vector3d;

struct Ran {
  MemoryRecorder record;
  RunSummary summary;

  std::vector<RunEvent> of(EventKind kind) const {
    std::vector<RunEvent> out;
    for (const RunEvent& e : record.events)
      if (e.kind == kind) out.push_back(e);
    return out;
  }
};

Ran run(const Scene& scene) {
  Ran out;
  out.summary = simulate(scene, out.record);
  EXPECT_EQ(out.summary.status, RunStatus::finished) << out.summary.reason;
  EXPECT_LE(out.summary.worst_gain, 1e-12);
  EXPECT_GE(out.summary.worst_gap, -scene.integrator.event.gap_tolerance);
  EXPECT_LE(out.summary.smooth_drift, 1e-10);
  return out;
}

// A ball dropped from a height H: bounce k reaches e^{2k} H; it rests after √(2H/g) (1 + e)/(1 − e).
TEST(ClosedForms, BouncingBallComesToRest) {
  for (const World world : {World::planar, World::spatial}) {
    const bool planar = world == World::planar;
    const double r = 0.1, H = 0.8, e = 0.7;
    Scene scene = make_scene(free_bodies(world, {solid_sphere(2, r)}, planar ? Vector3d(0, -kGravity, 0) : Vector3d(0, 0, -kGravity)),
                             {on("ball", 0, Sphere{r}), planar ? floor_plane() : ground_plane()}, material(0.5, 0.3, e), 3);
    scene.start.q[planar ? 1 : 2] = r + H;
    scene.start.u[0] = 0.3;  // and it flies sideways without spin: friction acts too, along the tangent
    scene.materials[0].mu_s = scene.materials[0].mu_d = 0;
    const Ran ran = run(scene);
    const double fall = std::sqrt(2 * H / kGravity);
    double t = fall, flight = 2 * fall;
    for (std::size_t k = 0; k < 15; ++k) {
      ASSERT_LT(k, ran.record.impacts.size());
      EXPECT_NEAR(ran.record.impacts[k].time, t, 1e-9) << k;
      const double v = ran.record.impacts[k].outcome.v_post[planar ? 1 : 2];
      EXPECT_NEAR(v * v / (2 * kGravity), H * std::pow(e, 2 * (k + 1)), 1e-10) << k;
      flight *= e;
      t += flight;
    }
    const std::vector<RunEvent> end = ran.of(EventKind::accumulation);
    ASSERT_EQ(end.size(), 1u);
    EXPECT_NEAR(end[0].time, fall * (1 + e) / (1 - e), 1e-9);
    EXPECT_NEAR(end[0].ratio, e, 0.01);
    EXPECT_NEAR(ran.record.samples.back().u[0], 0.3, 1e-12);
    EXPECT_NEAR(ran.record.samples.back().q[planar ? 1 : 2], r, 1e-12);
  }
}

// A sliding ball begins to roll at t = 2 v0 / (7 μ g) with 5/7 v0.
TEST(ClosedForms, BallSlidesThenRolls) {
  const double r = 0.05, v0 = 1.4, mu = 0.2;
  Scene scene = make_scene(free_bodies(World::spatial, {solid_sphere(0.2, r)}, {0, 0, -kGravity}), {on("ball", 0, Sphere{r}), ground_plane()}, material(mu, mu, 0), 1);
  scene.start.q[2] = r;
  scene.start.u.head<2>() << v0 * 0.6, v0 * 0.8;
  const Ran ran = run(scene);
  const std::vector<RunEvent> stops = ran.of(EventKind::slip_stops);
  ASSERT_EQ(stops.size(), 1u);
  EXPECT_NEAR(stops[0].time, 2 * v0 / (7 * mu * kGravity), 1e-10);
  const Eigen::VectorXd& u = ran.record.samples.back().u;
  EXPECT_NEAR(u[0], 5.0 / 7 * v0 * 0.6, 1e-10);
  EXPECT_NEAR(u[1], 5.0 / 7 * v0 * 0.8, 1e-10);
  EXPECT_NEAR(u.head<3>().norm(), r * u.tail<3>().norm(), 1e-10);
}

// A spinning ball on a turntable rolls in a circle whose rate is 2/7 of the table's (Weckesser, Am. J. Phys. 65, 1997).
TEST(ClosedForms, BallOnATurntableRollsInACircle) {
  const double r = 0.05, omega = 3.5;
  Scene scene = make_scene(free_bodies(World::spatial, {solid_sphere(0.2, r)}, {0, 0, -kGravity}), {on("ball", 0, Sphere{r}), ground_plane()}, material(2, 2, 0), 2 * M_PI);
  scene.colliders[1].drive = Drive{.turn = {.rate = omega}, .axis = Vector3d::UnitZ()};
  scene.start.q[0] = 0.3, scene.start.q[2] = r;
  scene.start.u[0] = 0.2;
  // Rolling at the start: v + ω × (−r z) = Ω × x.
  const Vector3d table = Vector3d(0, 0, omega).cross(Vector3d(0.3, 0, 0)), v(0.2, 0, 0);
  const Vector3d slip = table - v;  // = ω × (−r z) = −r (ω_y, −ω_x, 0)
  scene.start.u[3] = slip.y() / r, scene.start.u[4] = -slip.x() / r;
  const Ran ran = run(scene);
  EXPECT_TRUE(ran.of(EventKind::stick_breaks).empty());
  // v̇ = (2/7) Ω × v: the velocity has turned by 2/7 · 3.5 = 1 rad/s × 2π: once round.
  const Eigen::VectorXd& u = ran.record.samples.back().u;
  EXPECT_NEAR(u[0], 0.2, 1e-8);
  EXPECT_NEAR(u[1], 0, 1e-8);
  EXPECT_NEAR(ran.record.samples.back().q[0], 0.3, 1e-8);
}

// A block on an incline: rests while tan α ≤ μ_s, else slides with g (sin α − μ_d cos α).
TEST(ClosedForms, BlockOnAnInclineSticksOrSlides) {
  const double a = 0.2, b = 0.1, mu_s = 0.5, mu_d = 0.3;
  for (const double tangent : {0.499, 0.501}) {
    const double angle = std::atan(tangent), T = 1.2;
    Scene scene = make_scene(free_bodies(World::planar, {rectangle(3, a, b)}, {0, -kGravity, 0}), {on("block", 0, Box{{a, b, 1}}), floor_plane(0, angle)}, material(mu_s, mu_d, 0), T);
    const Vector3d down(-std::cos(angle), -std::sin(angle), 0), n(-std::sin(angle), std::cos(angle), 0);
    scene.start.q << b * n.x(), b * n.y(), angle;
    const Ran ran = run(scene);
    const Vector3d moved(ran.record.samples.back().q[0] - b * n.x(), ran.record.samples.back().q[1] - b * n.y(), 0);
    const double expected = tangent < mu_s ? 0 : 0.5 * kGravity * (std::sin(angle) - mu_d * std::cos(angle)) * T * T;
    EXPECT_NEAR(moved.dot(down), expected, 1e-9);
    EXPECT_NEAR(moved.dot(n), 0, 1e-12);
    EXPECT_NEAR(ran.record.samples.back().u[2], 0, 1e-9);
  }
}

// Pushed up the incline it stops, and stays (μ_s) although it would have gone on sliding down with μ_d.
TEST(ClosedForms, SlidingBlockStopsAndStaysByStaticFriction) {
  const double b = 0.1, mu_s = 0.6, mu_d = 0.3, angle = std::atan(0.45), v0 = 2;
  Scene scene = make_scene(free_bodies(World::planar, {rectangle(3, 0.3, b)}, {0, -kGravity, 0}), {on("block", 0, Box{{0.3, b, 1}}), floor_plane(0, angle)}, material(mu_s, mu_d, 0), 2);
  const Vector3d up(std::cos(angle), std::sin(angle), 0), n(-std::sin(angle), std::cos(angle), 0);
  scene.start.q << b * n.x(), b * n.y(), angle;
  scene.start.u << v0 * up.x(), v0 * up.y(), 0;
  const Ran ran = run(scene);
  const double deceleration = kGravity * (std::sin(angle) + mu_d * std::cos(angle));
  const std::vector<RunEvent> stops = ran.of(EventKind::slip_stops);
  ASSERT_GE(stops.size(), 1u);
  EXPECT_NEAR(stops[0].time, v0 / deceleration, 1e-10);
  const Vector3d moved(ran.record.samples.back().q[0] - b * n.x(), ran.record.samples.back().q[1] - b * n.y(), 0);
  EXPECT_NEAR(moved.dot(up), v0 * v0 / (2 * deceleration), 1e-10);
  EXPECT_LE(ran.record.samples.back().u.norm(), 1e-9);
}

// A physical pendulum released at rest: quarter period √(I/(m g l)) K(sin(θ0/2)); a stop at the bottom tells the time.
TEST(ClosedForms, PendulumStrikesItsLimitAfterAQuarterPeriod) {
  const double l = 0.5, m = 2, I = 0.1, theta0 = 1.2;
  Scene scene = make_scene(ModelBuilder(World::planar)
                               .gravity({0, -kGravity, 0})
                               .body("bob", MassProperties::planar(m, {0, -l}, I))
                               .joint({.name = "pin", .kind = JointKind::revolute, .child = "bob"})
                               .build(),
                           {}, material(0, 0, 0), 2);
  scene.start.q[0] = theta0;
  scene.limits.push_back({"pin", 0, 0, 0.0, 3.0, 0.8});
  const Ran ran = run(scene);
  const double quarter = std::sqrt((I + m * l * l) / (m * kGravity * l)) * boost::math::ellint_1(std::sin(theta0 / 2));
  ASSERT_GE(ran.record.impacts.size(), 1u);
  EXPECT_NEAR(ran.record.impacts[0].time, quarter, 1e-9);
  const double speed = std::sqrt(2 * m * kGravity * l * (1 - std::cos(theta0)) / (I + m * l * l));
  EXPECT_NEAR(ran.record.impacts[0].outcome.v_post[1], 0.8 * speed, 1e-9);
}

// A torque-free body keeps energy and momentum over 100 turns.
TEST(ClosedForms, TorqueFreeBodyKeepsEnergyAndMomentum) {
  const MassProperties body{1, Vector3d::Zero(), Vector3d(1, 2, 2.5).asDiagonal()};
  Scene scene = make_scene(free_bodies(World::spatial, {body}, Vector3d::Zero()), {}, material(0, 0, 0), 100);
  scene.start.u << 0.1, 0.2, 0.3, 0.2, 2 * M_PI, 0.1;  // about the middle axis: it tumbles
  const Ran ran = run(scene);
  const auto momentum = [&](const Sample& s) {
    const Eigen::Matrix3d R = s.poses[0].rotation;
    return Vector3d(R * body.inertia * R.transpose() * (R * s.u.tail<3>()));
  };
  const Vector3d L0 = momentum(ran.record.samples.front()), L1 = momentum(ran.record.samples.back());
  EXPECT_LE((L1 - L0).norm() / L0.norm(), 1e-10);
  EXPECT_NEAR(ran.record.samples.back().energy.kinetic / ran.record.samples.front().energy.kinetic, 1, 1e-10);
  EXPECT_NEAR(ran.record.samples.back().q[0], 10, 1e-9);
}

// A slender block rocks about one corner: I_o θ̈ = m g R sin(α − θ). From rest at θ0 the energy gives the rate at which it strikes,
// and the other corner takes over with 1 − (3/2) sin²α of it when nothing slips (Housner 1963).
TEST(ClosedForms, RockingBlockStrikesAsHousnerSays) {
  const double b = 0.1, h = 0.4, R = std::hypot(b, h), alpha = std::atan2(b, h), theta0 = 0.1, m = 1;
  Scene scene = make_scene(free_bodies(World::planar, {rectangle(m, b, h)}, {0, -kGravity, 0}), {on("block", 0, Box{{b, h, 1}}), floor_plane()}, material(5, 5, 0), 2);
  // Turned by θ0 about the corner (−b, −h), which stands at the origin of the floor.
  const Eigen::Matrix3d turn = Eigen::AngleAxisd(theta0, Vector3d::UnitZ()).toRotationMatrix();
  const Vector3d centre = turn * Vector3d(b, h, 0);
  scene.start.q << centre.x(), centre.y(), theta0;
  scene.law = {"moreau", "", {}};
  const Ran ran = run(scene);
  ASSERT_GE(ran.record.impacts.size(), 1u);
  const double Io = 4.0 / 3 * m * R * R;
  const double rate = std::sqrt(2 * m * kGravity * R * (std::cos(alpha - theta0) - std::cos(alpha)) / Io);
  // The time of fall: ∫ dθ / θ̇ by the substitution θ = θ0 − s², smooth at the start.
  double time = 0;
  const int N = 20000;
  for (int i = 0; i < N; ++i) {
    const double s = (i + 0.5) / N * std::sqrt(theta0), theta = theta0 - s * s;
    time += 2 * s / std::sqrt(2 * m * kGravity * R * (std::cos(alpha - theta0) - std::cos(alpha - theta)) / Io) * std::sqrt(theta0) / N;
  }
  EXPECT_NEAR(ran.record.impacts[0].time, time, 1e-8);
  const ImpactRecord& first = ran.record.impacts[0];
  const double T0 = 0.5 * Io * rate * rate;
  EXPECT_NEAR(first.kinetic_before, T0, 1e-9);
  EXPECT_NEAR(first.kinetic_after / first.kinetic_before, std::pow(1 - 1.5 * std::sin(alpha) * std::sin(alpha), 2), 1e-9);
}

// A small, fast ball never passes through a thin wall, whatever the step.
TEST(ClosedForms, FastBodiesDoNotTunnel) {
  Scene scene = make_scene(free_bodies(World::planar, {solid_sphere(1, 0.001)}, Vector3d::Zero()),
                           {on("shot", 0, Sphere{0.001}), on("wall", kGround, Capsule{0.001, 0.5}, {Eigen::AngleAxisd(M_PI / 2, Vector3d::UnitZ()).toRotationMatrix(), {3, 0, 0}})},
                           material(0, 0, 1), 1);
  scene.integrator.event.max_step = 1;
  scene.start.u << 500, 0, 3;
  const Ran ran = run(scene);
  ASSERT_EQ(ran.record.impacts.size(), 1u);
  EXPECT_NEAR(ran.record.impacts[0].time, (3 - 0.002) / 500, 1e-12);
}

// A ball that spins on the spot: the contact is a point here, and friction against spinning of its material is told to be left out.
TEST(ClosedForms, FrictionAgainstSpinningIsToldToBeLeftOut) {
  const auto spun = [](double torsion, double rolling) {
    Scene scene = make_scene(free_bodies(World::spatial, {solid_sphere(1, 0.1)}, {0, 0, -kGravity}), {on("ball", 0, Sphere{0.1}), ground_plane()}, material(0.3, 0.3, 0), 0.1);
    scene.materials[0].torsion = torsion, scene.materials[0].rolling = rolling;
    scene.start.q[2] = 0.1, scene.start.u[5] = 20;
    const Ran ran = run(scene);
    EXPECT_NEAR(ran.record.samples.back().u[5], 20, 1e-12);
    return ran.summary.warnings.size();
  };
  EXPECT_EQ(spun(0, 0), 0u);
  EXPECT_EQ(spun(0.01, 0), 1u);
  EXPECT_EQ(spun(0, 0.01), 1u);
}

}  // namespace
}  // namespace carom
