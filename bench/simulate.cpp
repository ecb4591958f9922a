// The event-driven simulator: five scenes of examples/, and spheres settling in a box against their number. Counters: simulated
// seconds per second, events and steps per second.
#include <benchmark/benchmark.h>

#include "carom/io/scene_yaml.hpp"
#include "carom/simulate/simulate.hpp"
#include "support/scenes.hpp"

using namespace carom;

namespace {

void report(benchmark::State& state, double simulated, double events, double steps) {
  state.counters["simulated_s_per_s"] = benchmark::Counter(simulated, benchmark::Counter::kIsRate);
  state.counters["events_per_s"] = benchmark::Counter(events, benchmark::Counter::kIsRate);
  state.counters["steps_per_s"] = benchmark::Counter(steps, benchmark::Counter::kIsRate);
}

void move(benchmark::State& state, const Scene& scene) {
  double simulated = 0, events = 0, steps = 0;
  for (auto _ : state) {
    Recorder silent;
    const RunSummary s = simulate(scene, silent);
    simulated += s.end_time, steps += static_cast<double>(s.steps);
    for (const long n : s.events_by_kind) events += static_cast<double>(n);
  }
  report(state, simulated, events, steps);
}

void example(benchmark::State& state, const char* file) {
  std::string path = CAROM_SOURCE_DIR "/examples/";
  path += file;
  move(state, io::read_scene(path));
}

// n balls in a row fall on a floor, 0.5 s: cost against the number of bodies.
void balls(benchmark::State& state) {
  const auto n = static_cast<int>(state.range(0));
  using namespace carom::testing;
  std::vector<MassProperties> bodies(static_cast<std::size_t>(n), solid_sphere(1, 0.05));
  std::vector<Collider> colliders{ground_plane()};
  for (int i = 0; i < n; ++i) colliders.push_back(on(numbered("ball", static_cast<std::size_t>(i)), i, Sphere{0.05}));
  Scene scene = make_scene(free_bodies(World::spatial, bodies, {0, 0, -kGravity}), colliders, material(0.3, 0.3, 0.5), 0.5);
  for (int i = 0; i < n; ++i) scene.start.q.segment<3>(7 * i) << 0.2 * i, 0, 0.15 + 0.01 * (i % 7);
  move(state, scene);
}

BENCHMARK_CAPTURE(example, double_pendulum, "07_double_pendulum/scene.yaml")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(example, bouncing_ball, "08_bouncing_ball/scene.yaml")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(example, rocking_block_friction, "04_rocking_block/scene_friction.yaml")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(example, three_ball_cradle, "02_three_ball_cradle/scene.yaml")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(example, eulers_disc, "11_eulers_disc/scene.yaml")->Unit(benchmark::kMillisecond);
BENCHMARK(balls)->RangeMultiplier(2)->Range(1, 32)->Unit(benchmark::kMillisecond);

}  // namespace
