#include "carom/io/model_source.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>

#include "carom/io/mesh.hpp"
#include "carom/io/placement_yaml.hpp"
#include "carom/io/scene_keys.hpp"
#include "carom/io/scene_shapes.hpp"
#include "carom/io/text_file.hpp"

namespace carom::io {
namespace {

namespace fs = std::filesystem;

ModelSource read_source(const Value& value, const std::string& field, SceneDraft& draft) {
  ModelSource source;
  const auto placed = [&](const std::string& name) { return (draft.folder / name).string(); };
  if (value.kind == Value::Kind::word) {
    source.file = placed(value.word);
    return source;
  }
  const Fields fields(value, field, scene_table("model"));
  source.file = placed(fields.word("file"));
  source.free_base = fields.word("base") == "free";
  source.self_collision = fields.flag("self_collision");
  source.base = read_placement(fields, draft.world);
  if (const Value* material = fields.find("material")) source.material = material_of(*material, fields.field("material"), "", draft);
  if (const Value* materials = fields.find("materials"))
    for (const Value& entry : materials->items) source.materials[entry.key] = material_of(entry, path(fields.field("materials"), entry.key), entry.key, draft);
  return source;
}

// Where the file of a mesh may stand: the name itself, or for package://p/… the folder p (or what it holds) around the model.
std::vector<fs::path> candidates(std::string_view name, const fs::path& folder) {
  for (const std::string_view scheme : {"package://", "model://"})
    if (name.starts_with(scheme)) {
      const fs::path inside = name.substr(scheme.size());
      fs::path without_package;
      for (auto part = std::next(inside.begin(), inside.empty() ? 0 : 1); part != inside.end(); ++part) without_package /= *part;
      std::vector<fs::path> found;
      for (fs::path at = fs::absolute(folder);; at = at.parent_path()) {
        found.insert(found.end(), {at / inside, at / without_package});
        if (at == at.parent_path()) return found;
      }
    }
  if (name.starts_with("file://")) name.remove_prefix(7);
  return {folder / name};
}

}  // namespace

void read_models(const Fields& scene, SceneDraft& draft) {
  for (const char* key : {"urdf", "mjcf"}) {
    const Value* value = scene.find(key);
    if (!value) continue;
    if (value->kind != Value::Kind::word && value->kind != Value::Kind::map) throw InputError(key, describe(*value), "must be the name of a file, or a map with file");
    if (draft.world == World::planar) throw InputError("world", "planar", fmt::format("must be spatial: a {} model is", key));
    const ModelSource source = read_source(*value, key, draft);
    std::string text;
    try {
      text = read_text_file(source.file);
    } catch (const InputError& error) {
      throw InputError(value->kind == Value::Kind::map ? path(key, "file") : key, error.value(), error.allowed());
    }
    const int first = static_cast<int>(draft.colliders.size());
    key == std::string_view("urdf") ? read_urdf(text, source, draft) : read_mjcf(text, source, draft);
    for (int i = first; !source.self_collision && i < static_cast<int>(draft.colliders.size()); ++i)
      for (int j = first; j < i; ++j) draft.ignored_colliders.push_back({j, i});
  }
}

DraftStart free_start(const std::string& joint, const Placement& place) {
  const Eigen::Quaterniond turn(place.rotation);
  DraftStart start{joint, Eigen::VectorXd(7), Eigen::VectorXd::Zero(6)};
  start.q << place.translation, turn.w(), turn.x(), turn.y(), turn.z();
  return start;
}

Hull mesh_hull(XmlFile& xml, const XmlElement& element, const char* attribute, std::string_view name, const fs::path& folder, const Eigen::Vector3d& scale,
               const std::string& owner, SceneDraft& draft) {
  if (scale.minCoeff() == 0) throw xml.error(element, "scale", "0", "must not be 0");
  for (const fs::path& path : candidates(name, folder)) {
    std::error_code failed;
    if (!fs::is_regular_file(path, failed)) continue;
    std::vector<Eigen::Vector3d> points = xml.at(element, [&] { return read_mesh_points(path); });
    for (Eigen::Vector3d& point : points) point = point.cwiseProduct(scale);
    draft.notes.push_back(fmt::format("{}: {}: the mesh {} is taken as its convex hull", xml.file(), owner, name));
    return xml.at(element, [&] { return convex_hull(points, draft.world, "mesh"); });
  }
  throw xml.error(element, attribute, std::string(name), fmt::format("names a mesh that is not there; it was looked for from {}", folder.empty() ? "." : folder.string()));
}

}  // namespace carom::io
