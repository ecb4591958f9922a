// JSON by nlohmann's event parser: no tree of the library is built, and an iterator that tells how far it was read gives every
// value its place in the text.

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <optional>

#include "carom/io/parse.hpp"

namespace carom::io {
namespace {

class Cursor {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  Cursor(const char* at, std::size_t* seen) : at_(at), seen_(seen) {}
  reference operator*() const { return *at_; }
  Cursor& operator++() {
    ++at_, ++*seen_;
    return *this;
  }
  Cursor operator++(int) {
    const Cursor old = *this;
    ++*this;
    return old;
  }
  bool operator==(const Cursor& other) const { return at_ == other.at_; }
  bool operator!=(const Cursor& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  std::size_t* seen_;
};

class Builder {
 public:
  Builder(const Source& source, const std::size_t& seen) : source_(source), seen_(seen) {}

  Value take() { return std::move(root_); }

  bool null() { return add(Value::Kind::null) != nullptr; }
  bool boolean(bool flag) {
    add(Value::Kind::flag)->flag = flag;
    return true;
  }
  bool number_integer(std::int64_t number) {
    add(Value::Kind::number)->number = static_cast<double>(number);
    return true;
  }
  bool number_unsigned(std::uint64_t number) {
    add(Value::Kind::number)->number = static_cast<double>(number);
    return true;
  }
  bool number_float(double number, const std::string&) {
    add(Value::Kind::number)->number = number;
    return true;
  }
  bool string(std::string& word) {
    add(Value::Kind::word)->word = std::move(word);
    return true;
  }
  bool binary(std::vector<std::uint8_t>&) { return false; }
  bool start_object(std::size_t) { return open(Value::Kind::map, 10); }
  bool start_array(std::size_t) { return open(Value::Kind::list, 4); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(std::string& name) {
    const std::size_t offset = next_token();
    if (open_.back()->find(name))
      throw InputError(field(name), "", "stands twice in the same object", source_.place(offset));
    key_ = std::move(name);
    return true;
  }

  bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception& problem) {
    const std::size_t offset = position > 0 ? position - 1 : 0;
    const auto in_word = [&](std::size_t i) {
      const char c = source_.text[i];
      return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '+' || c == '.';
    };
    std::size_t from = std::min(offset, source_.text.size()), to = from;
    while (from > 0 && in_word(from - 1)) --from;
    while (to < source_.text.size() && in_word(to)) ++to;
    const std::string word(source_.text.substr(from, to - from));
    if (not_finite(word) || problem.id == 406) throw InputError(field(key_), word, "must be a finite number", source_.place(from));
    std::string what = problem.what();
    if (const std::size_t cut = what.find("syntax error"); cut != std::string::npos) what.erase(0, cut);
    throw InputError(field(key_), "", "JSON " + what, source_.place(offset));
  }

 private:
  static bool not_finite(std::string word) {
    std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (!word.empty() && (word[0] == '-' || word[0] == '+')) word.erase(0, 1);
    return word == "nan" || word == "inf" || word == "infinity";
  }

  // The path of what is being read.
  std::string field(std::string_view key) const {
    std::string text;
    for (std::size_t i = 0; i < open_.size(); ++i) {
      const bool last = i + 1 == open_.size();
      if (open_[i]->kind == Value::Kind::list)
        text += fmt::format("[{}]", last ? open_[i]->items.size() : open_[i]->items.size() - 1);
      else
        text = path(text, last ? key : std::string_view(open_[i + 1]->key));
    }
    return text.empty() ? "input" : text;
  }

  // Where the token that was just read starts: the parser has gone past it, and past nothing else but blanks and commas.
  std::size_t next_token() {
    std::size_t at = done_;
    while (at < source_.text.size() && std::string_view(" \t\r\n,:").find(source_.text[at]) != std::string_view::npos) ++at;
    done_ = seen_;
    return at;
  }

  Value* add(Value::Kind kind) {
    Value* value = &root_;
    if (!open_.empty()) {
      value = &open_.back()->items.emplace_back();
      if (open_.back()->kind == Value::Kind::map) value->key = std::move(key_);
    }
    value->kind = kind;
    value->offset = next_token();
    return value;
  }

  bool open(Value::Kind kind, std::size_t room) {
    Value* value = add(kind);
    if (open_.size() == kDeepest)
      throw InputError("input", "", fmt::format("must not nest deeper than {} levels", kDeepest), source_.place(value->offset));
    value->items.reserve(room);
    open_.push_back(value);  // stays valid: its own list does not grow before it is closed
    return true;
  }

  bool close() {
    next_token();
    open_.pop_back();
    return true;
  }

  const Source& source_;
  const std::size_t& seen_;
  std::size_t done_ = 0;
  Value root_;
  std::vector<Value*> open_;
  std::string key_;
};

}  // namespace

Value parse_json(const Source& source) {
  std::size_t seen = 0;
  Builder builder(source, seen);
  const char* begin = source.text.data();
  nlohmann::json::sax_parse(Cursor(begin, &seen), Cursor(begin + source.text.size(), &seen), &builder);
  return builder.take();
}

}  // namespace carom::io
