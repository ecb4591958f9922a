#include "carom/io/mechanism_yaml.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <cmath>
#include <map>

#include "carom/dynamics/constraints.hpp"
#include "carom/dynamics/kinematics.hpp"
#include "carom/io/placement_yaml.hpp"
#include "carom/io/shapes.hpp"
#include "carom/model/builder.hpp"
#include "carom/model/checks.hpp"
#include "carom/simulate/contact_builder.hpp"

namespace carom::io {
namespace {

const std::map<std::string, JointKind, std::less<>> kJoints{{"fixed", JointKind::fixed},   {"revolute", JointKind::revolute},   {"prismatic", JointKind::prismatic},
                                                            {"planar", JointKind::planar}, {"spherical", JointKind::spherical}, {"free", JointKind::free}};

Eigen::Vector3d point(const Value& map, std::string_view key, std::string_view parent, const Eigen::Vector3d& otherwise = Eigen::Vector3d::Zero()) {
  const Value* value = map.find(key);
  return value ? as_point(*value, path(parent, key)) : otherwise;
}

std::string word(const Value& map, std::string_view key, std::string_view parent, std::string_view otherwise) {
  const Value* value = map.find(key);
  return value ? as_word(*value, path(parent, key)) : std::string(otherwise);
}

// The rotation that takes x to `axis`; about z where it can be, as planar worlds ask.
Eigen::Matrix3d along_x(const Eigen::Vector3d& axis, const std::string& field) {
  const Eigen::Vector3d to = checks::unit(axis, field);
  if (to.z() == 0) return Eigen::AngleAxisd(std::atan2(to.y(), to.x()), Eigen::Vector3d::UnitZ()).toRotationMatrix();
  return Eigen::Quaterniond::FromTwoVectors(Eigen::Vector3d::UnitX(), to).toRotationMatrix();
}

// What only some types of constraint understand.
void refuse_keys_of_other_types(const Value& map, const std::string& field, const std::string& type) {
  const std::vector<std::pair<std::vector<std::string_view>, std::string_view>> owners{
      {{"axis_a"}, "hinge"}, {{"axis_b"}, "hinge slider"}, {{"length"}, "distance"}, {{"terms", "offset"}, "coupling"},
      {{"at_a", "at_b", "a", "b"}, "coincidence hinge slider weld distance"}, {{"angle", "angle_deg", "rpy", "rpy_deg", "quaternion", "turn"}, "slider weld"}};
  for (const auto& [keys, types] : owners)
    for (const std::string_view key : keys)
      if (const Value* given = map.find(key); given && types.find(type) == std::string_view::npos)
        throw InputError(path(field, key), describe(*given), fmt::format("has no meaning for a {}", type));
}

}  // namespace

World read_world(const Value& root) {
  const std::string& world = as_word(required(root, "world", "", "planar or spatial"), "world");
  if (world != "planar" && world != "spatial") throw InputError("world", world, "must be planar or spatial");
  return world == "planar" ? World::planar : World::spatial;
}

JointSpec read_joint(const Value& map, const std::string& field) {
  JointSpec spec;
  spec.child = as_word(required(map, "child", field, "the body that this joint carries"), path(field, "child"));
  spec.name = word(map, "name", field, spec.child);
  spec.parent = word(map, "parent", field, "ground");
  const Value& type = required(map, "type", field, "fixed, revolute, prismatic, planar, spherical or free");
  const auto kind = kJoints.find(as_word(type, path(field, "type")));
  if (kind == kJoints.end()) throw InputError(path(field, "type"), type.word, "must be fixed, revolute, prismatic, planar, spherical or free");
  spec.kind = kind->second;
  spec.in_parent = {read_rotation(map, field, World::spatial), point(map, "at", field)};
  spec.in_child.translation = point(map, "child_at", field);
  spec.axis = point(map, "axis", field, spec.kind == JointKind::prismatic ? Eigen::Vector3d::UnitX() : Eigen::Vector3d::UnitZ());
  return spec;
}

void read_constraint(const Value& map, const std::string& field, ModelBuilder& builder) {
  check_keys(map, field, {"name", "type", "a", "b", "at_a", "at_b", "axis_a", "axis_b", "length", "terms", "offset", "angle", "angle_deg", "rpy", "rpy_deg", "quaternion", "turn"});
  const std::string name = as_word(required(map, "name", field, "a name"), path(field, "name"));
  const std::string& type = as_word(required(map, "type", field, "coincidence, hinge, slider, weld, distance or coupling"), path(field, "type"));
  refuse_keys_of_other_types(map, field, type);
  const auto side = [&](const char* key) { return word(map, key, field, "ground"); };
  if (type == "coincidence") {
    builder.coincidence(name, side("a"), point(map, "at_a", field), side("b"), point(map, "at_b", field));
  } else if (type == "hinge") {
    builder.hinge(name, side("a"), point(map, "at_a", field), point(map, "axis_a", field, Eigen::Vector3d::UnitZ()), side("b"), point(map, "at_b", field),
                  point(map, "axis_b", field, Eigen::Vector3d::UnitZ()));
  } else if (type == "slider" || type == "weld") {
    // The frames coincide but for the way along x: b's is turned to the axis, and a's the same way once a is turned in b as the file says.
    const Eigen::Matrix3d turn = read_rotation(map, field, World::spatial);
    const Eigen::Matrix3d along = type == "slider" ? along_x(point(map, "axis_b", field, Eigen::Vector3d::UnitX()), path(field, "axis_b")) : Eigen::Matrix3d::Identity();
    const Placement in_a{turn.transpose() * along, point(map, "at_a", field)}, in_b{along, point(map, "at_b", field)};
    if (type == "slider") builder.slider(name, side("a"), in_a, side("b"), in_b);
    else builder.weld(name, side("a"), in_a, side("b"), in_b);
  } else if (type == "distance") {
    builder.distance(name, side("a"), point(map, "at_a", field), side("b"), point(map, "at_b", field),
                     as_number(required(map, "length", field, "the rod's length [m]"), path(field, "length")));
  } else if (type == "coupling") {
    std::vector<SpeedTerm> terms;
    for (const Value& term : as_map(required(map, "terms", field, "factors by joint"), path(field, "terms")))
      terms.push_back({term.key, as_number(term, path(field, "terms." + term.key)), 0});
    const Value* offset = map.find("offset");
    builder.coupling(name, std::move(terms), offset ? as_number(*offset, path(field, "offset")) : 0);
  } else {
    throw InputError(path(field, "type"), type, "must be coincidence, hinge, slider, weld, distance or coupling");
  }
}

namespace {

// Puts values given by joint name into `into`, a vector over all joints.
void read_by_joint(const Model& model, const Value& map, const std::string& field, bool coordinates, double angle_unit, Eigen::VectorXd& into) {
  for (const Value& entry : as_map(map, field)) {
    const std::string name = path(field, entry.key);
    int index = 0;
    try {
      index = model.joint_index(entry.key);
    } catch (const InputError& error) {
      throw InputError(name, entry.key, error.allowed());
    }
    const Joint& joint = model.joint(index);
    const Eigen::VectorXd values = entry.kind == Value::Kind::list ? as_vector(entry, name) : Eigen::VectorXd::Constant(1, as_number(entry, name));
    const int first = coordinates ? joint.q_index : joint.u_index, size = coordinates ? joint.nq : joint.nv;
    if (values.size() != size) throw InputError(name, fmt::format("{} values", values.size()), fmt::format("must have {} values", size));
    if (angle_unit != 1 && (joint.kind == JointKind::spherical || joint.kind == JointKind::free))
      throw InputError(name, "", "has a quaternion or a vector for its rotation: give it without _deg");
    for (int k = 0; k < size; ++k) {
      const bool angle = joint.kind == JointKind::revolute || (joint.kind == JointKind::planar && k == 2);
      into(first + k) = values(k) * (angle ? angle_unit : 1);
    }
    if (coordinates && joint.nq != joint.nv && !(values.tail(4).norm() > 0)) throw InputError(name, "a quaternion 0", "must end in a quaternion w, x, y, z that is not zero");
  }
}

TouchingContact read_contact(const Model& model, const State& state, const Value& map, const std::string& field) {
  check_keys(map, field, {"body", "point", "normal", "tangent", "other", "friction", "restitution"});
  const auto body = [&](const char* key, const std::string& name) {
    try {
      return model.body_index(name);
    } catch (const InputError& error) {
      throw InputError(path(field, key), name, error.allowed());
    }
  };
  const int a = body("body", as_word(required(map, "body", field, "the body that hits"), path(field, "body")));
  const int b = body("other", word(map, "other", field, "ground"));
  const Value& at = required(map, "point", field, "where, in the frame of the body that hits");
  const Eigen::Vector3d normal = point(map, "normal", field, model.world() == World::planar ? Eigen::Vector3d::UnitY() : Eigen::Vector3d::UnitZ());
  if (!(normal.norm() > 0)) throw InputError(path(field, "normal"), "a vector of length 0", "must point from the other body to the body that hits");
  TouchingContact contact;
  contact.point = touching_at(model, state.q, a, as_point(at, path(field, "point")), b, normal.normalized());
  if (const Value* tangent = map.find("tangent")) {
    const Eigen::Vector3d n = normal.normalized(), t = as_point(*tangent, path(field, "tangent")), in_plane = t - t.dot(n) * n;
    if (in_plane.norm() <= 1e-9 * t.norm()) throw InputError(path(field, "tangent"), describe(*tangent), "must not be zero nor along the normal");
    contact.point.frame << in_plane.normalized(), n.cross(in_plane.normalized()), n;
  }
  contact.e = as_number(required(map, "restitution", field, "the coefficient e in [0, 1]"), path(field, "restitution"));
  const Value& friction = required(map, "friction", field, "a number, or {static, kinetic}");
  const std::string name = path(field, "friction");
  if (friction.kind == Value::Kind::map) {
    check_keys(friction, name, {"static", "kinetic"});
    contact.mu_s = as_number(required(friction, "static", name, "the coefficient while sticking"), path(name, "static"));
    contact.mu_d = as_number(required(friction, "kinetic", name, "the coefficient while slipping"), path(name, "kinetic"));
  } else {
    contact.mu_s = contact.mu_d = as_number(friction, name);
  }
  return contact;
}

}  // namespace

bool is_mechanism(const Value& root) { return root.kind == Value::Kind::map && (root.find("world") || root.find("joints")); }

Model read_model(const Value& root) {
  const World world = read_world(root);
  ModelBuilder builder(world);
  builder.gravity(point(root, "gravity", ""));
  for (const Value& body : as_map(required(root, "bodies", "", "a map from name to mass properties"), "bodies"))
    builder.body(body.key, read_mass(body, path("bodies", body.key), world));
  const auto& joints = as_list(required(root, "joints", "", "a list of joints, one per body"), "joints");
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const std::string field = fmt::format("joints[{}]", i);
    check_keys(joints[i], field, {"name", "type", "parent", "child", "at", "child_at", "axis", "angle", "angle_deg", "rpy", "rpy_deg"});
    builder.joint(read_joint(joints[i], field));
  }
  if (const Value* constraints = root.find("constraints")) {
    const auto& list = as_list(*constraints, "constraints");
    for (std::size_t i = 0; i < list.size(); ++i) read_constraint(list[i], fmt::format("constraints[{}]", i), builder);
  }
  return builder.build();
}

State read_state(const Model& model, const Value& root) {
  return read_state(model, required(root, "state", "", "q and qdot by joint"), {neutral(model), Eigen::VectorXd::Zero(model.nv())});
}

State read_state(const Model& model, const Value& map, State state) {
  check_keys(map, "state", {"q", "q_deg", "qdot", "qdot_deg", "assemble"});
  if (const Value* q = map.find("q")) read_by_joint(model, *q, "state.q", true, 1, state.q);
  if (const Value* q = map.find("q_deg")) read_by_joint(model, *q, "state.q_deg", true, kDegree, state.q);
  if (const Value* u = map.find("qdot")) read_by_joint(model, *u, "state.qdot", false, 1, state.u);
  if (const Value* u = map.find("qdot_deg")) read_by_joint(model, *u, "state.qdot_deg", false, kDegree, state.u);
  normalise(model, state.q);
  const Value* wanted = map.find("assemble");
  close_constraints(model, wanted && as_flag(*wanted, "state.assemble"), state);
  return state;
}

void close_constraints(const Model& model, bool assemble_them, State& state) {
  if (model.constraint_rows() == 0) return;
  Data data(model);
  forward_kinematics(model, state, data);
  if (assemble_them) {
    if (const Assembly assembly = assemble(model, data, state.q); !assembly.closed)
      throw InputError("state.q", fmt::format("constraint residual {}", assembly.residual), "cannot be assembled: start nearer to a closed position");
    project_speeds(model, data, state.u);
    return;
  }
  Eigen::VectorXd g;
  constraint_residual(model, data, state.q, g);
  if (g.cwiseAbs().maxCoeff() > 1e-9)
    throw InputError("state.q", fmt::format("constraint residual {}", g.cwiseAbs().maxCoeff()), "must keep every constraint to 1e-9, or ask for state.assemble: true");
}

ProblemItem read_mechanism(const Value& root) {
  check_keys(root, "", {"name", "world", "gravity", "bodies", "joints", "constraints", "state", "contact", "contacts", "law", "restitution_law", "options", "measured"});
  const Model model = read_model(root);
  const State state = read_state(model, root);
  std::vector<TouchingContact> contacts;
  if (const Value* list = root.find("contacts")) {
    const auto& items = as_list(*list, "contacts");
    for (std::size_t i = 0; i < items.size(); ++i) contacts.push_back(read_contact(model, state, items[i], fmt::format("contacts[{}]", i)));
  } else {
    contacts.push_back(read_contact(model, state, required(root, "contact", "", "where the mechanism hits"), "contact"));
  }
  ProblemItem item;
  item.name = word(root, "name", "", "");
  item.problem = impact_problem(model, state, contacts);
  Eigen::MatrixXd& tangents = item.problem.geometry->tangents;
  tangents.resize(item.problem.dimension, static_cast<Eigen::Index>(contacts.size()));
  for (std::size_t c = 0; c < contacts.size(); ++c) tangents.col(static_cast<Eigen::Index>(c)) = contacts[c].point.frame.col(0).head(item.problem.dimension);
  try {
    validate(item.problem);
  } catch (const InputError& error) {  // the user wrote friction and restitution inside the contact
    throw InputError(path(root.find("contacts") ? "contacts" : "contact", error.field()), error.value(), error.allowed());
  }
  item.speed_names = speed_names(model);
  item.law.process = word(root, "law", "", "");
  item.law.restitution = word(root, "restitution_law", "", "");
  if (const Value* options = root.find("options")) item.law.options = read_options(*options);
  if (const Value* measured = root.find("measured")) read_measured(*measured, item);
  return item;
}

}  // namespace carom::io
