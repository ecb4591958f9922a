// URDF, the robot description of ROS. A link that a fixed joint carries becomes part of its parent (massless frames are common);
// with a fixed base the root link is part of the world.
//
// Surfaces: of the extensions that are about, these are read, per link,
//   <contact><lateral_friction value/><restitution value/><rolling_friction value/><spinning_friction value/></contact>   (Bullet)
//   <collision><contact_coefficients mu restitution/></collision>                                     (early ROS; restitution: carom)
//   <collision><drake:proximity_properties><drake:mu_static value/><drake:mu_dynamic value/>          (Drake)
//   <gazebo reference="link"><mu1>…</mu1></gazebo>                                                    (Gazebo)

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "carom/io/mass_sum.hpp"
#include "carom/io/model_source.hpp"
#include "carom/io/placement_yaml.hpp"
#include "carom/io/urdf_links.hpp"
#include "carom/model/checks.hpp"

namespace carom::io {
namespace {

using Eigen::Vector3d;

struct UrdfJoint {
  const XmlElement* element;
  std::string name, type, parent, child;
  Placement origin{};
};

class UrdfReader {
 public:
  UrdfReader(const std::string& text, const ModelSource& source, SceneDraft& draft) : xml_(text, source.file), source_(source), draft_(draft) {}

  void read() {
    const XmlElement& robot = xml_.root("robot");
    xml_.attribute(robot, "name");
    xml_.attribute(robot, "version");
    links_ = read_links(xml_, robot, source_, draft_);
    for (const XmlElement* element : xml_.children(robot, "joint")) read_joint(*element);
    add_tree(root_link(robot));
    for (std::string& note : xml_.unread()) draft_.notes.push_back(std::move(note));
  }

 private:
  // Where a link stands: in which body of the model, and where in its frame.
  struct Home {
    std::string body;
    Placement place;
  };

  void read_joint(const XmlElement& element) {
    UrdfJoint joint{&element, xml_.required(element, "name"), xml_.required(element, "type"), "", ""};
    for (const UrdfJoint& other : joints_)
      if (other.name == joint.name)
        throw xml_.error(element, "name", joint.name, fmt::format("is already the joint in line {}", other.element->GetLineNum()));
    static const std::vector<std::string_view> types{"revolute", "continuous", "prismatic", "fixed", "floating", "planar", "spherical"};
    if (std::find(types.begin(), types.end(), joint.type) == types.end())
      throw xml_.error(element, "type", joint.type, fmt::format("must be one of {}", fmt::join(types, ", ")));
    joint.parent = link_name(xml_.required_child(element, "parent"));
    joint.child = link_name(xml_.required_child(element, "child"));
    if (const UrdfJoint* other = carrier(joint.child))
      throw xml_.error(element, nullptr, joint.child, fmt::format("is the child of joint {} too: a link has one parent", other->name));
    joint.origin = read_origin(xml_, element);
    joints_.push_back(std::move(joint));
  }

  std::string link_name(const XmlElement& element) {
    std::string name = xml_.required(element, "link");
    if (!links_.contains(name)) throw xml_.error(element, "link", name, "names no link of the robot");
    return name;
  }

  const UrdfJoint* carrier(const std::string& link) const {
    for (const UrdfJoint& joint : joints_)
      if (joint.child == link) return &joint;
    return nullptr;
  }

  const std::string& root_link(const XmlElement& robot) {
    const std::string* root = nullptr;
    for (const auto& [name, link] : links_) {
      if (carrier(name)) continue;
      if (root) throw xml_.error(*link.element, nullptr, "", fmt::format("hangs on no joint, nor does link {}: a robot is one tree", *root));
      root = &name;
    }
    if (!root) throw xml_.error(robot, nullptr, "", links_.empty() ? "must have a <link>" : "its joints form a cycle: no link is the root");
    return *root;
  }

  // From the root outward: what fixed joints hold together becomes one body, every other joint starts a new one.
  void add_tree(const std::string& root) {
    home_[root] = source_.free_base ? Home{root, {}} : Home{"ground", source_.base};
    std::vector<std::string> bodies;  // in the order of the tree
    if (source_.free_base) bodies.push_back(root);
    std::vector<std::string> open{root};
    std::vector<const UrdfJoint*> moving;
    while (!open.empty()) {
      const std::string at = open.back();
      open.pop_back();
      settle_link(at);
      for (const UrdfJoint& joint : joints_) {
        if (joint.parent != at) continue;
        if (joint.type == "fixed") {
          home_[joint.child] = {home_[at].body, home_[at].place * joint.origin};
          merged_[home_[at].body].push_back(joint.child);
        } else {
          home_[joint.child] = {joint.child, {}};
          bodies.push_back(joint.child);
          moving.push_back(&joint);
        }
        open.push_back(joint.child);
      }
    }
    for (const auto& [name, link] : links_)
      if (!home_.contains(name)) throw xml_.error(*link.element, nullptr, "", "hangs in a cycle of joints that does not reach the root");
    add_bodies(bodies, root);
    for (const UrdfJoint* joint : moving) {
      add_joint(*joint);
      // What is part of the world does not touch what hangs on it; between bodies the simulator sees to this.
      if (home_.at(joint->parent).body == "ground")
        for (const auto& [link, home] : home_)
          if (home.body == "ground") draft_.ignored.push_back({joint->child, link});
    }
    start_mimics();
  }

  // The mass and the shapes of a link, where they stand in its body.
  void settle_link(const std::string& name) {
    const UrdfLink& link = links_.at(name);
    const Home& home = home_[name];
    if (link.mass) masses_[home.body].add(*link.mass, home.place);
    for (DraftCollider collider : link.colliders) {
      if (home.body != "ground" && std::holds_alternative<HalfSpace>(collider.collider.shape))
        throw xml_.error(*link.element, nullptr, "plane", "must belong to the world: this link moves");
      collider.body = home.body;
      collider.collider.in_body = home.place * collider.collider.in_body;
      draft_.colliders.push_back(std::move(collider));
    }
  }

  void add_bodies(const std::vector<std::string>& bodies, const std::string& root) {
    for (const std::string& body : bodies) {
      const XmlElement& element = *links_.at(body).element;
      if (!(masses_[body].mass() > 0))
        throw xml_.error(element, nullptr, "", "must have an <inertial> with a mass, or carry by fixed joints a link that has: it moves");
      xml_.at(element, [&] { draft_.builder.body(body, masses_[body].total()); });
    }
    for (const auto& [body, parts] : merged_)
      draft_.notes.push_back(fmt::format("{}: {} part of {} (fixed joints)", source_.file,
                                         fmt::format("{}{}", fmt::join(parts, ", "), parts.size() == 1 ? " is" : " are"), body));
    if (!source_.free_base) return;
    xml_.at(*links_.at(root).element, [&] { draft_.builder.joint({.name = root, .kind = JointKind::free, .child = root}); });
    draft_.starts.push_back(free_start(root, source_.base));
  }

  void add_joint(const UrdfJoint& joint) {
    const XmlElement& element = *joint.element;
    JointSpec spec{
        .name = joint.name, .parent = home_.at(joint.parent).body, .child = joint.child, .in_parent = home_.at(joint.parent).place * joint.origin};
    spec.kind = joint.type == "prismatic"   ? JointKind::prismatic
                : joint.type == "floating"  ? JointKind::free
                : joint.type == "planar"    ? JointKind::planar
                : joint.type == "spherical" ? JointKind::spherical
                                            : JointKind::revolute;
    if (spec.kind != JointKind::free && spec.kind != JointKind::spherical) {
      const XmlElement* axis = xml_.child(element, "axis");
      spec.axis = axis ? xml_.point(*axis, "xyz", Vector3d::UnitX()) : Vector3d::UnitX();
      if (!(spec.axis.norm() > 0)) throw xml_.error(axis ? *axis : element, "xyz", "0 0 0", "must not be zero");
    }
    if (spec.kind == JointKind::planar) {  // in the plane across the axis
      const Eigen::Matrix3d turn = turned_to(spec.axis, World::spatial, "axis");
      spec.in_parent = spec.in_parent * Placement{turn, Vector3d::Zero()};
      spec.in_child.rotation = turn;
    }
    xml_.at(element, [&] { draft_.builder.joint(spec); });
    read_limit(joint);
    if (const XmlElement* dynamics = xml_.child(element, "dynamics")) {
      const double damping = xml_.number(*dynamics, "damping", 0);
      if (damping < 0) throw xml_.error(*dynamics, "damping", fmt::format("{}", damping), "must be ≥ 0");
      if (damping > 0 && (spec.kind == JointKind::revolute || spec.kind == JointKind::prismatic))
        draft_.motors.push_back({.joint = joint.name, .damping = damping});
    }
    if (const XmlElement* mimic = xml_.child(element, "mimic")) read_mimic(joint, *mimic);
  }

  void read_limit(const UrdfJoint& joint) {
    const XmlElement* limit = xml_.child(*joint.element, "limit");
    if (!limit && (joint.type == "revolute" || joint.type == "prismatic"))
      throw xml_.error(*joint.element, nullptr, joint.type, "must have a <limit>; a joint that turns without end is continuous");
    if (!limit || (joint.type != "revolute" && joint.type != "prismatic")) return;
    const double lower = xml_.number(*limit, "lower", 0), upper = xml_.number(*limit, "upper", 0);
    if (!(lower < upper)) {  // Bullet's way to say that there is none
      draft_.notes.push_back(fmt::format("{}: joint {} in line {} has lower = {} ≥ upper = {}: taken as without stops", source_.file, joint.name,
                                         limit->GetLineNum(), lower, upper));
      return;
    }
    const double e = xml_.number(*limit, "restitution", 0);  // carom's own
    if (!(e >= 0 && e <= 1)) throw xml_.error(*limit, "restitution", fmt::format("{}", e), "must be in [0, 1]");
    draft_.limits.push_back({.joint = joint.name, .lower = lower, .upper = upper, .e = e});
  }

  // q = multiplier · q_other + offset.
  void read_mimic(const UrdfJoint& joint, const XmlElement& mimic) {
    const std::string other = xml_.required(mimic, "joint");
    const auto found = std::find_if(joints_.begin(), joints_.end(), [&](const UrdfJoint& j) { return j.name == other; });
    const auto has_one = [](const UrdfJoint& j) { return j.type == "revolute" || j.type == "continuous" || j.type == "prismatic"; };
    if (found == joints_.end() || !has_one(*found) || !has_one(joint) || other == joint.name)
      throw xml_.error(mimic, "joint", other, "must be another joint, and both must have one coordinate");
    const double multiplier = xml_.number(mimic, "multiplier", 1), offset = xml_.number(mimic, "offset", 0);
    xml_.at(mimic, [&] { draft_.builder.coupling(joint.name + " mimics " + other, {{joint.name, 1}, {other, -multiplier}}, offset); });
    mimics_.push_back({joint.name, other, multiplier, offset});
  }

  // The coordinates that follow start where they belong; a joint may mimic one that mimics.
  void start_mimics() {
    std::map<std::string, double> q;
    for (std::size_t round = 0; round < mimics_.size(); ++round)
      for (const Mimic& m : mimics_) q[m.joint] = m.multiplier * q[m.other] + m.offset;
    for (const Mimic& m : mimics_) draft_.starts.push_back({m.joint, Eigen::VectorXd::Constant(1, q[m.joint]), {}});
  }

  struct Mimic {
    std::string joint, other;
    double multiplier, offset;
  };

  XmlFile xml_;
  const ModelSource& source_;
  SceneDraft& draft_;
  std::map<std::string, UrdfLink> links_;
  std::vector<UrdfJoint> joints_;
  std::vector<Mimic> mimics_;
  std::map<std::string, Home> home_;
  std::map<std::string, MassSum> masses_;
  std::map<std::string, std::vector<std::string>> merged_;  // by body: the links that fixed joints made part of it
};

}  // namespace

void read_urdf(const std::string& text, const ModelSource& source, SceneDraft& draft) { UrdfReader(text, source, draft).read(); }

}  // namespace carom::io
