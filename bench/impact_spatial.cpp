// `routh` in three dimensions: time per impact over the random mix of the tests (condition up to 1e4, every tenth start near an
// isocline), mean, 99 % and worst; `routh-ode` on the same problems in the same run, at its tightest and at its default tolerance.
// Each problem's time is the least of several runs of a small batch: what the machine does besides is not the law's cost.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include "carom/impact/law.hpp"
#include "carom/impact/laws/spatial_outcome.hpp"
#include "cross/siconos_bridge.hpp"
#include "support/spatial_problems.hpp"

// Counts allocations: the kernel must make none.
static long allocations = 0;
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace {

using namespace carom;
using Clock = std::chrono::steady_clock;

const std::vector<ImpactProblem>& problems() {
  static const std::vector<ImpactProblem> list = [] {
    std::vector<ImpactProblem> out;
    for (std::uint64_t i = 0; i < 2000; ++i) out.push_back(carom::testing::random_spatial(20261118, i));
    return out;
  }();
  return list;
}

// Nanoseconds per call of f(i): mean, 99 % and worst over the problems.
template <class F>
void report(benchmark::State& state, int batch, F f) {
  std::vector<double> times(problems().size(), 1e300);
  for (auto _ : state) {
    for (std::size_t i = 0; i < times.size(); ++i) {
      const auto begin = Clock::now();
      for (int k = 0; k < batch; ++k) f(i);
      times[i] = std::min(times[i], std::chrono::duration<double, std::nano>(Clock::now() - begin).count() / batch);
    }
  }
  double sum = 0;
  for (const double t : times) sum += t;
  std::sort(times.begin(), times.end());
  state.counters["mean_ns"] = sum / static_cast<double>(times.size());
  state.counters["median_ns"] = times[times.size() / 2];
  state.counters["p99_ns"] = times[times.size() * 99 / 100];
  state.counters["worst_ns"] = times.back();
}

Restitution hypothesis(std::size_t i) { return static_cast<Restitution>(i % 3); }

void kernel(benchmark::State& state) {
  std::vector<laws::SpatialContact<double>> contacts;
  for (const ImpactProblem& problem : problems()) contacts.push_back(laws::spatial_contact(problem));
  report(state, 20, [&](std::size_t i) { benchmark::DoNotOptimize(laws::routh_spatial(contacts[i], hypothesis(i))); });
  const long before = allocations;
  for (std::size_t i = 0; i < contacts.size(); ++i) benchmark::DoNotOptimize(laws::routh_spatial(contacts[i], hypothesis(i)));
  state.counters["allocations"] = static_cast<double>(allocations - before);
}

// Largest and typical relative difference from `routh`, to say at what accuracy the time is bought.
void accuracy(benchmark::State& state, const ImpactLaw& law) {
  std::vector<double> errors;
  for (std::size_t i = 0; i < problems().size(); ++i) {
    ImpactLaw exact{"routh", std::string(name(hypothesis(i))), {}, false}, other = law;
    other.restitution = exact.restitution;
    const ImpactOutcome a = resolve(problems()[i], exact), b = resolve(problems()[i], other);
    errors.push_back((a.v_post - b.v_post).norm() / problems()[i].v_pre.norm());
  }
  std::sort(errors.begin(), errors.end());
  state.counters["median_error"] = errors[errors.size() / 2];
  state.counters["p99_error"] = errors[errors.size() * 99 / 100];
}

void through_resolve(benchmark::State& state, const ImpactLaw& law) {
  report(state, 2, [&](std::size_t i) {
    ImpactLaw one = law;
    one.restitution = name(hypothesis(i));
    benchmark::DoNotOptimize(resolve(problems()[i], one));
  });
  accuracy(state, law);
}

// Siconos's one-contact solvers (its drivers reach them through NSGS, one sweep and a check) on the same G and v. They answer another question (one implicit step with the plastic cone,
// no process inside the impact), so only their time stands beside ours, with how many they solve to 1e-8.
void siconos(benchmark::State& state, int local_solver) {
  std::vector<double> times;
  int solved = 0;
  for (auto _ : state) {
    times.clear();
    solved = 0;
    for (const ImpactProblem& problem : problems()) {
      const FrictionContact cone{3, BlockMatrix::from_dense(problem.G, 3), problem.v_pre, problem.mu_d};
      const carom_test::SiconosAnswer answer = carom_test::SiconosFriction(cone).solve(SICONOS_FRICTION_3D_NSGS, 1e-8, 200, local_solver);
      times.push_back(1e9 * answer.seconds);
      solved += certify(cone, answer.x).natural_map <= 1e-8;
    }
  }
  double sum = 0;
  for (const double t : times) sum += t;
  std::sort(times.begin(), times.end());
  state.counters["mean_ns"] = sum / static_cast<double>(times.size());
  state.counters["p99_ns"] = times[times.size() * 99 / 100];
  state.counters["worst_ns"] = times.back();
  state.counters["solved_of_2000"] = solved;
}
BENCHMARK_CAPTURE(siconos, onecontact_newton, SICONOS_FRICTION_3D_ONECONTACT_NSN)->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK_CAPTURE(siconos, onecontact_newton_line_search, SICONOS_FRICTION_3D_ONECONTACT_NSN_GP)->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK_CAPTURE(siconos, onecontact_quartic, SICONOS_FRICTION_3D_ONECONTACT_QUARTIC)->Unit(benchmark::kMillisecond)->Iterations(1);

BENCHMARK(kernel)->Name("routh kernel")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(through_resolve, routh, ImpactLaw{"routh", "", {}, false})->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(through_resolve, routh_ode_1e13, ImpactLaw{"routh-ode", "", {{"relative", 1e-13}, {"absolute", 1e-14}}, false})->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(through_resolve, routh_ode_1e10, ImpactLaw{"routh-ode", "", {}, false})->Unit(benchmark::kMillisecond);

}  // namespace
