// JSON (RFC 8259) in one pass over the text. Written here rather than taken from a library because every value must know its
// place, a NaN must be refused by the name of its field, and batches of millions are read. The judge of what is JSON is
// nlohmann's parser, in parse_json_test.cpp.

#include <fmt/format.h>

#include <charconv>
#include <string>

#include "carom/io/parse.hpp"

namespace carom::io {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '+' || c == '-' || c == '.'; }

class Parser {
 public:
  explicit Parser(const Source& source) : source_(source), text_(source.text) {}

  Value document() {
    Value root;
    value(root);
    blanks();
    if (at_ < text_.size()) fail("nothing may follow the value");
    return root;
  }

 private:
  char here() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  void blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\r' || text_[at_] == '\t')) ++at_;
  }

  [[noreturn]] void fail(const std::string& expected) const {
    const std::string found = at_ < text_.size() ? "" : "; the text ends here";
    throw InputError(field(), "", "JSON: " + expected + found, source_.place(at_));
  }

  // The path of what is being read.
  std::string field() const {
    std::string out;
    for (const Value* each : open_) {
      if (each->kind == Value::Kind::list) out += fmt::format("[{}]", each->items.empty() ? 0 : each->items.size() - 1);
      else if (!each->items.empty()) out = path(out, each->items.back().key);
    }
    return out.empty() ? "input" : out;
  }

  void value(Value& into) {
    blanks();
    into.offset = at_;
    switch (here()) {
      case '{': return map(into);
      case '[': return list(into);
      case '"':
        into.kind = Value::Kind::word;
        return string(into.word);
      default: return is_word(here()) ? scalar(into) : fail("expected a value");
    }
  }

  void open(Value& into, Value::Kind kind, std::size_t room) {
    if (open_.size() == kDeepest) throw InputError("input", "", fmt::format("must not nest deeper than {} levels", kDeepest), source_.place(at_));
    into.kind = kind;
    into.items.reserve(room);
    open_.push_back(&into);  // stays where it is: the list that holds it does not grow before it is closed
    ++at_;
    blanks();
  }

  // After an element: true when another follows, false at the closing bracket.
  bool goes_on(char closing) {
    blanks();
    const char c = here();
    if (c != ',' && c != closing) fail(fmt::format("expected , or {}", closing));
    ++at_;
    if (c == closing) open_.pop_back();
    return c == ',';
  }

  void list(Value& into) {
    open(into, Value::Kind::list, 4);
    if (here() == ']') return ++at_, open_.pop_back();
    do value(into.items.emplace_back());
    while (goes_on(']'));
  }

  void map(Value& into) {
    open(into, Value::Kind::map, 10);
    if (here() == '}') return ++at_, open_.pop_back();
    do {
      blanks();
      if (here() != '"') fail("expected a key in quotes");
      const std::size_t start = at_;
      std::string key;
      string(key);
      if (into.find(key)) throw InputError(twice(key), "", "stands twice in the same object", source_.place(start));
      Value& member = into.items.emplace_back();
      member.key = std::move(key);
      blanks();
      if (here() != ':') fail("expected : after the key");
      ++at_;
      value(member);
    } while (goes_on('}'));
  }

  std::string twice(const std::string& key) const {
    std::string parent = field();
    const std::size_t dot = parent.rfind('.');
    return dot == std::string::npos ? key : parent.substr(0, dot + 1) + key;
  }

  // A number or a literal; what is neither may still be a NaN, which deserves its own words.
  void scalar(Value& into) {
    const std::size_t start = at_;
    while (is_word(here())) ++at_;
    const std::string_view word = text_.substr(start, at_ - start);
    if (is_number(word)) return number(word, start, into);
    if (word == "true" || word == "false") into.kind = Value::Kind::flag, into.flag = word == "true";
    else if (word == "null") into.kind = Value::Kind::null;
    else at_ = start, not_a_value(word);
  }

  [[noreturn]] void not_a_value(std::string_view word) const {
    std::string bare;
    for (const char c : word.substr(word[0] == '-' || word[0] == '+' ? 1 : 0)) bare += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    if (bare == "nan" || bare == "inf" || bare == "infinity") throw InputError(field(), std::string(word), "must be a finite number", source_.place(at_));
    fail(fmt::format("{} is no number, true, false or null", word));
  }

  // -? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?
  static bool is_number(std::string_view word) {
    std::size_t i = word[0] == '-' ? 1 : 0;
    const auto digits = [&] {
      const std::size_t from = i;
      while (i < word.size() && is_digit(word[i])) ++i;
      return i - from;
    };
    const bool zero = i < word.size() && word[i] == '0';
    const std::size_t whole = digits();
    if (whole == 0 || (zero && whole > 1)) return false;
    if (i < word.size() && word[i] == '.' && (++i, digits() == 0)) return false;
    if (i < word.size() && (word[i] == 'e' || word[i] == 'E')) {
      if (++i < word.size() && (word[i] == '+' || word[i] == '-')) ++i;
      if (digits() == 0) return false;
    }
    return i == word.size();
  }

  void number(std::string_view word, std::size_t start, Value& into) {
    into.kind = Value::Kind::number;
    const auto result = std::from_chars(word.data(), word.data() + word.size(), into.number);
    if (result.ec == std::errc()) return;
    // Out of range: too small is zero, too large is refused.
    into.number = 0;
    const std::size_t e = word.find_first_of("eE");
    const bool tiny = e != std::string_view::npos ? word[e + 1] == '-' : word.find_first_of("123456789") > word.find('.');
    if (!tiny) throw InputError(field(), std::string(word), "must be a finite number", source_.place(start));
  }

  void string(std::string& into) {
    for (std::size_t from = ++at_;; from = at_) {
      while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\\' && static_cast<unsigned char>(text_[at_]) >= 0x20 && static_cast<unsigned char>(text_[at_]) < 0x80) ++at_;
      into.append(text_, from, at_ - from);
      if (at_ >= text_.size()) fail("the string does not close");
      const auto c = static_cast<unsigned char>(text_[at_]);
      if (c == '"') return void(++at_);
      if (c == '\\') escape(into);
      else if (c >= 0x80) utf8(into);
      else fail("control characters in a string must be escaped");
    }
  }

  // One code point of more than a byte: no overlong forms, no surrogates, none past U+10FFFF.
  void utf8(std::string& into) {
    const auto byte = [&](std::size_t i) { return at_ + i < text_.size() ? static_cast<unsigned char>(text_[at_ + i]) : 0u; };
    const unsigned first = byte(0), second = byte(1);
    const std::size_t length = first >= 0xC2 && first <= 0xDF ? 2 : (first & 0xF0u) == 0xE0 ? 3 : first >= 0xF0 && first <= 0xF4 ? 4 : 0;
    bool good = length > 0;
    for (std::size_t i = 1; i < length; ++i) good = good && (byte(i) & 0xC0u) == 0x80;
    good = good && !(first == 0xE0 && second < 0xA0) && !(first == 0xED && second > 0x9F) && !(first == 0xF0 && second < 0x90) && !(first == 0xF4 && second > 0x8F);
    if (!good) fail("the text is not valid UTF-8");
    into.append(text_, at_, length);
    at_ += length;
  }

  unsigned hex4() {
    unsigned code = 0;
    const std::string_view digits = text_.substr(at_, 4);
    const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
    if (digits.size() != 4 || result.ec != std::errc() || result.ptr != digits.data() + 4) fail("expected four hexadecimal digits after \\u");
    at_ += 4;
    return code;
  }

  void escape(std::string& into) {
    ++at_;
    static constexpr std::string_view kLetters = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";
    const char c = here();
    if (const std::size_t known = kLetters.find(c); c != '\0' && known != std::string_view::npos) {
      ++at_;
      into += kMeanings[known];
      return;
    }
    if (c != 'u') fail("unknown escape in a string");
    ++at_;
    unsigned code = hex4();
    if (code >= 0xDC00 && code <= 0xDFFF) fail("a low surrogate needs a high one before it");
    if (code >= 0xD800 && code <= 0xDBFF) {
      if (text_.substr(at_, 2) != "\\u") fail("a high surrogate needs a low one after it");
      at_ += 2;
      const unsigned low = hex4();
      if (low < 0xDC00 || low > 0xDFFF) fail("a high surrogate needs a low one after it");
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    append(code, into);
  }

  static void append(unsigned code, std::string& into) {
    const auto put = [&](unsigned byte) { into += static_cast<char>(byte); };
    if (code < 0x80) return put(code);
    if (code < 0x800) return put(0xC0 | code >> 6), put(0x80 | (code & 0x3F));
    if (code < 0x10000) return put(0xE0 | code >> 12), put(0x80 | (code >> 6 & 0x3F)), put(0x80 | (code & 0x3F));
    put(0xF0 | code >> 18), put(0x80 | (code >> 12 & 0x3F)), put(0x80 | (code >> 6 & 0x3F)), put(0x80 | (code & 0x3F));
  }

  const Source& source_;
  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<Value*> open_;
};

}  // namespace

Value parse_json(const Source& source) { return Parser(source).document(); }

}  // namespace carom::io
