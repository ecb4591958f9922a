#include "carom/core/report.hpp"

namespace carom {

std::string to_text(const Report& report) {
  const auto underlined = [](const std::string& text, const char* mark) {
    std::string out = text;
    out.append("\n");
    for (std::size_t i = 0; i < text_width(text); ++i) out += mark;
    return out.append("\n");
  };
  std::string text = underlined(report.title, "═");
  for (const Section& section : report.sections) {
    if (section.text.empty() && section.tables.empty()) continue;
    text += "\n";
    if (!section.heading.empty()) text += underlined(section.heading, "─");
    if (!section.text.empty()) text.append(section.text).append("\n");
    for (const Table& table : section.tables) text.append("\n").append(to_text(table, "  "));
  }
  return text;
}

}  // namespace carom
