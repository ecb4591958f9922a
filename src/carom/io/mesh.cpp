#include "carom/io/mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "carom/core/error.hpp"
#include "carom/io/text_file.hpp"

namespace carom::io {
namespace {

using Eigen::Vector3d;

// The words of one line.
std::vector<std::string_view> words(std::string_view line) {
  std::vector<std::string_view> found;
  for (std::size_t at = 0; (at = line.find_first_not_of(" \t\r", at)) != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(" \t\r", at), line.size());
    found.push_back(line.substr(at, end - at));
    at = end;
  }
  return found;
}

Vector3d coordinates(const std::vector<std::string_view>& line, const InputPlace& place) {
  if (line.size() < 4) throw InputError("vertex", fmt::format("{} coordinates", line.size() - 1), "must have three coordinates", place);
  Vector3d point;
  for (int k = 0; k < 3; ++k) {
    std::string_view word = line[static_cast<std::size_t>(k) + 1];
    if (word.starts_with('+')) word.remove_prefix(1);
    const auto [end, failed] = std::from_chars(word.data(), word.data() + word.size(), point[k]);
    if (failed != std::errc() || end != word.data() + word.size() || !std::isfinite(point[k]))
      throw InputError("vertex", std::string(word), "must be a finite number", place);
  }
  return point;
}

// The lines that start with `mark`: "vertex" of a text STL, "v" of an OBJ.
std::vector<Vector3d> marked_points(std::string_view text, std::string_view mark, const std::string& file) {
  std::vector<Vector3d> points;
  int number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::vector<std::string_view> line = words(text.substr(0, end));
    ++number;
    if (!line.empty() && line[0] == mark) points.push_back(coordinates(line, {.file = file, .line = number}));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return points;
}

// 80 bytes of title, the number of triangles, then 50 bytes each: normal and three corners as floats, two bytes more.
constexpr std::size_t kTitle = 80, kTriangle = 50;

std::size_t triangles_announced(std::string_view bytes) {
  std::uint32_t count = 0;
  if (bytes.size() < kTitle + sizeof count) return 0;
  std::memcpy(&count, bytes.data() + kTitle, sizeof count);
  return count;
}

std::vector<Vector3d> binary_stl(std::string_view bytes, const std::string& file) {
  static_assert(std::endian::native == std::endian::little);
  std::vector<Vector3d> points;
  for (std::size_t t = 0; t < triangles_announced(bytes); ++t) {
    std::array<float, 12> numbers;
    std::memcpy(numbers.data(), bytes.data() + kTitle + 4 + t * kTriangle, sizeof numbers);
    for (std::size_t corner = 3; corner < 12; corner += 3) {
      const Vector3d point(numbers[corner], numbers[corner + 1], numbers[corner + 2]);
      if (!point.allFinite()) throw InputError("vertex", fmt::format("of triangle {}", t), "must be finite", {.file = file});
      points.push_back(point);
    }
  }
  return points;
}

}  // namespace

std::vector<Vector3d> read_mesh_points(const std::filesystem::path& path) {
  const std::string file = path.string(), text = read_text_file(file);
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  std::vector<Vector3d> points;
  if (ending == ".obj") {
    points = marked_points(text, "v", file);
  } else if (ending == ".stl") {
    const bool binary = text.size() >= kTitle + 4 && text.size() == kTitle + 4 + kTriangle * triangles_announced(text);
    points = binary ? binary_stl(text, file) : marked_points(text, "vertex", file);
  } else {
    throw InputError("file", file, "must be a mesh that ends in .stl or .obj");
  }
  if (points.empty()) throw InputError("file", file, "holds no vertex: a mesh is an STL (text or binary) or an OBJ file");
  const auto before = [](const Vector3d& a, const Vector3d& b) { return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end()); };
  std::sort(points.begin(), points.end(), before);
  points.erase(std::unique(points.begin(), points.end()), points.end());
  return points;
}

}  // namespace carom::io
