#include "carom/io/key_table.hpp"

#include <fmt/format.h>

#include <cmath>

namespace carom::io {

bool Range::contains(double number) const { return (open_low ? number > low : number >= low) && (open_high ? number < high : number <= high); }

std::string Range::text() const {
  const bool below = std::isfinite(high), above = std::isfinite(low);
  if (above && below) return fmt::format("in {}{}, {}{}", open_low ? "(" : "[", low, high, open_high ? ")" : "]");
  if (above) return fmt::format("{} {}", open_low ? ">" : "≥", low);
  if (below) return fmt::format("{} {}", open_high ? "<" : "≤", high);
  return "";
}

const Key* KeyTable::find(std::string_view name) const {
  for (const Key& key : keys)
    if (key.name == name) return &key;
  return nullptr;
}

std::string type_text(const Key& key) {
  if (!key.type.empty()) return key.type;
  switch (key.kind) {
    case KeyKind::number: return "number";
    case KeyKind::integer: return "integer";
    case KeyKind::flag: return "true, false";
    case KeyKind::word: return key.choices.empty() ? "word" : fmt::format("{}", fmt::join(key.choices, ", "));
    case KeyKind::point: return "[x, y(, z)]";
    case KeyKind::list: return "list";
    case KeyKind::map: return "map";
    case KeyKind::compound: break;
  }
  return "";
}

std::string reference_page(std::string_view title, std::string_view introduction, const std::vector<KeyTable>& tables) {
  std::string page = fmt::format("# {}\n\n{}\n", title, introduction);
  for (const KeyTable& table : tables) {
    page += fmt::format("\n## {}\n", table.title);
    if (!table.text.empty()) page += fmt::format("{}\n", table.text);
    page += "\n| key | type | unit | default | range | meaning |\n|---|---|---|---|---|---|\n";
    for (const Key& key : table.keys)
      page += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", key.name, type_text(key), key.unit, key.fallback, key.range.text(), key.meaning);
  }
  return page;
}

}  // namespace carom::io
