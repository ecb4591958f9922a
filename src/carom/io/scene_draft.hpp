#pragma once
// What readers gather by names before a model gives everything its index: scene_yaml.cpp, urdf.cpp and mjcf.cpp all add to one
// draft, and finish() in scene_yaml.cpp makes the Scene of it.

#include <Eigen/Core>
#include <array>
#include <filesystem>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "carom/geometry/material.hpp"
#include "carom/model/builder.hpp"
#include "carom/simulate/scene.hpp"

namespace carom::io {

struct DraftCollider {
  Collider collider;    // its body not yet known …
  std::string body;     // … but by name; "ground"
  std::string group{};  // the entry of the file that it is a copy from
  std::string field{};  // how the user wrote it: "bodies.ball.shapes[0]"
};

struct DraftLimit {
  std::string joint;
  int freedom = 0;
  double lower = -std::numeric_limits<double>::infinity(), upper = std::numeric_limits<double>::infinity();
  double e = 0;
  std::string field{};
};

// How a joint starts; empty vectors: at rest where it stands.
struct DraftStart {
  std::string joint;
  Eigen::VectorXd q, u;
  std::string field{};
};

// A spring and damper on one speed of a joint.
struct DraftMotor {
  std::string joint;
  double stiffness = 0, rest = 0, damping = 0;
};

struct SceneDraft {
  SceneDraft(World w, std::filesystem::path f) : world(w), folder(std::move(f)), builder(w) {}

  World world;
  std::filesystem::path folder;  // where names of files start
  ModelBuilder builder;
  std::vector<Material> materials{};
  int default_material = -1;       // of shapes that name none; −1: none, finish() then adds one without friction and bounce …
  bool material_required = false;  // … unless such shapes are refused
  std::vector<DraftCollider> colliders{};
  std::vector<DraftLimit> limits{};
  std::vector<DraftStart> starts{};
  std::vector<DraftMotor> motors{};
  std::vector<std::array<std::string, 2>> ignored{};    // pairs of bodies or shapes, by name …
  std::vector<std::array<int, 2>> ignored_colliders{};  // … and of colliders
  std::optional<CombinationRule> combination{};       // of a model; `combine` of the scene goes before it
  std::optional<double> step{};                       // of a model [s]; `integrator.step` of the scene goes before it
  std::vector<std::string> notes{};
};

}  // namespace carom::io
