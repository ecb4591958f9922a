#include "carom/io/scene_forces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "carom/dynamics/kinematics.hpp"
#include "carom/io/fields.hpp"
#include "carom/io/placement_yaml.hpp"
#include "carom/io/problem_json.hpp"
#include "carom/io/scene_keys.hpp"
#include "carom/io/scene_shapes.hpp"
#include "carom/model/checks.hpp"

namespace carom::io {
namespace {

using Eigen::Vector3d;

int body_of(const Model& model, const Fields& fields, const char* key) {
  const std::string name = fields.word(key);
  try {
    return model.body_index(name);
  } catch (const InputError& error) {
    throw InputError(fields.field(key), name, error.allowed());
  }
}

int moving_body_of(const Model& model, const Fields& fields, const char* key) {
  const int body = body_of(model, fields, key);
  if (body == kGround) throw InputError(fields.field(key), "ground", "must be a body: the ground does not move");
  return body;
}

// One speed of a joint, and the coordinate whose rate it is (−1: none).
struct Speed {
  int freedom, coordinate;
};

Speed speed_of(const Model& model, const std::string& joint_name, int freedom, const std::string& joint_field, const std::string& freedom_field) {
  int index = 0;
  try {
    index = model.joint_index(joint_name);
  } catch (const InputError& error) {
    throw InputError(joint_field, joint_name, error.allowed());
  }
  const Joint& joint = model.joint(index);
  if (freedom >= joint.nv)
    throw InputError(freedom_field, fmt::format("{}", freedom), fmt::format("joint {} has {} speeds, counted from 0", joint_name, joint.nv));
  const bool rate = joint.nq == joint.nv || (joint.kind == JointKind::free && freedom < 3);
  return {joint.u_index + freedom, rate ? joint.q_index + freedom : -1};
}

JointForce read_motor(const Fields& fields, const Model& model) {
  JointForce motor;
  const Speed speed = speed_of(model, fields.word("joint"), fields.integer("freedom"), fields.field("joint"), fields.field("freedom"));
  motor.freedom = speed.freedom;
  motor.coordinate = speed.coordinate;
  if (const Value* torque = fields.find("torque")) motor.torque = read_time(*torque, fields.field("torque"));
  motor.stiffness = fields.number("stiffness");
  motor.rest = fields.number("rest");
  motor.damping = fields.number("damping");
  if (motor.coordinate < 0 && motor.stiffness > 0)
    throw InputError(fields.field("stiffness"), fmt::format("{}", motor.stiffness), "must be 0: this speed is not the rate of a coordinate");
  return motor;
}

Spring read_spring(const Fields& fields, const Model& model, const State& start) {
  Spring spring;
  spring.body_a = body_of(model, fields, "a");
  spring.body_b = body_of(model, fields, "b");
  if (spring.body_a == spring.body_b) throw InputError(fields.field("b"), fields.word("b"), "must differ from a");
  spring.point_a = fields.point("at_a");
  spring.point_b = fields.point("at_b");
  checks::in_plane(spring.point_a, model.world(), fields.field("at_a"));
  checks::in_plane(spring.point_b, model.world(), fields.field("at_b"));
  spring.stiffness = fields.number("stiffness");
  spring.damping = fields.number("damping");
  if (fields.has("length")) {
    spring.length = fields.number("length");
  } else {
    Data data(model);
    forward_kinematics(model, start.q, data);
    spring.length = (point_position(data, spring.body_a, spring.point_a) - point_position(data, spring.body_b, spring.point_b)).norm();
  }
  return spring;
}

Push read_push(const Fields& fields, const Model& model) {
  Push push;
  push.body = moving_body_of(model, fields, "body");
  push.point = fields.point("at");
  checks::in_plane(push.point, model.world(), fields.field("at"));
  push.body_axes = fields.word("axes") == "body";
  const bool planar = model.world() == World::planar;
  const auto components = [&](const char* key, std::array<TimeFunction, 3>& into, std::size_t size) {
    const Value* value = fields.find(key);
    if (!value) return;
    const std::string field = fields.field(key);
    if (value->kind != Value::Kind::list || value->items.size() != size)
      throw InputError(field, describe(*value), fmt::format("must be a list of {} numbers or time functions", size));
    for (std::size_t k = 0; k < size; ++k) into[k] = read_time(value->items[k], fmt::format("{}[{}]", field, k));
  };
  components("force", push.force, planar ? 2 : 3);
  if (!planar)
    components("moment", push.moment, 3);
  else if (const Value* moment = fields.find("moment"))
    push.moment[2] = read_time(*moment, fields.field("moment"));
  return push;
}

// Calls `read` with every entry of the list `key`.
template <class Read>
void each(const Fields& forces, const char* key, const char* table, Read read) {
  const Value* list = forces.find(key);
  for (std::size_t i = 0; list && i < list->items.size(); ++i)
    read(Fields(list->items[i], fmt::format("{}[{}]", forces.field(key), i), scene_table(table)));
}

bool stands_for(std::string_view name, const DraftCollider& c) { return c.collider.name == name || c.body == name || c.group == name; }

// The colliders that a name stands for: a collider, a body, all copies of an entry, or the ground.
std::vector<int> colliders_named(const Value& value, const std::string& field, const SceneDraft& draft) {
  const std::string& name = as_word(value, field);
  std::vector<int> found;
  std::vector<std::string_view> known{"ground"};
  for (std::size_t i = 0; i < draft.colliders.size(); ++i) {
    const DraftCollider& c = draft.colliders[i];
    if (stands_for(name, c)) found.push_back(static_cast<int>(i));
    known.insert(known.end(), {c.collider.name, c.body, c.group});
  }
  if (!found.empty()) return found;
  const std::string_view guess = nearest(name, known);
  throw InputError(field, describe(value),
                   guess.empty() || guess == name ? "must name a shape, or a body that has shapes"
                                                  : fmt::format("names no shape nor a body with shapes; did you mean {}?", guess));
}

// Every pair of colliders, the smaller index first, between the two names of `pair`.
std::vector<std::array<int, 2>> pairs_named(const Value& pair, const std::string& field, const SceneDraft& draft) {
  if (pair.kind != Value::Kind::list || pair.items.size() != 2) throw InputError(field, describe(pair), "must be two names of bodies or shapes");
  std::vector<std::array<int, 2>> pairs;
  for (const int a : colliders_named(pair.items[0], field + "[0]", draft))
    for (const int b : colliders_named(pair.items[1], field + "[1]", draft))
      if (a != b) pairs.push_back({std::min(a, b), std::max(a, b)});
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

}  // namespace

Forces read_forces(const Value& root, const SceneDraft& draft, const Model& model, const State& start) {
  Forces all;
  for (const DraftMotor& motor : draft.motors) {
    const Speed speed = speed_of(model, motor.joint, 0, "forces", "forces");
    all.joints.push_back(
        {.freedom = speed.freedom, .coordinate = speed.coordinate, .stiffness = motor.stiffness, .rest = motor.rest, .damping = motor.damping});
  }
  const Value* map = root.find("forces");
  if (!map) return all;
  const Fields forces(*map, "forces", scene_table("forces"));
  each(forces, "motors", "motor", [&](const Fields& fields) { all.joints.push_back(read_motor(fields, model)); });
  each(forces, "springs", "spring", [&](const Fields& fields) { all.springs.push_back(read_spring(fields, model, start)); });
  each(forces, "drags", "drag", [&](const Fields& fields) {
    all.drags.push_back({moving_body_of(model, fields, "body"), fields.number("linear"), fields.number("quadratic"), fields.number("angular")});
  });
  each(forces, "pushes", "push", [&](const Fields& fields) { all.pushes.push_back(read_push(fields, model)); });
  return all;
}

std::vector<JointLimit> read_limits(const Value& root, const SceneDraft& draft, const Model& model) {
  std::vector<DraftLimit> drafts = draft.limits;
  const Value* list = root.find("limits");
  for (std::size_t i = 0; list && i < list->items.size(); ++i) {
    const Fields fields(list->items[i], fmt::format("limits[{}]", i), scene_table("limit"));
    DraftLimit limit{.joint = fields.word("joint"), .freedom = fields.integer("freedom"), .e = fields.number("restitution"), .field = fields.field()};
    for (const auto& [key, degrees, end] : {std::tuple("lower", "lower_deg", &limit.lower), std::tuple("upper", "upper_deg", &limit.upper)}) {
      if (fields.has(key) && fields.has(degrees))
        throw InputError(fields.field(degrees), describe(*fields.find(degrees)), fmt::format("is already given by {}", key));
      if (fields.has(key)) *end = fields.number(key);
      if (fields.has(degrees)) *end = kDegree * fields.number(degrees);
    }
    if (!std::isfinite(limit.lower) && !std::isfinite(limit.upper)) throw InputError(fields.field(), "no end", "must have lower, upper or both");
    if (!(limit.lower < limit.upper))
      throw InputError(fields.field("upper"), fmt::format("{}", limit.upper), fmt::format("must be > lower = {}", limit.lower));
    drafts.push_back(std::move(limit));
  }
  std::vector<JointLimit> limits;
  for (const DraftLimit& limit : drafts) {
    const Speed speed = speed_of(model, limit.joint, limit.freedom, path(limit.field, "joint"), path(limit.field, "freedom"));
    if (speed.coordinate < 0)
      throw InputError(path(limit.field, "freedom"), fmt::format("{}", limit.freedom),
                       "is a speed that is not the rate of a coordinate: it has no limit");
    limits.push_back({limit.joint, speed.coordinate, speed.freedom, limit.lower, limit.upper, limit.e});
  }
  return limits;
}

void check_law(const ImpactLaw& law, int dimension) {
  // A contact that separates asks nothing of the law but whether it knows its dimension, hypothesis and options.
  ImpactProblem separating;
  separating.dimension = dimension;
  separating.G = Eigen::MatrixXd::Identity(dimension, dimension);
  separating.v_pre = Eigen::VectorXd::Unit(dimension, dimension - 1);
  separating.mu_s = separating.mu_d = separating.e = Eigen::VectorXd::Zero(1);
  static_cast<void>(resolve(separating, law));
}

ImpactLaw read_law(const Value& map, const std::string& field, int dimension) {
  ImpactLaw law;
  if (const Value* process = map.find("law")) law.process = as_word(*process, path(field, "law"));
  if (const Value* restitution = map.find("restitution_law")) law.restitution = as_word(*restitution, path(field, "restitution_law"));
  try {
    if (const Value* options = map.find("options")) law.options = read_options(*options);
    check_law(law, dimension);
  } catch (const InputError& error) {
    throw InputError(path(field, error.field()), error.value(), error.allowed());
  }
  return law;
}

void read_pair_rules(const Value& root, const SceneDraft& draft, Scene& scene) {
  const Value* ignored = root.find("ignore");
  for (std::size_t i = 0; ignored && i < ignored->items.size(); ++i)
    for (const auto& pair : pairs_named(ignored->items[i], fmt::format("ignore[{}]", i), draft)) scene.ignored.push_back(pair);
  for (const auto& [a, b] : draft.ignored)
    for (std::size_t i = 0; i < draft.colliders.size(); ++i)
      for (std::size_t j = 0; j < draft.colliders.size(); ++j)
        if (i != j && stands_for(a, draft.colliders[i]) && stands_for(b, draft.colliders[j]))
          scene.ignored.push_back({static_cast<int>(std::min(i, j)), static_cast<int>(std::max(i, j))});
  for (const auto& [a, b] : draft.ignored_colliders) scene.ignored.push_back({std::min(a, b), std::max(a, b)});
  std::sort(scene.ignored.begin(), scene.ignored.end());
  scene.ignored.erase(std::unique(scene.ignored.begin(), scene.ignored.end()), scene.ignored.end());

  const Value* laws = root.find("pair_laws");
  for (std::size_t i = 0; laws && i < laws->items.size(); ++i) {
    const Fields fields(laws->items[i], fmt::format("pair_laws[{}]", i), scene_table("pair_law"));
    const ImpactLaw law = read_law(fields.map(), fields.field(), scene.model.dimension());
    for (const auto& [a, b] : pairs_named(*fields.find("pair"), fields.field("pair"), draft)) scene.pair_laws.push_back({a, b, law});
  }
}

}  // namespace carom::io
