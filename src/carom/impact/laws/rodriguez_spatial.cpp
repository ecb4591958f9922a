#include "carom/impact/laws/rodriguez_collision.hpp"
namespace carom::laws::rodriguez {
bool spatial_event(Collision&, const EventPlan&) { return false; }
}
