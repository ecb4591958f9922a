#include "carom/io/scene_yaml.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <map>

#include "carom/io/fields.hpp"
#include "carom/io/mechanism_yaml.hpp"
#include "carom/io/model_source.hpp"
#include "carom/io/parse.hpp"
#include "carom/io/scene_bodies.hpp"
#include "carom/io/scene_draft.hpp"
#include "carom/io/scene_finish.hpp"
#include "carom/io/scene_forces.hpp"
#include "carom/io/scene_integrator.hpp"
#include "carom/io/scene_keys.hpp"
#include "carom/io/scene_shapes.hpp"
#include "carom/io/text_file.hpp"

namespace carom::io {
namespace {

bool has_model(const Fields& fields) { return fields.has("urdf") || fields.has("mjcf"); }

World world_of(const Fields& fields) {
  if (!fields.has("world") && !has_model(fields)) read_world(fields.map());
  return fields.word("world") == "planar" ? World::planar : World::spatial;
}

void refuse_contact(const Value& root) {
  for (const char* key : {"contact", "contacts"})
    if (const Value* value = root.find(key)) throw InputError(key, describe(*value), "belongs to a single impact (`carom impact`); a scene finds its contacts from shapes");
}

// What the file says, as a draft: everything that comes before the model.
SceneDraft read_draft(const Fields& fields, const std::string& file) {
  const Value& root = fields.map();
  SceneDraft draft(world_of(fields), std::filesystem::path(file).parent_path());
  if (!fields.has("bodies") && !has_model(fields)) throw InputError("bodies", "", "is missing: a map from name to body, or urdf or mjcf");
  read_materials(root, draft);
  read_models(fields, draft);
  if (fields.has("gravity")) draft.builder.gravity(fields.point("gravity"));
  read_bodies(root, draft);
  if (const Value* ground = fields.find("ground"))
    for (DraftCollider& shape : read_shapes(*ground, "ground", "ground", -1, draft)) draft.colliders.push_back(std::move(shape));
  return draft;
}

Scene read_root(const Value& root, const std::string& file) {
  if (root.kind == Value::Kind::map) refuse_contact(root);
  const Fields fields(root, "", scene_table("scene"));
  SceneDraft draft = read_draft(fields, file);
  Scene scene = finish(draft, root);
  scene.name = fields.has("name") ? fields.word("name") : std::filesystem::path(file).stem().string();
  scene.description = fields.word("description");
  scene.pairs = read_pairs(root, scene.materials);
  scene.combination = fields.has("combine") || !draft.combination ? read_combination(root) : *draft.combination;
  scene.limits = read_limits(root, draft, scene.model);
  scene.forces = read_forces(root, draft, scene.model, scene.start);
  scene.law = read_law(root, "", scene.model.dimension());
  read_pair_rules(root, draft, scene);
  scene.integrator = read_integrator(root);
  if (const Value* integrator = fields.find("integrator"); draft.step && !(integrator && integrator->find("step"))) scene.integrator.stepping.step = *draft.step;
  scene.duration = fields.number("duration");
  if (const Value* output = fields.find("output")) scene.sampling = Fields(*output, "output", scene_table("output")).number("sampling");
  try {
    validate(scene);
  } catch (const InputError& error) {
    throw as_written(error, draft);
  }
  return scene;
}

}  // namespace

bool is_scene(const Value& root) {
  if (root.kind != Value::Kind::map || root.find("contact") || root.find("contacts") || root.find("delassus")) return false;
  return root.find("world") || root.find("bodies") || root.find("urdf") || root.find("mjcf");
}

bool is_scene(std::string_view text) {
  try {
    const std::vector<Value> documents = parse_yaml({text, ""});
    return !documents.empty() && is_scene(documents[0]);
  } catch (const InputError&) {
    return false;
  }
}

Scene read_scene_text(std::string_view text, const std::string& file) {
  const Source source{text, file};
  const std::vector<Value> documents = parse_yaml(source);
  if (documents.size() != 1) throw InputError("input", fmt::format("{} documents", documents.size()), "must be one scene", source.place(0));
  try {
    return read_root(documents[0], file);
  } catch (const InputError& error) {
    if (!error.place().file.empty()) throw;  // found in another file
    throw source.placed(error, documents[0]);
  }
}

Scene read_scene(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending != ".urdf" && ending != ".xml") return read_scene_text(read_text_file(path), path == "-" ? "<stdin>" : path);
  // A model alone: as a scene that names it.
  const std::string name = std::filesystem::path(path).filename().string();
  const bool urdf = read_text_file(path).find("<robot") != std::string::npos;
  std::string quoted = "'";
  for (const char c : name) quoted += c == '\'' ? "''" : std::string(1, c);
  Scene scene = read_scene_text(fmt::format("{}: {}'\n{}", urdf ? "urdf" : "mjcf", quoted, urdf ? "gravity: [0, 0, -9.81]\n" : ""), path);
  if (urdf) scene.notes.push_back("gravity: a URDF file has none; taken as 9.81 m/s² along -z, with a fixed base and no ground; a scene with urdf: can say otherwise");
  return scene;
}

}  // namespace carom::io
