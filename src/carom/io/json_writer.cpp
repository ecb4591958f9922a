#include "carom/io/json_writer.hpp"

#include <cmath>
#include <iterator>

namespace carom::io {

void JsonWriter::separate() {
  if (comma_) out_.append(std::string_view(", "));
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
  out_.append(std::string_view(": "));
  comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::value(double number) {
  separate();
  if (std::isfinite(number)) fmt::format_to(std::back_inserter(out_), "{}", number);
  else out_.append(std::string_view("null"));
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
  out_.append(std::string_view(flag ? "true" : "false"));
  comma_ = true;
  return *this;
}

JsonWriter& JsonWriter::value(std::string_view word) {
  separate();
  out_.push_back('"');
  for (const char c : word) {
    if (c == '"' || c == '\\') out_.push_back('\\'), out_.push_back(c);
    else if (c == '\n') out_.append(std::string_view("\\n"));
    else if (static_cast<unsigned char>(c) < 0x20) fmt::format_to(std::back_inserter(out_), "\\u{:04x}", static_cast<int>(c));
    else out_.push_back(c);
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
