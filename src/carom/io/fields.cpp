#include "carom/io/fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "carom/io/shapes.hpp"

namespace carom::io {
namespace {

void check_range(const Key& key, const Value& value, double number, const std::string& field) {
  if (!key.range.contains(number))
    throw InputError(field, describe(value), fmt::format("must be {}{}", key.range.text(), key.unit.empty() ? "" : " [" + key.unit + "]"));
}

// Where the keys of a map stand that is explained in a part of the reference of its own: " (those of box in docs/scene.md)".
std::string keys_at(const Key& key) {
  std::string parts;
  for (std::size_t at = key.type.find("(#"); at != std::string::npos; at = key.type.find("(#", at + 1))
    parts += (parts.empty() ? "" : " or ") + key.type.substr(at + 2, key.type.find(')', at) - at - 2);
  return parts.empty() ? "" : fmt::format(" (those of {} in docs/scene.md)", parts);
}

void check_value(const Key& key, const Value& value, const std::string& field) {
  switch (key.kind) {
    case KeyKind::number: return check_range(key, value, as_number(value, field), field);
    case KeyKind::integer: return check_range(key, value, as_integer(value, field), field);
    case KeyKind::flag: as_flag(value, field); return;
    case KeyKind::point: as_point(value, field); return;
    case KeyKind::list: as_list(value, field); return;
    case KeyKind::map:
      if (value.kind != Value::Kind::map) throw InputError(field, describe(value), "must be a map of keys and values" + keys_at(key));
      return;
    case KeyKind::compound: return;
    case KeyKind::word: break;
  }
  const std::string& word = as_word(value, field);
  if (key.choices.empty() || std::find(key.choices.begin(), key.choices.end(), word) != key.choices.end()) return;
  const std::string_view guess = nearest(word, {key.choices.begin(), key.choices.end()});
  throw InputError(field, describe(value),
                   fmt::format("must be one of {}{}", fmt::join(key.choices, ", "), guess.empty() ? "" : fmt::format("; did you mean {}?", guess)));
}

}  // namespace

Fields::Fields(const Value& map, std::string field, const KeyTable& table) : map_(&map), field_(std::move(field)), table_(&table) {
  std::vector<std::string_view> known;
  for (const Key& key : table.keys) known.push_back(key.name);
  if (map.kind != Value::Kind::map)
    throw InputError(field_.empty() ? "the scene" : field_, describe(map),
                     fmt::format("must be a map of keys and values; known are {}", fmt::join(known, ", ")));
  check_keys(map, field_, known);
  for (const Value& item : map.items) check_value(key(item.key), item, path(field_, item.key));
  for (const Key& key : table.keys)
    if (key.fallback == kRequired) required(map, key.name, field_, key.meaning);
}

const Key& Fields::key(std::string_view name) const {
  if (const Key* found = table_->find(name)) return *found;
  throw std::logic_error(fmt::format("the key {} is not in the table {}", name, table_->id));
}

const Value* Fields::find(std::string_view name) const { return map_->find(key(name).name); }

double Fields::number(std::string_view name) const {
  if (const Value* value = find(name)) return value->number;
  const std::string& text = key(name).fallback;
  double number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

int Fields::integer(std::string_view name) const { return static_cast<int>(number(name)); }

bool Fields::flag(std::string_view name) const {
  const Value* value = find(name);
  return value ? value->flag : key(name).fallback == "true";
}

std::string Fields::word(std::string_view name) const {
  const Value* value = find(name);
  return value ? value->word : key(name).fallback;
}

Eigen::Vector3d Fields::point(std::string_view name, const Eigen::Vector3d& otherwise) const {
  const Value* value = find(name);
  return value ? as_point(*value, field(name)) : otherwise;
}

InputError renamed(const InputError& error, std::string_view from, std::string_view to) {
  const std::string& field = error.field();
  if (!field.starts_with(from)) return error;
  return {std::string(to) + field.substr(from.size()), error.value(), error.allowed(), error.place()};
}

}  // namespace carom::io
