#pragma once
// A collision: contacts that touch and approach are resolved by the scene's impact law, one impact event after the other, until
// nothing approaches. Contacts that touch without approaching take part when impulses reach them (an island of G).

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "carom/simulate/smooth_flow.hpp"

namespace carom {

struct CollisionOptions {
  double rest_speed = 1e-9;
  std::vector<ContactId> plastic{};  // contacts whose restitution is taken as zero (summed-up bounces, or the last resort)
  std::vector<ContactId> jammed{};   // contacts that rest in the normal direction and are to be struck all the same (Painlevé)
  double slow = 0;  // contacts that approach more slowly than this: the same [m/s]
  bool all_plastic = false;
};

// One impact event at time t and state x: the island of the first approaching contact among `touching`. x gets the new speeds. An
// empty record.contacts says that nothing approached.
ImpactRecord impact_event(const Scene& scene, SmoothFlow& flow, FlowVector& x, double t, std::span<const LiveContact> touching,
                          const CollisionOptions& options, std::vector<std::string>& warnings);

}  // namespace carom
