// Sliding to rest: distance and its error in h, the excess of polygonal cones, none of the exact cone; per-contact direction counts.

#include <gtest/gtest.h>

#include <numbers>

#include "carom/simulate/simulate.hpp"
#include "support/stepping_scenes.hpp"

namespace carom {
namespace {

using Eigen::Vector2d;
using test::kG;

struct Slide {
  Vector2d displacement;
  RunSummary summary;
};

Slide slide(Scene scene) {
  MemoryRecorder record;
  const RunSummary summary = simulate(scene, record);
  EXPECT_EQ(summary.status, RunStatus::finished) << summary.reason;
  EXPECT_LE(summary.worst_certificate, scene.integrator.stepping.tolerance);
  return {(record.samples.back().q - record.samples.front().q).head<2>(), summary};
}

// v_k = v0 − k μ g h while positive, x = h Σ v_k: what an exact solution of every step gives. Differs from v0²/(2 μ g) by
// −h v0/2 and a remainder of the order h².
double discrete_distance(double v0, double mu, double h) {
  double x = 0;
  for (double v = v0 - mu * kG * h; v > 0; v -= mu * kG * h) x += h * v;
  return x;
}

TEST(TimeSteppingSliding, DistanceIsTheDiscreteSumAndApproachesTheExactOneAsHalfAStepOfSpeed) {
  const double v0 = 3, mu = 0.5, exact = v0 * v0 / (2 * mu * kG);
  for (const double h : {0.01, 0.005, 0.0025}) {
    Scene scene = test::lamina_box(mu, Scheme::stewart_trinkle, h, 0.8);
    scene.start.u[0] = v0;
    const double x = slide(scene).displacement.x();
    EXPECT_NEAR(x, discrete_distance(v0, mu, h), 1e-9);
    EXPECT_NEAR(x - exact, -0.5 * h * v0, mu * kG * h * h);
  }
}

TEST(TimeSteppingSliding, ExactConeStopsEquallyFarInEveryDirection) {
  const double mu = 0.4, h = 0.005;
  for (int k = 0; k < 16; ++k) {
    const double angle = 0.1 + 2 * std::numbers::pi * k / 16;
    const Vector2d v0 = 2 * Vector2d(std::cos(angle), std::sin(angle));
    const Vector2d x = slide(test::sliding_point(mu, v0, Scheme::stewart_trinkle, h, 0.7)).displacement;
    EXPECT_NEAR(x.norm(), discrete_distance(2, mu, h), 1e-9);
    EXPECT_NEAR(std::atan2(x.y(), x.x()), std::remainder(angle, 2 * std::numbers::pi), 1e-9);
  }
}

// Continuous motion under the polygonal cone with n vertices, start at angle φ from the vertex direction, |φ| ≤ α = π/n, in
// units of v0²/(2 μ g) = 1 (v0 = 1, μ g = ½): friction is −½ along the vertex until the velocity lies midway between two
// vertices, then −½ cos α along that bisector.
double polygon_distance(int n, double phi) {
  const double alpha = std::numbers::pi / n, mu_g = 0.5;
  const double along = std::cos(phi), across = std::abs(std::sin(phi));
  const double t1 = (along - across / std::tan(alpha)) / mu_g;
  const Vector2d first(along * t1 - 0.5 * mu_g * t1 * t1, across * t1);
  const double speed = across / std::sin(alpha), rest = speed * speed / (2 * mu_g * std::cos(alpha));
  return (first + rest * Vector2d(std::cos(alpha), std::sin(alpha))).norm();
}

TEST(TimeSteppingSliding, PolygonalConeOvershootsAsItsEdgesTell) {
  const double mu = 0.5, v0 = 2, h = 0.002, exact = v0 * v0 / (2 * mu * kG);
  // Worst and mean excess over directions: of the motion in closed form, and the rounded figures known for it, each good to
  // one unit of its last digit.
  struct Known {
    int edges;
    double worst, worst_digit, mean, mean_digit;
  };
  for (const auto& [edges, worst, worst_digit, mean, mean_digit] :
       {Known{4, 0.41, 0.01, 0.22, 0.01}, Known{6, 0.15, 0.01, 0.08, 0.01}, Known{8, 0.08, 0.01, 0.044, 0.001}, Known{16, 0.02, 0.01, 0.011, 0.001},
        Known{32, 0.005, 0.001, 0.0026, 0.0001}}) {
    const double alpha = std::numbers::pi / edges;
    double most = 0, sum = 0;
    const int fine = 2000;
    for (int k = 0; k < fine; ++k) {
      const double ratio = polygon_distance(edges, alpha * (k + 0.5) / fine);
      most = std::max(most, ratio), sum += ratio / fine;
    }
    EXPECT_NEAR(most, 1 / std::cos(alpha), 1e-3 * (1 / std::cos(alpha) - 1)) << edges;
    EXPECT_NEAR(most - 1, worst, worst_digit) << edges;
    EXPECT_NEAR(sum - 1, mean, mean_digit) << edges;
    // The stepper against the closed form, direction by direction; −h v0/2 is the error of the step itself.
    for (const double part : {0.0, 0.3, 0.7, 1.0}) {
      const double phi = alpha * part, turned = 2 * std::numbers::pi / edges * 1 + phi;
      Scene scene = test::sliding_point(mu, v0 * Vector2d(std::cos(turned), std::sin(turned)), Scheme::stewart_trinkle, h, 0.75);
      scene.integrator.stepping.cone_edges = edges;
      const double distance = slide(scene).displacement.norm();
      EXPECT_NEAR(distance / exact, polygon_distance(edges, phi), 2 * h * v0 / exact) << edges << " edges, part " << part;
      if (part == 1.0) {
        EXPECT_NEAR(distance, discrete_distance(v0, mu * std::cos(alpha), h), 1e-9) << edges;
      }
    }
  }
}

TEST(TimeSteppingSliding, OddNumbersOfDirectionsSlideFarthestAgainstTheMiddleOfASide) {
  for (const int edges : {3, 5, 7}) {
    const double alpha = std::numbers::pi / edges, mu = 0.5, h = 0.002;
    Scene scene = test::sliding_point(mu, 2 * Vector2d(std::cos(alpha), std::sin(alpha)), Scheme::stewart_trinkle, h, 1.2);
    scene.integrator.stepping.cone_edges = edges;
    // Friction opposes the velocity, so it is −v that lies on a vertex or a side: for odd counts −(middle of a side) is a vertex.
    EXPECT_NEAR(slide(scene).displacement.norm(), discrete_distance(2, mu, h), 1e-9) << edges;
    scene.start.u.head<2>() = Vector2d(2, 0);
    EXPECT_NEAR(slide(scene).displacement.norm(), discrete_distance(2, mu * std::cos(alpha), h), 1e-9) << edges;
  }
}

TEST(TimeSteppingSliding, EveryContactMayHaveItsOwnNumberOfDirections) {
  // Two points with 4 and 8 directions slide at 22.5°: for 8 that is the middle of a side, for 4 it is not.
  const double mu = 0.5, h = 0.005, angle = std::numbers::pi / 8;
  ModelBuilder builder(World::spatial);
  MassProperties mass;
  mass.mass = 1;
  mass.inertia = Eigen::Matrix3d::Identity();
  builder.gravity({0, 0, -kG});
  for (const char* name : {"four", "eight"}) builder.body(name, mass).joint({.name = name, .kind = JointKind::free, .child = name});
  Scene scene = test::empty_scene(builder.build(), Scheme::stewart_trinkle, h, 0.75);
  scene.integrator.stepping.cone_edges = 8;
  scene.materials.resize(2);
  for (Material& m : scene.materials) m.mu_s = m.mu_d = mu;
  scene.materials[1].cone_edges = 4;
  for (int k = 0; k < 2; ++k) {
    Collider foot;
    foot.name = k == 0 ? "foot of four" : "foot of eight";
    foot.body = k;
    foot.shape = PointSet{{Eigen::Vector3d::Zero()}};
    foot.material = k == 0 ? 1 : 0;
    scene.colliders.push_back(foot);
    scene.start.u.segment<2>(6 * k) = 2 * Vector2d(std::cos(angle), std::sin(angle));
    scene.start.q[7 * k + 1] = 5 * k;
  }
  test::add_floor(scene);
  MemoryRecorder record;
  const RunSummary summary = simulate(scene, record);
  EXPECT_LE(summary.worst_certificate, 1e-11);
  const Eigen::VectorXd moved = record.samples.back().q - record.samples.front().q;
  EXPECT_NEAR(moved.segment<2>(7).norm(), discrete_distance(2, mu * std::cos(angle), h), 1e-9);
  const double exact = 4 / (2 * mu * kG);
  EXPECT_NEAR(moved.head<2>().norm() / exact, polygon_distance(4, angle), 2 * h * 2 / exact);
}

TEST(TimeSteppingSliding, StaticFrictionHoldsUntilItBreaksAndKineticFrictionSlides) {
  // A push that grows slowly: motion begins when it passes μ_s m g, not μ_d m g.
  Scene scene = test::sliding_point(0.4, Vector2d::Zero(), Scheme::stewart_trinkle, 1e-3, 1);
  scene.materials[0].mu_s = 0.6;
  Push push;
  push.force[0].rate = 2 * kG;  // reaches μ_s m g = 1.2 g after 0.6 s, μ_d m g after 0.4 s
  scene.forces.pushes.push_back(push);
  MemoryRecorder record;
  (void)simulate(scene, record);
  for (const Sample& s : record.samples) {
    if (s.time < 0.599) {
      EXPECT_LT(std::abs(s.u[0]), 1e-12) << s.time;
    }
  }
  // From then on m v̇ = 2 g t − 0.8 g: v(1) = ½·g·(1 − 0.36) − 0.4 g·0.4 with m = 2.
  EXPECT_NEAR(record.samples.back().u[0], 0.5 * kG * (1 - 0.36) - 0.4 * kG * 0.4, 0.02);
}

TEST(TimeSteppingSliding, DampersKnowThatContactsLast) {
  // A motor with a damper drives a ball on a rail, which pushes another: (m + M) v̇ = F − c v. Taken at a speed that knows of no contact the damper is
  // off by c θ h F M/(m (m + M)), of first order in h.
  const double m = 0.5, M = 2, F = 4, c = 4, t = 1, exact = F / c * (1 - std::exp(-c * t / (m + M)));
  double errors[2];
  for (int k = 0; k < 2; ++k) {
    ModelBuilder builder(World::spatial);
    const auto ball = [&](const char* name, double mass) {
      builder.body(name, {.mass = mass, .com = Eigen::Vector3d::Zero(), .inertia = Eigen::Matrix3d::Identity()});
      builder.joint({.name = name, .kind = JointKind::prismatic, .child = name, .axis = Eigen::Vector3d::UnitX()});
    };
    ball("hand", m), ball("load", M);
    Scene scene = test::empty_scene(builder.build(), Scheme::moreau_jean, k == 0 ? 0.02 : 0.01, t);
    for (const int body : {0, 1}) {
      Collider collider;
      collider.name = body == 0 ? "hand" : "load", collider.body = body, collider.shape = Sphere{0.5};
      scene.colliders.push_back(collider);
    }
    scene.start.q[1] = 1;
    JointForce motor;
    motor.freedom = 0, motor.torque.offset = F, motor.damping = c;
    scene.forces.joints.push_back(motor);
    MemoryRecorder record;
    simulate(scene, record);
    EXPECT_NEAR(record.samples.back().u[0], record.samples.back().u[1], 1e-9);
    errors[k] = std::abs(record.samples.back().u[1] - exact);
  }
  EXPECT_LT(errors[0], 5e-4);
  EXPECT_GT(errors[0], 3.5 * errors[1]);
}

}  // namespace
}  // namespace carom
