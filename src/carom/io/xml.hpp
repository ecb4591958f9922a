#pragma once
// An XML file whose reader keeps account of what it has read: what is left over at the end is told to the user, never dropped
// in silence. Errors name file, line and a path such as robot/link[base]/inertial/mass@value.

#include <tinyxml2.h>

#include <Eigen/Core>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "carom/core/error.hpp"

namespace carom::io {

using XmlElement = tinyxml2::XMLElement;

class XmlFile {
 public:
  // Parses `text`; `file` is how errors name it.
  XmlFile(const std::string& text, std::string file);

  const std::string& file() const { return file_; }

  // The root, which must be called `name`; and children of an element. All count as read.
  const XmlElement& root(const char* name);
  const XmlElement* child(const XmlElement& parent, const char* name);          // null: none; a second one is refused
  const XmlElement& required_child(const XmlElement& parent, const char* name);
  std::vector<const XmlElement*> children(const XmlElement& parent, const char* name = nullptr);  // null: all

  // Attributes; null or nullopt: not there.
  const char* attribute(const XmlElement& element, const char* name);
  std::string required(const XmlElement& element, const char* name);
  std::optional<Eigen::VectorXd> numbers(const XmlElement& element, const char* name, int least, int most);
  Eigen::Vector3d point(const XmlElement& element, const char* name, const Eigen::Vector3d& otherwise = Eigen::Vector3d::Zero());
  double number(const XmlElement& element, const char* name, double otherwise);
  double required_number(const XmlElement& element, const char* name);
  bool flag(const XmlElement& element, const char* name, bool otherwise);

  // `text` as numbers, which errors call `field` of the element.
  Eigen::VectorXd parsed(const XmlElement& element, const char* name, std::string_view text, int least, int most) const;

  // The element, and all that stands in it, counts as read / as not read.
  void take(const XmlElement& element);
  void leave(const XmlElement& element);

  InputError error(const XmlElement& element, const char* attribute, const std::string& value, const std::string& allowed) const;
  // Runs `make`; an InputError without a place is told as one of this element.
  template <class Make>
  auto at(const XmlElement& element, Make make) const {
    try {
      return make();
    } catch (const InputError& found) {
      if (!found.place().file.empty()) throw;
      throw InputError(path(element) + ": " + found.field(), found.value(), found.allowed(), {.file = file_, .line = element.GetLineNum()});
    }
  }

  // What was not read, alike things together: "robot/link/visual is ignored (12 times, first in line 9)".
  std::vector<std::string> unread() const;

 private:
  static std::string path(const XmlElement& element);

  std::string file_;
  tinyxml2::XMLDocument document_;
  std::set<const void*> seen_;  // elements and attributes
};

}  // namespace carom::io
