#include "carom/model/builder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <utility>

#include "carom/core/error.hpp"
#include "carom/model/checks.hpp"

namespace carom {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

Matrix3d cross_matrix(const Vector3d& r) {
  Matrix3d m;
  m << 0, -r.z(), r.y(), r.z(), 0, -r.x(), -r.y(), r.x(), 0;
  return m;
}

template <class Items, class NameOf>
void refuse_name(const std::string& name, const char* list, const Items& items, NameOf name_of) {
  if (name.empty()) throw InputError(list, "\"\"", "every item needs a name");
  if (name == "ground") throw InputError(list, name, "\"ground\" is the world itself; choose another name");
  for (const auto& item : items) {
    if (name_of(item) == name) throw InputError(fmt::format("{}.{}", list, name), "", "this name is taken already");
  }
}

Body made_body(const MassProperties& p, World world, int parent, const Placement& in_child) {
  Body body;
  body.parent = parent;
  body.mass = p.mass;
  body.com = p.com;
  body.inertia = 0.5 * (p.inertia + p.inertia.transpose());
  if (world == World::planar) body.inertia = Vector3d(0, 0, p.inertia(2, 2)).asDiagonal();
  body.com_from_hub = p.com - in_child.translation;
  const Matrix3d c = cross_matrix(body.com_from_hub);
  body.hub_inertia = body.inertia - p.mass * c * c;
  return body;
}

Joint made_joint(const JointSpec& spec, int q_index, int u_index) {
  Joint joint;
  joint.kind = spec.kind;
  joint.in_parent = spec.in_parent;
  joint.in_child = spec.in_child;
  joint.axis = spec.axis;
  joint.axis_in_parent = spec.in_parent.rotation * spec.axis;
  joint.q_index = q_index;
  joint.u_index = u_index;
  joint.nq = coordinates(spec.kind);
  joint.nv = freedoms(spec.kind);
  const Matrix3d& F = spec.in_parent.rotation;
  const Matrix3d M = spec.in_child.rotation.transpose();
  joint.turn = {F * M, Matrix3d::Zero(), Matrix3d::Zero()};
  if (spec.kind == JointKind::revolute || spec.kind == JointKind::planar) {
    const Matrix3d along = spec.axis * spec.axis.transpose();
    joint.turn = {F * along * M, F * (Matrix3d::Identity() - along) * M, F * cross_matrix(spec.axis) * M};
  }
  return joint;
}

bool rotates(JointKind kind, int freedom) {
  switch (kind) {
    case JointKind::revolute:
    case JointKind::spherical: return true;
    case JointKind::planar: return freedom == 2;
    case JointKind::free: return freedom >= 3;
    default: return false;
  }
}

int rows_of(ConstraintKind kind, World world) {
  const bool planar = world == World::planar;
  switch (kind) {
    case ConstraintKind::coincidence: return planar ? 2 : 3;
    case ConstraintKind::hinge:
    case ConstraintKind::slider: return planar ? 2 : 5;
    case ConstraintKind::weld: return planar ? 3 : 6;
    case ConstraintKind::distance:
    case ConstraintKind::coupling: return 1;
  }
  return 0;
}

}  // namespace

MassProperties MassProperties::planar(double mass, const Eigen::Vector2d& com, double inertia_zz) {
  return {mass, Vector3d(com.x(), com.y(), 0), Vector3d(0, 0, inertia_zz).asDiagonal()};
}

ModelBuilder& ModelBuilder::gravity(const Vector3d& acceleration) {
  checks::finite(acceleration, "gravity");
  checks::in_plane(acceleration, world_, "gravity");
  gravity_ = acceleration;
  return *this;
}

ModelBuilder& ModelBuilder::body(std::string name, const MassProperties& properties) {
  refuse_name(name, "bodies", bodies_, [](const NamedBody& b) -> const std::string& { return b.name; });
  checks::mass_properties(properties, world_, "bodies." + name);
  bodies_.push_back({std::move(name), properties});
  return *this;
}

ModelBuilder& ModelBuilder::joint(JointSpec spec) {
  refuse_name(spec.name, "joints", joints_, [](const JointSpec& j) -> const std::string& { return j.name; });
  const std::string field = "joints." + spec.name;
  spec.in_parent = checks::placement(spec.in_parent, world_, field + ".in_parent");
  spec.in_child = checks::placement(spec.in_child, world_, field + ".in_child");
  const bool has_axis = spec.kind == JointKind::revolute || spec.kind == JointKind::prismatic;
  spec.axis = has_axis ? checks::unit(spec.axis, field + ".axis") : Vector3d::UnitZ();
  checks::joint_kind(spec, world_, field);
  joints_.push_back(std::move(spec));
  return *this;
}

void ModelBuilder::add_constraint(NamedConstraint added) {
  refuse_name(added.name, "constraints", constraints_,
              [](const NamedConstraint& c) -> const std::string& { return c.name; });
  const std::string field = "constraints." + added.name;
  Constraint& c = added.constraint;
  c.in_a = checks::placement(c.in_a, world_, field + ".in_a");
  c.in_b = checks::placement(c.in_b, world_, field + ".in_b");
  if (c.kind != ConstraintKind::coupling && added.body_a == added.body_b) {
    throw InputError(field + ".body_b", added.body_b, "must differ from body_a");
  }
  constraints_.push_back(std::move(added));
}

ModelBuilder& ModelBuilder::coincidence(std::string name, std::string body_a, const Vector3d& point_a,
                                        std::string body_b, const Vector3d& point_b) {
  NamedConstraint added{std::move(name), {}, std::move(body_a), std::move(body_b), {}};
  added.constraint.kind = ConstraintKind::coincidence;
  added.constraint.in_a.translation = point_a;
  added.constraint.in_b.translation = point_b;
  add_constraint(std::move(added));
  return *this;
}

ModelBuilder& ModelBuilder::hinge(std::string name, std::string body_a, const Vector3d& point_a, const Vector3d& axis_a,
                                  std::string body_b, const Vector3d& point_b, const Vector3d& axis_b) {
  const std::string field = "constraints." + name;
  const auto turned = [](const Vector3d& axis) {
    return Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), axis).toRotationMatrix();
  };
  NamedConstraint added{std::move(name), {}, std::move(body_a), std::move(body_b), {}};
  added.constraint.kind = ConstraintKind::hinge;
  added.constraint.in_a = {turned(checks::unit(axis_a, field + ".axis_a")), point_a};
  added.constraint.in_b = {turned(checks::unit(axis_b, field + ".axis_b")), point_b};
  add_constraint(std::move(added));
  return *this;
}

ModelBuilder& ModelBuilder::slider(std::string name, std::string body_a, const Placement& frame_a, std::string body_b,
                                   const Placement& frame_b) {
  NamedConstraint added{std::move(name), {}, std::move(body_a), std::move(body_b), {}};
  added.constraint.kind = ConstraintKind::slider;
  added.constraint.in_a = frame_a;
  added.constraint.in_b = frame_b;
  add_constraint(std::move(added));
  return *this;
}

ModelBuilder& ModelBuilder::weld(std::string name, std::string body_a, const Placement& frame_a, std::string body_b,
                                 const Placement& frame_b) {
  NamedConstraint added{std::move(name), {}, std::move(body_a), std::move(body_b), {}};
  added.constraint.kind = ConstraintKind::weld;
  added.constraint.in_a = frame_a;
  added.constraint.in_b = frame_b;
  add_constraint(std::move(added));
  return *this;
}

ModelBuilder& ModelBuilder::distance(std::string name, std::string body_a, const Vector3d& point_a, std::string body_b,
                                     const Vector3d& point_b, double length) {
  if (!std::isfinite(length) || length <= 0) {
    throw InputError("constraints." + name + ".length", fmt::format("{}", length),
                     "must be > 0 and finite [m]; two points that stay together are a coincidence");
  }
  NamedConstraint added{std::move(name), {}, std::move(body_a), std::move(body_b), {}};
  added.constraint.kind = ConstraintKind::distance;
  added.constraint.in_a.translation = point_a;
  added.constraint.in_b.translation = point_b;
  added.constraint.length = length;
  add_constraint(std::move(added));
  return *this;
}

ModelBuilder& ModelBuilder::coupling(std::string name, std::vector<SpeedTerm> terms, double offset) {
  const std::string field = "constraints." + name;
  bool acts = false;
  for (const SpeedTerm& term : terms) {
    if (!std::isfinite(term.factor)) {
      throw InputError(field + ".factor", fmt::format("{}", term.factor), "must be finite");
    }
    acts = acts || term.factor != 0;
  }
  if (!acts) throw InputError(field + ".terms", "", "needs at least one term with a factor other than zero");
  if (!std::isfinite(offset)) throw InputError(field + ".offset", fmt::format("{}", offset), "must be finite");
  NamedConstraint added{std::move(name), {}, "ground", "ground", std::move(terms)};
  added.constraint.kind = ConstraintKind::coupling;
  added.constraint.offset = offset;
  add_constraint(std::move(added));
  return *this;
}

int ModelBuilder::declared_body(const std::string& name, const std::string& field) const {
  if (name == "ground") return kGround;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    if (bodies_[i].name == name) return static_cast<int>(i);
  }
  std::vector<std::string> known{"ground"};
  for (const NamedBody& b : bodies_) known.push_back(b.name);
  throw InputError(field, name, fmt::format("unknown body; known are: {}", fmt::join(known, ", ")));
}

std::vector<int> ModelBuilder::joint_of_each_body() const {
  std::vector<int> joint_of(bodies_.size(), -1);
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const std::string field = "joints." + joints_[j].name + ".child";
    const int child = declared_body(joints_[j].child, field);
    if (child == kGround) throw InputError(field, "ground", "the ground hangs on nothing; make it the parent");
    int& slot = joint_of[static_cast<std::size_t>(child)];
    if (slot >= 0) {
      throw InputError(
          field, joints_[j].child,
          fmt::format("already hangs on joint {}: a body has one joint in the tree, for a second use a loop "
                      "closure (coincidence, hinge or weld)",
                      joints_[static_cast<std::size_t>(slot)].name));
    }
    slot = static_cast<int>(j);
  }
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    if (joint_of[i] < 0) {
      throw InputError("bodies." + bodies_[i].name, "no joint",
                       fmt::format("give it one; a body that moves freely has a {} joint to the ground",
                                   world_ == World::planar ? "planar" : "free"));
    }
  }
  return joint_of;
}

std::vector<int> ModelBuilder::parent_of_each_body(const std::vector<int>& joint_of) const {
  std::vector<int> parent_of;
  for (const int j : joint_of) {
    const JointSpec& spec = joints_[static_cast<std::size_t>(j)];
    parent_of.push_back(declared_body(spec.parent, "joints." + spec.name + ".parent"));
  }
  return parent_of;
}

// The bodies in the order of their declaration, except that each waits for its parent.
std::vector<int> ModelBuilder::parents_first(const std::vector<int>& parent_of) const {
  enum class Mark { open, climbing, placed };
  std::vector<Mark> mark(parent_of.size(), Mark::open);
  std::vector<int> order;
  for (std::size_t start = 0; start < parent_of.size(); ++start) {
    std::vector<int> climb;
    int at = static_cast<int>(start);
    while (at != kGround && mark[static_cast<std::size_t>(at)] == Mark::open) {
      mark[static_cast<std::size_t>(at)] = Mark::climbing;
      climb.push_back(at);
      at = parent_of[static_cast<std::size_t>(at)];
    }
    if (at != kGround && mark[static_cast<std::size_t>(at)] == Mark::climbing) {
      std::vector<std::string> cycle{bodies_[static_cast<std::size_t>(at)].name};
      for (auto it = std::find(climb.begin(), climb.end(), at) + 1; it != climb.end(); ++it) {
        cycle.push_back(bodies_[static_cast<std::size_t>(*it)].name);
      }
      cycle.push_back(cycle.front());
      throw InputError("joints", fmt::format("cycle {}", fmt::join(cycle, " → ")),
                       "joints form a tree that starts at the ground; close loops by a constraint");
    }
    for (auto it = climb.rbegin(); it != climb.rend(); ++it) {
      mark[static_cast<std::size_t>(*it)] = Mark::placed;
      order.push_back(*it);
    }
  }
  return order;
}

Constraint ModelBuilder::resolved(const NamedConstraint& named, const Model& model) const {
  const std::string field = "constraints." + named.name;
  Constraint c = named.constraint;
  declared_body(named.body_a, field + ".body_a");
  declared_body(named.body_b, field + ".body_b");
  c.body_a = model.body_index(named.body_a);
  c.body_b = model.body_index(named.body_b);
  c.rows = rows_of(c.kind, world_);
  for (const SpeedTerm& term : named.terms) {
    const auto at = std::find(model.joint_names_.begin(), model.joint_names_.end(), term.joint);
    if (at == model.joint_names_.end()) {
      throw InputError(field + ".joint", term.joint,
                       fmt::format("unknown joint; known are: {}", fmt::join(model.joint_names_, ", ")));
    }
    const Joint& joint = model.joint(static_cast<int>(at - model.joint_names_.begin()));
    if (term.freedom < 0 || term.freedom >= joint.nv) {
      throw InputError(field + ".freedom", fmt::format("{}", term.freedom),
                       fmt::format("joint {} has {} freedoms, counted from 0", term.joint, joint.nv));
    }
    const bool rate = joint.nq == joint.nv || (joint.kind == JointKind::free && term.freedom < 3);
    c.terms.push_back({joint.u_index + term.freedom, rate ? joint.q_index + term.freedom : -1, term.factor});
  }
  return c;
}

Model ModelBuilder::build() const {
  const std::vector<int> joint_of = joint_of_each_body();
  const std::vector<int> parent_of = parent_of_each_body(joint_of);
  const std::vector<int> order = parents_first(parent_of);
  std::vector<int> place(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) place[static_cast<std::size_t>(order[i])] = static_cast<int>(i);

  Model model;
  model.world_ = world_;
  model.gravity_ = gravity_;
  for (const int declared : order) {
    const auto d = static_cast<std::size_t>(declared);
    const JointSpec& spec = joints_[static_cast<std::size_t>(joint_of[d])];
    const int parent = parent_of[d] == kGround ? kGround : place[static_cast<std::size_t>(parent_of[d])];
    const int body = model.bodies();
    model.bodies_.push_back(made_body(bodies_[d].properties, world_, parent, spec.in_child));
    model.joints_.push_back(made_joint(spec, model.nq_, model.nv()));
    model.body_names_.push_back(bodies_[d].name);
    model.joint_names_.push_back(spec.name);
    model.nq_ += coordinates(spec.kind);
    for (int k = 0; k < freedoms(spec.kind); ++k) model.freedoms_.push_back({body, rotates(spec.kind, k)});
  }
  for (const NamedConstraint& named : constraints_) {
    Constraint c = resolved(named, model);
    c.row = model.constraint_rows_;
    model.constraint_rows_ += c.rows;
    model.constraints_.push_back(std::move(c));
    model.constraint_names_.push_back(named.name);
  }
  return model;
}

}  // namespace carom
