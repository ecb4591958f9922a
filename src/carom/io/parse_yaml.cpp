#include <yaml-cpp/yaml.h>
#include <fmt/format.h>

#include <charconv>

#include "carom/io/parse.hpp"

namespace carom::io {
namespace {

std::size_t offset_of(const YAML::Mark& mark) { return mark.is_null() ? 0 : static_cast<std::size_t>(mark.pos); }

// A scalar without quotes means a number, a truth value or nothing where it looks like one.
void read_plain(const std::string& text, Value& value) {
  const auto is = [&](std::initializer_list<const char*> words) {
    for (const char* word : words)
      if (text == word) return true;
    return false;
  };
  double number = 0;
  if (is({"", "~", "null", "Null", "NULL"})) {
    value.kind = Value::Kind::null;
  } else if (is({"true", "True", "TRUE"}) || is({"false", "False", "FALSE"})) {
    value.kind = Value::Kind::flag;
    value.flag = text[0] == 't' || text[0] == 'T';
  } else if (YAML::convert<double>::decode(YAML::Node(text), number)) {
    value.kind = Value::Kind::number;
    value.number = number;
  } else {
    value.kind = Value::Kind::word;
    value.word = text;
  }
}

// Without aliases a text has fewer values than bytes; aliases of aliases can stand for more than any memory holds.
std::size_t most_values(const Source& source) { return 100'000 + 2 * source.text.size(); }

Value convert(const YAML::Node& node, const Source& source, std::size_t depth, std::size_t& values) {
  Value value;
  value.offset = offset_of(node.Mark());
  if (++values > most_values(source)) throw InputError("input", "", "its aliases (*name) stand for too many values", source.place(value.offset));
  if (depth > kDeepest)
    throw InputError("input", "", fmt::format("must not nest deeper than {} levels", kDeepest), source.place(value.offset));
  if (node.IsScalar()) {
    if (node.Tag() == "!") {
      value.kind = Value::Kind::word;
      value.word = node.Scalar();
    } else {
      read_plain(node.Scalar(), value);
    }
  } else if (node.IsSequence()) {
    value.kind = Value::Kind::list;
    for (const auto& item : node) value.items.push_back(convert(item, source, depth + 1, values));
  } else if (node.IsMap()) {
    value.kind = Value::Kind::map;
    for (const auto& member : node) {
      const std::size_t at = offset_of(member.first.Mark());
      if (!member.first.IsScalar()) throw InputError("input", "", "every key must be a word", source.place(at));
      if (value.find(member.first.Scalar())) throw InputError(member.first.Scalar(), "", "stands twice in the same map", source.place(at));
      Value item = convert(member.second, source, depth + 1, values);
      item.key = member.first.Scalar();
      value.items.push_back(std::move(item));
    }
  }
  return value;
}

}  // namespace

std::vector<Value> parse_yaml(const Source& source) {
  std::vector<Value> documents;
  std::size_t values = 0;
  try {
    for (const YAML::Node& node : YAML::LoadAll(std::string(source.text))) documents.push_back(convert(node, source, 0, values));
  } catch (const YAML::Exception& problem) {
    throw InputError("input", "", "YAML: " + problem.msg, source.place(offset_of(problem.mark)));
  }
  return documents;
}

}  // namespace carom::io
