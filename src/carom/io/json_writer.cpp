#include "carom/io/json_writer.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>

namespace carom::io {

void JsonWriter::separate() {
  if (comma_) append(", ");
}

JsonWriter& JsonWriter::open(char bracket) {
  separate();
  out_.push_back(bracket);
  comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
  out_.push_back(bracket);
  comma_ = true;
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  value(name);
  append(": ");
  comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::value(double number) {
  separate();
  if (std::isfinite(number)) {
    std::array<char, 32> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    append({digits.data(), static_cast<std::size_t>(end - digits.data())});
  } else {
    append("null");
  }
  comma_ = true;
  return *this;
}

JsonWriter& JsonWriter::value(int number) {
  separate();
  fmt::format_to(std::back_inserter(out_), "{}", number);
  comma_ = true;
  return *this;
}

JsonWriter& JsonWriter::value(bool flag) {
  separate();
  append(flag ? "true" : "false");
  comma_ = true;
  return *this;
}

JsonWriter& JsonWriter::value(std::string_view word) {
  separate();
  out_.push_back('"');
  const auto special = [](char c) { return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20; };
  if (std::none_of(word.begin(), word.end(), special)) {
    append(word);
  } else {
    for (const char c : word) {
      if (!special(c)) out_.push_back(c);
      else if (static_cast<unsigned char>(c) < 0x20) fmt::format_to(std::back_inserter(out_), "\\u{:04x}", static_cast<int>(c));
      else out_.push_back('\\'), out_.push_back(c);
    }
  }
  out_.push_back('"');
  comma_ = true;
  return *this;
}

JsonWriter& JsonWriter::value(const Eigen::VectorXd& numbers) {
  begin_array();
  for (const double number : numbers) value(number);
  return end_array();
}

JsonWriter& JsonWriter::rows(const Eigen::MatrixXd& matrix) {
  begin_array();
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) value(Eigen::VectorXd(matrix.row(i)));
  return end_array();
}

}  // namespace carom::io
