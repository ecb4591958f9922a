#include "carom/io/scene_finish.hpp"

#include <fmt/format.h>

#include <algorithm>
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

// Models stand at their zero, which may lie beyond a stop: then they start at the stop.
void move_inside_stops(const Model& model, SceneDraft& draft, Eigen::VectorXd& q) {
  for (const DraftLimit& limit : draft.limits) {
    if (!limit.field.empty()) continue;  // of the scene: its start is what the user wrote
    double& at = q[model.joint(model.joint_index(limit.joint)).q_index + limit.freedom];
    if (at >= limit.lower && at <= limit.upper) continue;
    at = std::clamp(at, limit.lower, limit.upper);
    draft.notes.push_back(fmt::format("joint {}: its zero lies beyond a stop; it starts at {}", limit.joint, at));
  }
}

State start_of(const Model& model, SceneDraft& draft, const Value& root) {
  State start{neutral(model), Eigen::VectorXd::Zero(model.nv())};
  for (const DraftStart& given : draft.starts) {
    const Joint& joint = model.joint(model.joint_index(given.joint));
    if (given.q.size() > 0) start.q.segment(joint.q_index, joint.nq) = given.q;
    if (given.u.size() > 0) start.u.segment(joint.u_index, joint.nv) = given.u;
  }
  normalise(model, start.q);
  move_inside_stops(model, draft, start.q);
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

InputError as_written(const InputError& error, const SceneDraft& draft) {
  if (error.field() == "state" && error.value().find("overlaps") != std::string::npos)
    return {error.field(), error.value(),
            error.allowed() + "; what may overlap is named under ignore, or for a whole model by self_collision: false"};
  for (const DraftCollider& c : draft.colliders)
    if (const std::string name = "shapes." + c.collider.name;
        !c.field.empty() && (error.field() == name || error.field().starts_with(name + ".material") || error.field().starts_with(name + ".drive")))
      return renamed(error, name, c.field);
  for (const DraftLimit& limit : draft.limits)
    if (!limit.field.empty() && error.field().starts_with("limits." + limit.joint)) return {limit.field, error.value(), error.allowed()};
  return error;
}

}  // namespace carom::io
