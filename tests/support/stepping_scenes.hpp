#pragma once
// Small scenes for the tests of time-stepping, each with a closed form.

#include <cmath>
#include <string>
#include <vector>

#include "carom/model/builder.hpp"
#include "carom/simulate/record.hpp"
#include "carom/simulate/scene.hpp"

namespace carom::test {

inline constexpr double kG = 9.81;

inline Scene empty_scene(Model model, Scheme scheme, double h, double duration) {
  Scene scene{.model = std::move(model), .start = {}};
  scene.start.q = neutral(scene.model);
  scene.start.u = Eigen::VectorXd::Zero(scene.model.nv());
  scene.materials.emplace_back();
  scene.integrator.time_stepping = true;
  scene.integrator.stepping.scheme = scheme;
  scene.integrator.stepping.step = h;
  scene.integrator.stepping.tolerance = 1e-11;
  scene.duration = duration;
  scene.sampling = h;
  return scene;
}

inline void add_floor(Scene& scene, int material = 0) {
  Collider floor;
  floor.name = "floor";
  floor.shape = HalfSpace{};
  floor.material = material;
  scene.colliders.push_back(floor);
}

// A free body with the given feet, its frame at the centre of mass, `height` above the floor.
inline Scene footed_body(const MassProperties& mass, const std::vector<Eigen::Vector3d>& feet, double height, double mu, Scheme scheme, double h,
                         double duration) {
  ModelBuilder builder(World::spatial);
  builder.gravity({0, 0, -kG}).body("body", mass).joint({.name = "flight", .kind = JointKind::free, .child = "body"});
  Scene scene = empty_scene(builder.build(), scheme, h, duration);
  scene.materials[0].mu_s = scene.materials[0].mu_d = mu;
  Collider points;
  points.name = "feet";
  points.body = 0;
  points.shape = PointSet{feet};
  scene.colliders.push_back(points);
  add_floor(scene);
  scene.start.q[2] = height;
  return scene;
}

// A point mass (with some inertia that nothing turns) sliding on the floor.
inline Scene sliding_point(double mu, const Eigen::Vector2d& v, Scheme scheme, double h, double duration) {
  MassProperties mass;
  mass.mass = 2;
  mass.inertia = 0.3 * Eigen::Matrix3d::Identity();
  Scene scene = footed_body(mass, {Eigen::Vector3d::Zero()}, 0, mu, scheme, h, duration);
  scene.start.u.head<2>() = v;
  return scene;
}

// The box of the notes: m = 1, J = diag(1, 2, 3), four feet, centre of mass 0.5 above the floor.
inline Scene lamina_box(double mu, Scheme scheme, double h, double duration) {
  MassProperties mass;
  mass.mass = 1;
  mass.inertia = Eigen::Vector3d(1, 2, 3).asDiagonal();
  const double a = std::sqrt(6.0), b = std::sqrt(3.0);  // half edges whose lamina has these moments
  return footed_body(mass, {{a, b, -0.5}, {-a, b, -0.5}, {-a, -b, -0.5}, {a, -b, -0.5}}, 0.5, mu, scheme, h, duration);
}

}  // namespace carom::test
