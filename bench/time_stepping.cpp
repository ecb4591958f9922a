// Time-stepping of the scenes of lab/piles.hpp: steps per second, contacts, work of the contact solver, worst certificate, deepest
// penetration; and the cost of a step and of a sweep against the number of contacts.
#include <benchmark/benchmark.h>

#include "carom/dynamics/articulated.hpp"
#include "carom/dynamics/kinematics.hpp"
#include "carom/lab/piles.hpp"
#include "carom/simulate/simulate.hpp"
#include "carom/simulate/stepping/step_contacts.hpp"
#include "carom/simulate/stepping/step_solver.hpp"

using namespace carom;

namespace {

void move(benchmark::State& state, Scene scene, double duration, int threads) {
  scene.duration = scene.sampling = duration;
  scene.integrator.stepping.threads = threads;
  RunSummary s;
  double steps = 0;
  for (auto _ : state) {
    Recorder silent;
    s = simulate(scene, silent);
    steps += static_cast<double>(s.steps);
  }
  const auto per_step = [&](long n) { return static_cast<double>(n) / static_cast<double>(s.steps); };
  state.counters["steps_per_s"] = benchmark::Counter(steps, benchmark::Counter::kIsRate);
  state.counters["contacts"] = s.most_contacts;
  state.counters["sweeps"] = per_step(s.sweeps);
  state.counters["factorisations"] = per_step(s.factorisations);
  state.counters["certificate"] = s.worst_certificate;
  state.counters["asked"] = scene.integrator.stepping.tolerance;
  state.counters["penetration"] = -s.worst_gap;
}

// Range: threads.
void scene(benchmark::State& state, Scene (*make)(), double duration) { move(state, make(), duration, static_cast<int>(state.range(0))); }

// One sweep over all contacts of a pyramid, in slabs, with the extrapolation after it. Range: layers.
void sweep(benchmark::State& state) {
  const Scene pyramid = lab::ball_pyramid(static_cast<int>(state.range(0)), 1e-3);
  const Model& model = pyramid.model;
  Data data(model);
  forward_kinematics(model, pyramid.start, data);
  articulated_inertias(model, data);
  StepContacts contacts(pyramid);
  contacts.find(data, pyramid.start.q, 0, 0, 1e-3);
  contacts.choose_friction();
  for (StepContact& c : contacts.list) c.kept = true;
  StepProblem problem;
  contacts.build(data, 0, problem);
  problem.q.assign(static_cast<std::size_t>(problem.blocks()) * 3, -0.01);
  IslandFinder finder(model);
  Islands islands;
  finder.find(problem, islands);
  SlabCutter cutter;
  Slabs slabs;
  cutter.cut(problem, islands.order, finder.tree_of_speed(), StepSolver::kChunk, slabs);
  BlockSweep sweep;
  sweep.pack(problem, slabs.order, model.nv());
  sweep.go_on(0, sweep.all(), 0, 1);
  for (auto _ : state) {
    benchmark::DoNotOptimize(sweep.sweep(0, sweep.all().last));
    sweep.go_on(0.5, sweep.all(), 0, 1);
  }
  state.counters["contacts"] = sweep.all().blocks();
  state.counters["islands"] = islands.count();
  state.counters["per_contact"] = benchmark::Counter(static_cast<double>(state.iterations()) * sweep.all().blocks(), benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

#define CAROM_SCENE(name, make, duration) \
  BENCHMARK_CAPTURE(scene, name, +[] { return make; }, duration)->Arg(1)->Iterations(1)->Unit(benchmark::kMillisecond)

CAROM_SCENE(stack_of_10, lab::box_stack(10, 1e-3), 10);
CAROM_SCENE(arch_of_11, lab::arch(11, 1e-3), 10);
CAROM_SCENE(arch_of_25, lab::arch(25, 1e-3), 2);
CAROM_SCENE(brick_wall, lab::brick_wall(6, 6, 1e-3), 1);
CAROM_SCENE(balls_125, lab::settling_balls(5, 1e-3), 1);
CAROM_SCENE(balls_1000, lab::settling_balls(10, 1e-3), 0.5);
CAROM_SCENE(balls_8000, lab::settling_balls(20, 1e-3), 1.5);
CAROM_SCENE(boxes_200, lab::box_bin(200, 0.8, 0.4, 1e-3), 1);
CAROM_SCENE(chute_2000, lab::chute(50, 1e-3), 0.5);
CAROM_SCENE(pyramid_of_10, lab::ball_pyramid(10, 1e-3), 0.1);
CAROM_SCENE(pyramid_of_20, lab::ball_pyramid(20, 1e-3), 0.02);
CAROM_SCENE(pyramid_of_43, lab::ball_pyramid(43, 1e-3), 0.02);
BENCHMARK(sweep)->Arg(5)->Arg(10)->Arg(20)->Arg(30)->Arg(43)->Iterations(40)->Unit(benchmark::kMicrosecond);

}  // namespace
