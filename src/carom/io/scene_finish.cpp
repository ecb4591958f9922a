#include "carom/io/scene_finish.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "carom/io/fields.hpp"
#include "carom/io/mechanism_yaml.hpp"
#include "carom/io/scene_bodies.hpp"
#include "carom/io/scene_keys.hpp"

namespace carom::io {
namespace {

void refuse_same_names(const std::vector<DraftCollider>& colliders) {
  std::map<std::string_view, const DraftCollider*> known;
  for (const DraftCollider& c : colliders)
    if (const auto [other, fresh] = known.emplace(c.collider.name, &c); !fresh)
      throw InputError(path(c.field, "name"), c.collider.name, fmt::format("is already the name of {}", other->second->field));
}

State start_of(const Model& model, const SceneDraft& draft, const Value& root) {
  State start{neutral(model), Eigen::VectorXd::Zero(model.nv())};
  for (const DraftStart& given : draft.starts) {
    const Joint& joint = model.joint(model.joint_index(given.joint));
    if (given.q.size() > 0) start.q.segment(joint.q_index, joint.nq) = given.q;
    if (given.u.size() > 0) start.u.segment(joint.u_index, joint.nv) = given.u;
  }
  normalise(model, start.q);
  const Value* state = root.find("state");
  if (!state) {
    close_constraints(model, false, start);
    return start;
  }
  const Fields checked(*state, "state", scene_table("state"));
  return read_state(model, *state, std::move(start));
}

}  // namespace

Scene finish(SceneDraft& draft, const Value& root) {
  refuse_same_names(draft.colliders);
  const auto build = [&] {
    try {
      return draft.builder.build();
    } catch (const InputError& error) {
      throw in_lists(error, root);
    }
  };
  Model model = build();
  State start = start_of(model, draft, root);
  Scene scene{.model = std::move(model), .start = std::move(start)};
  for (DraftCollider& c : draft.colliders) {
    if (c.collider.material < 0) {
      if (draft.default_material < 0) {
        draft.default_material = static_cast<int>(draft.materials.size());
        draft.materials.push_back({.name = "default"});
        draft.notes.push_back("materials: none is given; shapes without one have no friction and no restitution");
      }
      c.collider.material = draft.default_material;
    }
    c.collider.body = scene.model.body_index(c.body);
    scene.colliders.push_back(c.collider);
  }
  scene.materials = draft.materials;
  scene.notes = draft.notes;
  return scene;
}

InputError as_written(const InputError& error, const SceneDraft& draft, const Scene& scene) {
  const auto indexed = [&](std::string_view list, std::size_t size) -> int {
    const std::string& field = error.field();
    std::size_t index = size;
    if (field.starts_with(list) && field.size() > list.size() && field[list.size()] == '[') std::from_chars(field.data() + list.size() + 1, field.data() + field.size(), index);
    return index < size ? static_cast<int>(index) : -1;
  };
  if (const int i = indexed("colliders", draft.colliders.size()); i >= 0) return renamed(error, fmt::format("colliders[{}]", i), draft.colliders[static_cast<std::size_t>(i)].field);
  if (const int i = indexed("materials", scene.materials.size()); i >= 0) return renamed(error, fmt::format("materials[{}]", i), "materials." + scene.materials[static_cast<std::size_t>(i)].name);
  if (const int i = indexed("limits", scene.limits.size()); i >= 0) {
    const auto from_draft = static_cast<std::size_t>(i) < draft.limits.size();
    return renamed(error, fmt::format("limits[{}]", i), from_draft ? draft.limits[static_cast<std::size_t>(i)].field : fmt::format("limits[{}]", static_cast<std::size_t>(i) - draft.limits.size()));
  }
  if (error.field().starts_with("start")) return renamed(error, "start", "state");
  return error;
}

}  // namespace carom::io
