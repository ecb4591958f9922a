#include "carom/lab/reproduce/trinkle_scenes.hpp"

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "carom/model/builder.hpp"

namespace carom::lab {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::Vector3d;

MassProperties mass_of(double mass, const Vector3d& moments) {
  MassProperties out;
  out.mass = mass;
  out.inertia = moments.asDiagonal();
  return out;
}

MassProperties solid_box(double mass, const Vector3d& half) {
  const Vector3d s = half.cwiseProduct(half);
  return mass_of(mass, mass / 3 * Vector3d(s.y() + s.z(), s.x() + s.z(), s.x() + s.y()));
}

Scene stepped(std::string name, Model model, double h, double duration) {
  Scene scene{.name = std::move(name), .description = "", .model = std::move(model), .start = {}};
  scene.start.q = neutral(scene.model);
  scene.start.u = Eigen::VectorXd::Zero(scene.model.nv());
  scene.integrator.time_stepping = true;
  scene.integrator.stepping.step = h;
  scene.integrator.stepping.tolerance = 1e-10;
  scene.duration = duration;
  scene.sampling = h;
  return scene;
}

int add_material(Scene& scene, std::string name, double mu) {
  Material m;
  m.name = std::move(name);
  m.mu_s = m.mu_d = mu;
  scene.materials.push_back(m);
  return static_cast<int>(scene.materials.size()) - 1;
}

void add_pair(Scene& scene, int a, int b, double mu, int edges = 0) {
  MaterialPair pair{a, b, {}};
  pair.together.mu_s = pair.together.mu_d = mu;
  pair.together.cone_edges = edges;
  scene.pairs.push_back(pair);
}

Collider& add(Scene& scene, std::string name, int body, Shape shape, int material) {
  Collider c;
  c.name = std::move(name), c.body = body, c.shape = std::move(shape), c.material = material;
  scene.colliders.push_back(c);
  return scene.colliders.back();
}

Model one_free_body(const MassProperties& mass, double gravity) {
  ModelBuilder builder(World::spatial);
  builder.gravity({0, 0, -gravity}).body("body", mass).joint({.name = "flight", .kind = JointKind::free, .child = "body"});
  return builder.build();
}

// A half-space that fills the side to which `outward` does not point, through `point`.
void add_wall(Scene& scene, std::string name, const Vector3d& outward, const Vector3d& point, int material) {
  Collider& wall = add(scene, std::move(name), kGround, HalfSpace{}, material);
  wall.in_body.rotation = Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), outward).toRotationMatrix();
  wall.in_body.translation = point;
}

}  // namespace

Scene blimp(double mu, double h) {
  Scene scene = stepped("blimp", one_free_body(mass_of(1, Vector3d::Constant(0.4)), kGravity), h, 20);
  const int skin = add_material(scene, "skin", mu);
  add(scene, "hull", 0, Sphere{1}, skin);
  add_wall(scene, "front", -Vector3d::UnitX(), {5, 0, 0}, skin);
  add_wall(scene, "left", -Vector3d::UnitY(), {0, 4, 0}, skin);
  add_wall(scene, "ceiling", -Vector3d::UnitZ(), {0, 0, 3}, skin);
  Push thrust;
  thrust.force[0].offset = 0.6, thrust.force[1].offset = 0.5, thrust.force[2].offset = 0.4 + kGravity;  // buoyancy included
  scene.forces.pushes.push_back(thrust);
  scene.forces.drags.push_back({.body = 0, .linear = 0.5, .quadratic = 0, .angular = 0.5});
  return scene;
}

Scene disc_of_pads(int rings, double h) {
  const double radius = 0.5;
  ModelBuilder builder(World::spatial);
  builder.gravity({0, 0, -kGravity}).body("carrier", mass_of(1e-6, Vector3d::Constant(1e-7)));
  builder.joint({.name = "carrier", .kind = JointKind::planar, .child = "carrier"});
  std::vector<Vector2d> places;
  for (int ring = 0; ring < rings; ++ring) {  // pads of equal area at their ring's radius of gyration
    const int count = 6 * ring + 3;
    const double r = radius / rings * std::sqrt(0.5 * (ring * ring + (ring + 1) * (ring + 1)));
    for (int k = 0; k < count; ++k) {
      const double angle = 2 * std::numbers::pi * (k + 0.5 * (ring % 2)) / count;
      places.emplace_back(r * std::cos(angle), r * std::sin(angle));
    }
  }
  for (std::size_t k = 0; k < places.size(); ++k) {
    const std::string name = "pad" + std::to_string(k);
    JointSpec guide{.name = name, .kind = JointKind::prismatic, .parent = "carrier", .child = name};
    guide.in_parent.translation = {places[k].x(), places[k].y(), 0};
    builder.body(name, mass_of(1.0 / static_cast<double>(places.size()), Vector3d::Constant(1e-9))).joint(guide);
  }
  Scene scene = stepped("disc", builder.build(), h, 0.7);
  const int felt = add_material(scene, "felt", 0.3);
  for (std::size_t k = 0; k < places.size(); ++k) {
    const std::string name = "pad" + std::to_string(k);
    add(scene, name, scene.model.body_index(name), PointSet{{Vector3d::Zero()}}, felt);
  }
  add(scene, "floor", kGround, HalfSpace{}, felt);
  scene.start.u.head<3>() = Vector3d(1, 0, 4);
  return scene;
}

Scene notes_box(double mu, double h, const std::array<int, 4>& edges) {
  Scene scene = stepped("box", one_free_body(mass_of(1, {1, 2, 3}), kGravity), h, 1);
  const int floor = add_material(scene, "floor", mu);
  const double a = std::sqrt(6.0), b = std::sqrt(3.0);
  const std::array<Vector3d, 4> feet{{{a, b, -0.5}, {-a, b, -0.5}, {-a, -b, -0.5}, {a, -b, -0.5}}};
  for (std::size_t k = 0; k < 4; ++k) {
    const std::string name = "foot" + std::to_string(k);
    const int own = add_material(scene, name, mu);
    add_pair(scene, own, floor, mu, edges[k]);
    add(scene, name, 0, PointSet{{feet[k]}}, own);
  }
  add(scene, "floor", kGround, HalfSpace{}, floor);
  if (edges[0] > 0) scene.integrator.stepping.cone_edges = 8;
  scene.start.q[2] = 0.5;
  return scene;
}

Scene pushed_box(double mu_pusher, double h) {
  Scene scene = stepped("pusher", one_free_body(mass_of(1, {1, 2, 3}), kGravity), h, 1);
  const int box = add_material(scene, "box", 0), floor = add_material(scene, "floor", 0), pusher = add_material(scene, "pusher", 0);
  add_pair(scene, box, floor, 0.4), add_pair(scene, box, pusher, mu_pusher);
  const Vector3d half(std::sqrt(6.0), std::sqrt(3.0), 0.5);
  add(scene, "box", 0, Box{half}, box);
  add(scene, "floor", kGround, HalfSpace{}, floor);
  Collider& points = add(scene, "pusher", kGround, PointSet{{{-half.x() - 0.1, 1, 0.5}, {-half.x() - 0.1, -1, 0.5}}}, pusher);
  points.drive = Drive{};
  points.drive->x.rate = 0.5;
  scene.start.q[2] = 0.5;
  return scene;
}

Scene mobile_robot(double left, double right, bool ball, double h) {
  ModelBuilder builder(World::spatial);
  const Vector3d half(0.3, 0.25, 0.05);
  builder.gravity({0, 0, -kGravity}).body("chassis", solid_box(5, half));
  builder.joint({.name = "chassis", .kind = JointKind::free, .child = "chassis"});
  if (ball) builder.body("ball", mass_of(0.5, Vector3d::Constant(0.4 * 0.5 * 0.01))).joint({.name = "ball", .kind = JointKind::free, .child = "ball"});
  Scene scene = stepped("robot", builder.build(), h, 3);
  const int tyre = add_material(scene, "tyre", 0), caster = add_material(scene, "caster", 0), floor = add_material(scene, "floor", 0), shell = add_material(scene, "shell", 0);
  add_pair(scene, tyre, floor, 0.8), add_pair(scene, caster, floor, 0.1), add_pair(scene, shell, floor, 0.5), add_pair(scene, shell, caster, 0);
  const int chassis = scene.model.body_index("chassis");
  // The axle lies 0.1 m behind the centre of mass, the caster 0.2 m before it: equal loads.
  for (const bool is_left : {true, false}) {
    Collider& wheel = add(scene, is_left ? "left wheel" : "right wheel", chassis, PointSet{{Vector3d(-0.1, is_left ? kTrack / 2 : -kTrack / 2, -0.1)}}, tyre);
    wheel.surface_velocity = {is_left ? -left : -right, 0, 0};
  }
  add(scene, "caster", chassis, PointSet{{Vector3d(0.2, 0, -0.1)}}, caster);
  add(scene, "floor", kGround, HalfSpace{}, floor);
  scene.start.q[2] = 0.1;
  if (ball) {
    add(scene, "bumper", chassis, Box{half}, caster);
    add(scene, "ball", scene.model.body_index("ball"), Sphere{0.1}, shell);
    scene.start.q.segment<3>(scene.model.joint(scene.model.body_index("ball")).q_index) = Vector3d(0.45, 0, 0.1);
  }
  return scene;
}

Scene prismatic_incline(World world, double h) {
  ModelBuilder builder(world);
  const Vector3d down(std::cos(std::numbers::pi / 6), -std::sin(std::numbers::pi / 6), 0);
  builder.gravity({0, -kGravity, 0}).body("slider", mass_of(1, Vector3d::Constant(0.1)));
  builder.joint({.name = "rail", .kind = JointKind::prismatic, .child = "slider", .axis = down});
  return stepped("incline", builder.build(), h, 1);
}

Scene prismatic_pair(World world, JointAs joint, double h) {
  const bool planar = world == World::planar;
  const JointKind flight = planar ? JointKind::planar : JointKind::free;
  ModelBuilder builder(world);
  builder.body("first", mass_of(1, Vector3d::Constant(0.2))).body("second", mass_of(2, Vector3d::Constant(0.3)));
  builder.joint({.name = "first", .kind = flight, .child = "first"});
  if (joint == JointAs::coordinate) builder.joint({.name = "second", .kind = JointKind::prismatic, .parent = "first", .child = "second", .axis = Vector3d::UnitX()});
  else builder.joint({.name = "second", .kind = flight, .child = "second"}).slider("rail", "second", {}, "first", {});
  Scene scene = stepped("pair", builder.build(), h, 2);
  // The centre of mass rests: the first body moves back at 2/3 · 0.2 and down at 2/3 · 1 m/s, the second with half of that.
  const Joint& second = scene.model.joint(scene.model.body_index("second"));
  const int spin = planar ? 2 : 5;
  scene.start.u[0] = -0.2 * 2 / 3, scene.start.u[1] = -1.0 * 2 / 3, scene.start.u[spin] = 1;
  scene.start.q[second.q_index] = 1;
  if (joint == JointAs::coordinate) scene.start.u[second.u_index] = 0.2;
  else scene.start.u[second.u_index] = 0.2 / 3, scene.start.u[second.u_index + 1] = 1.0 / 3, scene.start.u[second.u_index + spin] = 1;
  return scene;
}

double separation(const Scene& pair, const Eigen::VectorXd& q) {
  const Joint& second = pair.model.joint(pair.model.body_index("second"));
  if (second.kind == JointKind::prismatic) return q[second.q_index];
  return (q.segment<2>(second.q_index) - q.head<2>()).norm();
}

Scene block_on_slab(double force, double h) {
  ModelBuilder builder(World::spatial);
  const Vector3d slab_half(1, 0.5, 0.1), block_half(0.1, 0.1, 0.1);
  builder.gravity({0, 0, -kGravity}).body("slab", solid_box(2, slab_half)).body("block", solid_box(1, block_half));
  for (const char* name : {"slab", "block"}) builder.joint({.name = name, .kind = JointKind::free, .child = name});
  Scene scene = stepped("slab", builder.build(), h, 0.5);
  const int wood = add_material(scene, "wood", 0), ice = add_material(scene, "ice", 0);
  add_pair(scene, wood, wood, 0.3), add_pair(scene, wood, ice, 0);
  add(scene, "slab", scene.model.body_index("slab"), Box{slab_half}, wood);
  add(scene, "block", scene.model.body_index("block"), Box{block_half}, wood);
  add(scene, "floor", kGround, HalfSpace{}, ice);
  scene.start.q[scene.model.joint(scene.model.body_index("slab")).q_index + 2] = 0.1;
  scene.start.q[scene.model.joint(scene.model.body_index("block")).q_index + 2] = 0.3;
  Push pull;
  pull.body = scene.model.body_index("slab");
  pull.force[0].offset = force;
  scene.forces.pushes.push_back(pull);
  return scene;
}

}  // namespace carom::lab
