#pragma once
// The bodies and joints of a scene file.

#include "carom/io/scene_draft.hpp"
#include "carom/io/value.hpp"

namespace carom::io {

// `bodies`, `joints` and `constraints` of the file. A body that no joint carries gets a free (planar: planar) joint of its own
// name, and as many copies as its `array` asks for.
void read_bodies(const Value& root, SceneDraft& draft);

// An error of ModelBuilder, which names joints and constraints by their names, in terms of the lists that the user wrote.
InputError in_lists(const InputError& error, const Value& root);

}  // namespace carom::io
