#pragma once
// A mechanism that is about to hit something, as a user writes it: bodies, joints, constraints, state and contact.
//
//   world: planar                         # or spatial
//   gravity: [0, -9.81]                   # optional; impacts do not feel it
//   bodies:
//     upper: {mass: 3, rod: {length: 2}}  # a shape gives inertia and centre of mass …
//     lower: {mass: 3, com: [1, 0], inertia: 1}   # … or both are given
//   joints:                               # one per body; parent defaults to ground
//     - {name: shoulder, type: revolute, child: upper, at: [0, 0]}
//     - {name: elbow, type: revolute, parent: upper, child: lower, at: [2, 0]}
//   state: {q_deg: {shoulder: -70, elbow: 10}, qdot: {shoulder: -0.1, elbow: -0.1}}
//   contact: {body: lower, point: [2, 0], normal: [0, 1], friction: {static: 0.5, kinetic: 0.4}, restitution: 0.5}
//   law: routh
//   restitution_law: poisson
//   measured: {qdot: {shoulder: -0.2}}    # optional, for `carom compare`; problem_json.hpp
//
// Shapes: rod {length} along x with one end at the origin; disc {radius} (a plate about z); sphere {radius}; box {size: [x, y, z]};
// cylinder {radius, length} along z; all but the rod centred at `com` (default the origin). `contacts` takes a list of contacts.

#include "carom/io/problem_json.hpp"
#include "carom/io/value.hpp"
#include "carom/model/builder.hpp"
#include "carom/model/configuration.hpp"
#include "carom/model/model.hpp"

namespace carom::io {

// A map with a `world` is a mechanism, not a problem of matrices.
bool is_mechanism(const Value& root);

Model read_model(const Value& root);
State read_state(const Model& model, const Value& root);

// The parts of it, for readers of formats that extend this one.
World read_world(const Value& root);
JointSpec read_joint(const Value& map, const std::string& field);  // keys are not checked
void read_constraint(const Value& map, const std::string& field, ModelBuilder& builder);
// `start` overwritten by what the map `state` gives by joint, on the constraints.
State read_state(const Model& model, const Value& map, State start);
// Assembles the constraints, or refuses a state that breaks them.
void close_constraints(const Model& model, bool assemble_them, State& state);

// The impact of the mechanism, with M, J and q̇ so that generalised speeds come back under their joints' names.
ProblemItem read_mechanism(const Value& root);

}  // namespace carom::io
