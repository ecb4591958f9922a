#pragma once
// A model that comes from a file of its own, URDF or MJCF, and how it is put into a scene.

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "carom/io/fields.hpp"
#include "carom/io/scene_draft.hpp"
#include "carom/io/xml.hpp"

namespace carom::io {

struct ModelSource {
  std::string file;
  bool free_base = false;                    // URDF: the root link moves freely, else it is part of the world
  Placement base{};                          // of the model's frame in the world
  bool self_collision = true;                // else its shapes touch others only
  int material = -1;                         // of shapes that bring none; −1: the scene's default
  std::map<std::string, int> materials{};    // of single links or bodies, whatever they bring
};

// The keys `urdf` and `mjcf` of a scene.
void read_models(const Fields& scene, SceneDraft& draft);

// Adds the model in `text` to the draft.
void read_urdf(const std::string& text, const ModelSource& source, SceneDraft& draft);
void read_mjcf(const std::string& text, const ModelSource& source, SceneDraft& draft);

// A free joint that starts at rest at `place`.
DraftStart free_start(const std::string& joint, const Placement& place);

// The convex hull of a mesh file named in a model, which may stand beside it, below `folder`, or in a ROS package around it.
Hull mesh_hull(XmlFile& xml, const XmlElement& element, const char* attribute, std::string_view name, const std::filesystem::path& folder,
               const Eigen::Vector3d& scale, const std::string& owner, SceneDraft& draft);

}  // namespace carom::io
