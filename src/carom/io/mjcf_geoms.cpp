#include "carom/io/mjcf_geoms.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <cctype>

#include "carom/io/placement_yaml.hpp"
#include "carom/model/checks.hpp"

namespace carom::io {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;

Matrix3d about(double angle, const Vector3d& axis) { return Eigen::AngleAxisd(angle, axis).toRotationMatrix(); }

}  // namespace

MjcfCompiler read_compiler(XmlFile& xml, const XmlElement& mujoco, const std::filesystem::path& folder) {
  MjcfCompiler compiler;
  compiler.angle_unit = kDegree;
  compiler.meshes = folder;
  for (const XmlElement* element : xml.children(mujoco, "compiler")) {
    const auto word = [&](const char* name, std::vector<std::string_view> choices) {
      const char* text = xml.attribute(*element, name);
      std::string found = text ? text : "";
      if (text && std::find(choices.begin(), choices.end(), found) == choices.end())
        throw xml.error(*element, name, found, fmt::format("must be one of {}", fmt::join(choices, ", ")));
      return found;
    };
    if (const std::string angle = word("angle", {"degree", "radian"}); !angle.empty()) compiler.angle_unit = angle == "degree" ? kDegree : 1;
    if (word("coordinate", {"local", "global"}) == "global")
      throw xml.error(*element, "coordinate", "global", "must be local: global coordinates are no longer part of MJCF");
    compiler.autolimits = xml.flag(*element, "autolimits", compiler.autolimits);
    const std::string from_geoms = word("inertiafromgeom", {"auto", "true", "false"});
    compiler.always_from_geoms = from_geoms == "true";
    compiler.never_from_geoms = from_geoms == "false";
    if (const char* sequence = xml.attribute(*element, "eulerseq")) {
      compiler.eulerseq = sequence;
      if (compiler.eulerseq.size() != 3 || compiler.eulerseq.find_first_not_of("xyzXYZ") != std::string::npos)
        throw xml.error(*element, "eulerseq", sequence, "must be three letters out of xyzXYZ");
    }
    for (const char* name : {"assetdir", "meshdir"})
      if (const char* directory = xml.attribute(*element, name)) compiler.meshes = folder / directory;
  }
  return compiler;
}

void MjcfGeoms::read_assets(const XmlElement& mujoco) {
  for (const XmlElement* asset : xml_.children(mujoco, "asset"))
    for (const XmlElement* element : xml_.children(*asset, "mesh")) {
      const std::string file = xml_.required(*element, "file");
      const char* given = xml_.attribute(*element, "name");
      const std::string name = given ? given : std::filesystem::path(file).stem().string();
      const Vector3d scale = defaults_.point({element}, "scale", Vector3d::Ones());
      if (!meshes_.emplace(name, Mesh{element, file, scale}).second) throw xml_.error(*element, "name", name, "is already the name of a mesh");
    }
}

Matrix3d MjcfGeoms::rotation(const MjcfElement& at) {
  const char* found = nullptr;
  for (const char* name : {"quat", "axisangle", "euler", "xyaxes", "zaxis"}) {
    if (!defaults_.has(at, name)) continue;
    if (found) throw xml_.error(*at.element, name, "", fmt::format("the rotation is already given by {}", found));
    found = name;
  }
  if (!found) return Matrix3d::Identity();
  const std::string_view name = found;
  const auto read = [&](int count) { return *defaults_.numbers(at, found, count, count); };
  const auto unit = [&](const Vector3d& v) { return xml_.at(*at.element, [&] { return checks::unit(v, found); }); };
  if (name == "quat") {
    const VectorXd q = read(4);
    if (!(q.norm() > 0)) throw xml_.error(*at.element, found, "0 0 0 0", "must not be zero");
    return Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized().toRotationMatrix();
  }
  if (name == "axisangle") {
    const VectorXd a = read(4);
    return about(compiler_.angle_unit * a[3], unit(a.head<3>()));
  }
  if (name == "zaxis") return turned_to(unit(read(3)), World::spatial, found);
  if (name == "xyaxes") {
    const VectorXd axes = read(6);
    const Vector3d x = unit(axes.head<3>()), given = axes.tail<3>(), y = unit(given - x.dot(given) * x);
    Matrix3d R;
    R << x, y, x.cross(y);
    return R;
  }
  Matrix3d R = Matrix3d::Identity();
  const VectorXd angles = read(3);
  for (int k = 0; k < 3; ++k) {
    const char letter = compiler_.eulerseq[static_cast<std::size_t>(k)];
    const Matrix3d turn = about(compiler_.angle_unit * angles[k], Vector3d::Unit(std::tolower(letter) - 'x'));
    R = std::islower(letter) ? Matrix3d(R * turn) : Matrix3d(turn * R);  // small letters turn with the frame
  }
  return R;
}

Placement MjcfGeoms::frame(const MjcfElement& at) { return {rotation(at), defaults_.point(at, "pos")}; }

Shape MjcfGeoms::mesh(const MjcfElement& at, const std::string& owner) {
  const std::string name = defaults_.word(at, "mesh", "");
  const auto found = meshes_.find(name);
  if (found == meshes_.end()) throw xml_.error(*at.element, "mesh", name, "names no <mesh> of the <asset>");
  return mesh_hull(xml_, *found->second.element, "file", found->second.file, compiler_.meshes, found->second.scale, owner, draft_);
}

Shape MjcfGeoms::shape(const MjcfElement& at, const std::string& type, const std::string& owner, Placement& place) {
  if (type == "mesh") return mesh(at, owner);
  if (type == "plane") {
    defaults_.numbers(at, "size", 1, 3);  // of its picture
    return HalfSpace{};
  }
  const bool along = type == "capsule" || type == "cylinder" || type == "box";
  if (type != "sphere" && !along) throw xml_.error(*at.element, "type", type, "must be one of plane, sphere, capsule, cylinder, box, mesh");
  const auto ends = along ? defaults_.numbers(at, "fromto", 6, 6) : std::nullopt;
  const int wanted = type == "sphere" || (ends && type != "box") ? 1 : type == "box" && !ends ? 3 : ends ? 1 : 2;
  const auto given = defaults_.numbers(at, "size", wanted, 3);
  if (!given) throw xml_.error(*at.element, "size", "", fmt::format("is missing: {} numbers [m]", wanted));
  if (!(given->head(wanted).minCoeff() > 0)) throw xml_.error(*at.element, "size", checks::shown(*given), "must be > 0 [m]");
  VectorXd size = *given;
  if (ends) {
    const Vector3d from = ends->head<3>(), to = ends->tail<3>();
    if (!((to - from).norm() > 0)) throw xml_.error(*at.element, "fromto", checks::shown(*ends), "must be two different points");
    place = {turned_to(to - from, World::spatial, "fromto"), (from + to) / 2};
    size = Vector3d((*given)[0], (*given)[0], (to - from).norm() / 2);
  }
  const Eigen::Index last = ends ? 2 : 1;
  if (type == "sphere") return Sphere{size[0]};
  if (type == "capsule") return Capsule{size[0], size[last]};
  if (type == "cylinder") return Cylinder{size[0], size[last]};
  return Box{Vector3d(size[0], size[1], size[2])};
}

// MuJoCo's own friction applies where neither the geom nor the scene says any.
int MjcfGeoms::material(const MjcfElement& at, const std::string& body) {
  if (const auto chosen = source_.materials.find(body); chosen != source_.materials.end()) return chosen->second;
  const auto written = defaults_.numbers(at, "friction", 1, 3);
  if (!written && source_.material >= 0) return source_.material;
  if (!written && draft_.default_material >= 0) return draft_.default_material;
  Vector3d friction(1, 0.005, 0.0001);  // sliding, torsional, rolling
  if (written) friction.head(written->size()) = *written;
  if (friction.minCoeff() < 0) throw xml_.error(*at.element, "friction", checks::shown(friction), "must be ≥ 0");
  const std::string name = fmt::format("mjcf friction {} {} {}", friction[0], friction[1], friction[2]);
  for (std::size_t i = 0; i < draft_.materials.size(); ++i)
    if (draft_.materials[i].name == name) return static_cast<int>(i);
  draft_.materials.push_back(
      {.name = name, .mu_s = friction[0], .mu_d = friction[0], .e = restitution_, .torsion = friction[1], .rolling = friction[2]});
  return static_cast<int>(draft_.materials.size()) - 1;
}

MjcfGeom MjcfGeoms::geom(const MjcfElement& at, const std::string& body, const std::string& name) {
  const char* own = xml_.attribute(*at.element, "name");
  MjcfGeom made{{{}, body, body, {}}};
  Collider& collider = made.collider.collider;
  collider.name = own ? own : name;
  const std::string type = defaults_.word(at, "type", defaults_.has(at, "mesh") ? "mesh" : "sphere");
  collider.in_body = frame(at);
  collider.shape = shape(at, type, collider.name, collider.in_body);
  const auto bits = [&](const char* key) {
    const double value = defaults_.number(at, key, 1);
    if (!(value >= 0 && value < 2147483648.0) || value != std::floor(value))
      throw xml_.error(*at.element, key, fmt::format("{}", value), "must be an integer ≥ 0");
    return static_cast<int>(value);
  };
  made.contype = bits("contype");
  made.conaffinity = bits("conaffinity");
  made.collides = made.contype != 0 || made.conaffinity != 0;
  collider.material = material(at, body);
  const double density = defaults_.number(at, "density", 1000), mass = defaults_.number(at, "mass", -1);
  if (density < 0 || (mass < 0 && defaults_.has(at, "mass")))
    throw xml_.error(*at.element, density < 0 ? "density" : "mass", fmt::format("{}", density < 0 ? density : mass), "must be ≥ 0");
  const VolumeProperties volume = volume_properties(collider.shape, World::spatial);
  if (!(volume.volume > 0)) return made;
  made.mass.mass = mass >= 0 ? mass : density * volume.volume;
  made.mass.com = collider.in_body * volume.centroid;
  made.mass.inertia = made.mass.mass / volume.volume * collider.in_body.rotation * volume.inertia * collider.in_body.rotation.transpose();
  return made;
}

}  // namespace carom::io
