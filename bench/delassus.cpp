// Time of the Delassus matrix G of one contact at the tip of an n-link chain: poses, articulated inertias and G from q alone.
// Linear growth shows as time(1024) / time(128) ≈ 8.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <Eigen/Geometry>

#include "carom/dynamics/delassus.hpp"
#include "carom/dynamics/kinematics.hpp"
#include "carom/model/builder.hpp"
#include "carom/model/configuration.hpp"

namespace {

using namespace carom;
using Eigen::Vector3d;

// n rods of 1 m and 1 kg, each on a revolute joint at the end of the one before; in space about x, y, x, y, …
Model chain(World world, int n) {
  const bool planar = world == World::planar;
  const Vector3d down(0, -1, 0);
  const MassProperties rod{1, 0.5 * down, Vector3d(1.0 / 12, 0.01, 1.0 / 12).asDiagonal()};
  ModelBuilder builder(world);
  for (int i = 0; i < n; ++i) {
    builder.body(fmt::format("link{}", i), rod);
    builder.joint({.name = fmt::format("pivot{}", i),
                   .kind = JointKind::revolute,
                   .parent = i == 0 ? "ground" : fmt::format("link{}", i - 1),
                   .child = fmt::format("link{}", i),
                   .in_parent = {Eigen::Matrix3d::Identity(), i == 0 ? Vector3d(0, 0, 0) : down},
                   .axis = planar ? Vector3d::UnitZ() : Vector3d::Unit(i % 2)});
  }
  return builder.build();
}

void tip_contact(benchmark::State& state, World world, bool columns) {
  const int n = static_cast<int>(state.range(0));
  const Model model = chain(world, n);
  Data data(model);
  const Eigen::VectorXd q = Eigen::VectorXd::LinSpaced(model.nq(), -0.3, 0.4);
  const ContactPoint tip{n - 1, {0, -1, 0}, kGround, Vector3d::Zero(), contact_frame(world, Vector3d::UnitY())};
  Eigen::MatrixXd G, L;
  for (auto _ : state) {
    forward_kinematics(model, q, data);
    if (columns) {
      delassus(model, data, {&tip, 1}, G, L);
    } else {
      delassus(model, data, {&tip, 1}, G);
    }
    benchmark::DoNotOptimize(G.data());
  }
  state.SetComplexityN(n);
}

void planar_G(benchmark::State& state) { tip_contact(state, World::planar, false); }
void spatial_G(benchmark::State& state) { tip_contact(state, World::spatial, false); }
void planar_G_and_L(benchmark::State& state) { tip_contact(state, World::planar, true); }
void spatial_G_and_L(benchmark::State& state) { tip_contact(state, World::spatial, true); }

BENCHMARK(planar_G)->Arg(30)->RangeMultiplier(2)->Range(4, 1024)->Complexity(benchmark::oN);
BENCHMARK(spatial_G)->Arg(30)->RangeMultiplier(2)->Range(4, 1024)->Complexity(benchmark::oN);
BENCHMARK(planar_G_and_L)->Arg(30)->Arg(128)->Arg(1024);
BENCHMARK(spatial_G_and_L)->Arg(30)->Arg(128)->Arg(1024);

}  // namespace
