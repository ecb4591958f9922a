#include "carom/simulate/rest.hpp"

#include "carom/simulate/body_islands.hpp"

namespace carom {
namespace {

constexpr double kStill = 1e-9;  // [m/s²], [1/s²]: rounding

}  // namespace

std::vector<bool> resting_bodies(const Scene& scene, std::span<const HeldContact> held, const Eigen::VectorXd& u, const Eigen::VectorXd& udot) {
  const auto n = static_cast<std::size_t>(scene.model.bodies());
  std::vector<bool> rests(n, false);
  if (scene.model.constraint_rows() > 0 || !scene.limits.empty() || !scene.forces.empty()) return rests;
  std::vector<ContactId> contacts;
  for (const HeldContact& h : held) contacts.push_back(h.id);
  const std::vector<int> first = body_islands(scene, contacts);
  std::vector<bool> leans(n, false), moves(n, false);  // per first body of an island
  for (const HeldContact& h : held) {
    const Collider &a = scene.colliders[static_cast<std::size_t>(h.id.a)], &b = scene.colliders[static_cast<std::size_t>(h.id.b)];
    const auto island = static_cast<std::size_t>(island_of(scene, first, h.id));
    leans[island] = true;
    for (const Collider* c : {&a, &b})
      if (c->drive || !c->surface_velocity.isZero(0)) moves[island] = true;
  }
  for (std::size_t i = 0; i < n; ++i) {
    const Joint& joint = scene.model.joint(static_cast<int>(i));
    if (joint.nv == 0) continue;
    const double speed = u.segment(joint.u_index, joint.nv).cwiseAbs().maxCoeff(), change = udot.segment(joint.u_index, joint.nv).cwiseAbs().maxCoeff();
    if (!(speed <= scene.integrator.event.rest_speed && change <= kStill)) moves[static_cast<std::size_t>(first[i])] = true;
  }
  for (std::size_t i = 0; i < n; ++i) rests[i] = leans[static_cast<std::size_t>(first[i])] && !moves[static_cast<std::size_t>(first[i])];
  return rests;
}

}  // namespace carom
