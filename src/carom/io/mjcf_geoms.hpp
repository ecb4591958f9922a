#pragma once
// Frames, shapes, surfaces and masses of MJCF elements.

#include <map>
#include <string>

#include "carom/io/mjcf_defaults.hpp"
#include "carom/io/model_source.hpp"
#include "carom/io/scene_draft.hpp"

namespace carom::io {

// <compiler>: how the file is to be read.
struct MjcfCompiler {
  double angle_unit = 1;          // [rad]
  std::string eulerseq = "xyz";
  bool autolimits = true;
  bool always_from_geoms = false, never_from_geoms = false;  // inertiafromgeom: true, false; neither: auto
  std::filesystem::path meshes{};  // folder of the mesh files
};

struct MjcfGeom {
  DraftCollider collider;
  bool collides = true;        // else it has mass only
  int contype = 1, conaffinity = 1;
  MassProperties mass{};       // in the frame of its body; mass 0: none
};

class MjcfGeoms {
 public:
  MjcfGeoms(XmlFile& xml, MjcfDefaults& defaults, MjcfCompiler compiler, const ModelSource& source, SceneDraft& draft)
      : xml_(xml), defaults_(defaults), compiler_(std::move(compiler)), source_(source), draft_(draft) {}

  void read_assets(const XmlElement& mujoco);
  void set_restitution(double e) { restitution_ = e; }

  // pos with one of quat, axisangle, euler, xyaxes, zaxis.
  Placement frame(const MjcfElement& at);
  // A geom of the body called `body`; `name` where it has none of its own.
  MjcfGeom geom(const MjcfElement& at, const std::string& body, const std::string& name);

 private:
  struct Mesh {
    const XmlElement* element;
    std::string file;
    Eigen::Vector3d scale;
  };

  Eigen::Matrix3d rotation(const MjcfElement& at);
  Shape shape(const MjcfElement& at, const std::string& type, const std::string& owner, Placement& place);
  Shape mesh(const MjcfElement& at, const std::string& owner);
  int material(const MjcfElement& at, const std::string& body);

  XmlFile& xml_;
  MjcfDefaults& defaults_;
  MjcfCompiler compiler_;
  const ModelSource& source_;
  SceneDraft& draft_;
  std::map<std::string, Mesh> meshes_;
  double restitution_ = 0;
};

MjcfCompiler read_compiler(XmlFile& xml, const XmlElement& mujoco, const std::filesystem::path& folder);

}  // namespace carom::io
