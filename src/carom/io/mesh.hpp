#pragma once
// The points of a triangle mesh: STL (text or binary) or Wavefront OBJ.

#include <Eigen/Core>
#include <filesystem>
#include <vector>

namespace carom::io {

// Every vertex once. An InputError names file and line of what cannot be read.
std::vector<Eigen::Vector3d> read_mesh_points(const std::filesystem::path& path);

}  // namespace carom::io
