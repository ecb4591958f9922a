#pragma once
// Which bodies forces can reach each other: joined by joints or by contacts.

#include <span>
#include <vector>

#include "carom/simulate/record.hpp"
#include "carom/simulate/scene.hpp"

namespace carom {

// Per body the first body of its island, when these are the contacts. A model with constraints between bodies is one island.
std::vector<int> body_islands(const Scene& scene, std::span<const ContactId> contacts);

// A body that the contact or joint limit moves; kGround: none, of two colliders of the ground.
int moved_body(const Scene& scene, const ContactId& contact);

// The island of a contact or a joint limit; −1: of two colliders of the ground.
int island_of(const Scene& scene, const std::vector<int>& islands, const ContactId& contact);

}  // namespace carom
