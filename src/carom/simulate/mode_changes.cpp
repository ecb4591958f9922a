#include "carom/simulate/mode_changes.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace carom {
namespace {

const HeldContact* find(std::span<const HeldContact> list, const ContactId& id) {
  for (const HeldContact& h : list)
    if (h.id == id) return &h;
  return nullptr;
}

RunEvent change(EventKind kind, const ContactId& contact) {
  RunEvent event;
  event.kind = kind, event.contact = contact;
  return event;
}

}  // namespace

std::vector<RunEvent> mode_changes(std::span<const HeldContact> before, std::span<const HeldContact> now) {
  std::vector<RunEvent> out;
  // A feature that gives way to another of the same pair: the contact has gone over a corner or an edge.
  std::vector<ContactId> taken_over;
  const auto has_taken_over = [&](const ContactId& id) { return std::find(taken_over.begin(), taken_over.end(), id) != taken_over.end(); };
  for (const HeldContact& h : before) {
    if (find(now, h.id) != nullptr) continue;
    const auto heir = std::find_if(now.begin(), now.end(), [&](const HeldContact& n) {
      return n.id.a == h.id.a && n.id.b == h.id.b && find(before, n.id) == nullptr && !has_taken_over(n.id);
    });
    if (heir == now.end()) {
      out.push_back(change(EventKind::lift_off, h.id));
      continue;
    }
    taken_over.push_back(heir->id);
    out.push_back(change(EventKind::feature_change, heir->id));
    out.back().note = fmt::format("from feature {}", h.id.feature);
  }
  for (const HeldContact& h : now) {
    const HeldContact* old = find(before, h.id);
    if (old == nullptr && has_taken_over(h.id)) continue;
    if (old == nullptr) out.push_back(change(EventKind::contact_begins, h.id));
    else if (old->mode == ContactMode::stick && h.mode == ContactMode::slip) out.push_back(change(EventKind::stick_breaks, h.id));
    else if (old->mode == ContactMode::slip && h.mode == ContactMode::stick) out.push_back(change(EventKind::slip_stops, h.id));
    else if (old->mode == ContactMode::slip && old->direction.dot(h.direction) < 0) out.push_back(change(EventKind::slip_reverses, h.id));
  }
  return out;
}

}  // namespace carom
