#include <fmt/format.h>

#include "carom/io/fields.hpp"
#include "carom/io/scene_keys.hpp"
#include "carom/io/scene_shapes.hpp"

namespace carom::io {
namespace {

std::vector<std::string_view> names(const std::vector<Material>& materials) {
  std::vector<std::string_view> all;
  for (const Material& material : materials) all.push_back(material.name);
  return all;
}

int index_of(const Value& value, const std::string& field, const std::vector<Material>& materials) {
  const std::string& name = as_word(value, field);
  for (std::size_t i = 0; i < materials.size(); ++i)
    if (materials[i].name == name) return static_cast<int>(i);
  const std::string_view guess = nearest(name, names(materials));
  throw InputError(field, describe(value),
                   materials.empty() ? "unknown material; the scene has no materials"
                   : guess.empty()   ? fmt::format("unknown material; known are {}", fmt::join(names(materials), ", "))
                                     : fmt::format("unknown material; did you mean {}?", guess));
}

// The surface that `fields`, a map of the table "material" or "pair", describes.
Material described(const Fields& fields, std::string name) {
  Material material;
  material.name = std::move(name);
  if (const Value* friction = fields.find("friction")) {
    const std::string field = fields.field("friction");
    if (friction->kind == Value::Kind::map) {
      const Fields both(*friction, field, scene_table("friction"));
      material.mu_s = both.number("static");
      material.mu_d = both.number("kinetic");
      if (material.mu_d > material.mu_s)
        throw InputError(both.field("kinetic"), fmt::format("{}", material.mu_d), fmt::format("must be ≤ friction.static = {}", material.mu_s));
    } else {
      material.mu_s = material.mu_d = as_number(*friction, field);
      if (material.mu_s < 0) throw InputError(field, describe(*friction), "must be ≥ 0");
    }
  }
  material.e = fields.number("restitution");
  material.stiffness = fields.number("stiffness");
  material.exponent = fields.number("exponent");
  material.torsion = fields.number("torsion");
  material.rolling = fields.number("rolling");
  material.cone_edges = fields.integer("cone_edges");
  if (material.cone_edges == 1 || material.cone_edges == 2)
    throw InputError(fields.field("cone_edges"), fmt::format("{}", material.cone_edges), "must be 0 (the integrator's) or ≥ 3");
  return material;
}

Combination combination(const std::string& word) {
  for (const Combination rule : {Combination::minimum, Combination::maximum, Combination::average, Combination::geometric})
    if (name(rule) == word) return rule;
  return Combination::product;
}

}  // namespace

Material read_material(const Value& value, const std::string& field, std::string name) {
  return described(Fields(value, field, scene_table("material")), std::move(name));
}

void read_materials(const Value& root, SceneDraft& draft) {
  if (const Value* map = root.find("materials"))
    for (const Value& entry : as_map(*map, "materials")) {
      if (entry.key == "default") draft.default_material = static_cast<int>(draft.materials.size());
      draft.materials.push_back(read_material(entry, path("materials", entry.key), entry.key));
    }
  if (draft.materials.size() == 1) draft.default_material = 0;
  draft.material_required = draft.materials.size() > 1 && draft.default_material < 0;
}

std::vector<MaterialPair> read_pairs(const Value& root, const std::vector<Material>& materials) {
  std::vector<MaterialPair> pairs;
  const Value* list = root.find("pairs");
  if (!list) return pairs;
  for (std::size_t i = 0; i < list->items.size(); ++i) {
    const Fields fields(list->items[i], fmt::format("pairs[{}]", i), scene_table("pair"));
    const Value& both = *fields.find("materials");
    const std::string field = fields.field("materials");
    if (both.items.size() != 2) throw InputError(field, describe(both), "must be two names of materials");
    MaterialPair pair;
    pair.a = index_of(both.items[0], field + "[0]", materials);
    pair.b = index_of(both.items[1], field + "[1]", materials);
    for (const MaterialPair& other : pairs)
      if ((other.a == pair.a && other.b == pair.b) || (other.a == pair.b && other.b == pair.a))
        throw InputError(field, describe(both), "this pair is given twice");
    pair.together = described(fields, both.items[0].word + "+" + both.items[1].word);
    pairs.push_back(std::move(pair));
  }
  return pairs;
}

CombinationRule read_combination(const Value& root) {
  CombinationRule rule;
  if (const Value* map = root.find("combine")) {
    const Fields fields(*map, "combine", scene_table("combine"));
    rule.friction = combination(fields.word("friction"));
    rule.restitution = combination(fields.word("restitution"));
  }
  return rule;
}

int material_of(const Value& value, const std::string& field, const std::string& owner, SceneDraft& draft) {
  if (value.kind != Value::Kind::map) return index_of(value, field, draft.materials);
  draft.materials.push_back(read_material(value, field, owner));
  return static_cast<int>(draft.materials.size()) - 1;
}

}  // namespace carom::io
