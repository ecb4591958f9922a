#include "carom/lab/piles.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "carom/math/counter_rng.hpp"
#include "carom/model/builder.hpp"

namespace carom::lab {
namespace {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;

// Free bodies gathered one by one, then built at once.
class Heap {
 public:
  Heap() : builder_(World::spatial) { builder_.gravity({0, 0, -9.81}); }

  void add(const Shape& shape, double mass, const Matrix3d& inertia, const Vector3d& place, const Quaterniond& turn = Quaterniond::Identity(), const Vector3d& velocity = Vector3d::Zero()) {
    const std::string name = fmt::format("b{}", shapes_.size());
    MassProperties properties;
    properties.mass = mass, properties.inertia = inertia;
    builder_.body(name, properties).joint({.name = name, .kind = JointKind::free, .child = name});
    shapes_.push_back(shape), places_.push_back(place), turns_.push_back(turn), velocities_.push_back(velocity);
  }
  void ball(double radius, double mass, const Vector3d& place, const Vector3d& velocity = Vector3d::Zero()) {
    add(Sphere{radius}, mass, 0.4 * mass * radius * radius * Matrix3d::Identity(), place, Quaterniond::Identity(), velocity);
  }
  void box(const Vector3d& half, double mass, const Vector3d& place, const Quaterniond& turn = Quaterniond::Identity()) {
    const Vector3d s = half.cwiseProduct(half);
    add(Box{half}, mass, (mass / 3 * Vector3d(s.y() + s.z(), s.x() + s.z(), s.x() + s.y())).asDiagonal(), place, turn);
  }

  Scene scene(std::string name, double mu, double h, double duration) const {
    Scene scene{.name = std::move(name), .description = "", .model = builder_.build(), .start = {}};
    const auto n = static_cast<Eigen::Index>(shapes_.size());
    scene.start.q.resize(7 * n);
    scene.start.u.setZero(6 * n);
    Material m;
    m.name = "all", m.mu_s = m.mu_d = mu;
    scene.materials.push_back(m);
    for (Eigen::Index i = 0; i < n; ++i) {
      const auto k = static_cast<std::size_t>(i);
      scene.start.q.segment<3>(7 * i) = places_[k];
      scene.start.q.segment<4>(7 * i + 3) << turns_[k].w(), turns_[k].x(), turns_[k].y(), turns_[k].z();
      scene.start.u.segment<3>(6 * i) = velocities_[k];
      Collider c;
      c.name = fmt::format("b{}", k), c.body = static_cast<int>(i), c.shape = shapes_[k];
      scene.colliders.push_back(c);
    }
    scene.integrator.time_stepping = true;
    scene.integrator.stepping.step = h;
    scene.duration = duration;
    scene.sampling = duration;
    return scene;
  }

 private:
  ModelBuilder builder_;
  std::vector<Shape> shapes_;
  std::vector<Vector3d> places_, velocities_;
  std::vector<Quaterniond> turns_;
};

// The half-space behind the plane through `point` with normal `inward`.
void add_plane(Scene& scene, const std::string& name, const Vector3d& inward, const Vector3d& point) {
  Collider c;
  c.name = name;
  c.shape = HalfSpace{};
  c.in_body.rotation = Quaterniond::FromTwoVectors(Vector3d::UnitZ(), inward).toRotationMatrix();
  c.in_body.translation = point;
  scene.colliders.push_back(c);
}

// A floor and four walls around [0, x] × [0, y].
void add_room(Scene& scene, double x, double y) {
  add_plane(scene, "floor", Vector3d::UnitZ(), Vector3d::Zero());
  add_plane(scene, "west", Vector3d::UnitX(), Vector3d::Zero());
  add_plane(scene, "east", -Vector3d::UnitX(), {x, 0, 0});
  add_plane(scene, "south", Vector3d::UnitY(), Vector3d::Zero());
  add_plane(scene, "north", -Vector3d::UnitY(), {0, y, 0});
}

}  // namespace

Scene settling_balls(int side, double h) {
  const double radius = 0.05, cell = 2.05 * radius;
  Heap heap;
  CounterRng rng(1, 0);
  for (int k = 0; k < side; ++k)
    for (int j = 0; j < side; ++j)
      for (int i = 0; i < side; ++i) {
        const Vector3d jitter(rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1));
        heap.ball(radius, 0.5, cell * Vector3d(i + 0.5, j + 0.5, 1.1 * (k + 0.5)) + 0.01 * radius * jitter);
      }
  Scene scene = heap.scene("settling balls", 0.3, h, 1);
  add_room(scene, cell * side, cell * side);
  scene.integrator.stepping.tolerance = 1e-4;
  return scene;
}

Scene box_bin(int count, double e, double mu, double h) {
  Heap heap;
  CounterRng rng(2, 0);
  const int across = 5;
  for (int n = 0; n < count; ++n) {
    const int i = n % across, j = n / across % across, k = n / (across * across);
    const Quaterniond turn = Quaterniond(rng.normal(), rng.normal(), rng.normal(), rng.normal()).normalized();
    heap.box(Vector3d::Constant(0.05), 1, {0.1 + 0.2 * i, 0.1 + 0.2 * j, 0.2 + 0.2 * k}, turn);
  }
  Scene scene = heap.scene("box bin", mu, h, 3);
  scene.materials[0].e = e;
  add_room(scene, 1, 1);
  scene.integrator.stepping.scheme = Scheme::moreau_jean;
  scene.integrator.stepping.tolerance = 1e-4;
  return scene;
}

Scene box_stack(int height, double h) {
  Heap heap;
  for (int k = 0; k < height; ++k) heap.box(Vector3d::Constant(0.1), 1, {0, 0, 0.1 + 0.2 * k});
  Scene scene = heap.scene("stack", 0.5, h, 10);
  add_plane(scene, "floor", Vector3d::UnitZ(), Vector3d::Zero());
  return scene;
}

Scene brick_wall(int courses, int length, double h) {
  const Vector3d half(0.12, 0.06, 0.04);
  Heap heap;
  for (int k = 0; k < courses; ++k)
    for (int i = 0; i < length; ++i) heap.box(half, 3, {2.02 * half.x() * (i + 0.5 * (k % 2)), 0, half.z() * (2 * k + 1)});
  heap.ball(0.12, 5, {half.x() * length, -1, half.z() * courses}, {0, 8, 0});
  Scene scene = heap.scene("brick wall", 0.6, h, 2);
  add_plane(scene, "floor", Vector3d::UnitZ(), Vector3d::Zero());
  scene.integrator.stepping.tolerance = 1e-6;
  return scene;
}

Scene arch(int stones, double h) {
  const double inner = 0.8, outer = 1.0, depth = 0.15, density = 2000;
  Heap heap;
  const double part = std::numbers::pi / stones, middle = 0.5 * (inner + outer);
  for (int k = 0; k < stones; ++k) {
    const double angle = part * (k + 0.5);
    // The stone in its own frame: x outward, z along the arch; faces at ± half a part through the arch's centre.
    std::vector<Vector3d> corners;
    for (const double r : {inner, outer})
      for (const double side : {-1.0, 1.0})
        for (const double y : {-depth, depth}) corners.emplace_back(r * std::cos(part / 2) - middle, y, side * r * std::sin(part / 2));
    Hull hull = convex_hull(corners, World::spatial, "voussoir");
    const VolumeProperties volume = volume_properties(hull, World::spatial);
    for (Vector3d& c : corners) c -= volume.centroid;
    hull = convex_hull(corners, World::spatial, "voussoir");
    const Quaterniond turn(Eigen::AngleAxisd(-angle, Vector3d::UnitY()));
    heap.add(hull, density * volume.volume, density * volume.inertia, turn * (Vector3d(middle, 0, 0) + volume.centroid), turn);
  }
  Scene scene = heap.scene("arch", 0.7, h, 10);
  add_plane(scene, "springers", Vector3d::UnitZ(), Vector3d::Zero());
  return scene;
}

Scene chute(int rows, double h) {
  const double radius = 0.03, cell = 2.1 * radius;
  const int across = 10, layers = 4;
  Heap heap;
  CounterRng rng(3, 0);
  for (int k = 0; k < layers; ++k)
    for (int j = 0; j < across; ++j)
      for (int i = 0; i < rows; ++i) {
        const Vector3d jitter(rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1));
        heap.ball(radius, 0.1, cell * Vector3d(i + 0.5, j + 0.5, k + 0.5) + 0.02 * radius * jitter);
      }
  Scene scene = heap.scene("chute", 0.3, h, 2);
  // The plane lies in x–y; gravity is turned instead, by 25°: so the scene's floor is inclined.
  const double slope = 25 * std::numbers::pi / 180;
  const Vector3d normal(std::sin(slope), 0, std::cos(slope));
  for (Eigen::Index i = 0; i < scene.start.q.size() / 7; ++i) {
    const Vector3d flat = scene.start.q.segment<3>(7 * i);
    scene.start.q.segment<3>(7 * i) = flat.x() * Vector3d(std::cos(slope), 0, -std::sin(slope)) + flat.y() * Vector3d::UnitY() + flat.z() * normal;
  }
  add_plane(scene, "bed", normal, Vector3d::Zero());
  add_plane(scene, "south", Vector3d::UnitY(), Vector3d::Zero());
  add_plane(scene, "north", -Vector3d::UnitY(), {0, cell * across, 0});
  scene.integrator.stepping.tolerance = 1e-4;
  return scene;
}

Scene ball_pyramid(int layers, double h) {
  const double radius = 0.05, cell = 2 * radius, rise = std::sqrt(2.0) * radius;
  Heap heap;
  for (int k = 0; k < layers; ++k)
    for (int j = 0; j < layers - k; ++j)
      for (int i = 0; i < layers - k; ++i) heap.ball(radius, 0.5, {cell * (i + 0.5 * (k + 1)), cell * (j + 0.5 * (k + 1)), radius + rise * k});
  Scene scene = heap.scene("ball pyramid", 0.5, h, 0.1);
  add_room(scene, cell * layers, cell * layers);
  scene.integrator.stepping.tolerance = 1e-3;
  return scene;
}

}  // namespace carom::lab
