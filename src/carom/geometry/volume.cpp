// Volumes, centroids and inertias in closed form.

#include <numbers>

#include "carom/geometry/axes.hpp"
#include "carom/geometry/polytope.hpp"

namespace carom {
namespace {

using std::numbers::pi;

VolumeProperties properties(double volume, double xx, double yy, double zz, World world) {
  VolumeProperties p;
  p.volume = volume;
  if (world == World::spatial) p.inertia.diagonal() << xx, yy, zz;
  else p.inertia(2, 2) = zz;
  return p;
}

VolumeProperties of(const Sphere& s, World world) {
  const double r2 = s.radius * s.radius;
  if (world == World::planar) return properties(pi * r2, 0, 0, pi * r2 * r2 / 2, world);
  const double volume = 4.0 / 3 * pi * r2 * s.radius, i = 0.4 * volume * r2;
  return properties(volume, i, i, i, world);
}

// A middle part and two halves of a ball (disc) whose centroids lie 3r/8 (4r/3π) beyond its ends.
VolumeProperties of(const Capsule& c, World world) {
  const double r = c.radius, h = c.half_length;
  if (world == World::planar) {
    const double middle = 4 * h * r, ends = pi * r * r;
    return properties(middle + ends, 0, 0, middle * (h * h + r * r) / 3 + ends * (r * r / 2 + h * h + 8 * h * r / (3 * pi)), world);
  }
  const double middle = 2 * pi * r * r * h, ends = 4.0 / 3 * pi * r * r * r;
  const double across = middle * (r * r / 4 + h * h / 3) + ends * (0.4 * r * r + h * h + 0.75 * h * r);
  return properties(middle + ends, across, across, middle * r * r / 2 + ends * 0.4 * r * r, world);
}

VolumeProperties of(const Box& b, World world) {
  const Eigen::Vector3d s = b.half.cwiseProduct(b.half) / 3;
  const double volume = world == World::planar ? 4 * b.half.x() * b.half.y() : 8 * b.half.prod();
  return properties(volume, volume * (s.y() + s.z()), volume * (s.x() + s.z()), volume * (s.x() + s.y()), world);
}

VolumeProperties of(const Cylinder& c, World world) {
  const double r2 = c.radius * c.radius, volume = 2 * pi * r2 * c.half_height;
  const double across = volume * (r2 / 4 + c.half_height * c.half_height / 3);
  return properties(volume, across, across, volume * r2 / 2, world);
}

VolumeProperties of(const Hull& h, World) { return h.topology->volume; }
VolumeProperties of(const HalfSpace&, World) { return {}; }
VolumeProperties of(const PointSet&, World) { return {}; }

}  // namespace

VolumeProperties volume_properties(const Shape& shape, World world) {
  return std::visit([&](const auto& s) { return of(s, world); }, shape);
}

}  // namespace carom
