// The picture of a motion: outlines of the shapes at some moments, and the paths of the centres of mass.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "carom/geometry/hull.hpp"
#include "carom/lab/run_report.hpp"

namespace carom::lab {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

constexpr int kMoments = 12;      // outlines along the run …
constexpr int kCrowd = 24;        // … but of more bodies than this only the first and the last, without paths
constexpr int kBodiesDrawn = 1000;

// The axis drawn upwards: 2 from the side (x–z), 1 from above (x–y) and in planar worlds.
struct View {
  bool planar;
  int up;
};

// From the side, but from above what moves only on the floor.
View view_of(const Scene& scene, const MemoryRecorder& record) {
  if (scene.model.world() == World::planar) return {true, 1};
  Vector3d reach = Vector3d::Zero();  // the longest way of a body along each axis
  for (std::size_t b = 0; b < static_cast<std::size_t>(scene.model.bodies()); ++b) {
    Vector3d low = Vector3d::Constant(std::numeric_limits<double>::infinity()), high = -low;
    for (const Sample& s : record.samples) {
      const Vector3d x = s.poses[b] * scene.model.body(static_cast<int>(b)).com;
      low = low.cwiseMin(x), high = high.cwiseMax(x);
    }
    if (!record.samples.empty()) reach = reach.cwiseMax(high - low);
  }
  return {false, reach.z() < 0.01 * reach.y() ? 1 : 2};
}

// Points whose convex hull, seen along the viewing direction, is the shape's outline.
std::vector<Vector3d> outline_points(const Shape& shape, const Placement& pose, const View& view) {
  const int up = view.up;
  std::vector<Vector3d> out;
  const auto circle = [&](const Vector3d& centre, double r) {
    for (int i = 0; i < 48; ++i) {
      const double a = 2 * std::numbers::pi * i / 48;
      Vector3d x = centre;
      x[0] += r * std::cos(a), x[up] += r * std::sin(a);
      out.push_back(x);
    }
  };
  if (const auto* s = std::get_if<Sphere>(&shape)) circle(pose.translation, s->radius);
  if (const auto* c = std::get_if<Capsule>(&shape)) {
    const Vector3d along = view.planar ? Vector3d(c->half_length, 0, 0) : Vector3d(0, 0, c->half_length);
    circle(pose * along, c->radius), circle(pose * Vector3d(-along), c->radius);
  }
  if (const auto* b = std::get_if<Box>(&shape))
    for (int i = 0; i < 8; ++i) out.push_back(pose * Vector3d((i & 1 ? 1 : -1) * b->half.x(), (i & 2 ? 1 : -1) * b->half.y(), view.planar ? 0 : (i & 4 ? 1 : -1) * b->half.z()));
  if (const auto* c = std::get_if<Cylinder>(&shape))
    for (int i = 0; i < 96; ++i) {
      const double a = 2 * std::numbers::pi * i / 48;
      out.push_back(pose * Vector3d(c->radius * std::cos(a), c->radius * std::sin(a), i < 48 ? c->half_height : -c->half_height));
    }
  if (const auto* h = std::get_if<Hull>(&shape))
    for (const Vector3d& x : h->topology->vertices) out.push_back(pose * x);
  return out;
}

// The convex hull of points in the plane, closed (monotone chain).
Curve outline(const Shape& shape, const Placement& pose, const View& view, int colour) {
  std::vector<Vector2d> p;
  for (const Vector3d& x : outline_points(shape, pose, view)) p.emplace_back(x[0], x[view.up]);
  std::sort(p.begin(), p.end(), [](const Vector2d& a, const Vector2d& b) { return a.x() < b.x() || (a.x() == b.x() && a.y() < b.y()); });
  std::vector<Vector2d> hull;
  const auto add_chain = [&](auto first, auto last) {
    const std::size_t base = hull.size();
    for (auto it = first; it != last; ++it) {
      while (hull.size() >= base + 2) {
        const Vector2d a = hull[hull.size() - 1] - hull[hull.size() - 2], b = *it - hull[hull.size() - 2];
        if (a.x() * b.y() - a.y() * b.x() > 0) break;
        hull.pop_back();
      }
      hull.push_back(*it);
    }
    if (!hull.empty()) hull.pop_back();
  };
  add_chain(p.begin(), p.end());
  add_chain(p.rbegin(), p.rend());
  Curve out{"", {}, {}, Stroke::line, colour};
  for (const Vector2d& x : hull) out.xs.push_back(x.x()), out.ys.push_back(x.y());
  if (!hull.empty()) out.xs.push_back(hull[0].x()), out.ys.push_back(hull[0].y());
  return out;
}

// A body by its joints and feet: from its hub to the hubs of the bodies it carries and to its points.
void add_sticks(const Scene& scene, const Sample& s, int body, int up, int colour, std::vector<Curve>& curves) {
  const auto hub = [&](int b) { return s.poses[static_cast<std::size_t>(b)] * scene.model.joint(b).in_child.translation; };
  const auto stick = [&](const Vector3d& to) { curves.push_back({"", {hub(body)[0], to[0]}, {hub(body)[up], to[up]}, Stroke::line, colour}); };
  for (int child = body + 1; child < scene.model.bodies(); ++child)
    if (scene.model.parent(child) == body) stick(hub(child));
  for (const Collider& c : scene.colliders)
    if (const auto* feet = std::get_if<PointSet>(&c.shape); feet != nullptr && c.body == body)
      for (const Vector3d& x : feet->points) stick(s.poses[static_cast<std::size_t>(body)] * (c.in_body * x));
}

// The part of a plane's edge that lies in the picture.
Curve edge(const Collider& collider, const View& view, double low_x, double high_x, double low_y, double high_y) {
  const int up = view.up;
  const Vector3d normal = collider.in_body.rotation.col(view.planar ? 1 : 2);
  const Vector2d n(normal[0], normal[up]), at(collider.in_body.translation[0], collider.in_body.translation[up]), t(-n.y(), n.x());
  Curve out{"", {}, {}, Stroke::line, -1};
  if (n.norm() < 0.1) return out;
  const double reach = std::hypot(high_x - low_x, high_y - low_y);
  const double middle = Vector2d((low_x + high_x) / 2 - at.x(), (low_y + high_y) / 2 - at.y()).dot(t) / t.squaredNorm();
  for (int i = 0; i <= 200; ++i) {
    const Vector2d x = at + (middle + reach * (i / 100.0 - 1)) * t;
    if (x.x() >= low_x && x.x() <= high_x && x.y() >= low_y && x.y() <= high_y) out.xs.push_back(x.x()), out.ys.push_back(x.y());
  }
  return out;
}

}  // namespace

Figure path_figure(const Scene& scene, const MemoryRecorder& record) {
  const View view = view_of(scene, record);
  const int up = view.up;
  Panel panel{"x [m]", up == 1 ? "y [m]" : "z [m]", {}, {}, {}, {}, {}, true};
  const auto count = static_cast<int>(record.samples.size());
  const int bodies = std::min(scene.model.bodies(), kBodiesDrawn);
  const bool crowd = bodies > kCrowd;
  const int shown = std::min(crowd ? 2 : kMoments, count);
  std::vector<const Sample*> moments;
  for (int i = 0; i < shown; ++i) moments.push_back(&record.samples[static_cast<std::size_t>(shown > 1 ? i * (count - 1) / (shown - 1) : 0)]);
  const auto colour_of = [&](const Sample* s) { return s == moments.front() ? 0 : s == moments.back() ? 1 : -1; };
  for (int b = 0; b < bodies; ++b)
    for (const Sample* s : moments) add_sticks(scene, *s, b, up, colour_of(s), panel.curves);
  for (const Collider& c : scene.colliders) {
    if (c.body == kGround || c.body >= bodies) continue;
    for (const Sample* s : moments) {
      const int colour = colour_of(s);
      Curve shape = outline(c.shape, s->poses[static_cast<std::size_t>(c.body)] * c.in_body, view, colour);
      if (!shape.xs.empty()) panel.curves.push_back(std::move(shape));
    }
  }
  for (int b = 0; b < bodies && !crowd; ++b) {
    Curve path{"", {}, {}, Stroke::dashed, 2};
    for (const Sample& s : record.samples) {
      const Vector3d x = s.poses[static_cast<std::size_t>(b)] * scene.model.body(b).com;
      path.xs.push_back(x[0]), path.ys.push_back(x[up]);
    }
    panel.curves.push_back(std::move(path));
  }
  double low_x = std::numeric_limits<double>::infinity(), low_y = low_x, high_x = -low_x, high_y = -low_x;
  for (const Curve& c : panel.curves)
    for (std::size_t i = 0; i < c.xs.size(); ++i) {
      low_x = std::min(low_x, c.xs[i]), high_x = std::max(high_x, c.xs[i]);
      low_y = std::min(low_y, c.ys[i]), high_y = std::max(high_y, c.ys[i]);
    }
  const double margin = 0.05 * std::max({high_x - low_x, high_y - low_y, 1e-3});
  for (const Collider& c : scene.colliders) {
    if (c.body != kGround || c.drive) continue;
    Curve line = std::holds_alternative<HalfSpace>(c.shape) ? edge(c, view, low_x - margin, high_x + margin, low_y - margin, high_y + margin) : outline(c.shape, c.in_body, view, -1);
    if (!line.xs.empty()) panel.curves.push_back(std::move(line));
  }
  const double shape = (high_y - low_y + 2 * margin) / (high_x - low_x + 2 * margin);
  const int height = static_cast<int>(std::clamp(800 * shape + 130, 260.0, 900.0));
  return {fmt::format("{}: first outline blue, last orange{}", view.planar ? "Motion" : up == 1 ? "Seen from above" : "Seen from the side", crowd ? "" : ", paths of the centres of mass dashed"), {panel}, 900, height};
}

}  // namespace carom::lab
