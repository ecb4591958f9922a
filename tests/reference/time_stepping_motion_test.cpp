// Spinning discs, pendulums, joints over many steps, torque-free rotation, bounces, balance of momentum and energy.

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <numbers>

#include "carom/dynamics/constraints.hpp"
#include "carom/dynamics/kinematics.hpp"
#include "carom/lab/piles.hpp"
#include "carom/lab/reproduce/trinkle_scenes.hpp"
#include "carom/simulate/simulate.hpp"
#include "support/stepping_scenes.hpp"

namespace carom {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;
using test::kG;

// ---- discs ---------------------------------------------------------------------------------------------------------------

// The oracle's disc: R = 0.5 m, m = 1 kg, I = 0.125 kg m², μ = 0.3, v = 1 m/s, ω = 4 rad/s.
constexpr double kRadius = 0.5, kMu = 0.3, kSpin = 4, kInertia = 0.125;

struct DiscMotion {
  double x = 0, y = 0, turn = 0, vx = 1, vy = 0, omega = kSpin;
};

// Equal loads m g / n at given points of the disc (body axes), friction μ against each point's velocity: a small explicit
// integration until the disc stands; `stop` is when its speed has fallen below 1e-4 of the start.
double stop_time(const std::vector<Vector2d>& points, DiscMotion& s) {
  const double dt = 1e-6, load = kMu * kG / static_cast<double>(points.size());
  for (double t = 0; t < 2; t += dt) {
    if (std::hypot(s.vx, s.vy) + kRadius * std::abs(s.omega) < 1e-4) return t;
    double fx = 0, fy = 0, moment = 0;
    const double c = std::cos(s.turn), sn = std::sin(s.turn);
    for (const Vector2d& p : points) {
      const double rx = c * p.x() - sn * p.y(), ry = sn * p.x() + c * p.y();
      const double vx = s.vx - s.omega * ry, vy = s.vy + s.omega * rx, speed = std::hypot(vx, vy);
      if (speed == 0) continue;
      fx -= load * vx / speed, fy -= load * vy / speed;
      moment += load * (-rx * vy + ry * vx) / speed;
    }
    s.vx += dt * fx, s.vy += dt * fy, s.omega += dt * moment / kInertia;
    s.x += dt * s.vx, s.y += dt * s.vy, s.turn += dt * s.omega;
  }
  return 2;
}

// Steps until speed and spin are both, and either is, zero.
struct Stops {
  double slide = -1, spin = -1;
};
Stops stops(const MemoryRecorder& record, int spin_index) {
  Stops out;
  for (const Sample& s : record.samples) {
    if (out.slide < 0 && s.u.head<2>().norm() < 1e-9) out.slide = s.time;
    if (out.spin < 0 && std::abs(s.u[spin_index]) < 1e-9) out.spin = s.time;
  }
  return out;
}

TEST(TimeSteppingDisc, OnThreeFeetSlideAndSpinStopTogether) {
  std::vector<Vector3d> feet;
  std::vector<Vector2d> points;
  for (int k = 0; k < 3; ++k) {
    const double angle = 2 * std::numbers::pi * k / 3;
    points.emplace_back(kRadius * std::cos(angle), kRadius * std::sin(angle));
    feet.emplace_back(points.back().x(), points.back().y(), 0);
  }
  DiscMotion exact;
  const double t_exact = stop_time(points, exact);
  EXPECT_NEAR(t_exact, 0.5333, 1e-3);  // the oracle's points3_exact
  MassProperties mass;
  mass.mass = 1;
  mass.inertia = Vector3d(kInertia / 2, kInertia / 2, kInertia).asDiagonal();
  double last_error = 0;
  for (const double h : {4e-3, 1e-3}) {
    Scene scene = test::footed_body(mass, feet, 0, kMu, Scheme::stewart_trinkle, h, 0.7);
    scene.start.u << 1, 0, 0, 0, 0, kSpin;
    MemoryRecorder record;
    EXPECT_LE(simulate(scene, record).worst_certificate, scene.integrator.stepping.tolerance);
    const Stops s = stops(record, 5);
    EXPECT_EQ(s.slide, s.spin) << "slide and spin stop in the same step";
    EXPECT_NEAR(s.slide, t_exact, 2 * h);
    const double error = (record.samples.back().q.head<2>() - Vector2d(exact.x, exact.y)).norm();
    EXPECT_LT(error, 0.7 * h);  // half a step of the start's 1 m/s, and as much again for the curve
    if (last_error > 0) {
      EXPECT_NEAR(last_error / error, 4, 1) << "first order";
    }
    last_error = error;
  }
}

TEST(TimeSteppingDisc, UnderUniformPressureStopsAtTheKnownTimeAndRatio) {
  // Uniform pressure: stops at 0.6466 s with v/(R ω) → 0.653 (Farkas, Bartels, Unger & Wolf, Phys. Rev. Lett. 90, 2003).
  const double h = 1e-3;
  Scene scene = lab::disc_of_pads(7, h);  // 147 pads
  scene.integrator.stepping.tolerance = 1e-8;
  MemoryRecorder record;
  const RunSummary summary = simulate(scene, record);
  EXPECT_LE(summary.worst_certificate, 1e-8);
  const Stops s = stops(record, 2);
  EXPECT_EQ(s.slide, s.spin);
  EXPECT_NEAR(s.slide, 0.6466, 2 * h);
  // The ratio creeps to its limit as the square root of the time left: 0.606 at 0.1 m/s, 0.641 at 0.01 m/s.
  double ratio = 0;
  for (const Sample& sample : record.samples)
    if (sample.u.head<2>().norm() > 0.01) ratio = sample.u.head<2>().norm() / (kRadius * sample.u[2]);
  EXPECT_NEAR(ratio, 0.653, 0.015);
}

// ---- pendulums and joints --------------------------------------------------------------------------------------------------

// A point mass on a massless rod of 1 m, released horizontally: quarter period K(sin 45°) √(L/g).
const double kQuarter = 1.8540746773013719 / std::sqrt(kG);

double quarter_time(const MemoryRecorder& record, int coordinate, double sign) {
  for (std::size_t k = 1; k < record.samples.size(); ++k) {
    const double a = sign * record.samples[k - 1].q[coordinate], b = sign * record.samples[k].q[coordinate];
    if (a > 0 && b <= 0) return record.samples[k - 1].time + (record.samples[k].time - record.samples[k - 1].time) * a / (a - b);
  }
  return -1;
}

Scene tree_pendulum(Scheme scheme, double h, double duration) {
  ModelBuilder builder(World::planar);
  builder.gravity({0, -kG, 0}).body("bob", MassProperties::planar(1, {0, 0}, 0));
  JointSpec pin{.name = "pin", .kind = JointKind::revolute, .child = "bob"};
  pin.in_child.translation = {0, 1, 0};
  builder.joint(pin);
  Scene scene = test::empty_scene(builder.build(), scheme, h, duration);
  scene.start.q[0] = std::numbers::pi / 2;  // the bob at (1, 0); hangs at 0
  return scene;
}

// The same with a free bob held by a distance constraint.
Scene rod_pendulum(double h, double duration) {
  ModelBuilder builder(World::planar);
  builder.gravity({0, -kG, 0}).body("bob", MassProperties::planar(1, {0, 0}, 0.01));
  builder.joint({.name = "flight", .kind = JointKind::planar, .child = "bob"});
  builder.distance("rod", "bob", {0, 0, 0}, "ground", {0, 0, 0}, 1);
  Scene scene = test::empty_scene(builder.build(), Scheme::stewart_trinkle, h, duration);
  scene.start.q[0] = 1;
  return scene;
}

TEST(TimeSteppingPendulum, QuarterPeriodIsFirstOrderInTheStep) {
  const auto error = [](const Scene& scene) {
    MemoryRecorder record;
    EXPECT_EQ(simulate(scene, record).status, RunStatus::finished);
    return quarter_time(record, 0, 1) - kQuarter;
  };
  const double tree_coarse = error(tree_pendulum(Scheme::stewart_trinkle, 0.01, 0.8)), tree_fine = error(tree_pendulum(Scheme::stewart_trinkle, 0.0025, 0.8));
  EXPECT_NEAR(tree_coarse / tree_fine, 4, 0.5);
  EXPECT_LT(std::abs(tree_fine), 0.0025);
  const double rod_coarse = error(rod_pendulum(0.0025, 0.8)), rod_fine = error(rod_pendulum(0.000625, 0.8));
  EXPECT_NEAR(rod_coarse / rod_fine, 4, 0.5);
  EXPECT_LT(std::abs(rod_fine), 0.0025);
}

TEST(TimeSteppingPendulum, MoreauJeanAtOneHalfIsSecondOrder) {
  const auto error = [](double h) {
    MemoryRecorder record;
    (void)simulate(tree_pendulum(Scheme::moreau_jean, h, 0.8), record);
    // Compared at a fixed time with a fine run: the crossing's interpolation is itself second order.
    return record.samples.back().q[0];
  };
  const double fine = error(1.25e-4), coarse = std::abs(error(0.02) - fine), half = std::abs(error(0.01) - fine);
  EXPECT_NEAR(coarse / half, 4, 0.5);
}

TEST(TimeSteppingJoints, DriftStaysBoundedOverManySteps) {
  // A four-bar linkage driven by gravity for 1e5 steps: the loop's residual stays where the first swings put it.
  ModelBuilder builder(World::planar);
  builder.gravity({0, -kG, 0});
  for (const char* name : {"crank", "rocker"}) builder.body(name, MassProperties::planar(1, {0.5, 0}, 1.0 / 12));
  builder.joint({.name = "a", .kind = JointKind::revolute, .child = "crank"});
  JointSpec b{.name = "b", .kind = JointKind::revolute, .child = "rocker"};
  b.in_parent.translation = {1, 0, 0};
  builder.joint(b);
  const double crank = 0.3, rocker = 1.1;  // angles at the start
  const Vector2d pins = Vector2d(1 + 1.5 * std::cos(rocker), 1.5 * std::sin(rocker)) - Vector2d(std::cos(crank), std::sin(crank));
  builder.distance("coupler", "crank", {1, 0, 0}, "rocker", {1.5, 0, 0}, pins.norm());
  Scene scene = test::empty_scene(builder.build(), Scheme::stewart_trinkle, 1e-3, 100);
  scene.sampling = 0.01;
  scene.start.q << crank, rocker;
  MemoryRecorder record;
  const RunSummary summary = simulate(scene, record);
  EXPECT_EQ(summary.steps, 100000);
  Data data(scene.model);
  Eigen::VectorXd g;
  double early = 0, all = 0;
  for (const Sample& s : record.samples) {
    forward_kinematics(scene.model, s.q, data);
    constraint_residual(scene.model, data, s.q, g);
    all = std::max(all, g.cwiseAbs().maxCoeff());
    if (s.time <= 5) early = all;
  }
  // Per step the linearised rod errs by some (h v)² / (2 length) with v of a few m/s, and 0.2 of what is there is taken away.
  EXPECT_GT(early, 1e-9);
  EXPECT_LT(all, 1e-6 * 5 * 5 / 2 / 0.2);
  EXPECT_LE(all, 1.2 * early);
}

// ---- free motion -----------------------------------------------------------------------------------------------------------

TEST(TimeSteppingFreeMotion, GyroscopicTermHasTheSignThatKeepsAngularMomentum) {
  // J = diag(1, 2, 3), ω = (0.5, 1, 0.3): −ω × Jω keeps the angular momentum to first order, the + of the notes loses 22 % of it.
  const auto momentum = [](const Scene& scene, const Sample& s) {
    const Eigen::Matrix3d R = s.poses[0].rotation;
    return Vector3d(R * (scene.model.body(0).inertia * s.u.tail<3>()));
  };
  const auto drift = [&](Scheme scheme, double h) {
    ModelBuilder builder(World::spatial);
    MassProperties mass;
    mass.mass = 1, mass.inertia = Vector3d(1, 2, 3).asDiagonal();
    builder.body("body", mass).joint({.name = "flight", .kind = JointKind::free, .child = "body"});
    Scene weightless = test::empty_scene(builder.build(), scheme, h, 10);
    weightless.sampling = 0.1;
    weightless.start.u.tail<3>() = Vector3d(0.5, 1, 0.3);
    MemoryRecorder record;
    (void)simulate(weightless, record);
    const Vector3d L0 = momentum(weightless, record.samples.front());
    return (momentum(weightless, record.samples.back()) - L0).norm() / L0.norm();
  };
  const double coarse = drift(Scheme::stewart_trinkle, 0.01), fine = drift(Scheme::stewart_trinkle, 0.0025);
  EXPECT_LT(coarse, 0.03);
  EXPECT_NEAR(coarse / fine, 4, 0.8);
  EXPECT_LT(drift(Scheme::moreau_jean, 0.01), 1e-4);
}

TEST(TimeSteppingFreeMotion, EnergyAccountOfFreeFallErrsByTheSchemesOwnAmount) {
  // Stewart–Trinkle falls h g t / 2 too far: check = −m g² h t / 2 to rounding; Moreau–Jean at ½ is exact.
  for (const double h : {0.01, 0.005}) {
    Scene scene = test::lamina_box(0.5, Scheme::stewart_trinkle, h, 1);
    scene.start.q[2] = 50;
    MemoryRecorder record;
    const RunSummary summary = simulate(scene, record);
    EXPECT_NEAR(summary.energy.check, -kG * kG * h / 2, 1e-9);
    scene.integrator.stepping.scheme = Scheme::moreau_jean;
    EXPECT_NEAR(simulate(scene, record).energy.check, 0, 1e-9);
  }
}

// ---- contact -----------------------------------------------------------------------------------------------------------------

TEST(TimeSteppingContact, BoxDroppedFlatRestsOnTheFloorWithItsWholeWeight) {
  for (const int edges : {0, 4, 5, 8}) {
    Scene scene = test::lamina_box(0.5, Scheme::stewart_trinkle, 0.01, 1);
    scene.integrator.stepping.cone_edges = edges;
    scene.start.q[2] = 1;  // 0.5 above
    MemoryRecorder record;
    const RunSummary summary = simulate(scene, record);
    EXPECT_LE(summary.worst_certificate, 1e-11) << edges;
    EXPECT_NEAR(record.samples.back().q[2], 0.5, 1e-12);
    EXPECT_LT(record.samples.back().u.norm(), 1e-10);
    // All energy but that of the place is gone: m g 0.5 at the impact, which is what the account says.
    EXPECT_NEAR(summary.energy.impacts + summary.energy.contacts + summary.energy.check, -kG * 0.5, 1e-9);
    EXPECT_LT(summary.energy.impacts, -0.9 * kG * 0.5);
    EXPECT_GE(summary.events_by_kind[static_cast<std::size_t>(EventKind::contact_begins)], 3);
  }
}

TEST(TimeSteppingContact, PenetrationIsRecoveredWithoutEjection) {
  // 1 mm inside the floor, h = 1 ms. The Ψ/h of the notes would throw the box out at 1 m/s.
  Scene scene = test::lamina_box(0.5, Scheme::stewart_trinkle, 1e-3, 0.5);
  scene.start.q[2] = 0.5 - 1e-3;
  scene.integrator.stepping.stabilisation = 1;
  scene.integrator.stepping.recovery_speed = 0.01;
  MemoryRecorder record;
  (void)simulate(scene, record);
  double fastest = 0;
  for (const Sample& s : record.samples) fastest = std::max(fastest, std::abs(s.u[2]));
  EXPECT_LE(fastest, 1e-9);  // what is taken out of the configuration does not pass into the speeds
  EXPECT_NEAR(record.samples.back().q[2], 0.5, 1e-9);
}

TEST(TimeSteppingContact, BouncesFollowTheirRestitutionToFirstOrder) {
  const double height = 0.5, e = 0.7, first = std::sqrt(2 * height / kG);
  for (const Scheme scheme : {Scheme::moreau_jean, Scheme::anitescu_potra}) {
    for (const double h : {2e-3, 5e-4}) {
      MassProperties mass;
      mass.mass = 1, mass.inertia = 0.4 * 0.01 * Eigen::Matrix3d::Identity();
      Scene scene = test::footed_body(mass, {Vector3d::Zero()}, height, 0.2, scheme, h, first * (1 + e));  // the top after the first bounce
      scene.materials[0].e = e;
      MemoryRecorder record;
      const RunSummary summary = simulate(scene, record);
      const double top = record.samples.back().q[2];
      const double error = std::abs(top - e * e * height);
      EXPECT_LT(error, 3 * std::sqrt(2 * kG * height) * h) << static_cast<int>(scheme);
      EXPECT_NEAR(summary.energy.impacts, -(1 - e * e) * kG * height, 3 * kG * std::sqrt(2 * kG * height) * h);
    }
  }
}

TEST(TimeSteppingContact, MoreauJeanBouncesInTheStepThatWouldPierce) {
  // Wherever in a step the foot would meet the floor: the mean of −v and e v carries it in by (1 − e) v h/2 at most, where a bounce that waits
  // for the gap to be closed at the middle of a step lets it in by v h/2 more.
  const double h = 1e-3, v = 2, e = 0.8, most = v + 4 * kG * h;  // it falls for less than four steps
  for (int k = 0; k < 20; ++k) {
    MassProperties mass;
    mass.mass = 1, mass.inertia = 0.4 * 0.01 * Eigen::Matrix3d::Identity();
    Scene scene = test::footed_body(mass, {Vector3d::Zero()}, (3 + (k + 0.5) / 20) * v * h, 0, Scheme::moreau_jean, h, 0.01);
    scene.materials[0].e = e, scene.sampling = h;
    scene.start.u[2] = -v;
    MemoryRecorder record;
    const RunSummary summary = simulate(scene, record);
    for (const Sample& s : record.samples) EXPECT_GE(s.q[2], -0.5 * (1 - e) * most * h) << k << ", t = " << s.time;
    EXPECT_GE(summary.worst_gap, -0.5 * (1 - e) * most * h);
    EXPECT_GT(record.samples.back().u[2], e * v - kG * scene.duration);
    EXPECT_LT(record.samples.back().u[2], e * most);
  }
}

TEST(TimeSteppingContact, TwoBallsKeepTheirMomentum) {
  // A head-on collision with an offset, friction, two masses, no gravity: linear and angular momentum to rounding.
  ModelBuilder builder(World::spatial);
  MassProperties one, two;
  one.mass = 1, one.inertia = 0.004 * Eigen::Matrix3d::Identity();
  two.mass = 3, two.inertia = 0.012 * Eigen::Matrix3d::Identity();
  builder.body("one", one).body("two", two);
  for (const char* name : {"one", "two"}) builder.joint({.name = name, .kind = JointKind::free, .child = name});
  for (const Scheme scheme : {Scheme::stewart_trinkle, Scheme::anitescu_potra, Scheme::moreau_jean}) {
    Scene scene = test::empty_scene(builder.build(), scheme, 1e-3, 0.5);
    scene.materials[0].mu_s = scene.materials[0].mu_d = 0.3, scene.materials[0].e = 0.6;
    for (int k = 0; k < 2; ++k) {
      Collider ball;
      ball.name = k == 0 ? "first" : "second", ball.body = k, ball.shape = Sphere{0.1};
      scene.colliders.push_back(ball);
    }
    scene.start.q.segment<3>(0) = Vector3d(-0.3, 0.05, 0.01);
    scene.start.q.segment<3>(7) = Vector3d(0.3, 0, 0);
    scene.start.u << 2, 0, 0, 1, 3, -2, -1, 0, 0.1, 0, 5, 1;
    MemoryRecorder record;
    (void)simulate(scene, record);
    const auto momenta = [&](const Sample& s) {
      Eigen::Matrix<double, 6, 1> p = Eigen::Matrix<double, 6, 1>::Zero();
      for (int k = 0; k < 2; ++k) {
        const double m = k == 0 ? 1 : 3;
        const Vector3d v = s.u.segment<3>(6 * k), omega = s.poses[static_cast<std::size_t>(k)].rotation * s.u.segment<3>(6 * k + 3);
        p.head<3>() += m * v;
        p.tail<3>() += s.poses[static_cast<std::size_t>(k)].translation.cross(m * v) + 0.004 * m * omega;
      }
      return p;
    };
    EXPECT_GT((record.samples.back().u - scene.start.u).norm(), 1) << "they met";
    EXPECT_LT((momenta(record.samples.back()) - momenta(record.samples.front())).head<3>().norm(), 1e-12);
    // Angular momentum about the origin: impulses at the two witness points, a gap Ψ ≤ h v apart, along the same line.
    EXPECT_LT((momenta(record.samples.back()) - momenta(record.samples.front())).tail<3>().norm(), 0.01);
  }
}

TEST(TimeSteppingContact, TorsionalAndRollingFrictionStopSpinAndRoll) {
  // A ball spinning about the vertical: |α| = torsion m g / I; a ball rolling: a = −rolling g / (R (1 + I/(m R²))).
  const double radius = 0.1, torsion = 0.01, rolling = 0.005, h = 1e-3;
  MassProperties mass;
  mass.mass = 2;
  const double I = 0.4 * 2 * radius * radius;
  mass.inertia = I * Eigen::Matrix3d::Identity();
  for (const int edges : {0, 8}) {
    Scene scene = test::footed_body(mass, {Vector3d::Zero()}, radius, 0.5, Scheme::stewart_trinkle, h, 0.1);
    scene.integrator.stepping.cone_edges = edges;
    scene.colliders[0].shape = Sphere{radius};
    scene.materials[0].torsion = torsion, scene.materials[0].rolling = rolling;
    scene.start.u[5] = 10;
    MemoryRecorder spin;
    EXPECT_LE(simulate(scene, spin).worst_certificate, 1e-11);
    EXPECT_NEAR(spin.samples.back().u[5], 10 - torsion * 2 * kG / I * 0.1, 1e-9);
    scene.start.u.setZero();
    scene.start.u[0] = 1, scene.start.u[4] = 1 / radius;  // rolls along x
    MemoryRecorder roll;
    EXPECT_LE(simulate(scene, roll).worst_certificate, 1e-11);
    EXPECT_NEAR(roll.samples.back().u[0], 1 - rolling * kG / (radius * 1.4) * 0.1, 1e-9);
  }
}

// A rod that spins about its axis and turns slowly across it, free of forces: explicit gyroscopic torques multiply its energy by 1e15 here.
TEST(TimeSteppingMotion, ASpinningRodKeepsItsEnergy) {
  const Eigen::Vector3d half(0.1, 0.008, 0.008), square = half.cwiseProduct(half);
  MassProperties rod;
  rod.mass = 1, rod.inertia = Eigen::Vector3d(square.y() + square.z(), square.x() + square.z(), square.x() + square.y()).asDiagonal() * (1.0 / 3);
  for (const Scheme scheme : {Scheme::stewart_trinkle, Scheme::anitescu_potra, Scheme::moreau_jean}) {
    ModelBuilder builder(World::spatial);
    builder.gravity(Eigen::Vector3d::Zero()).body("rod", rod).joint({.name = "flight", .kind = JointKind::free, .child = "rod"});
    Scene scene = test::empty_scene(builder.build(), scheme, 1e-3, 1);
    scene.start.u.tail<3>() = Eigen::Vector3d(200, 5, 0);
    MemoryRecorder record;
    EXPECT_EQ(simulate(scene, record).status, RunStatus::finished);
    EXPECT_NEAR(record.samples.back().energy.kinetic / record.samples.front().energy.kinetic, 1, 1e-4) << name(scheme);
  }
}

// A flat face meets a flat wall just at the end of a step: all of it stops, whatever rounding says of its corners.
TEST(TimeSteppingMotion, AFaceStrikesAWallWithAllCorners) {
  for (const Scheme scheme : {Scheme::stewart_trinkle, Scheme::anitescu_potra, Scheme::moreau_jean})
    for (const double h : {1e-2, 1e-3}) {
      MassProperties mass;
      mass.mass = 1, mass.inertia = Eigen::Vector3d(0.01, 0.02, 0.02).asDiagonal();
      Scene scene = test::footed_body(mass, {{0.2, 0.1, -0.05}, {0.2, -0.1, -0.05}, {-0.2, 0.1, -0.05}, {-0.2, -0.1, -0.05}, {0.2, 0.1, 0.05}, {0.2, -0.1, 0.05}}, 0.05, 0, scheme, h, 1);
      Collider wall;
      wall.name = "wall", wall.shape = HalfSpace{};
      wall.in_body.rotation = Eigen::Quaterniond::FromTwoVectors(Eigen::Vector3d::UnitZ(), -Eigen::Vector3d::UnitX()).toRotationMatrix();
      wall.in_body.translation.x() = 1;
      scene.colliders.push_back(wall);
      scene.integrator.stepping.tolerance = 1e-8;
      scene.start.q[0] = 0.5, scene.start.u[0] = 1;
      MemoryRecorder record;
      (void)simulate(scene, record);
      EXPECT_LE(record.samples.back().u.norm(), 1e-6) << name(scheme) << ' ' << h;
      EXPECT_NEAR(record.samples.back().q[0], 0.8, 1.01 * h) << name(scheme) << ' ' << h;  // a step's way at the most
    }
}

// What lies strikes nothing by its rounding: boxes with restitution rest as those without.
TEST(TimeSteppingMotion, AStackWithRestitutionRests) {
  for (const Scheme scheme : {Scheme::anitescu_potra, Scheme::moreau_jean}) {
    Scene scene = lab::box_stack(5, 1e-3);
    scene.materials[0].e = 0.5;
    scene.integrator.stepping.scheme = scheme;
    scene.duration = 1;
    MemoryRecorder record;
    const RunSummary s = simulate(scene, record);
    EXPECT_LE(static_cast<double>(s.sweeps), 50.0 * static_cast<double>(s.steps)) << name(scheme);
    EXPECT_LE(s.worst_certificate, scene.integrator.stepping.tolerance) << name(scheme);
    EXPECT_LE((record.samples.back().q - record.samples.front().q).norm(), 1e-6) << name(scheme);
  }
}

}  // namespace
}  // namespace carom
