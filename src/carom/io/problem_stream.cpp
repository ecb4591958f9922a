#include "carom/io/problem_stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "carom/io/mechanism_yaml.hpp"
#include "carom/io/parse.hpp"

namespace carom::io {
namespace {

constexpr std::string_view kBlank = " \t\r\n";

bool blank(std::string_view text) { return text.find_first_not_of(kBlank) == std::string_view::npos; }

bool ends_with(std::string_view text, std::initializer_list<std::string_view> endings) {
  for (const std::string_view ending : endings)
    if (text.ends_with(ending)) return true;
  return false;
}

// The end of the bracketed value that starts at `from`, or npos when its brackets do not close.
std::size_t end_of_value(std::string_view text, std::size_t from) {
  int depth = 0;
  for (std::size_t at = from; at < text.size(); ++at) {
    switch (text[at]) {
      case '"':
        for (++at; at < text.size() && text[at] != '"'; ++at)
          if (text[at] == '\\') ++at;
        break;
      case '{':
      case '[': ++depth; break;
      case '}':
      case ']':
        if (--depth <= 0) return at + 1;
        break;
      default: break;
    }
  }
  return std::string_view::npos;
}

// One JSON object that fills the line.
bool is_object_line(std::string_view line) {
  const std::size_t start = line.find_first_not_of(kBlank);
  if (start == std::string_view::npos || line[start] != '{') return false;
  const std::size_t end = end_of_value(line, start);
  return end != std::string_view::npos && blank(line.substr(end));
}

// Whether anything but blanks follows in the file.
bool more_follows(std::FILE* file) {
  int c = 0;
  while ((c = std::fgetc(file)) != EOF && kBlank.find(static_cast<char>(c)) != std::string_view::npos) {
  }
  if (c != EOF) std::ungetc(c, file);
  return c != EOF;
}

ProblemItem read_any(const Value& root) { return is_mechanism(root) ? read_mechanism(root) : read_problem(root); }

}  // namespace

ProblemItem read_text(std::string_view text, const std::string& file) {
  const Source source{text, file};
  const std::vector<Value> documents = parse_yaml(source);
  if (documents.size() != 1) throw InputError("input", fmt::format("{} documents", documents.size()), "must be one problem", source.place(0));
  try {
    return read_any(documents[0]);
  } catch (const InputError& error) {
    throw source.placed(error, documents[0]);
  }
}

ProblemStream::ProblemStream(const std::string& path) {
  file_.reset(path == "-" ? stdin : std::fopen(path.c_str(), "rb"));
  if (!file_) throw InputError("file", path, fmt::format("cannot be opened: {}", std::strerror(errno)));
  source_.file = path == "-" ? "<stdin>" : path;
  while (read_line() && blank(text_)) {
  }
  if (std::ferror(file_.get())) throw InputError("file", path, fmt::format("cannot be read: {}", std::strerror(errno)));
  if (blank(text_)) throw InputError("file", path, "is empty; an impact problem is a JSON or YAML map");
  const char first = text_[text_.find_first_not_of(kBlank)];
  const bool named_lines = ends_with(path, {".jsonl", ".ndjson"});
  const bool yaml = ends_with(path, {".yaml", ".yml"}) || (!ends_with(path, {".json"}) && first != '{' && first != '[');
  if (named_lines || (!yaml && is_object_line(text_) && more_follows(file_.get()))) {
    layout_ = Layout::lines;
    mode_ = Mode::lines;
  } else {
    read_all(!yaml);
  }
}

bool ProblemStream::read_line() {
  char* buffer = nullptr;
  std::size_t room = 0;
  const ssize_t length = ::getline(&buffer, &room, file_.get());
  text_.assign(buffer ? buffer : "", length > 0 ? static_cast<std::size_t>(length) : 0);
  std::free(buffer);
  ++line_;
  return length > 0;
}

void ProblemStream::read_all(bool json) {
  std::array<char, 65536> block;
  for (std::size_t got = 0; (got = std::fread(block.data(), 1, block.size(), file_.get())) > 0;) text_.append(block.data(), got);
  source_.text = text_;
  source_.first_line = line_;
  const std::size_t start = text_.find_first_not_of(kBlank);
  if (json && text_[start] == '[') {
    layout_ = Layout::array;
    mode_ = Mode::array;
    at_ = start + 1;
  } else if (json) {
    documents_.push_back(parse_json(source_));
  } else {
    documents_ = parse_yaml(source_);
    if (documents_.size() > 1) layout_ = Layout::array;
  }
}

bool ProblemStream::next_line() {
  if (!fresh_)
    while (read_line() && blank(text_)) {
    }
  fresh_ = false;
  if (text_.empty()) return false;
  source_.text = std::string_view(text_).substr(0, text_.find_last_not_of(kBlank) + 1);
  source_.first_line = line_;
  root_ = parse_json(source_);
  return true;
}

bool ProblemStream::next_element() {
  const std::string_view all = text_;
  const bool first = source_.item == 0;
  const auto skip_blanks = [&] {
    const std::size_t to = std::min(all.find_first_not_of(kBlank, at_), all.size());
    line_ += static_cast<int>(std::count(all.begin() + static_cast<std::ptrdiff_t>(at_), all.begin() + static_cast<std::ptrdiff_t>(to), '\n'));
    at_ = to;
  };
  const auto column = [&] {
    const std::size_t before = at_ == 0 ? std::string_view::npos : all.rfind('\n', at_ - 1);
    return static_cast<int>(before == std::string_view::npos ? at_ + 1 : at_ - before);
  };
  const auto broken = [&](const char* expected) {
    const InputPlace place{source_.file, line_, column(), source_.item};
    mode_ = Mode::documents;  // nothing more can be read
    return InputError("input", "", expected, place);
  };
  skip_blanks();
  if (at_ < all.size() && all[at_] == ']') {
    ++at_;
    skip_blanks();
    if (at_ < all.size()) throw broken("JSON array: nothing may follow its closing ]");
    return false;
  }
  if (!first) {
    if (at_ >= all.size() || all[at_] != ',') throw broken("JSON array: a , or the closing ] is missing");
    ++at_;
    skip_blanks();
  }
  if (at_ >= all.size() || all[at_] != '{') throw broken("JSON array: every element must be an impact problem, an object {…}");
  const std::size_t end = end_of_value(all, at_);
  if (end == std::string_view::npos) throw broken("JSON array: this element or the array does not close");
  source_.text = all.substr(at_, end - at_);
  source_.first_line = line_;
  source_.first_column = column();
  line_ += static_cast<int>(std::count(source_.text.begin(), source_.text.end(), '\n'));
  at_ = end;
  root_ = parse_json(source_);
  return true;
}

bool ProblemStream::next_document() {
  if (at_ >= documents_.size()) return false;
  root_ = std::move(documents_[at_++]);
  return true;
}

bool ProblemStream::next(ProblemItem& item) {
  if (layout_ != Layout::single) ++source_.item;
  const bool found = mode_ == Mode::lines ? next_line() : mode_ == Mode::array ? next_element() : next_document();
  if (!found) return false;
  try {
    item = read_any(root_);
  } catch (const InputError& error) {
    throw placed(error);
  }
  return true;
}

}  // namespace carom::io
