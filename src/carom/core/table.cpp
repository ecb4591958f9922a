#include "carom/core/table.hpp"

#include <algorithm>
#include <cassert>

namespace carom {
namespace {

// The code point that starts at text[at]; moves `at` past it.
char32_t next_code_point(std::string_view text, std::size_t& at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(at++);
  const int more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : first >= 0xC0 ? 1 : 0;
  char32_t code = more == 3 ? first & 0x07u : more == 2 ? first & 0x0Fu : more == 1 ? first & 0x1Fu : first;
  for (int i = 0; i < more && at < text.size(); ++i) code = (code << 6) | (byte(at++) & 0x3Fu);
  return code;
}

void append_cell(std::string& line, const std::string& cell, std::size_t width, Align align) {
  const std::string fill(width - text_width(cell), ' ');
  line += align == Align::right ? fill + cell : cell + fill;
}

}  // namespace

std::size_t text_width(std::string_view utf8) {
  std::size_t width = 0;
  for (std::size_t at = 0; at < utf8.size();) {
    const char32_t code = next_code_point(utf8, at);
    if (code < 0x300 || code > 0x36F) ++width;
  }
  return width;
}

std::string to_text(const Table& table, std::string_view indent) {
  std::vector<std::size_t> widths;
  for (const Column& column : table.columns) widths.push_back(text_width(column.heading));
  for (const auto& row : table.rows) {
    assert(row.size() == widths.size());
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], text_width(row[i]));
  }
  std::string text;
  const auto add_line = [&](auto&& cell_of) {
    std::string line(indent);
    for (std::size_t i = 0; i < widths.size(); ++i) {
      if (i > 0) line += "  ";
      append_cell(line, cell_of(i), widths[i], table.columns[i].align);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  };
  add_line([&](std::size_t i) { return table.columns[i].heading; });
  add_line([&](std::size_t i) {
    std::string rule;
    for (std::size_t k = 0; k < widths[i]; ++k) rule += "─";
    return rule;
  });
  for (const auto& row : table.rows) add_line([&](std::size_t i) { return row[i]; });
  return text;
}

std::string to_markdown(const Table& table) {
  std::string text = "|", rule = "|";
  for (const Column& column : table.columns) {
    text += " " + column.heading + " |";
    rule += column.align == Align::right ? "---:|" : "---|";
  }
  text += "\n" + rule + "\n";
  for (const std::vector<std::string>& row : table.rows) {
    text += "|";
    for (const std::string& cell : row) text += " " + cell + " |";
    text += "\n";
  }
  return text;
}

}  // namespace carom
