#pragma once
// Figures to files, by gnuplot through a pipe: needs no display. The one plotting route of carom.

#include <string>

#include "carom/core/figure.hpp"

namespace carom::io {

// Writes `path`, SVG or PNG after its ending. An InputError says so for another ending, a missing gnuplot or an unwritable path.
void write_plot(const Figure& figure, const std::string& path);

// The figure as one SVG element, for a page.
std::string plot_svg(const Figure& figure);

// An InputError on a name that write_plot would refuse.
void check_plot_name(const std::string& path);

// "gnuplot 5.4 patchlevel 4", or empty when there is none.
std::string plot_program();

}  // namespace carom::io
