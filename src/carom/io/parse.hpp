#pragma once
// Text to values. Both refuse duplicate keys, too deep nesting and text that does not parse, by an InputError with its place.

#include <vector>

#include "carom/io/value.hpp"

namespace carom::io {

Value parse_json(const Source& source);

// Every document of the text (separated by ---); JSON is YAML too.
std::vector<Value> parse_yaml(const Source& source);

}  // namespace carom::io
