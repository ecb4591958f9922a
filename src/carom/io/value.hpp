#pragma once
// What a user wrote, in JSON or YAML alike: a tree of values that know where they stand in the text.
// Readers of fields throw InputErrors that name the field as a path ("friction.static", "delassus[0][1]"); the place in the
// file is found afterwards, once, from that path.

#include <Eigen/Core>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "carom/core/error.hpp"

namespace carom::io {

struct Value {
  enum class Kind { null, flag, number, word, list, map };
  Kind kind = Kind::null;
  bool flag = false;
  double number = 0;
  std::string word;
  std::string key;           // its name in the map that holds it
  std::size_t offset = 0;    // where it starts in the text [bytes]
  std::vector<Value> items;  // of a list or a map, in the order written

  const Value* find(std::string_view name) const;
};

// How deep a user's values may nest; no input of carom comes near.
inline constexpr std::size_t kDeepest = 32;

// The text that values come from.
struct Source {
  std::string_view text;
  std::string file;    // as the user named it
  int first_line = 1;  // where `text` starts in the file
  int first_column = 1;
  int item = -1;       // position in a batch

  InputPlace place(std::size_t offset) const;
  // The same error, with the place of its field, or of the nearest value above it, in the tree.
  InputError placed(const InputError& error, const Value& root) const;
};

// "0.5", "\"abc\"", "a list of 3 values": a value in a message.
std::string describe(const Value& value);

// Typed access; an InputError names `field` when the value is of another kind.
double as_number(const Value& value, std::string_view field);  // finite
int as_integer(const Value& value, std::string_view field);
bool as_flag(const Value& value, std::string_view field);
const std::string& as_word(const Value& value, std::string_view field);
const std::vector<Value>& as_list(const Value& value, std::string_view field);
const std::vector<Value>& as_map(const Value& value, std::string_view field);
Eigen::VectorXd as_vector(const Value& value, std::string_view field);
Eigen::MatrixXd as_matrix(const Value& value, std::string_view field);  // list of rows

// The member `key` of a map; an InputError says `meaning` when it is missing.
const Value& required(const Value& map, std::string_view key, std::string_view parent, std::string_view meaning);

// Refuses keys of `map` that are not `known`, and suggests the nearest.
void check_keys(const Value& map, std::string_view parent, const std::vector<std::string_view>& known);

// "parent.key", or "key" at the top.
std::string path(std::string_view parent, std::string_view key);

// The word of `known` nearest to `word` in letters; empty when none is near.
std::string_view nearest(std::string_view word, const std::vector<std::string_view>& known);

}  // namespace carom::io
