// The JSON parser against nlohmann's, which decides what is JSON and what it means.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "carom/io/parse.hpp"
#include "carom/math/counter_rng.hpp"

namespace carom::io {
namespace {

using nlohmann::json;

json as_json(const Value& value) {
  switch (value.kind) {
    case Value::Kind::null: return nullptr;
    case Value::Kind::flag: return value.flag;
    case Value::Kind::number: return value.number;
    case Value::Kind::word: return value.word;
    case Value::Kind::list: {
      json list = json::array();
      for (const Value& item : value.items) list.push_back(as_json(item));
      return list;
    }
    case Value::Kind::map: break;
  }
  json map = json::object();
  for (const Value& item : value.items) map[item.key] = as_json(item);
  return map;
}

// Both read the same, or both refuse. Duplicate keys are the one thing that only carom refuses.
void compare(const std::string& text) {
  bool read = true, twice = false;
  Value value;
  try {
    value = parse_json({text, "text"});
  } catch (const InputError& error) {
    read = false;
    twice = error.allowed().find("twice") != std::string::npos;
  }
  if (twice) return;
  ASSERT_EQ(read, json::accept(text)) << text;
  if (read) {
    EXPECT_EQ(as_json(value), json::parse(text)) << text;
  }
}

const std::vector<std::string> kTexts{
    R"({"dimension": 2, "delassus": [[1, 0.5], [0.5, 2e-1]], "velocity": [-1.5, -2.25e+1], "friction": {"static": 0.6, "kinetic": 0.35}, "law": "routh"})",
    R"(["\u00e9\ud83d\ude00", "é😀", "\"\\\/\b\f\n\r\t", true, false, null, [], {}, -0, 0.1e-7, 1E5, 4.9e-324, 1.7976931348623157e308])", "  1  ", "\"x\"", "1e-400", "0.0000001"};

TEST(ParseJson, ReadsWhatIsJson) {
  for (const std::string& text : kTexts) compare(text);
}

TEST(ParseJson, RefusesWhatIsNot) {
  for (const char* text : {"", " ", "{", "[", "[1,]", "{,}", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "[1 2]", "01", "1.", ".5", "+1", "-", "1e", "1e+", "--1", "tru", "nul", "True", "1e400",
                           "[1e999]", "\"", "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"", "\"\\ud800\"", "\"\\udc00\"", "\"\\ud800\\u0041\"", "\"\t\"", "\"\xff\"", "\"\xc0\x80\"", "\"\xed\xa0\x80\"",
                           "\"\xf5\x80\x80\x80\"", "\"\xe2\x82\"", "1 2", "{} {}", "'a'", "NaN", "[Infinity]", "// x\n1", "0x10"})
    compare(text);
}

// Every single change of a byte, and random ones: the two parsers never disagree.
TEST(ParseJson, AgreesOnDamagedText) {
  const std::string bytes = "{}[]\",:\\ue019.-+tfnax \n\t\x80\xe2\xf0";
  for (std::uint64_t t = 0; t < 2; ++t) {
    CounterRng random(7, t, 0);
    for (std::size_t i = 0; i < kTexts[t].size(); ++i) {
      std::string text = kTexts[t];
      text.erase(i, 1);
      compare(text);
      for (const char byte : bytes) {
        text = kTexts[t];
        text[i] = byte;
        compare(text);
      }
      text = kTexts[t];
      for (int k = 0; k < 3; ++k) text[static_cast<std::size_t>(random.uniform() * static_cast<double>(text.size()))] = bytes[static_cast<std::size_t>(random.uniform() * static_cast<double>(bytes.size()))];
      compare(text);
    }
  }
}

TEST(ParseJson, KnowsWhereThingsStand) {
  const std::string text = "{\n  \"a\": [1,\n    2],\n  \"b\": {\"c\": 7}\n}";
  const Source source{text, "file.json"};
  const Value root = parse_json(source);
  const auto place = [&](const char* field) { return source.placed(InputError(field, "", ""), root).place(); };
  EXPECT_EQ(place("a[1]").line, 3);
  EXPECT_EQ(place("a[1]").column, 5);
  EXPECT_EQ(place("b.c").line, 4);
  EXPECT_EQ(place("b.d").line, 4);  // the nearest value above
  EXPECT_EQ(place("nothing").line, 1);
  try {
    parse_json({"{\"a\": {\"b\": [1, NaN]}}", "f"});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.field(), "a.b[1]");
    EXPECT_EQ(error.value(), "NaN");
    EXPECT_EQ(error.place().column, 17);
  }
}

}  // namespace
}  // namespace carom::io
