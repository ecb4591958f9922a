#include "carom/model/model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "carom/core/error.hpp"

namespace carom {
namespace {

int find(const std::vector<std::string>& names, std::string_view name, const char* field) {
  const auto at = std::find(names.begin(), names.end(), name);
  if (at == names.end()) {
    throw InputError(field, std::string(name), fmt::format("unknown name; known are: {}", fmt::join(names, ", ")));
  }
  return static_cast<int>(at - names.begin());
}

}  // namespace

int coordinates(JointKind kind) {
  switch (kind) {
    case JointKind::fixed: return 0;
    case JointKind::revolute:
    case JointKind::prismatic: return 1;
    case JointKind::planar: return 3;
    case JointKind::spherical: return 4;
    case JointKind::free: return 7;
  }
  return 0;
}

int freedoms(JointKind kind) {
  switch (kind) {
    case JointKind::spherical: return 3;
    case JointKind::free: return 6;
    default: return coordinates(kind);
  }
}

int Model::body_index(std::string_view name) const {
  return name == "ground" ? kGround : find(body_names_, name, "body");
}

int Model::joint_index(std::string_view name) const { return find(joint_names_, name, "joint"); }

}  // namespace carom
