#include "carom/io/scene_shapes.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>

#include "carom/io/fields.hpp"
#include "carom/io/mass_sum.hpp"
#include "carom/io/mesh.hpp"
#include "carom/io/placement_yaml.hpp"
#include "carom/io/scene_keys.hpp"
#include "carom/io/shapes.hpp"
#include "carom/model/checks.hpp"

namespace carom::io {
namespace {

using Eigen::Vector3d;

constexpr std::array<std::string_view, 11> kKinds{"sphere",  "disc", "box",    "capsule", "cylinder",  "hull",
                                                  "polygon", "mesh", "points", "segment", "half_space"};

// A shape with the placement that its own description adds to that of the entry.
struct Placed {
  Shape shape;
  Placement own{};
};

void only_in(World wanted, World world, const Value& shape, const std::string& field, const char* instead) {
  if (world != wanted)
    throw InputError(field, shape.key, fmt::format("is a shape of {} worlds{}", wanted == World::planar ? "planar" : "spatial", instead));
}

std::vector<Vector3d> read_points(const Value& value, const std::string& field, World world) {
  std::vector<Vector3d> points;
  for (std::size_t i = 0; i < as_list(value, field).size(); ++i) {
    const std::string name = fmt::format("{}[{}]", field, i);
    points.push_back(as_point(value.items[i], name));
    checks::in_plane(points.back(), world, name);
  }
  if (points.empty()) throw InputError(field, describe(value), "must have at least one point");
  return points;
}

Shape read_box(const Fields& box, World world) {
  const Value& size = *box.find("size");
  const Vector3d edges = box.point("size");
  if (!(edges.head(world == World::planar ? 2 : 3).minCoeff() > 0) || edges.z() < 0)
    throw InputError(box.field("size"), checks::shown(as_vector(size, "")),
                     world == World::planar ? "must be two lengths > 0 [m]" : "must be three lengths > 0 [m]");
  return Box{edges / 2};
}

Placed read_segment(const Fields& fields, World world) {
  const Vector3d from = fields.point("from"), to = fields.point("to"), along = to - from;
  checks::in_plane(from, world, fields.field("from"));
  checks::in_plane(to, world, fields.field("to"));
  if (!(along.norm() > 0)) throw InputError(fields.field("to"), checks::shown(to), "must differ from `from`");
  const Eigen::Matrix3d turn = Eigen::AngleAxisd(std::atan2(along.y(), along.x()), Vector3d::UnitZ()).toRotationMatrix();
  return {Capsule{fields.number("radius"), along.norm() / 2}, {turn, (from + to) / 2}};
}

Placed read_half_space(const Fields& fields, World world) {
  const Vector3d up = world == World::planar ? Vector3d::UnitY() : Vector3d::UnitZ(), normal = fields.point("normal", up);
  const Eigen::Matrix3d turn = turned_to(normal, world, fields.field("normal"));
  return {HalfSpace{}, {turn, fields.number("offset") * turn * up}};
}

Shape read_mesh(const Fields& fields, const std::string& owner, SceneDraft& draft) {
  const std::string file = fields.word("file");
  Vector3d scale = Vector3d::Ones();
  if (const Value* value = fields.find("scale")) {
    scale = value->kind == Value::Kind::list ? as_point(*value, fields.field("scale")) : Vector3d::Constant(as_number(*value, fields.field("scale")));
    if (!(scale.minCoeff() > 0)) throw InputError(fields.field("scale"), describe(*value), "must be one or three numbers > 0");
  }
  std::vector<Vector3d> points;
  try {
    points = read_mesh_points(draft.folder / file);
  } catch (const InputError& error) {  // of the file as a whole: the scene is where it is named
    throw error.field() == "file" ? InputError(fields.field("file"), error.value(), error.allowed()) : error;
  }
  for (Vector3d& point : points) point = point.cwiseProduct(scale);
  draft.notes.push_back(fmt::format("{}: the mesh {} is taken as its convex hull", owner, file));
  return convex_hull(points, draft.world, fields.field("file"));
}

Placed read_kind(const Value& value, const std::string& field, const std::string& owner, SceneDraft& draft) {
  const World world = draft.world;
  const std::string& kind = value.key;
  const auto fields = [&](const char* table) { return Fields(value, field, scene_table(table)); };
  if (kind == "points") return {PointSet{read_points(value, field, world)}};
  if (kind == "disc") only_in(World::planar, world, value, field, "; give a cylinder or a sphere");
  if (kind == "sphere" || kind == "disc") return {Sphere{fields("sphere").number("radius")}};
  if (kind == "box") return {read_box(fields("box"), world)};
  if (kind == "capsule") return {Capsule{fields("capsule").number("radius"), fields("capsule").number("length") / 2}};
  if (kind == "half_space") return read_half_space(fields("half_space"), world);
  if (kind == "polygon") only_in(World::planar, world, value, field, "; give a hull");
  if (kind == "hull" || kind == "polygon") {
    const Fields hull = fields("hull");
    return {convex_hull(read_points(*hull.find("points"), hull.field("points"), world), world, hull.field("points"))};
  }
  if (kind == "segment") {
    only_in(World::planar, world, value, field, "; give a capsule");
    return read_segment(fields("segment"), world);
  }
  only_in(World::spatial, world, value, field, kind == "mesh" ? "; give a polygon" : "; give a box");
  if (kind == "mesh") return {read_mesh(fields("mesh"), owner, draft)};
  return {Cylinder{fields("cylinder").number("radius"), fields("cylinder").number("length") / 2}};
}

Drive read_drive(const Value& value, const std::string& field, World world) {
  const Fields fields(value, field, scene_table("drive"));
  const auto time = [&](const char* key) {
    const Value* given = fields.find(key);
    return given ? read_time(*given, fields.field(key)) : TimeFunction{};
  };
  Drive drive{time("x"), time("y"), time("z"), time("turn"), Vector3d::UnitZ()};
  if (world == World::planar && !drive.z.is_zero())
    throw InputError(fields.field("z"), describe(*fields.find("z")), "a planar world moves in x and y");
  if (fields.has("axis")) drive.axis = checks::unit(fields.point("axis"), fields.field("axis"));
  if (world == World::planar && (drive.axis.x() != 0 || drive.axis.y() != 0))
    throw InputError(fields.field("axis"), checks::shown(drive.axis), "a planar world turns about z");
  return drive;
}

DraftCollider read_shape(const Value& value, const std::string& field, const std::string& body, const std::string& default_name, int material,
                         SceneDraft& draft) {
  const Fields fields(value, field, scene_table("shape"));
  const Value* kind = nullptr;
  for (const std::string_view name : kKinds)
    if (const Value* found = fields.find(name)) {
      if (kind) throw InputError(fields.field(name), describe(*found), "is a second shape in one entry, which already is a " + kind->key);
      kind = found;
    }
  if (!kind) throw InputError(field, describe(value), fmt::format("must say what it is: one of {}", fmt::join(kKinds, ", ")));
  DraftCollider made{{}, body, body, field};
  Collider& collider = made.collider;
  collider.name = fields.has("name") ? fields.word("name") : default_name;
  const Placed placed = read_kind(*kind, fields.field(kind->key), collider.name, draft);
  validate(placed.shape, draft.world, fields.field(kind->key));
  collider.shape = placed.shape;
  collider.in_body = read_placement(fields, draft.world) * placed.own;
  if (const Value* given = fields.find("material")) material = material_of(*given, fields.field("material"), collider.name, draft);
  if (material < 0) material = draft.default_material;
  if (material < 0 && draft.material_required)
    throw InputError(fields.field("material"), "", "is missing: the scene has several materials and none is called default");
  collider.material = material;
  if (const Value* drive = fields.find("drive")) {
    if (body != "ground") throw InputError(fields.field("drive"), describe(*drive), "is for shapes of the ground only");
    collider.drive = read_drive(*drive, fields.field("drive"), draft.world);
  }
  collider.surface_velocity = fields.point("surface_velocity");
  checks::in_plane(collider.surface_velocity, draft.world, fields.field("surface_velocity"));
  return made;
}

}  // namespace

std::vector<DraftCollider> read_shapes(const Value& list, const std::string& field, const std::string& body, int material, SceneDraft& draft) {
  std::vector<DraftCollider> made;
  const auto& items = as_list(list, field);
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::string name = items.size() == 1 ? body : fmt::format("{}.{}", body, i);
    made.push_back(read_shape(items[i], fmt::format("{}[{}]", field, i), body, name, material, draft));
  }
  return made;
}

MassProperties mass_of_shapes(const std::vector<DraftCollider>& shapes, double mass, double density, World world, const std::string& field) {
  MassSum sum;
  for (const DraftCollider& shape : shapes) {
    const VolumeProperties part = volume_properties(shape.collider.shape, world);
    sum.add({part.volume, part.centroid, part.inertia}, shape.collider.in_body);
  }
  const double volume = sum.mass();
  if (!(volume > 0)) throw InputError(path(field, "inertia"), "", "is missing: no shape of the body has a volume that it could follow from");
  MassProperties properties = sum.total();
  properties.mass = mass > 0 ? mass : density * volume;
  properties.inertia *= properties.mass / volume;
  if (world == World::planar) properties.inertia = Vector3d(0, 0, properties.inertia(2, 2)).asDiagonal();
  return properties;
}

TimeFunction read_time(const Value& value, const std::string& field) {
  TimeFunction f;
  if (value.kind != Value::Kind::map) {
    if (value.kind != Value::Kind::number)
      throw InputError(field, describe(value), "must be a number or a time function {offset, rate, acceleration, sines, table}");
    f.offset = as_number(value, field);
    return f;
  }
  const Fields fields(value, field, scene_table("time"));
  f.offset = fields.number("offset");
  f.rate = fields.number("rate");
  f.acceleration = fields.number("acceleration");
  if (const Value* sines = fields.find("sines"))
    for (std::size_t i = 0; i < sines->items.size(); ++i) {
      const Fields sine(sines->items[i], fmt::format("{}[{}]", fields.field("sines"), i), scene_table("sine"));
      f.sines.push_back({sine.number("amplitude"), sine.number("frequency"), sine.number("phase")});
    }
  if (const Value* table = fields.find("table"))
    for (std::size_t i = 0; i < table->items.size(); ++i) {
      const std::string row = fmt::format("{}[{}]", fields.field("table"), i);
      const Eigen::VectorXd pair = as_vector(table->items[i], row);
      if (pair.size() != 2) throw InputError(row, describe(table->items[i]), "must be a pair [time, value]");
      if (!f.times.empty() && pair[0] <= f.times.back())
        throw InputError(row + "[0]", fmt::format("{}", pair[0]), fmt::format("must be later than {}, the time before", f.times.back()));
      f.times.push_back(pair[0]);
      f.values.push_back(pair[1]);
    }
  return f;
}

}  // namespace carom::io
