#pragma once
// A report as one HTML page that needs nothing else: tables, and pictures inside the page.

#include <string>

#include "carom/core/report.hpp"

namespace carom::io {

// Writes the page. An InputError says why it cannot.
void write_report(const Report& report, const std::string& path);

}  // namespace carom::io
