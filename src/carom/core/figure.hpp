#pragma once
// A plot as plain data: what is drawn, with its words and units. How it is drawn is the business of whoever writes the file.

#include <string>
#include <vector>

namespace carom {

enum class Stroke { line, dashed, points };

struct Curve {
  std::string label;       // in the legend; empty: not in the legend
  std::vector<double> xs, ys;
  Stroke stroke = Stroke::line;
  int colour = 0;          // index into the drawer's palette; −1: grey
};

// A line across the whole panel at one value.
struct Marker {
  double at;
  std::string label;       // beside the line; empty: none
};

// A shaded stretch of the x axis.
struct Band {
  double from, to;
  std::string label;
  int tint = 0;            // index into the drawer's palette of light colours
};

// Text beside a point.
struct Note {
  double x, y;
  std::string text;
};

struct Panel {
  std::string x_label, y_label;  // quantity and unit: "normal impulse p_n [N s]"
  std::vector<Curve> curves;
  std::vector<Marker> verticals, horizontals;
  std::vector<Band> bands;
  std::vector<Note> notes;
  bool equal_aspect = false;     // one unit is as long in x as in y
  bool counts_x = false;         // x numbers things: ticks at whole numbers only
  bool logarithmic = false;      // both axes; values > 0
};

// Panels stand below each other.
struct Figure {
  std::string title;
  std::vector<Panel> panels;
  int width = 900, height = 700;  // [pixel]
};

}  // namespace carom
