#pragma once
// JSON text, written front to back into a buffer: fast enough for millions of answers. Numbers are the shortest that read back
// to the same bits; what is not finite becomes null.

#include <fmt/format.h>

#include <Eigen/Core>
#include <string>
#include <string_view>

namespace carom::io {

class JsonWriter {
 public:
  JsonWriter& begin_object() { return open('{'); }
  JsonWriter& end_object() { return close('}'); }
  JsonWriter& begin_array() { return open('['); }
  JsonWriter& end_array() { return close(']'); }
  JsonWriter& key(std::string_view name);  // then its value
  JsonWriter& value(double number);
  JsonWriter& value(int number);
  JsonWriter& value(bool flag);
  JsonWriter& value(std::string_view word);
  JsonWriter& value(const char* word) { return value(std::string_view(word)); }
  JsonWriter& value(const std::string& word) { return value(std::string_view(word)); }
  JsonWriter& value(const Eigen::VectorXd& numbers);
  JsonWriter& rows(const Eigen::MatrixXd& matrix);

  template <class T>
  JsonWriter& member(std::string_view name, const T& content) {
    return key(name).value(content);
  }

  std::string_view text() const { return {out_.data(), out_.size()}; }
  void clear() { out_.clear(), comma_ = false; }

 private:
  JsonWriter& open(char bracket);
  JsonWriter& close(char bracket);
  void separate();
  void append(std::string_view text) { out_.append(text.data(), text.data() + text.size()); }

  fmt::memory_buffer out_;
  bool comma_ = false;  // a value stands before
};

}  // namespace carom::io
