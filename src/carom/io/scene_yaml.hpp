#pragma once
// A scene as a user writes it (docs/scene.md, examples/): bodies with shapes, joints, materials, forces, laws, integrator.
//
//   world: planar
//   gravity: [0, -9.81]
//   materials: {rubber: {friction: 0.5, restitution: 0.8}}
//   ground: [{half_space: {normal: [0, 1]}}]
//   bodies:
//     ball: {mass: 1, shapes: [{disc: {radius: 0.1}}], position: [0, 1], velocity: [1, 0]}
//   duration: 2
//
// Every key stands in scene_keys.cpp; everything wrong is an InputError with file, line and column.

#include <string>
#include <string_view>

#include "carom/io/value.hpp"
#include "carom/simulate/scene.hpp"

namespace carom::io {

// Is the map a scene, and not an impact problem or a mechanism with its `contact`?
bool is_scene(const Value& root);
bool is_scene(std::string_view text);  // the first YAML document in it; false where it does not parse

// The scene in a file ("-": standard input). A .urdf or MJCF .xml file is a scene by itself, see urdf.hpp and mjcf.hpp.
Scene read_scene(const std::string& path);
// The scene in `text`; `file` is how errors name it and where other files are looked for.
Scene read_scene_text(std::string_view text, const std::string& file);

}  // namespace carom::io
