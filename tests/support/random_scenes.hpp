#pragma once
// Random scenes: 2 to 10 bodies of mixed shapes fall into a box, in the plane or in space, with random materials.

#include <Eigen/Geometry>

#include "carom/math/counter_rng.hpp"
#include "support/scenes.hpp"

namespace carom::testing {

inline Shape random_shape(World world, double size, CounterRng& rng) {
  const bool planar = world == World::planar;
  const int kind = static_cast<int>(rng.uniform(0, planar ? 4 : 5));
  if (kind == 0) return Sphere{size};
  if (kind == 1) return Box{Eigen::Vector3d(size, size * rng.uniform(0.3, 1), size * rng.uniform(0.3, 1))};
  if (kind == 2) return Capsule{size * 0.4, size * rng.uniform(0.3, 0.9)};
  if (kind == 3) {
    std::vector<Eigen::Vector3d> points;
    for (int i = 0; i < (planar ? 6 : 10); ++i) {
      Eigen::Vector3d x(rng.uniform(-1, 1), rng.uniform(-1, 1), planar ? 0 : rng.uniform(-1, 1));
      points.push_back(size * x.normalized());
    }
    return convex_hull(points, world, "random");
  }
  return Cylinder{size * 0.7, size * rng.uniform(0.2, 0.8)};
}

inline Scene random_scene(World world, std::uint64_t number, double duration) {
  CounterRng rng(77, number, world == World::planar ? 1 : 2);
  const bool planar = world == World::planar;
  const int n = 2 + static_cast<int>(rng.uniform(0, 9));
  const double size = 0.1, cell = 0.3;
  std::vector<MassProperties> bodies;
  std::vector<Collider> colliders;
  for (int i = 0; i < n; ++i) {
    Shape shape = random_shape(world, size * rng.uniform(0.5, 1), rng);
    const VolumeProperties v = volume_properties(shape, world);
    const double density = (planar ? 50 : 500) * rng.uniform(0.5, 2);
    bodies.push_back({density * v.volume, v.centroid, density * v.inertia});
    colliders.push_back(on(numbered("shape", static_cast<std::size_t>(i)), i, std::move(shape)));
  }
  const Eigen::Vector3d up = planar ? Eigen::Vector3d::UnitY() : Eigen::Vector3d::UnitZ();
  Scene scene = make_scene(free_bodies(world, bodies, -kGravity * up), std::move(colliders), material(0, 0, 0), duration);
  Material& m = scene.materials[0];
  m.mu_d = rng.uniform(0, 1) < 0.2 ? 0 : rng.uniform(0, 0.8);
  m.mu_s = m.mu_d * (rng.uniform(0, 1) < 0.5 ? 1 : rng.uniform(1, 1.5));
  m.e = rng.uniform(0, 0.9);
  // Walls all round, without a lid.
  std::vector<Eigen::Vector3d> normals{up, Eigen::Vector3d::UnitX(), -Eigen::Vector3d::UnitX()};
  if (!planar) normals.insert(normals.end(), {Eigen::Vector3d::UnitY(), -Eigen::Vector3d::UnitY()});
  for (std::size_t k = 0; k < normals.size(); ++k) {
    const Eigen::Matrix3d R = Eigen::Quaterniond::FromTwoVectors(up, normals[k]).toRotationMatrix();
    scene.colliders.push_back(on(numbered("wall", k), kGround, HalfSpace{}, {R, k == 0 ? Eigen::Vector3d::Zero() : Eigen::Vector3d(-0.5 * normals[k])}));
  }
  // Each body in a cell of its own.
  const int per_row = 3;
  for (int i = 0; i < n; ++i) {
    const double x = (i % per_row - 1) * cell, y = planar ? 0 : ((i / per_row) % per_row - 1) * cell;
    const double height = 0.2 + cell * (planar ? i / per_row : i / (per_row * per_row)) + rng.uniform(0, 0.05);
    const int q = scene.model.joint(i).q_index, u = scene.model.joint(i).u_index;
    if (planar) {
      scene.start.q.segment<3>(q) << x, height, rng.uniform(-3, 3);
      scene.start.u.segment<3>(u) << rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-5, 5);
    } else {
      Eigen::Quaterniond turn(rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1));
      turn.normalize();
      scene.start.q.segment<7>(q) << x, y, height, turn.w(), turn.x(), turn.y(), turn.z();
      for (int k = 0; k < 6; ++k) scene.start.u[u + k] = rng.uniform(-1, 1) * (k < 3 ? 1 : 5);
    }
  }
  return scene;
}

}  // namespace carom::testing
