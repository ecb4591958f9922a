#pragma once
// A user's map, checked against its table of keys. Making a Fields refuses unknown keys (with the nearest known one), keys of
// the wrong kind or out of range, and required ones that are missing; what is read afterwards is sound.

#include <Eigen/Core>
#include <string>
#include <string_view>

#include "carom/io/key_table.hpp"
#include "carom/io/value.hpp"

namespace carom::io {

class Fields {
 public:
  // `field` is how errors name the map; both must outlive the Fields.
  Fields(const Value& map, std::string field, const KeyTable& table);

  const Value& map() const { return *map_; }
  const std::string& field() const { return field_; }
  std::string field(std::string_view key) const { return path(field_, key); }

  // The value written for `key`; null when it is left out. A key that the table does not have is a mistake of the program.
  const Value* find(std::string_view key) const;
  bool has(std::string_view key) const { return find(key) != nullptr; }

  // What is written, or else the default of the table.
  double number(std::string_view key) const;
  int integer(std::string_view key) const;
  bool flag(std::string_view key) const;
  std::string word(std::string_view key) const;
  Eigen::Vector3d point(std::string_view key, const Eigen::Vector3d& otherwise = Eigen::Vector3d::Zero()) const;

 private:
  const Key& key(std::string_view name) const;

  const Value* map_;
  std::string field_;
  const KeyTable* table_;
};

// The same complaint about a field that the user wrote under another name: `from` at the start of its field becomes `to`.
InputError renamed(const InputError& error, std::string_view from, std::string_view to);

}  // namespace carom::io
