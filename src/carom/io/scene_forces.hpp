#pragma once
// Forces, limits, exceptions and laws of a scene file: what is said by names about a model that is already made.

#include "carom/io/scene_draft.hpp"
#include "carom/io/value.hpp"
#include "carom/simulate/scene.hpp"

namespace carom::io {

// `forces` of the file and the motors of the draft.
Forces read_forces(const Value& root, const SceneDraft& draft, const Model& model, const State& start);

// `limits` of the file and of the draft, with the indices of the model.
std::vector<JointLimit> read_limits(const Value& root, const SceneDraft& draft, const Model& model);

// `law`, `restitution_law` and `options` of a map; refused when no such law resolves impacts of that dimension.
ImpactLaw read_law(const Value& map, const std::string& field, int dimension);

// Refuses a law that resolves no impacts of that dimension, and hypotheses and options that it does not have.
void check_law(const ImpactLaw& law, int dimension);

// `ignore` and `pair_laws`.
void read_pair_rules(const Value& root, const SceneDraft& draft, Scene& scene);

}  // namespace carom::io
