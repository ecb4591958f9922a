#include "carom/simulate/body_islands.hpp"

#include <algorithm>

namespace carom {
namespace {

int body_of(const Scene& scene, int collider) { return scene.colliders[static_cast<std::size_t>(collider)].body; }

}  // namespace

std::vector<int> body_islands(const Scene& scene, std::span<const ContactId> contacts) {
  std::vector<int> first;
  const bool closed = scene.model.constraint_rows() > 0;
  for (int i = 0; i < scene.model.bodies(); ++i) {
    const int parent = scene.model.parent(i);
    first.push_back(closed ? 0 : parent == kGround ? i : first[static_cast<std::size_t>(parent)]);
  }
  for (const ContactId& c : contacts) {
    if (c.a == ContactId::kLimit) continue;
    const int a = body_of(scene, c.a), b = body_of(scene, c.b);
    if (a == kGround || b == kGround) continue;
    const int one = first[static_cast<std::size_t>(a)], other = first[static_cast<std::size_t>(b)];
    std::replace(first.begin(), first.end(), std::max(one, other), std::min(one, other));
  }
  return first;
}

int moved_body(const Scene& scene, const ContactId& contact) {
  if (contact.a == ContactId::kLimit) return scene.model.freedom(scene.limits[static_cast<std::size_t>(contact.b)].freedom).body;
  const int a = body_of(scene, contact.a);
  return a != kGround ? a : body_of(scene, contact.b);
}

int island_of(const Scene& scene, const std::vector<int>& islands, const ContactId& contact) {
  const int body = moved_body(scene, contact);
  return body == kGround ? -1 : islands[static_cast<std::size_t>(body)];
}

}  // namespace carom
