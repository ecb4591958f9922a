#include "carom/simulate/record.hpp"

#include <fmt/format.h>

namespace carom {

std::string name(const Scene& scene, const ContactId& contact) {
  if (contact.a == ContactId::kLimit)
    return fmt::format("{} {} limit", scene.limits[static_cast<std::size_t>(contact.b)].joint, contact.feature == 0 ? "lower" : "upper");
  return fmt::format("{}/{}#{}", scene.colliders[static_cast<std::size_t>(contact.a)].name,
                     scene.colliders[static_cast<std::size_t>(contact.b)].name, contact.feature);
}

std::string_view name(EventKind kind) {
  switch (kind) {
    case EventKind::impact: return "impact";
    case EventKind::contact_begins: return "contact-begins";
    case EventKind::lift_off: return "lift-off";
    case EventKind::slip_stops: return "slip-stops";
    case EventKind::slip_reverses: return "slip-reverses";
    case EventKind::stick_breaks: return "stick-breaks";
    case EventKind::accumulation: return "accumulation";
    case EventKind::jam: return "jam";
    case EventKind::feature_change: return "feature-change";
  }
  return "";
}

std::string_view name(ContactMode mode) {
  switch (mode) {
    case ContactMode::open: return "open";
    case ContactMode::slip: return "slip";
    case ContactMode::stick: return "stick";
  }
  return "";
}

std::string_view name(RunStatus status) {
  switch (status) {
    case RunStatus::finished: return "finished";
    case RunStatus::stopped: return "stopped";
    case RunStatus::failed: return "failed";
  }
  return "";
}

}  // namespace carom
