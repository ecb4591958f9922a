// A step allocates nothing once the greatest problem has been seen.

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "carom/lab/piles.hpp"
#include "support/counted_malloc.hpp"
#include "support/stepping_scenes.hpp"

#ifdef CAROM_COUNTS_MALLOC

namespace carom {
namespace {

using testing::allocations_after;
using testing::kSample;

constexpr Scheme kSchemes[] = {Scheme::moreau_jean, Scheme::anitescu_potra, Scheme::stewart_trinkle};

// A stack with friction polygons: ten unknowns and more per contact with eight edges.
Scene polygon_stack(int height, int edges) {
  Scene scene = lab::box_stack(height, 1e-3);
  scene.integrator.stepping.scheme = Scheme::stewart_trinkle;
  scene.integrator.stepping.cone_edges = edges;
  return scene;
}

// Two bodies on four feet each, tied to each other, slide over the floor and come to rest at 0.34 s.
Scene tied_sledges(Scheme scheme, int edges) {
  ModelBuilder builder(World::spatial);
  builder.gravity({0, 0, -test::kG});
  MassProperties mass;
  mass.mass = 2, mass.inertia = Eigen::Vector3d(0.1, 0.2, 0.3).asDiagonal();
  for (const char* name : {"front", "rear"}) builder.body(name, mass).joint({.name = name, .kind = JointKind::free, .child = name});
  builder.hinge("tie", "front", {-0.25, 0, 0}, {0, 0, 1}, "rear", {0.25, 0, 0}, {0, 0, 1});
  Scene scene = test::empty_scene(builder.build(), scheme, 1e-3, 1);
  scene.integrator.stepping.cone_edges = edges;
  scene.materials[0].mu_s = scene.materials[0].mu_d = 0.3;
  for (int body = 0; body < 2; ++body) {
    Collider feet;
    feet.name = body == 0 ? "front feet" : "rear feet", feet.body = body;
    feet.shape = PointSet{{{0.2, 0.2, -0.1}, {-0.2, 0.2, -0.1}, {-0.2, -0.2, -0.1}, {0.2, -0.2, -0.1}}};
    scene.colliders.push_back(feet);
    scene.start.q.segment<3>(7 * body) << (body == 0 ? 0.25 : -0.25), 0, 0.1;
    scene.start.u[6 * body] = 1;
  }
  test::add_floor(scene);
  return scene;
}

// A four-bar linkage in a vertical plane; the rocker's pin falls on a ledge and stays there.
Scene four_bar(Scheme scheme) {
  ModelBuilder builder(World::planar);
  builder.gravity({0, -test::kG, 0});
  for (const char* name : {"crank", "rocker"}) builder.body(name, MassProperties::planar(1, {0.5, 0}, 1.0 / 12));
  builder.joint({.name = "a", .kind = JointKind::revolute, .child = "crank"});
  JointSpec b{.name = "b", .kind = JointKind::revolute, .child = "rocker"};
  b.in_parent.translation = {1, 0, 0};
  builder.joint(b);
  const double crank = 0.3, rocker = 1.1;  // angles at the start
  const Eigen::Vector2d pins = Eigen::Vector2d(1 + 1.5 * std::cos(rocker), 1.5 * std::sin(rocker)) - Eigen::Vector2d(std::cos(crank), std::sin(crank));
  builder.distance("coupler", "crank", {1, 0, 0}, "rocker", {1.5, 0, 0}, pins.norm());
  Scene scene = test::empty_scene(builder.build(), scheme, 1e-3, 1);
  scene.materials[0].mu_s = scene.materials[0].mu_d = 0.3;
  Collider pin;
  pin.name = "pin", pin.body = 1, pin.shape = PointSet{{{1.5, 0, 0}}};
  scene.colliders.push_back(pin);
  test::add_floor(scene);
  scene.colliders.back().in_body.rotation = Eigen::Quaterniond::FromTwoVectors(Eigen::Vector3d::UnitZ(), Eigen::Vector3d::UnitY()).toRotationMatrix();
  scene.colliders.back().in_body.translation = {0, 1.31, 0};
  scene.start.q << crank, rocker;
  return scene;
}

TEST(TimeSteppingMemory, AStepAtRestAllocatesNothing) {
  EXPECT_LE(allocations_after(lab::box_stack(10, 1e-3), 0.5, 1), kSample);
}

TEST(TimeSteppingMemory, NewtonsMethodsKeepTheirMemory) {
  // A wall without the ball.
  Scene scene = lab::brick_wall(4, 4, 1e-3);
  scene.start.u.setZero();
  scene.start.q[7 * 16 + 1] = -5;
  scene.integrator.stepping.tolerance = 1e-10;
  Recorder silent;
  scene.duration = 0.1;
  for (const char* solver : {"interior-point", "augmented-lagrangian"}) {
    scene.integrator.stepping.solver = solver;
    EXPECT_GT(simulate(scene, silent).factorisations, 0) << solver;
    EXPECT_LE(allocations_after(scene, 0.3, 0.35), kSample) << solver;
  }
}

TEST(TimeSteppingMemory, LemkesMethodKeepsItsMemory) {
  for (const int edges : {3, 5, 8}) EXPECT_LE(allocations_after(polygon_stack(3, edges), 0.05, 0.1), kSample) << edges;
  // As many unknowns as it is given: the factors and blocks of matrix products do not fit the call stack.
  EXPECT_LE(allocations_after(polygon_stack(10, 8), 0.02, 0.03), kSample);
}

TEST(TimeSteppingMemory, LemkesMethodKeepsItsMemoryWhereBodiesSlide) {
  Scene scene = polygon_stack(1, 8);
  scene.start.u[0] = 2, scene.start.u[1] = 1;
  EXPECT_LE(allocations_after(scene, 0.1, 0.3), kSample);
}

TEST(TimeSteppingMemory, PolygonsOfSpinningAndRollingFrictionKeepTheirMemory) {
  for (const int edges : {5, 8}) {
    Scene scene = polygon_stack(3, edges);
    scene.materials[0].rolling = 0.01, scene.materials[0].torsion = 0.02;
    EXPECT_LE(allocations_after(scene, 0.05, 0.1), kSample) << edges;
  }
}

TEST(TimeSteppingMemory, AcceleratedSweepsKeepTheirMemory) {
  Scene scene = polygon_stack(14, 8);           // 560 unknowns
  scene.integrator.stepping.tolerance = 1e-10;  // which plain sweeps miss
  scene.integrator.stepping.max_sweeps = 300;
  EXPECT_LE(allocations_after(scene, 0.02, 0.04), kSample);
}

TEST(TimeSteppingMemory, LoopsKeepTheirMemory) {
  for (const Scheme scheme : kSchemes) {
    EXPECT_LE(allocations_after(four_bar(scheme), 0.05, 0.1), kSample) << "swings, scheme " << static_cast<int>(scheme);
    EXPECT_LE(allocations_after(four_bar(scheme), 0.8, 0.9), kSample) << "lies, scheme " << static_cast<int>(scheme);
    for (const double from : {0.1, 0.5})
      EXPECT_LE(allocations_after(tied_sledges(scheme, 0), from, from + 0.1), kSample) << "from " << from << ", scheme " << static_cast<int>(scheme);
  }
}

TEST(TimeSteppingMemory, LoopsWithPolygonsKeepTheirMemory) {
  for (const double from : {0.1, 0.5}) EXPECT_LE(allocations_after(tied_sledges(Scheme::stewart_trinkle, 8), from, from + 0.1), kSample) << from;
}

}  // namespace
}  // namespace carom

#endif
