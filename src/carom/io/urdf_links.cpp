#include "carom/io/urdf_links.hpp"

#include <fmt/format.h>

#include <cstring>

#include "carom/io/placement_yaml.hpp"
#include "carom/model/checks.hpp"

namespace carom::io {
namespace {

using Eigen::Vector3d;

double positive(XmlFile& xml, const XmlElement& element, const char* name) {
  const double value = xml.required_number(element, name);
  if (!(value > 0)) throw xml.error(element, name, fmt::format("{}", value), "must be > 0 [m]");
  return value;
}

std::optional<MassProperties> read_inertial(XmlFile& xml, const XmlElement& link, std::vector<std::string>& notes) {
  const XmlElement* inertial = xml.child(link, "inertial");
  if (!inertial) return std::nullopt;
  const XmlElement& mass = xml.required_child(*inertial, "mass");
  MassProperties properties;
  properties.mass = xml.required_number(mass, "value");
  if (properties.mass < 0) throw xml.error(mass, "value", fmt::format("{}", properties.mass), "must be ≥ 0 [kg]; 0: a massless frame");
  const Placement origin = read_origin(xml, *inertial);
  const XmlElement& inertia = xml.required_child(*inertial, "inertia");
  const auto entry = [&](const char* name) { return xml.number(inertia, name, 0); };
  Eigen::Matrix3d I;
  I << entry("ixx"), entry("ixy"), entry("ixz"), entry("ixy"), entry("iyy"), entry("iyz"), entry("ixz"), entry("iyz"), entry("izz");
  properties.com = origin.translation;
  properties.inertia = origin.rotation * I * origin.rotation.transpose();
  if (properties.mass == 0) {
    if (!I.isZero())
      notes.push_back(fmt::format("{}: line {}: a link of mass 0 has no inertia; what is written is ignored", xml.file(), inertia.GetLineNum()));
    return std::nullopt;
  }
  xml.at(inertia, [&] { checks::mass_properties(properties, World::spatial, "inertial"); });
  return properties;
}

// `place` is moved for a plane that does not look along z.
Shape read_geometry(XmlFile& xml, const XmlElement& geometry, const std::string& owner, const std::filesystem::path& folder, Placement& place,
                    SceneDraft& draft) {
  const std::vector<const XmlElement*> shapes = xml.children(geometry);
  if (shapes.size() != 1)
    throw xml.error(geometry, nullptr, fmt::format("{} shapes", shapes.size()), "must hold one of box, sphere, cylinder, capsule, plane, mesh");
  const XmlElement& shape = *shapes[0];
  const std::string_view kind = shape.Name();
  if (kind == "sphere") return Sphere{positive(xml, shape, "radius")};
  if (kind == "cylinder") return Cylinder{positive(xml, shape, "radius"), positive(xml, shape, "length") / 2};
  if (kind == "capsule") return Capsule{positive(xml, shape, "radius"), positive(xml, shape, "length") / 2};
  if (kind == "box") {
    xml.required(shape, "size");
    const Vector3d size = xml.point(shape, "size");
    if (!(size.minCoeff() > 0)) throw xml.error(shape, "size", checks::shown(size), "must be three lengths > 0 [m]");
    return Box{size / 2};
  }
  if (kind == "plane") {  // Bullet's
    place = place * Placement{xml.at(shape, [&] { return turned_to(xml.point(shape, "normal", Vector3d::UnitZ()), World::spatial, "normal"); }),
                              Vector3d::Zero()};
    return HalfSpace{};
  }
  if (kind == "mesh")
    return mesh_hull(xml, shape, "filename", xml.required(shape, "filename"), folder, xml.point(shape, "scale", Vector3d::Ones()), owner, draft);
  throw xml.error(shape, nullptr, std::string(kind), "must be one of box, sphere, cylinder, capsule, plane, mesh");
}

// What a link says of its surface, from whichever extension; `given` tells whether it says anything.
struct Surface {
  Material material{};
  bool given = false;
};

double coefficient(XmlFile& xml, const XmlElement& element, const char* name, double most) {
  const double value = xml.required_number(element, name);
  if (!(value >= 0 && value <= most)) throw xml.error(element, name, fmt::format("{}", value), most == 1 ? "must be in [0, 1]" : "must be ≥ 0");
  return value;
}

constexpr double kNoEnd = std::numeric_limits<double>::infinity();

void read_bullet_contact(XmlFile& xml, const XmlElement& contact, Surface& surface) {
  const auto read = [&](const char* name, double most, double& into) {
    if (const XmlElement* element = xml.child(contact, name)) into = coefficient(xml, *element, "value", most), surface.given = true;
  };
  read("lateral_friction", kNoEnd, surface.material.mu_s);
  surface.material.mu_d = surface.material.mu_s;
  read("restitution", 1, surface.material.e);
  read("rolling_friction", kNoEnd, surface.material.rolling);
  read("spinning_friction", kNoEnd, surface.material.torsion);
}

void read_collision_surface(XmlFile& xml, const XmlElement& collision, Surface& surface) {
  if (const XmlElement* element = xml.child(collision, "contact_coefficients")) {
    if (element->Attribute("mu")) surface.material.mu_s = surface.material.mu_d = coefficient(xml, *element, "mu", kNoEnd), surface.given = true;
    if (element->Attribute("restitution")) surface.material.e = coefficient(xml, *element, "restitution", 1), surface.given = true;
  }
  if (const XmlElement* drake = xml.child(collision, "drake:proximity_properties")) {
    const XmlElement* stick = xml.child(*drake, "drake:mu_static");
    const XmlElement* slide = xml.child(*drake, "drake:mu_dynamic");
    if (!stick && !slide) return;
    surface.given = true;
    surface.material.mu_s = coefficient(xml, stick ? *stick : *slide, "value", kNoEnd);
    surface.material.mu_d = coefficient(xml, slide ? *slide : *stick, "value", kNoEnd);
    if (surface.material.mu_d > surface.material.mu_s)
      throw xml.error(*slide, "value", fmt::format("{}", surface.material.mu_d), fmt::format("must be ≤ mu_static = {}", surface.material.mu_s));
  }
}

// <gazebo reference="link"><mu1>…</mu1> or <mu1 value="…"/>
void read_gazebo(XmlFile& xml, const XmlElement& robot, const std::string& link, Surface& surface) {
  for (const XmlElement* gazebo = robot.FirstChildElement("gazebo"); gazebo; gazebo = gazebo->NextSiblingElement("gazebo")) {
    const char* reference = gazebo->Attribute("reference");
    const XmlElement* mu = gazebo->FirstChildElement("mu1");
    if (!reference || reference != link || !mu) continue;
    xml.children(robot, "gazebo");  // now they count as read; what else stands in them does not
    xml.attribute(*gazebo, "reference");
    xml.child(*gazebo, "mu1");
    const char* written = mu->GetText() ? mu->GetText() : xml.attribute(*mu, "value");
    const double value = xml.parsed(*mu, nullptr, written ? written : "", 1, 1)[0];
    if (value < 0) throw xml.error(*mu, nullptr, written, "must be ≥ 0");
    surface.material.mu_s = surface.material.mu_d = value;
    surface.given = true;
  }
}

int material_for(const std::string& link, const std::string& owner, Surface surface, const ModelSource& source, SceneDraft& draft) {
  if (const auto chosen = source.materials.find(link); chosen != source.materials.end()) return chosen->second;
  if (!surface.given) return source.material;
  surface.material.name = owner;
  draft.materials.push_back(std::move(surface.material));
  return static_cast<int>(draft.materials.size()) - 1;
}

UrdfLink read_link(XmlFile& xml, const XmlElement& robot, const XmlElement& element, const std::string& name, const ModelSource& source,
                   SceneDraft& draft) {
  UrdfLink link{&element, read_inertial(xml, element, draft.notes)};
  Surface common;
  read_gazebo(xml, robot, name, common);
  if (const XmlElement* contact = xml.child(element, "contact")) read_bullet_contact(xml, *contact, common);
  const std::vector<const XmlElement*> collisions = xml.children(element, "collision");
  for (std::size_t i = 0; i < collisions.size(); ++i) {
    const XmlElement& collision = *collisions[i];
    xml.attribute(collision, "name");
    DraftCollider made{{}, name, name, {}};
    made.collider.name = collisions.size() == 1 ? name : fmt::format("{}.{}", name, i);
    made.collider.in_body = read_origin(xml, collision);
    made.collider.shape = read_geometry(xml, xml.required_child(collision, "geometry"), made.collider.name,
                                        std::filesystem::path(source.file).parent_path(), made.collider.in_body, draft);
    Surface surface = common;
    read_collision_surface(xml, collision, surface);
    made.collider.material = material_for(name, made.collider.name, surface, source, draft);
    link.colliders.push_back(std::move(made));
  }
  return link;
}

}  // namespace

Placement read_origin(XmlFile& xml, const XmlElement& element) {
  const XmlElement* origin = xml.child(element, "origin");
  if (!origin) return {};
  return {from_rpy(xml.point(*origin, "rpy")), xml.point(*origin, "xyz")};
}

std::map<std::string, UrdfLink> read_links(XmlFile& xml, const XmlElement& robot, const ModelSource& source, SceneDraft& draft) {
  std::map<std::string, UrdfLink> links;
  for (const XmlElement* element : xml.children(robot, "link")) {
    const std::string name = xml.required(*element, "name");
    if (const auto other = links.find(name); other != links.end())
      throw xml.error(*element, "name", name, fmt::format("is already the link in line {}", other->second.element->GetLineNum()));
    if (name == "ground") throw xml.error(*element, "name", name, "is the name of the world itself");
    links.emplace(name, read_link(xml, robot, *element, name, source, draft));
  }
  for (const auto& [name, material] : source.materials)
    if (!links.contains(name)) throw InputError("urdf.materials." + name, name, "names no link of the robot");
  return links;
}

}  // namespace carom::io
