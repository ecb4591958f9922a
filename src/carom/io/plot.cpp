#include "carom/io/plot.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "carom/core/error.hpp"
#include "carom/core/table.hpp"

namespace carom::io {
namespace {

// Okabe & Ito's colours: told apart with every kind of colour vision.
constexpr std::array<const char*, 7> kColours{"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"};
constexpr std::array<const char*, 5> kTints{"#DDEBF6", "#FBE5D0", "#DDF1E4", "#F5DCEA", "#EEEEEE"};
constexpr const char* kGrey = "#777777";

struct Range {
  double low = 0, high = 1;
};

const char* colour(int index) { return index < 0 ? kGrey : kColours[static_cast<std::size_t>(index) % kColours.size()]; }

std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("''") : std::string(1, c);
  return out + "'";
}

// With margins as parts of the span; logarithmic: of the span of the logarithms.
Range range_of(std::vector<double> values, double below, double above, bool logarithmic) {
  if (logarithmic) {
    for (double& value : values) value = std::log(value);
    const Range range = range_of(values, below, above, false);
    return {std::exp(range.low), std::exp(range.high)};
  }
  Range range{0, 1};
  bool first = true;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    range = first ? Range{value, value} : Range{std::min(range.low, value), std::max(range.high, value)};
    first = false;
  }
  const double span = range.high > range.low ? range.high - range.low : std::max(1e-12, std::abs(range.high));
  return {range.low - below * span, range.high + above * span};
}

// The least of 1, 2, 5 times a power of ten that is not below `least`.
double round_step(double least) {
  const double power = std::pow(10, std::floor(std::log10(least)));
  for (const double digit : {1.0, 2.0, 5.0})
    if (digit * power >= least) return digit * power;
  return 10 * power;
}

void set_ranges(const Panel& panel, std::string& script) {
  std::vector<double> xs, ys;
  for (const Curve& curve : panel.curves) {
    xs.insert(xs.end(), curve.xs.begin(), curve.xs.end());
    ys.insert(ys.end(), curve.ys.begin(), curve.ys.end());
  }
  for (const Marker& marker : panel.verticals) xs.push_back(marker.at);
  for (const Marker& marker : panel.horizontals) ys.push_back(marker.at);
  const bool labels_on_top = !panel.bands.empty();
  const bool roomy = panel.equal_aspect || panel.logarithmic;
  const Range x = range_of(std::move(xs), roomy ? 0.08 : 0.0, roomy ? 0.08 : 0.02, panel.logarithmic), y = range_of(std::move(ys), 0.08, labels_on_top ? 0.16 : 0.08, panel.logarithmic);
  script += fmt::format("set xrange [{}:{}]\nset yrange [{}:{}]\n", x.low, x.high, y.low, y.high);
  // One unit as long in x as in y: the same tics, or those of a flat picture would lie on each other.
  if (panel.equal_aspect) script += fmt::format("set xtics {0}\nset ytics {0}\n", round_step(std::max(x.high - x.low, y.high - y.low) / 10));
}

void add_bands(const Panel& panel, std::string& script) {
  for (const Band& band : panel.bands) {
    script += fmt::format("set object rectangle from first {}, graph 0 to first {}, graph 1 behind fillcolor rgb '{}' fillstyle solid noborder\n", band.from, band.to,
                          kTints[static_cast<std::size_t>(band.tint) % kTints.size()]);
    script += fmt::format("set label {} at first {}, graph 0.94 center font ',11' textcolor rgb '#444444'\n", quoted(band.label), (band.from + band.to) / 2);
  }
}

void add_markers(const Panel& panel, std::string& script) {
  for (const Marker& marker : panel.verticals) {
    script += fmt::format("set arrow from first {0}, graph 0 to first {0}, graph 1 nohead dashtype 2 linecolor rgb '{1}' back\n", marker.at, kGrey);
    if (!marker.label.empty())
      script += fmt::format("set label {} at first {}, graph {} rotate by 90 offset character -0.7,0 font ',11' textcolor rgb '{}'\n", quoted(marker.label), marker.at,
                            panel.bands.empty() ? "0.03 left" : "0.86 right", kGrey);  // below the words of the bands
  }
  for (const Marker& marker : panel.horizontals) {
    script += fmt::format("set arrow from graph 0, first {0} to graph 1, first {0} nohead dashtype 3 linecolor rgb '{1}' back\n", marker.at, kGrey);
    if (!marker.label.empty())
      script += fmt::format("set label {} at graph 0.01, first {} left offset character 0,0.5 font ',11' textcolor rgb '{}'\n", quoted(marker.label), marker.at, kGrey);
  }
  for (const Note& note : panel.notes)
    script += fmt::format("set label {} at first {}, first {} left offset character 0.7,0.5 front\n", quoted(note.text), note.x, note.y);
}

void add_panel(const Panel& panel, std::size_t number, std::string& script) {
  script += "unset object\nunset arrow\nunset label\n";
  script += fmt::format("set xlabel {}\nset ylabel {}\n", quoted(panel.x_label), quoted(panel.y_label));
  script += panel.equal_aspect ? "set size ratio -1\n" : "set size noratio\n";
  script += panel.counts_x ? "set xtics 1\nset ytics autofreq\n" : "set xtics autofreq\nset ytics autofreq\n";
  script += panel.logarithmic ? "set logscale xy\nset format xy '10^{%T}'\n" : "unset logscale\nset format xy '% h'\n";
  set_ranges(panel, script);
  add_bands(panel, script);
  add_markers(panel, script);
  std::string plots;
  for (std::size_t i = 0; i < panel.curves.size(); ++i) {
    const Curve& curve = panel.curves[i];
    script += fmt::format("$d{}_{} << EOD\n", number, i);
    for (std::size_t k = 0; k < curve.xs.size(); ++k) script += fmt::format("{} {}\n", curve.xs[k], curve.ys[k]);
    script += "EOD\n";
    const std::string title = curve.label.empty() ? "notitle" : "title " + quoted(curve.label);
    // Points in colour are results (dots); grey ones are what was given (diamonds).
    const std::string style = curve.stroke == Stroke::points ? fmt::format("points pointtype {} pointsize {} linecolor rgb '{}'", curve.colour < 0 ? 13 : 7, curve.colour < 0 ? 1.2 : 0.8, colour(curve.colour))
                                                             : fmt::format("lines linewidth 2 dashtype {} linecolor rgb '{}'", curve.stroke == Stroke::dashed ? 2 : 1, colour(curve.colour));
    plots += fmt::format("{}$d{}_{} using 1:2 with {} {}", i == 0 ? "plot " : ", ", number, i, style, title);
  }
  script += plots.empty() ? "plot NaN notitle\n" : plots + "\n";
}

// Characters that the legend at the right needs, sample line included.
std::size_t legend_width(const Figure& figure) {
  std::size_t longest = 0;
  for (const Panel& panel : figure.panels)
    for (const Curve& curve : panel.curves) longest = std::max(longest, text_width(curve.label));
  return longest + 7;
}

std::string gnuplot_script(const Figure& figure, const std::string& terminal, const std::string& output) {
  std::string script = fmt::format("set encoding utf8\nset terminal {} size {},{} enhanced font 'DejaVu Sans,13' {}\nset output {}\n", terminal, figure.width, figure.height,
                                   terminal == "svg" ? "dynamic background rgb 'white'" : "background rgb 'white'", quoted(output));
  script += "set border 3 linecolor rgb '#333333'\nset tics nomirror out scale 0.6\nset key outside right top vertical maxrows 40 Left reverse samplen 2 spacing 1.2\nset lmargin 11\n";
  script += fmt::format("set rmargin {}\n", legend_width(figure));
  script += fmt::format("set multiplot layout {},1 title {} font ',15'\n", std::max<std::size_t>(figure.panels.size(), 1), quoted(figure.title));
  for (std::size_t i = 0; i < figure.panels.size(); ++i) add_panel(figure.panels[i], i, script);
  return script + "unset multiplot\nunset output\n";
}

void run_gnuplot(const std::string& script, const std::string& path) {
  const auto old = std::signal(SIGPIPE, SIG_IGN);  // a gnuplot that ends early is an error of ours, not the end of the program
  std::FILE* pipe = ::popen("gnuplot 2>/dev/null", "w");
  const bool written = pipe && std::fwrite(script.data(), 1, script.size(), pipe) == script.size();
  const int status = pipe ? ::pclose(pipe) : -1;
  std::signal(SIGPIPE, old);
  if (written && status == 0) return;
  if (status != -1 && WIFEXITED(status) && WEXITSTATUS(status) == 127) throw InputError("plot", path, "needs gnuplot, which is not installed (Debian: gnuplot-nox)");
  throw InputError("plot", path, "gnuplot could not draw it");
}

std::string read_all(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace

void check_plot_name(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending != ".svg" && ending != ".png") throw InputError("plot", path, "must end in .svg or .png");
}

void write_plot(const Figure& figure, const std::string& path) {
  check_plot_name(path);
  const std::string ending = std::filesystem::path(path).extension().string();
  if (!std::ofstream(path, std::ios::binary)) throw InputError("plot", path, "cannot be written");
  run_gnuplot(gnuplot_script(figure, ending == ".svg" ? "svg" : "pngcairo", path), path);
}

std::string plot_svg(const Figure& figure) {
  std::string name = (std::filesystem::temp_directory_path() / "carom_plot_XXXXXX.svg").string();
  const int file = ::mkstemps(name.data(), 4);
  if (file < 0) throw InputError("plot", name, "cannot be written");
  ::close(file);
  std::string text;
  try {
    write_plot(figure, name);
    text = read_all(name);
  } catch (...) {
    std::filesystem::remove(name);
    throw;
  }
  std::filesystem::remove(name);
  const std::size_t start = text.find("<svg");
  return start == std::string::npos ? text : text.substr(start);
}

std::string plot_program() {
  std::string text;
  if (std::FILE* pipe = ::popen("gnuplot --version 2>/dev/null", "r")) {
    std::array<char, 256> block;
    while (std::fgets(block.data(), static_cast<int>(block.size()), pipe)) text += block.data();
    ::pclose(pipe);
  }
  return text.substr(0, text.find('\n'));
}

}  // namespace carom::io
