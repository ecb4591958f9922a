#pragma once
// Every key of a scene file: its type, unit, default, range and meaning. The reader (scene_yaml.hpp) checks against these tables;
// docs/scene.md is printed from them.

#include <string>
#include <string_view>
#include <vector>

#include "carom/io/key_table.hpp"

namespace carom::io {

// In the order of the reference.
const std::vector<KeyTable>& scene_tables();

// The table of that id; an unknown id is a mistake of the program.
const KeyTable& scene_table(std::string_view id);

// docs/scene.md.
std::string scene_reference();

}  // namespace carom::io
