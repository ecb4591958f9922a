#pragma once
// What has changed from one set of held contacts to the next, as events: begins, lifts off, sticks, slips, goes on to another feature.

#include <span>
#include <vector>

#include "carom/simulate/smooth_flow.hpp"

namespace carom {

std::vector<RunEvent> mode_changes(std::span<const HeldContact> before, std::span<const HeldContact> now);

}  // namespace carom
