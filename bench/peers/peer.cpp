#include "peer.hpp"

#include <time.h>

#include <cmath>

#include "carom/core/error.hpp"
#include "carom/simulate/scene.hpp"

namespace peers {

using Eigen::Vector3d;

PlainScene plain(const carom::Scene& scene) {
  PlainScene out;
  out.start = scene.start;
  out.gravity = scene.model.gravity();
  out.h = scene.integrator.stepping.step;
  out.steps = static_cast<int>(std::lround(scene.duration / out.h));
  const carom::Material& m = scene.materials.at(0);
  out.mu = m.mu_d, out.e = m.e;
  for (const carom::Collider& c : scene.colliders) {
    if (c.body == carom::kGround && std::holds_alternative<carom::HalfSpace>(c.shape)) {
      out.planes.push_back({c.in_body.rotation.col(2), c.in_body.translation});
      continue;
    }
    if (c.body != static_cast<int>(out.bodies.size())) throw carom::InputError("colliders", c.name, "one per body, in the bodies' order");
    const carom::Body& b = scene.model.body(c.body);
    PlainBody body{false, Vector3d::Zero(), b.mass, b.inertia.diagonal()};
    if (const auto* sphere = std::get_if<carom::Sphere>(&c.shape)) body.half.setConstant(sphere->radius);
    else if (const auto* box = std::get_if<carom::Box>(&c.shape)) body.box = true, body.half = box->half;
    else throw carom::InputError("colliders", c.name, "spheres, boxes, and half-spaces on the ground");
    out.bodies.push_back(body);
  }
  return out;
}

double processor_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

double SteppedPeer::run(const carom::Scene& scene, const Watcher& watch) {
  const PlainScene p = plain(scene);
  build(p);
  carom::State state = p.start;
  double seconds = 0;
  bool on = watch(state, seconds);
  for (int k = 0; k < p.steps && on; ++k) {
    const double from = processor_seconds();
    step();
    seconds += processor_seconds() - from;
    read(state);
    on = watch(state, seconds);
  }
  return seconds;
}

}  // namespace peers
