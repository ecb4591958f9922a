// MJCF, the model format of MuJoCo. A body without a joint is part of its parent; a body with several joints hangs on links of a
// negligible mass, one for each joint but the last. Angles are measured from `ref`, so that every coordinate starts at zero.
// MJCF has no restitution; <custom><numeric name="restitution" data="0.5"/></custom> gives it to all its surfaces.

#include <fmt/format.h>

#include <cstring>

#include "carom/io/mass_sum.hpp"
#include "carom/io/mjcf_geoms.hpp"
#include "carom/io/model_source.hpp"

namespace carom::io {
namespace {

using Eigen::Vector3d;

// Of the body's mass, for the links between several joints: they move with the body but for one axis, so that it does not matter.
constexpr double kNegligible = 1e-9;

Placement inverse(const Placement& p) { return {p.rotation.transpose(), -(p.rotation.transpose() * p.translation)}; }

class MjcfReader {
 public:
  MjcfReader(const std::string& text, const ModelSource& source, SceneDraft& draft)
      : xml_(text, source.file),
        mujoco_(xml_.root("mujoco")),
        source_(source),
        draft_(draft),
        defaults_(xml_, mujoco_),
        compiler_(read_compiler(xml_, mujoco_, std::filesystem::path(source.file).parent_path())),
        geoms_(xml_, defaults_, compiler_, source, draft) {}

  void read() {
    refuse_parts_that_bring_bodies(mujoco_);
    xml_.attribute(mujoco_, "model");
    read_options();
    geoms_.read_assets(mujoco_);
    homes_["world"] = {"ground", {}, {}};
    for (const XmlElement* world : xml_.children(mujoco_, "worldbody")) {
      const Home ground{"ground", source_.base, source_.base};
      read_geoms(*world, "ground", "world", ground, "");
      for (const XmlElement* body : xml_.children(*world, "body")) read_body(*body, ground, "", true);
    }
    add_bodies();
    for (const XmlElement* contact : xml_.children(mujoco_, "contact")) read_excludes(*contact);
    ignore_by_bits();
    for (const XmlElement* equality : xml_.children(mujoco_, "equality")) read_equalities(*equality);
    for (const auto& [name, material] : source_.materials)
      if (!homes_.contains(name)) throw InputError("mjcf.materials." + name, name, "names no body of the model");
    for (std::string& note : xml_.unread()) draft_.notes.push_back(std::move(note));
  }

 private:
  // Where a body of the file stands: in which body of the model and where in it, and where in the world at the start.
  struct Home {
    std::string body;
    Placement place, pose;
  };
  struct Made {
    const XmlElement* element;
    std::string name;
    std::vector<std::string> links;  // that carry it, when it has several joints
  };

  // These would bring bodies that the rest of the file counts on: to leave them out is no model.
  void refuse_parts_that_bring_bodies(const XmlElement& element) {
    for (const char* name : {"include", "frame", "replicate", "composite", "flexcomp", "attach"})
      if (std::strcmp(element.Name(), name) == 0)
        throw xml_.error(element, nullptr, "", "is a part of MJCF that carom does not read; write out what it stands for");
    for (const XmlElement* child = element.FirstChildElement(); child; child = child->NextSiblingElement()) refuse_parts_that_bring_bodies(*child);
  }

  void read_options() {
    Vector3d gravity(0, 0, -9.81);
    for (const XmlElement* option : xml_.children(mujoco_, "option")) {
      gravity = xml_.point(*option, "gravity", gravity);
      const double step = xml_.number(*option, "timestep", 0.002);
      if (!(step > 0)) throw xml_.error(*option, "timestep", fmt::format("{}", step), "must be > 0 [s]");
      if (option->Attribute("timestep")) draft_.step = step;
    }
    draft_.builder.gravity(gravity);
    draft_.combination = CombinationRule{Combination::maximum, CombinationRule{}.restitution};
    draft_.notes.push_back(source_.file + ": the friction of two surfaces is the greater of theirs, as in MuJoCo; combine: says otherwise");
    for (const XmlElement* custom : xml_.children(mujoco_, "custom"))
      for (const XmlElement* numeric = custom->FirstChildElement("numeric"); numeric; numeric = numeric->NextSiblingElement("numeric"))
        if (const char* name = numeric->Attribute("name"); name && std::strcmp(name, "restitution") == 0) {
          xml_.take(*numeric);
          const double e = xml_.required_number(*numeric, "data");
          if (!(e >= 0 && e <= 1)) throw xml_.error(*numeric, "data", fmt::format("{}", e), "must be in [0, 1]");
          geoms_.set_restitution(e);
        }
  }

  void read_body(const XmlElement& element, const Home& parent, const std::string& inherited, bool top) {
    const char* given = xml_.attribute(element, "name");
    const std::string name = given ? given : fmt::format("body{}", ++unnamed_);
    if (name == "world" || name == "ground" || homes_.contains(name)) throw xml_.error(element, "name", name, "is already the name of a body");
    const char* changed = xml_.attribute(element, "childclass");
    const std::string childclass = changed ? changed : inherited;
    const Placement place = geoms_.frame({&element, ""});
    std::vector<const XmlElement*> joints;
    for (const XmlElement* child = element.FirstChildElement(); child; child = child->NextSiblingElement())
      if (std::strcmp(child->Name(), "joint") == 0 || std::strcmp(child->Name(), "freejoint") == 0) joints.push_back(child);
    xml_.children(element, "joint");
    xml_.children(element, "freejoint");
    Home home{joints.empty() ? parent.body : name, joints.empty() ? parent.place * place : Placement{}, parent.pose * place};
    homes_[name] = home;
    if (!joints.empty()) read_joints(element, joints, name, parent, place, childclass, top);
    read_mass(element, home, read_geoms(element, name, name, home, childclass));
    for (const XmlElement* child : xml_.children(element, "body")) read_body(*child, home, childclass, false);
  }

  // Adds the shapes of a body; returns what their masses are together, in its frame.
  MassSum read_geoms(const XmlElement& element, const std::string& body, const std::string& named, const Home& home, const std::string& childclass) {
    MassSum sum;
    const std::vector<const XmlElement*> geoms = xml_.children(element, "geom");
    for (std::size_t i = 0; i < geoms.size(); ++i) {
      MjcfGeom geom = geoms_.geom({geoms[i], childclass}, named, geoms.size() == 1 ? body : fmt::format("{}.{}", body, i));
      if (geom.mass.mass > 0) sum.add(geom.mass, {});
      if (!geom.collides) continue;
      if (std::holds_alternative<HalfSpace>(geom.collider.collider.shape) && home.body != "ground")
        throw xml_.error(*geoms[i], "type", "plane", "must belong to the world: this body moves");
      geom.collider.body = home.body;
      geom.collider.collider.in_body = home.place * geom.collider.collider.in_body;
      bits_.push_back({static_cast<int>(draft_.colliders.size()), geom.contype, geom.conaffinity});
      draft_.colliders.push_back(std::move(geom.collider));
    }
    return sum;
  }

  void read_mass(const XmlElement& element, const Home& home, const MassSum& from_geoms) {
    const XmlElement* inertial = element.FirstChildElement("inertial");
    if (inertial && !compiler_.always_from_geoms) {
      xml_.child(element, "inertial");
      const Placement place = geoms_.frame({inertial, ""});
      MassProperties given;
      given.mass = xml_.required_number(*inertial, "mass");
      if (given.mass < 0) throw xml_.error(*inertial, "mass", fmt::format("{}", given.mass), "must be ≥ 0 [kg]");
      if (const auto full = xml_.numbers(*inertial, "fullinertia", 6, 6)) {
        const Eigen::VectorXd& f = *full;
        given.inertia << f[0], f[3], f[4], f[3], f[1], f[5], f[4], f[5], f[2];
      } else {
        given.inertia = xml_.point(*inertial, "diaginertia").asDiagonal();
      }
      masses_[home.body].add(given, home.place * place);
    } else if (from_geoms.mass() > 0 && !compiler_.never_from_geoms) {
      masses_[home.body].add(from_geoms.total(), home.place);
    }
  }

  void read_joints(const XmlElement& body, const std::vector<const XmlElement*>& joints, const std::string& name, const Home& parent,
                   const Placement& place, const std::string& childclass, bool top) {
    Made made{&body, name, {}};
    for (std::size_t i = 0; i < joints.size(); ++i) {
      const MjcfElement at{joints[i], childclass};
      const std::string type = std::strcmp(joints[i]->Name(), "freejoint") == 0 ? "free" : defaults_.word(at, "type", "hinge");
      const char* own = xml_.attribute(*joints[i], "name");
      const bool last = i + 1 == joints.size();
      JointSpec spec{.name = own                  ? own
                             : joints.size() == 1 ? name
                                                  : fmt::format("{}.{}", name, i),
                     .child = last ? name : fmt::format("{} link {}", name, i)};
      if (!last) made.links.push_back(spec.child);
      spec.parent = i == 0 ? parent.body : made.links[i - 1];
      if (type == "free") {
        if (!top || joints.size() > 1) throw xml_.error(*joints[i], nullptr, "", "a free joint must be the only one of a body of the world");
        spec.kind = JointKind::free;
        draft_.starts.push_back(free_start(spec.name, parent.pose * place));
      } else {
        spec.kind = type == "hinge" ? JointKind::revolute : type == "slide" ? JointKind::prismatic : JointKind::spherical;
        if (type != "hinge" && type != "slide" && type != "ball")
          throw xml_.error(*joints[i], "type", type, "must be one of hinge, slide, ball, free");
        const Placement hub{Eigen::Matrix3d::Identity(), defaults_.point(at, "pos")};
        spec.in_parent = i == 0 ? parent.place * place * hub : hub;
        spec.in_child = hub;
        spec.axis = type == "ball" ? Vector3d::UnitZ() : defaults_.point(at, "axis", Vector3d::UnitZ());
      }
      xml_.at(*joints[i], [&] { draft_.builder.joint(spec); });
      if (spec.kind == JointKind::revolute || spec.kind == JointKind::prismatic) read_stops(at, spec);
    }
    // Parent and child do not touch, whatever stands between them; the simulator sees to bodies that one joint joins.
    if (joints.size() > 1 && parent.body != "ground") draft_.ignored.push_back({name, parent.body});
    made_.push_back(std::move(made));
  }

  // Range, spring and damper of a hinge or slide, with angles from `ref`.
  void read_stops(const MjcfElement& at, const JointSpec& spec) {
    one_coordinate_.insert(spec.name);
    const double unit = spec.kind == JointKind::revolute ? compiler_.angle_unit : 1, ref = unit * defaults_.number(at, "ref", 0);
    const auto range = defaults_.numbers(at, "range", 2, 2);
    const std::string limited = defaults_.word(at, "limited", "auto");
    if (limited != "auto" && limited != "true" && limited != "false")
      throw xml_.error(*at.element, "limited", limited, "must be one of auto, true, false");
    const bool acts = limited == "true" || (limited == "auto" && compiler_.autolimits && range);
    if (acts && !range) throw xml_.error(*at.element, "range", "", "is missing: the joint is limited");
    if (acts) {
      if (!((*range)[0] < (*range)[1]))
        throw xml_.error(*at.element, "range", fmt::format("{} {}", (*range)[0], (*range)[1]), "must be two numbers, the smaller one first");
      draft_.limits.push_back({.joint = spec.name, .lower = unit * (*range)[0] - ref, .upper = unit * (*range)[1] - ref});
    }
    DraftMotor motor{spec.name, defaults_.number(at, "stiffness", 0), unit * defaults_.number(at, "springref", 0) - ref,
                     defaults_.number(at, "damping", 0)};
    if (motor.stiffness < 0 || motor.damping < 0)
      throw xml_.error(*at.element, motor.damping < 0 ? "damping" : "stiffness", fmt::format("{}", std::min(motor.damping, motor.stiffness)),
                       "must be ≥ 0");
    if (motor.stiffness > 0 || motor.damping > 0) draft_.motors.push_back(motor);
  }

  void add_bodies() {
    for (const Made& made : made_) {
      const MassSum& sum = masses_[made.name];
      if (!(sum.mass() > 0)) throw xml_.error(*made.element, nullptr, "", "must have a mass: an <inertial>, or geoms with a density");
      const MassProperties mass = sum.total();
      xml_.at(*made.element, [&] {
        draft_.builder.body(made.name, mass);
        for (const std::string& link : made.links) draft_.builder.body(link, {kNegligible * mass.mass, mass.com, kNegligible * mass.inertia});
      });
      if (!made.links.empty())
        draft_.notes.push_back(fmt::format("{}: body {} has {} joints: a link of {} of its mass stands between each two", source_.file, made.name,
                                           made.links.size() + 1, kNegligible));
    }
  }

  const Home& home(const XmlElement& element, const char* attribute, const char* otherwise) {
    const char* text = xml_.attribute(element, attribute);
    if (!text && !otherwise) throw xml_.error(element, attribute, "", "is missing");
    const auto found = homes_.find(text ? text : otherwise);
    if (found == homes_.end()) throw xml_.error(element, attribute, text, "names no body");
    return found->second;
  }

  void read_excludes(const XmlElement& contact) {
    for (const XmlElement* exclude : xml_.children(contact, "exclude")) {
      xml_.attribute(*exclude, "name");
      home(*exclude, "body1", nullptr), home(*exclude, "body2", nullptr);
      draft_.ignored.push_back({xml_.required(*exclude, "body1"), xml_.required(*exclude, "body2")});
    }
  }

  // Two geoms touch when the contype of one meets the conaffinity of the other.
  void ignore_by_bits() {
    for (std::size_t i = 0; i < bits_.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (!(bits_[i].contype & bits_[j].conaffinity) && !(bits_[j].contype & bits_[i].conaffinity))
          draft_.ignored_colliders.push_back({bits_[j].collider, bits_[i].collider});
  }

  void read_equalities(const XmlElement& equality) {
    for (const XmlElement* element = equality.FirstChildElement(); element; element = element->NextSiblingElement()) {
      const std::string_view kind = element->Name();
      if (kind != "connect" && kind != "weld" && kind != "joint") continue;  // stays unread, and is told so
      xml_.children(equality, element->Name());
      const bool active = xml_.flag(*element, "active", true);
      const char* given = xml_.attribute(*element, "name");
      const std::string name = given ? given : fmt::format("equality {}", ++equalities_);
      if (kind == "joint") {
        if (active) read_joint_equality(*element, name);
        continue;
      }
      const Home &a = home(*element, "body1", nullptr), &b = home(*element, "body2", "world");
      if (!active) continue;
      const Placement meets{Eigen::Matrix3d::Identity(), kind == "connect" ? xml_.point(*element, "anchor") : Vector3d::Zero()};
      const Placement in_a = a.place * meets, in_b = inverse(pose_of(b.body)) * a.pose * meets;
      xml_.at(*element, [&] {
        if (kind == "connect")
          draft_.builder.coincidence(name, a.body, in_a.translation, b.body, in_b.translation);
        else
          draft_.builder.weld(name, a.body, in_a, b.body, in_b);
      });
    }
  }

  // joint1 = c0 + c1 joint2, or c0 alone.
  void read_joint_equality(const XmlElement& element, const std::string& name) {
    const std::string first = xml_.required(element, "joint1");
    const char* second = xml_.attribute(element, "joint2");
    for (const char* which : {"joint1", "joint2"})
      if (const char* joint = xml_.attribute(element, which); joint && !one_coordinate_.contains(joint))
        throw xml_.error(element, which, joint, "names no hinge nor slide");
    Eigen::VectorXd c = Eigen::VectorXd::Zero(5);
    c[1] = 1;
    if (const auto given = xml_.numbers(element, "polycoef", 1, 5)) c.setZero(), c.head(given->size()) = *given;
    if (!c.tail(3).isZero()) throw xml_.error(element, "polycoef", "", "must be linear: c0 c1 0 0 0");
    std::vector<SpeedTerm> terms{{first, 1}};
    if (second) terms.push_back({second, -c[1]});
    xml_.at(element, [&] { draft_.builder.coupling(name, terms, c[0]); });
    draft_.starts.push_back({first, Eigen::VectorXd::Constant(1, c[0]), {}});
  }

  Placement pose_of(const std::string& body) const { return body == "ground" ? Placement{} : homes_.at(body).pose; }

  struct Bits {
    int collider, contype, conaffinity;
  };

  XmlFile xml_;
  const XmlElement& mujoco_;
  const ModelSource& source_;
  SceneDraft& draft_;
  MjcfDefaults defaults_;
  MjcfCompiler compiler_;
  MjcfGeoms geoms_;
  std::map<std::string, Home> homes_;
  std::map<std::string, MassSum> masses_;
  std::vector<Made> made_;
  std::vector<Bits> bits_;
  std::set<std::string> one_coordinate_;  // joints that have one
  int unnamed_ = 0, equalities_ = 0;
};

}  // namespace

void read_mjcf(const std::string& text, const ModelSource& source, SceneDraft& draft) { MjcfReader(text, source, draft).read(); }

}  // namespace carom::io
