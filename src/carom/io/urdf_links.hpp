#pragma once
// The links of a URDF robot: inertia, collision shapes, surfaces.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "carom/io/model_source.hpp"
#include "carom/io/scene_draft.hpp"
#include "carom/io/xml.hpp"

namespace carom::io {

struct UrdfLink {
  const XmlElement* element = nullptr;
  std::optional<MassProperties> mass{};    // none: a massless frame
  std::vector<DraftCollider> colliders{};  // in the link's frame
};

std::map<std::string, UrdfLink> read_links(XmlFile& xml, const XmlElement& robot, const ModelSource& source, SceneDraft& draft);

// <origin xyz rpy>, the identity where it is left out.
Placement read_origin(XmlFile& xml, const XmlElement& element);

}  // namespace carom::io
