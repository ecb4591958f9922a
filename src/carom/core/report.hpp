#pragma once
// A report as plain data: what a study found, for a terminal or a page.

#include <string>
#include <vector>

#include "carom/core/figure.hpp"
#include "carom/core/table.hpp"

namespace carom {

struct Section {
  std::string heading;
  std::string text;  // paragraphs, separated by empty lines
  std::vector<Table> tables;
  std::vector<Figure> figures;
};

struct Report {
  std::string title;
  std::vector<Section> sections;
};

// Headings, text and tables for a terminal; figures are left out.
std::string to_text(const Report& report);

}  // namespace carom
