#pragma once
// A table for a person: columns with headings, cells of text, rendered with aligned columns.

#include <string>
#include <string_view>
#include <vector>

namespace carom {

enum class Align { left, right };

struct Column {
  std::string heading;
  Align align = Align::left;
};

struct Table {
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;  // each as long as `columns`
};

// Characters that a terminal shows for this UTF-8 text (combining marks take no place).
std::size_t text_width(std::string_view utf8);

// The table as lines of text: headings, a rule, the rows; every line starts with `indent` and ends with a newline.
std::string to_text(const Table& table, std::string_view indent = "");

// The table as Markdown.
std::string to_markdown(const Table& table);

}  // namespace carom
