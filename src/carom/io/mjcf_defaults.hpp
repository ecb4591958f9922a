#pragma once
// Attributes of MJCF elements, with the defaults of their class.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "carom/io/xml.hpp"

namespace carom::io {

// An element and the class that applies where it names none (`childclass` of the bodies around it).
struct MjcfElement {
  const XmlElement* element;
  std::string childclass{};
};

class MjcfDefaults {
 public:
  MjcfDefaults(XmlFile& xml, const XmlElement& mujoco);

  // As those of XmlFile, on the element or else in its class and the classes above.
  bool has(const MjcfElement& at, const char* name) { return find(at, name).element != nullptr; }
  std::optional<Eigen::VectorXd> numbers(const MjcfElement& at, const char* name, int least, int most);
  double number(const MjcfElement& at, const char* name, double otherwise);
  Eigen::Vector3d point(const MjcfElement& at, const char* name, const Eigen::Vector3d& otherwise = Eigen::Vector3d::Zero());
  std::string word(const MjcfElement& at, const char* name, const std::string& otherwise);

 private:
  struct Class {
    std::string parent;
    std::vector<const XmlElement*> elements;
  };
  struct Found {
    const XmlElement* element = nullptr;  // null: written nowhere
    const char* text = nullptr;
  };

  void add(const XmlElement& element, const std::string& name, const std::string& parent);
  Found find(const MjcfElement& at, const char* name);

  XmlFile& xml_;
  std::map<std::string, Class> classes_;
};

}  // namespace carom::io
