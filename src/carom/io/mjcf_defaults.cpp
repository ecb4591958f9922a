#include "carom/io/mjcf_defaults.hpp"

#include <fmt/format.h>

namespace carom::io {

MjcfDefaults::MjcfDefaults(XmlFile& xml, const XmlElement& mujoco) : xml_(xml) {
  classes_["main"];
  for (const XmlElement* element : xml_.children(mujoco, "default")) {
    xml_.attribute(*element, "class");
    add(*element, "main", "");
  }
}

void MjcfDefaults::add(const XmlElement& element, const std::string& name, const std::string& parent) {
  Class& entry = classes_[name];
  if (name != "main" && !entry.elements.empty()) throw xml_.error(element, "class", name, fmt::format("is already the class in line {}", entry.elements.front()->GetLineNum()));
  entry.parent = parent;
  entry.elements.push_back(&element);
  for (const XmlElement* inner : xml_.children(element, "default")) add(*inner, xml_.required(*inner, "class"), name);
}

MjcfDefaults::Found MjcfDefaults::find(const MjcfElement& at, const char* name) {
  if (const char* text = xml_.attribute(*at.element, name)) return {at.element, text};
  const char* own = xml_.attribute(*at.element, "class");
  std::string level = own ? own : at.childclass.empty() ? "main" : at.childclass;
  while (!level.empty()) {
    const auto found = classes_.find(level);
    if (found == classes_.end()) throw xml_.error(*at.element, "class", level, "names no default class");
    for (const XmlElement* element : found->second.elements)
      for (const XmlElement* settings = element->FirstChildElement(at.element->Name()); settings; settings = settings->NextSiblingElement(at.element->Name()))
        if (settings->Attribute(name)) {
          xml_.children(*element, at.element->Name());
          return {settings, xml_.attribute(*settings, name)};
        }
    level = found->second.parent;
  }
  return {};
}

std::optional<Eigen::VectorXd> MjcfDefaults::numbers(const MjcfElement& at, const char* name, int least, int most) {
  const Found found = find(at, name);
  if (!found.element) return std::nullopt;
  return xml_.parsed(*found.element, name, found.text, least, most);
}

double MjcfDefaults::number(const MjcfElement& at, const char* name, double otherwise) {
  const auto found = numbers(at, name, 1, 1);
  return found ? (*found)[0] : otherwise;
}

Eigen::Vector3d MjcfDefaults::point(const MjcfElement& at, const char* name, const Eigen::Vector3d& otherwise) {
  const auto found = numbers(at, name, 3, 3);
  return found ? Eigen::Vector3d(*found) : otherwise;
}

std::string MjcfDefaults::word(const MjcfElement& at, const char* name, const std::string& otherwise) {
  const Found found = find(at, name);
  return found.element ? found.text : otherwise;
}

}  // namespace carom::io
