#pragma once
// The keys that a user's map may have, said once. What reads a map checks it against this table, and the reference page is
// printed from it, so that the two cannot differ.

#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace carom::io {

// Which numbers are allowed.
struct Range {
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
  bool open_low = false, open_high = false;

  bool contains(double number) const;
  std::string text() const;  // "> 0", "in [0, 1]"; empty: any finite number
};
inline constexpr Range kAny{};
inline constexpr Range kPositive{.low = 0, .open_low = true};
inline constexpr Range kNotNegative{.low = 0};
inline constexpr Range kUnitInterval{.low = 0, .high = 1};

enum class KeyKind {
  number,    // in range
  integer,   // in range
  flag,      // true or false
  word,      // one of the choices, if there are any
  point,     // two or three coordinates
  list, map,
  compound,  // of several kinds: `type` says which, its reader checks
};

inline constexpr std::string_view kRequired = "required";

struct Key {
  std::string name;
  KeyKind kind = KeyKind::compound;
  std::string type{};                  // shown instead of the kind: "list of shapes"
  std::string unit{};
  std::string fallback{};              // shown as the default; the numbers, flags and words that readers use; kRequired
  Range range{};
  std::vector<std::string> choices{};  // of a word
  std::string meaning{};
};

// The keys of one kind of map.
struct KeyTable {
  std::string id;     // "box"
  std::string title;  // of its part of the reference
  std::string text;   // what there is to say before the table of keys
  std::vector<Key> keys;

  const Key* find(std::string_view name) const;
};

// What `key` may be, in words for the reference: "number", "one of planar, spatial", "list of shapes".
std::string type_text(const Key& key);

// The tables as a page of Markdown under `title`.
std::string reference_page(std::string_view title, std::string_view introduction, const std::vector<KeyTable>& tables);

}  // namespace carom::io
