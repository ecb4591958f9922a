#include "carom/io/report_html.hpp"

#include <fmt/format.h>

#include <fstream>

#include "carom/core/error.hpp"
#include "carom/io/plot.hpp"

namespace carom::io {
namespace {

constexpr const char* kStyle =
    "body{font:16px/1.5 system-ui,sans-serif;color:#222;max-width:1000px;margin:2rem auto;padding:0 1rem}"
    "table{border-collapse:collapse;margin:1rem 0;font-size:14px}th,td{padding:.3rem .8rem;border-bottom:1px solid #ddd;text-align:left}"
    "th{border-bottom:2px solid #888}.number{text-align:right;font-variant-numeric:tabular-nums}"
    "figure{margin:1.5rem 0}svg{max-width:100%;height:auto}";

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&') out += "&amp;";
    else if (c == '<') out += "&lt;";
    else if (c == '>') out += "&gt;";
    else out += c;
  }
  return out;
}

std::string paragraphs(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find("\n\n", at), text.size());
    out += "<p>" + escaped(text.substr(at, end - at)) + "</p>\n";
    at = end + 2;
  }
  return out;
}

std::string html(const Table& table) {
  std::string out = "<table>\n<tr>";
  const auto cell = [&](const char* tag, std::size_t column, const std::string& text) {
    out += fmt::format("<{0}{1}>{2}</{0}>", tag, table.columns[column].align == Align::right ? " class=\"number\"" : "", escaped(text));
  };
  for (std::size_t i = 0; i < table.columns.size(); ++i) cell("th", i, table.columns[i].heading);
  out += "</tr>\n";
  for (const auto& row : table.rows) {
    out += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) cell("td", i, row[i]);
    out += "</tr>\n";
  }
  return out + "</table>\n";
}

}  // namespace

void write_report(const Report& report, const std::string& path) {
  std::string page = fmt::format("<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>{0}</title><style>{1}</style></head>\n<body>\n<h1>{0}</h1>\n",
                                 escaped(report.title), kStyle);
  for (const Section& section : report.sections) {
    if (!section.heading.empty()) page += "<h2>" + escaped(section.heading) + "</h2>\n";
    page += paragraphs(section.text);
    for (const Table& table : section.tables) page += html(table);
    for (const Figure& figure : section.figures) page += "<figure>\n" + plot_svg(figure) + "</figure>\n";
  }
  std::ofstream file(path, std::ios::binary);
  file << page << "</body>\n</html>\n";
  if (!file.flush()) throw InputError("report", path, "cannot be written");
}

}  // namespace carom::io
