#pragma once
// From a draft to a scene: names become indices.

#include "carom/io/scene_draft.hpp"
#include "carom/io/value.hpp"
#include "carom/simulate/scene.hpp"

namespace carom::io {

// The model, how it starts (`state` of the map `root`), materials, colliders and notes; the rest of the scene is its default.
Scene finish(SceneDraft& draft, const Value& root);

// An error of validate(Scene), which calls shapes and limits by their names, in terms of what the user wrote.
InputError as_written(const InputError& error, const SceneDraft& draft);

}  // namespace carom::io
