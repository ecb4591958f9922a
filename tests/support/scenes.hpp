#pragma once
// Small scenes, said in C++, for tests of the simulators.

#include <Eigen/Geometry>
#include <numbers>

#include "carom/model/builder.hpp"
#include "carom/simulate/scene.hpp"

namespace carom::testing {

inline constexpr double kGravity = 9.81;

inline Material material(double mu_s, double mu_d, double e) {
  Material m;
  m.name = "stuff";
  m.mu_s = mu_s, m.mu_d = mu_d, m.e = e;
  return m;
}

inline std::string numbered(std::string name, std::size_t i) {
  name += std::to_string(i);
  return name;
}

inline Collider on(std::string name, int body, Shape shape, Placement in_body = {}) {
  Collider c;
  c.name = std::move(name), c.body = body, c.shape = std::move(shape), c.in_body = std::move(in_body);
  return c;
}

// The half-space below a plane: planar through the origin with normal at `angle` from y; spatial with normal z.
inline Collider floor_plane(double height = 0, double angle = 0) {
  Placement p;
  p.rotation = Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitZ()).toRotationMatrix();
  p.translation = p.rotation * Eigen::Vector3d(0, height, 0);
  return on("floor", kGround, HalfSpace{}, p);
}
inline Collider ground_plane(double height = 0) { return on("floor", kGround, HalfSpace{}, {Eigen::Matrix3d::Identity(), {0, 0, height}}); }

inline Scene make_scene(Model model, std::vector<Collider> colliders, Material m, double duration) {
  State start{neutral(model), Eigen::VectorXd::Zero(model.nv())};
  Scene scene{.model = std::move(model), .start = start};
  scene.materials = {m};
  scene.colliders = std::move(colliders);
  scene.duration = duration;
  return scene;
}

// Free bodies in a planar or spatial world, one joint each.
inline Model free_bodies(World world, std::vector<MassProperties> bodies, const Eigen::Vector3d& gravity) {
  ModelBuilder builder(world);
  builder.gravity(gravity);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const std::string name = numbered("body", i);
    builder.body(name, bodies[i]);
    builder.joint({.name = name, .kind = world == World::planar ? JointKind::planar : JointKind::free, .child = name});
  }
  return builder.build();
}

inline MassProperties solid_sphere(double mass, double radius) {
  return {mass, Eigen::Vector3d::Zero(), 0.4 * mass * radius * radius * Eigen::Matrix3d::Identity()};
}
inline MassProperties solid_box(double mass, const Eigen::Vector3d& half) {
  const Eigen::Vector3d s = half.cwiseProduct(half) * (mass / 3);
  return {mass, Eigen::Vector3d::Zero(), Eigen::Vector3d(s.y() + s.z(), s.x() + s.z(), s.x() + s.y()).asDiagonal()};
}
inline MassProperties rectangle(double mass, double half_x, double half_y) {
  return MassProperties::planar(mass, {0, 0}, mass * (half_x * half_x + half_y * half_y) / 3);
}

// Morgan's double pendulum of rods (length and mass 1) whose end strikes a floor at y = −h (runs of tests/reference/data/planar.json).
inline Scene double_pendulum(double q1_deg, double q2_deg, double h, double mu, double e, double duration) {
  const MassProperties rod = MassProperties::planar(1, {0.5, 0}, 1.0 / 12);
  const double degree = std::numbers::pi / 180;
  Scene scene = make_scene(ModelBuilder(World::planar)
                               .gravity({0, -kGravity, 0})
                               .body("upper", rod)
                               .body("lower", rod)
                               .joint({.name = "shoulder", .kind = JointKind::revolute, .child = "upper"})
                               .joint({.name = "elbow", .kind = JointKind::revolute, .parent = "upper", .child = "lower", .in_parent = {Eigen::Matrix3d::Identity(), {1, 0, 0}}})
                               .build(),
                           {on("tip", 1, PointSet{{{1, 0, 0}}}), floor_plane(-h)}, material(mu, mu, e), duration);
  scene.start.q = Eigen::Vector2d(q1_deg, q2_deg) * degree;
  scene.law = {"routh", "stronge", {}};
  return scene;
}

}  // namespace carom::testing
