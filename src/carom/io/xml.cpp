#include "carom/io/xml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <map>

namespace carom::io {
namespace {

constexpr std::string_view kBlank = " \t\r\n";

bool is(const XmlElement& element, const char* name) { return !name || std::strcmp(element.Name(), name) == 0; }

// Elements that stand on the way from the root, without their names: "robot/link/visual".
std::string kind_path(const XmlElement& element) {
  std::string text = element.Name();
  for (const tinyxml2::XMLNode* up = element.Parent(); up && up->ToElement(); up = up->Parent()) text.insert(0, fmt::format("{}/", up->ToElement()->Name()));
  return text;
}

}  // namespace

XmlFile::XmlFile(const std::string& text, std::string file) : file_(std::move(file)) {
  if (const std::size_t zero = text.find('\0'); zero != std::string::npos)
    throw InputError("input", "a zero byte", "must be XML text",
                     {.file = file_, .line = 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(zero), '\n'))});
  if (document_.Parse(text.data(), text.size()) != tinyxml2::XML_SUCCESS)
    throw InputError("input", document_.ErrorName(), "must be well-formed XML", {.file = file_, .line = std::max(1, document_.ErrorLineNum())});
}

std::string XmlFile::path(const XmlElement& element) {
  std::string text;
  for (const tinyxml2::XMLNode* node = &element; node && node->ToElement(); node = node->Parent()) {
    const XmlElement& at = *node->ToElement();
    const char* name = at.Attribute("name");
    text.insert(0, fmt::format("{}{}{}", at.Name(), name ? fmt::format("[{}]", name) : "", text.empty() ? "" : "/"));
  }
  return text;
}

InputError XmlFile::error(const XmlElement& element, const char* attribute, const std::string& value, const std::string& allowed) const {
  return {path(element) + (attribute ? fmt::format("@{}", attribute) : ""), value, allowed, {.file = file_, .line = element.GetLineNum()}};
}

const XmlElement& XmlFile::root(const char* name) {
  const XmlElement* element = document_.RootElement();
  if (!element) throw InputError("input", "", fmt::format("must be XML with the root <{}>", name), {.file = file_, .line = 1});
  if (!is(*element, name)) throw error(*element, nullptr, "", fmt::format("the root must be <{}>", name));
  seen_.insert(element);
  return *element;
}

const XmlElement* XmlFile::child(const XmlElement& parent, const char* name) {
  const XmlElement* found = parent.FirstChildElement(name);
  if (!found) return nullptr;
  if (const XmlElement* second = found->NextSiblingElement(name)) throw error(*second, nullptr, "", "stands twice in the same element");
  seen_.insert(found);
  return found;
}

const XmlElement& XmlFile::required_child(const XmlElement& parent, const char* name) {
  if (const XmlElement* found = child(parent, name)) return *found;
  throw error(parent, nullptr, "", fmt::format("must have a <{}>", name));
}

std::vector<const XmlElement*> XmlFile::children(const XmlElement& parent, const char* name) {
  std::vector<const XmlElement*> all;
  for (const XmlElement* at = parent.FirstChildElement(name); at; at = at->NextSiblingElement(name)) {
    all.push_back(at);
    seen_.insert(at);
  }
  return all;
}

const char* XmlFile::attribute(const XmlElement& element, const char* name) {
  const tinyxml2::XMLAttribute* found = element.FindAttribute(name);
  if (!found) return nullptr;
  seen_.insert(found);
  return found->Value();
}

std::string XmlFile::required(const XmlElement& element, const char* name) {
  const char* text = attribute(element, name);
  if (!text || !*text) throw error(element, name, "", "is missing");
  return text;
}

Eigen::VectorXd XmlFile::parsed(const XmlElement& element, const char* name, std::string_view text, int least, int most) const {
  std::vector<double> values;
  for (std::size_t at = 0; (at = text.find_first_not_of(kBlank, at)) != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(kBlank, at), text.size());
    std::string_view word = text.substr(at, end - at);
    if (word.starts_with('+')) word.remove_prefix(1);
    double value = 0;
    const auto [stop, failed] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (failed != std::errc() || stop != word.data() + word.size() || !std::isfinite(value))
      throw error(element, name, std::string(word), "must be a finite number");
    values.push_back(value);
    at = end;
  }
  const int count = static_cast<int>(values.size());
  if (count < least || count > most)
    throw error(element, name, fmt::format("{} numbers", count),
                least == most ? fmt::format("must be {} numbers", least) : fmt::format("must be {} to {} numbers", least, most));
  return Eigen::Map<const Eigen::VectorXd>(values.data(), count);
}

std::optional<Eigen::VectorXd> XmlFile::numbers(const XmlElement& element, const char* name, int least, int most) {
  const char* text = attribute(element, name);
  if (!text) return std::nullopt;
  return parsed(element, name, text, least, most);
}

Eigen::Vector3d XmlFile::point(const XmlElement& element, const char* name, const Eigen::Vector3d& otherwise) {
  const auto found = numbers(element, name, 3, 3);
  return found ? Eigen::Vector3d(*found) : otherwise;
}

double XmlFile::number(const XmlElement& element, const char* name, double otherwise) {
  const auto found = numbers(element, name, 1, 1);
  return found ? (*found)[0] : otherwise;
}

double XmlFile::required_number(const XmlElement& element, const char* name) {
  required(element, name);
  return number(element, name, 0);
}

bool XmlFile::flag(const XmlElement& element, const char* name, bool otherwise) {
  const char* text = attribute(element, name);
  if (!text) return otherwise;
  const std::string_view word = text;
  if (word != "true" && word != "false") throw error(element, name, text, "must be true or false");
  return word == "true";
}

void XmlFile::take(const XmlElement& element) {
  seen_.insert(&element);
  for (const tinyxml2::XMLAttribute* at = element.FirstAttribute(); at; at = at->Next()) seen_.insert(at);
  for (const XmlElement* at = element.FirstChildElement(); at; at = at->NextSiblingElement()) take(*at);
}

void XmlFile::leave(const XmlElement& element) { seen_.erase(&element); }

std::vector<std::string> XmlFile::unread() const {
  struct Count {
    int times = 0, line = 0;
  };
  std::map<std::string, Count> left;
  const auto count = [&](const std::string& what, int line) {
    Count& entry = left[what];
    if (entry.times++ == 0) entry.line = line;
  };
  std::vector<const XmlElement*> open;
  if (document_.RootElement()) open.push_back(document_.RootElement());
  while (!open.empty()) {
    const XmlElement& element = *open.back();
    open.pop_back();
    if (!seen_.contains(&element)) {
      count(kind_path(element), element.GetLineNum());
      continue;
    }
    for (const tinyxml2::XMLAttribute* at = element.FirstAttribute(); at; at = at->Next())
      if (!seen_.contains(at)) count(fmt::format("{}@{}", kind_path(element), at->Name()), at->GetLineNum());
    std::vector<const XmlElement*> inside;
    for (const XmlElement* at = element.FirstChildElement(); at; at = at->NextSiblingElement()) inside.push_back(at);
    open.insert(open.end(), inside.rbegin(), inside.rend());
  }
  std::vector<std::string> notes;
  for (const auto& [what, entry] : left)
    notes.push_back(entry.times == 1 ? fmt::format("{}: {} in line {} is ignored", file_, what, entry.line)
                                     : fmt::format("{}: {} is ignored ({} times, first in line {})", file_, what, entry.times, entry.line));
  return notes;
}

}  // namespace carom::io
