#pragma once
// The shapes and materials of a scene file.

#include <string>
#include <string_view>
#include <vector>

#include "carom/io/scene_draft.hpp"
#include "carom/io/value.hpp"
#include "carom/math/time_function.hpp"

namespace carom::io {

// `materials`, and which of them is the default.
void read_materials(const Value& root, SceneDraft& draft);
Material read_material(const Value& value, const std::string& field, std::string name);
std::vector<MaterialPair> read_pairs(const Value& root, const std::vector<Material>& materials);
CombinationRule read_combination(const Value& root);
// The material that `value` names or describes; `owner` names what is described in place.
int material_of(const Value& value, const std::string& field, const std::string& owner, SceneDraft& draft);

// The shapes of one body, or of the ground; `material` is that of shapes that name none, −1 the scene's default.
std::vector<DraftCollider> read_shapes(const Value& list, const std::string& field, const std::string& body, int material, SceneDraft& draft);

// Mass properties of the body that the colliders fill: of given mass, or of given density when mass is 0.
MassProperties mass_of_shapes(const std::vector<DraftCollider>& shapes, double mass, double density, World world, const std::string& field);

// A number, or a map of the table "time".
TimeFunction read_time(const Value& value, const std::string& field);

}  // namespace carom::io
