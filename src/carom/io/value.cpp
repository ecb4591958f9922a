#include "carom/io/value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace carom::io {
namespace {

// The deepest value along a path such as "friction.static" or "delassus[0][1]" that exists.
const Value& locate(const Value& root, std::string_view field) {
  const Value* at = &root;
  while (!field.empty()) {
    if (field.front() == '[') {
      const std::size_t close = field.find(']');
      std::size_t index = 0;
      for (const char digit : field.substr(1, close - 1)) index = 10 * index + static_cast<std::size_t>(digit - '0');
      if (at->kind != Value::Kind::list || index >= at->items.size()) return *at;
      at = &at->items[index];
      field.remove_prefix(std::min(close, field.size() - 1) + 1);
    } else {
      if (field.front() == '.') field.remove_prefix(1);
      const std::string_view key = field.substr(0, field.find_first_of(".["));
      const Value* member = at->kind == Value::Kind::map ? at->find(key) : nullptr;
      if (!member) return *at;
      at = member;
      field.remove_prefix(key.size());
    }
  }
  return *at;
}

// The word as one may show it on a terminal: of what is no text, or long, only the beginning.
std::string printable(std::string_view word) {
  constexpr std::size_t kMost = 80;
  std::string out;
  for (const char c : word.substr(0, kMost)) out += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
  while (word.size() > kMost && !out.empty() && (static_cast<unsigned char>(out.back()) & 0xc0) == 0x80) out.pop_back();  // not half a letter
  return word.size() > kMost ? out + "…" : out;
}

[[noreturn]] void wrong_kind(const Value& value, std::string_view field, const char* wanted) {
  throw InputError(std::string(field), describe(value), wanted);
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, change});
    }
  }
  return row.back();
}

}  // namespace

const Value* Value::find(std::string_view name) const {
  for (const Value& item : items)
    if (item.key == name) return &item;
  return nullptr;
}

InputPlace Source::place(std::size_t offset) const {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const auto lines = std::count(before.begin(), before.end(), '\n');
  const std::size_t last = before.rfind('\n');
  const int column = last == std::string_view::npos ? first_column + static_cast<int>(before.size()) : static_cast<int>(before.size() - last);
  return {file, first_line + static_cast<int>(lines), column, item};
}

InputError Source::placed(const InputError& error, const Value& root) const {
  return error.at(place(locate(root, error.field()).offset));
}

std::string describe(const Value& value) {
  switch (value.kind) {
    case Value::Kind::null: return "null";
    case Value::Kind::flag: return value.flag ? "true" : "false";
    case Value::Kind::number: return fmt::format("{}", value.number);
    case Value::Kind::word: return '"' + printable(value.word) + '"';
    case Value::Kind::list: return fmt::format("a list of {} values", value.items.size());
    case Value::Kind::map: break;
  }
  return fmt::format("a map of {} keys", value.items.size());
}

double as_number(const Value& value, std::string_view field) {
  if (value.kind != Value::Kind::number) wrong_kind(value, field, "must be a number");
  if (!std::isfinite(value.number)) wrong_kind(value, field, "must be a finite number");
  return value.number;
}

int as_integer(const Value& value, std::string_view field) {
  const double number = as_number(value, field);
  if (number != std::floor(number) || std::abs(number) > 1e9) wrong_kind(value, field, "must be an integer");
  return static_cast<int>(number);
}

bool as_flag(const Value& value, std::string_view field) {
  if (value.kind != Value::Kind::flag) wrong_kind(value, field, "must be true or false");
  return value.flag;
}

const std::string& as_word(const Value& value, std::string_view field) {
  if (value.kind != Value::Kind::word) wrong_kind(value, field, "must be a word");
  return value.word;
}

const std::vector<Value>& as_list(const Value& value, std::string_view field) {
  if (value.kind != Value::Kind::list) wrong_kind(value, field, "must be a list");
  return value.items;
}

const std::vector<Value>& as_map(const Value& value, std::string_view field) {
  if (value.kind != Value::Kind::map) wrong_kind(value, field, "must be a map of keys and values");
  return value.items;
}

Eigen::VectorXd as_vector(const Value& value, std::string_view field) {
  if (value.kind != Value::Kind::list) wrong_kind(value, field, "must be a list of numbers");
  Eigen::VectorXd out(static_cast<Eigen::Index>(value.items.size()));
  for (std::size_t i = 0; i < value.items.size(); ++i) {
    const Value& item = value.items[i];
    if (item.kind != Value::Kind::number || !std::isfinite(item.number)) as_number(item, fmt::format("{}[{}]", field, i));
    out(static_cast<Eigen::Index>(i)) = item.number;
  }
  return out;
}

Eigen::MatrixXd as_matrix(const Value& value, std::string_view field) {
  if (value.kind != Value::Kind::list) wrong_kind(value, field, "must be a list of rows");
  const auto& rows = value.items;
  const std::size_t columns = rows.empty() ? 0 : rows.front().items.size();
  Eigen::MatrixXd out(static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(columns));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto name = [&] { return fmt::format("{}[{}]", field, i); };
    if (rows[i].kind != Value::Kind::list) wrong_kind(rows[i], name(), "must be a row: a list of numbers");
    if (rows[i].items.size() != columns)
      wrong_kind(rows[i], name(), fmt::format("must have {} values, as many as the first row", columns).c_str());
    for (std::size_t j = 0; j < columns; ++j) {
      const Value& item = rows[i].items[j];
      if (item.kind != Value::Kind::number || !std::isfinite(item.number)) as_number(item, fmt::format("{}[{}][{}]", field, i, j));
      out(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = item.number;
    }
  }
  return out;
}

const Value& required(const Value& map, std::string_view key, std::string_view parent, std::string_view meaning) {
  if (const Value* value = map.find(key)) return *value;
  throw InputError(path(parent, key), "", fmt::format("is missing: {}", meaning));
}

void check_keys(const Value& map, std::string_view parent, const std::vector<std::string_view>& known) {
  for (const Value& item : as_map(map, parent.empty() ? "the problem" : parent)) {
    if (std::find(known.begin(), known.end(), item.key) != known.end()) continue;
    const std::string_view guess = nearest(item.key, known);
    const std::string hint = guess.empty() ? fmt::format("known are {}", fmt::join(known, ", ")) : fmt::format("did you mean {}?", guess);
    throw InputError(path(parent, item.key), describe(item), "unknown key; " + hint);
  }
}

std::string path(std::string_view parent, std::string_view key) {
  return parent.empty() ? std::string(key) : fmt::format("{}.{}", parent, key);
}

std::string_view nearest(std::string_view word, const std::vector<std::string_view>& known) {
  std::string_view best;
  std::size_t least = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string_view candidate : known) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < least) least = distance, best = candidate;
  }
  return best;
}

}  // namespace carom::io
