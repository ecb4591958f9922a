#include "carom/io/scene_bodies.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <cstring>
#include <optional>

#include "carom/io/fields.hpp"
#include "carom/io/mechanism_yaml.hpp"
#include "carom/io/placement_yaml.hpp"
#include "carom/io/scene_keys.hpp"
#include "carom/io/scene_shapes.hpp"
#include "carom/io/shapes.hpp"
#include "carom/math/counter_rng.hpp"
#include "carom/model/checks.hpp"

namespace carom::io {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;

// The most copies that an array may make: beyond it a slip of the pen is likelier than a scene.
constexpr int kMostCopies = 100'000;

// Where and how fast a free body starts.
struct Start {
  Placement place{};
  Vector3d velocity = Vector3d::Zero();          // of the body's origin [m/s]
  Vector3d angular_velocity = Vector3d::Zero();  // in world axes [rad/s]
};

// One of the copies of a body.
struct Copy {
  std::string name;
  Start start;
};

Start read_start(const Fields& body, World world) {
  Start start;
  start.place = {read_rotation(body.map(), body.field(), world), body.point("position")};
  start.velocity = body.point("velocity");
  checks::in_plane(start.place.translation, world, body.field("position"));
  checks::in_plane(start.velocity, world, body.field("velocity"));
  if (const Value* spin = body.find("angular_velocity")) {
    const std::string field = body.field("angular_velocity");
    if (world == World::planar)
      start.angular_velocity.z() = as_number(*spin, field);
    else if (spin->kind != Value::Kind::list || spin->items.size() != 3)
      throw InputError(field, describe(*spin), "must be three numbers [rad/s]");
    else
      start.angular_velocity = as_point(*spin, field);
  }
  return start;
}

std::array<int, 3> read_count(const Fields& array, World world) {
  const Value& value = *array.find("count");
  const std::string field = array.field("count");
  std::array<int, 3> count{1, 1, 1};
  const std::size_t most = world == World::planar ? 2 : 3;
  if (value.kind != Value::Kind::list) {
    count[0] = as_integer(value, field);
  } else {
    if (value.items.empty() || value.items.size() > most)
      throw InputError(field, describe(value), fmt::format("must be an integer or a list of up to {} integers", most));
    for (std::size_t k = 0; k < value.items.size(); ++k) count[k] = as_integer(value.items[k], fmt::format("{}[{}]", field, k));
  }
  double copies = 1;
  for (const int n : count) {
    if (n < 1) throw InputError(field, fmt::format("{}", n), "must be ≥ 1");
    copies *= n;
  }
  if (copies > kMostCopies)
    throw InputError(field, fmt::format("{:.0f} copies", copies), fmt::format("must not make more than {} copies", kMostCopies));
  return count;
}

// A rotation from the uniform distribution, by a quaternion of normal numbers; planar, an angle.
Matrix3d random_rotation(CounterRng& random, World world) {
  if (world == World::planar) return Eigen::AngleAxisd(random.uniform(-std::numbers::pi, std::numbers::pi), Vector3d::UnitZ()).toRotationMatrix();
  Eigen::Vector4d q;
  for (double& x : q) x = random.normal();
  return Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized().toRotationMatrix();
}

std::vector<Copy> read_array(const Value& value, const std::string& field, const std::string& name, const Start& start, World world) {
  const Fields array(value, field, scene_table("array"));
  const std::array<int, 3> count = read_count(array, world);
  const bool in_line = array.find("count")->kind != Value::Kind::list;
  const Vector3d spacing = array.point("spacing");
  checks::in_plane(spacing, world, array.field("spacing"));
  const double jitter = array.number("jitter");
  const auto seed = static_cast<std::uint64_t>(array.integer("seed"));
  std::vector<Copy> copies;
  for (int i = 0; i < count[0]; ++i)
    for (int j = 0; j < count[1]; ++j)
      for (int k = 0; k < count[2]; ++k) {
        CounterRng random(seed, copies.size());  // each copy has its own numbers: they stay when the counts change behind it
        Copy copy{in_line                  ? fmt::format("{}_{}", name, i)
                  : world == World::planar ? fmt::format("{}_{}_{}", name, i, j)
                                           : fmt::format("{}_{}_{}_{}", name, i, j, k),
                  start};
        Vector3d& at = copy.start.place.translation;
        at += in_line ? Vector3d(i * spacing) : Vector3d(i * spacing.x(), j * spacing.y(), k * spacing.z());
        for (int axis = 0; axis < (world == World::planar ? 2 : 3); ++axis) at[axis] += jitter * random.uniform(-1, 1);
        if (array.flag("random_rotation")) copy.start.place.rotation = random_rotation(random, world) * copy.start.place.rotation;
        copies.push_back(std::move(copy));
      }
  return copies;
}

MassProperties read_body_mass(const Fields& body, const std::vector<DraftCollider>& shapes, World world) {
  if (body.has("mass") && body.has("density"))
    throw InputError(body.field("density"), describe(*body.find("density")), "give mass or density, not both");
  if (gives_inertia(body.map())) {
    if (body.has("density"))
      throw InputError(body.field("density"), describe(*body.find("density")), "goes with shapes; an inertia that is given needs a mass");
    return read_given_mass(body.map(), body.field(), world);
  }
  if (!body.has("mass") && !body.has("density")) throw InputError(body.field("mass"), "", "is missing: mass [kg], or density with shapes");
  if (const Value* com = body.find("com"))
    throw InputError(body.field("com"), describe(*com), "follows from the shapes; to choose it, give inertia too");
  if (shapes.empty()) throw InputError(body.field("inertia"), "", "is missing: give it, or shapes that it follows from");
  return mass_of_shapes(shapes, body.number("mass"), body.number("density"), world, body.field());
}

// The coordinates and speeds of a free or planar joint between the world and the body's frame.
DraftStart joint_start(const Copy& copy, const std::string& field, World world) {
  const auto& [place, velocity, omega] = copy.start;
  DraftStart start{copy.name, {}, {}, field};
  if (world == World::planar) {
    start.q = Vector3d(place.translation.x(), place.translation.y(), std::atan2(place.rotation(1, 0), place.rotation(0, 0)));
    start.u = Vector3d(velocity.x(), velocity.y(), omega.z());
    return start;
  }
  const Eigen::Quaterniond turn(place.rotation);
  start.q.resize(7);
  start.q << place.translation, turn.w(), turn.x(), turn.y(), turn.z();
  start.u.resize(6);
  start.u << velocity, place.rotation.transpose() * omega;
  return start;
}

void add_copy(const Copy& copy, const Fields& body, const MassProperties& mass, const std::vector<DraftCollider>& shapes, bool carried,
              SceneDraft& draft) {
  const std::string& original = body.map().key;
  try {
    draft.builder.body(copy.name, mass);
    if (!carried)
      draft.builder.joint({.name = copy.name, .kind = draft.world == World::planar ? JointKind::planar : JointKind::free, .child = copy.name});
  } catch (const InputError& error) {
    throw renamed(renamed(error, "bodies." + copy.name, body.field()), "joints." + copy.name, body.field());
  }
  if (!carried) draft.starts.push_back(joint_start(copy, body.field(), draft.world));
  for (DraftCollider shape : shapes) {
    shape.body = copy.name;
    shape.group = original;
    if (copy.name != original)
      shape.collider.name =
          shape.collider.name.starts_with(original) ? copy.name + shape.collider.name.substr(original.size()) : copy.name + "." + shape.collider.name;
    draft.colliders.push_back(std::move(shape));
  }
}

void read_body(const Value& value, bool carried, SceneDraft& draft) {
  const Fields body(value, path("bodies", value.key), scene_table("body"));
  if (value.key == "ground")
    throw InputError(body.field(), describe(value), "is the name of the world itself; its shapes stand under the key ground");
  int material = -1;
  if (const Value* given = body.find("material")) material = material_of(*given, body.field("material"), value.key, draft);
  std::vector<DraftCollider> shapes;
  if (const Value* list = body.find("shapes")) shapes = read_shapes(*list, body.field("shapes"), value.key, material, draft);
  const MassProperties mass = read_body_mass(body, shapes, draft.world);
  if (shapes.empty()) draft.notes.push_back(fmt::format("{}: has no shapes and touches nothing", body.field()));
  std::vector<Copy> copies{{value.key, {}}};
  if (carried) {
    for (const char* key : {"position", "angle", "angle_deg", "rpy", "rpy_deg", "quaternion", "turn", "velocity", "angular_velocity", "array"})
      if (const Value* given = body.find(key))
        throw InputError(body.field(key), describe(*given), "is for bodies without a joint; the start of a joint stands under state");
  } else {
    copies[0].start = read_start(body, draft.world);
    if (const Value* array = body.find("array")) copies = read_array(*array, body.field("array"), value.key, copies[0].start, draft.world);
  }
  for (const Copy& copy : copies) add_copy(copy, body, mass, shapes, carried, draft);
}

void read_joint_limit(const Fields& joint, const JointSpec& spec, SceneDraft& draft) {
  const Value* radians = joint.find("limit");
  const Value* degrees = joint.find("limit_deg");
  if (!radians && !degrees) {
    if (const Value* e = joint.find("limit_restitution")) throw InputError(joint.field("limit_restitution"), describe(*e), "needs a limit");
    return;
  }
  if (radians && degrees) throw InputError(joint.field("limit_deg"), describe(*degrees), "the limit is already given by limit");
  const Value& given = radians ? *radians : *degrees;
  const std::string field = joint.field(given.key);
  const bool turns = spec.kind == JointKind::revolute;
  if (!turns && (degrees || spec.kind != JointKind::prismatic))
    throw InputError(field, describe(given),
                     degrees ? "only a revolute joint has a limit in degrees" : "only revolute and prismatic joints have a limit here; see limits");
  const VectorXd ends = as_vector(given, field);
  if (ends.size() != 2 || !(ends[0] < ends[1])) throw InputError(field, describe(given), "must be [lower, upper] with lower < upper");
  const double unit = degrees ? kDegree : 1;
  draft.limits.push_back({spec.name, 0, unit * ends[0], unit * ends[1], joint.number("limit_restitution"), field});
}

// What the builder calls otherwise than the file does.
InputError as_a_key(const InputError& error) {
  std::string field = error.field(), allowed = error.allowed();
  for (const auto& [theirs, ours] : {std::pair(".body_a", ".a"), std::pair(".body_b", ".b"), std::pair(".in_a.rotation", ""), std::pair(".in_b.rotation", "")})
    if (field.ends_with(theirs)) field.replace(field.size() - std::strlen(theirs), std::string::npos, ours);
  if (allowed == "must differ from body_a") allowed = "must differ from a";
  return {field, error.value(), allowed, error.place()};
}

// Calls `add` and tells what ModelBuilder finds wrong in `name` as wrong in `field`.
template <class Add>
void added(const std::string& name, const std::string& field, Add add) {
  try {
    add();
  } catch (const InputError& error) {
    throw as_a_key(renamed(error, name, field));
  }
}

}  // namespace

void read_bodies(const Value& root, SceneDraft& draft) {
  std::set<std::string, std::less<>> carried;
  const Value* joints = root.find("joints");
  if (joints)
    for (const Value& joint : as_list(*joints, "joints"))
      if (const Value* child = joint.find("child")) carried.insert(child->word);
  if (const Value* bodies = root.find("bodies"))
    for (const Value& body : as_map(*bodies, "bodies")) read_body(body, carried.contains(body.key), draft);
  for (std::size_t i = 0; joints && i < joints->items.size(); ++i) {
    const Fields joint(joints->items[i], fmt::format("joints[{}]", i), scene_table("joint"));
    const JointSpec spec = read_joint(joint.map(), joint.field());
    added("joints." + spec.name, joint.field(), [&] { draft.builder.joint(spec); });
    read_joint_limit(joint, spec, draft);
  }
  if (const Value* constraints = root.find("constraints"))
    for (std::size_t i = 0; i < constraints->items.size(); ++i) {
      const Fields constraint(constraints->items[i], fmt::format("constraints[{}]", i), scene_table("constraint"));
      added("constraints." + constraint.word("name"), constraint.field(),
            [&] { read_constraint(constraint.map(), constraint.field(), draft.builder); });
    }
}

InputError in_lists(const InputError& error, const Value& root) {
  for (const char* key : {"joints", "constraints"}) {
    const Value* list = root.find(key);
    for (std::size_t i = 0; list && i < list->items.size(); ++i) {
      const Value* name = list->items[i].find("name");
      if (!name) name = list->items[i].find("child");
      if (name && error.field().starts_with(fmt::format("{}.{}.", key, name->word)))
        return renamed(error, fmt::format("{}.{}", key, name->word), fmt::format("{}[{}]", key, i));
    }
  }
  return error;
}

}  // namespace carom::io
