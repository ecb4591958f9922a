// The laws for many contacts, history off.
//   three_ball   the three-ball cradle, e = 0.85, under every law
//   two_point    the ball in a corner with friction (planar, two points), under every law
//   random       mean over random systems of two to six contacts on one to four bodies
#include <benchmark/benchmark.h>

#include <vector>

#include "carom/impact/law.hpp"
#include "carom/lab/reproduce/rodriguez_scenes.hpp"
#include "support/random_contacts.hpp"

using namespace carom;

namespace {

void run(benchmark::State& state, const ImpactProblem& problem, const char* law) {
  const ImpactLaw chosen{.process = law, .restitution = "", .options = {}, .history = false};
  for (auto _ : state) benchmark::DoNotOptimize(resolve(problem, chosen));
}

void three_ball(benchmark::State& state, const char* law) { run(state, lab::cradle({0.166, 0.166, 0.166}, 1, 0.85, 0.3, 0.05), law); }
void two_point(benchmark::State& state, const char* law) { run(state, lab::corner_ball({8, -4.43, 0}, 0.6, 0.35, 0.715), law); }

void random(benchmark::State& state, const char* law, int d, int systems) {
  std::vector<ImpactProblem> problems;
  for (int i = 0; i < systems; ++i) {
    CounterRng rng(31, static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(d));
    problems.push_back(carom::testing::random_contacts(rng, d));
  }
  const ImpactLaw chosen{.process = law, .restitution = "", .options = {}, .history = false};
  for (auto _ : state)
    for (const ImpactProblem& problem : problems) benchmark::DoNotOptimize(resolve(problem, chosen));
  state.SetItemsProcessed(state.iterations() * systems);
}

bool register_laws() {
  for (const LawInfo& law : all_laws()) {
    if (!law.many_contacts) continue;
    const char* id = law.id.c_str();
    benchmark::RegisterBenchmark(("three_ball/" + law.id).c_str(), three_ball, id)->Unit(benchmark::kMicrosecond);
    benchmark::RegisterBenchmark(("two_point/" + law.id).c_str(), two_point, id)->Unit(benchmark::kMicrosecond);
    for (const int d : {2, 3})
      benchmark::RegisterBenchmark(("random/" + law.id + "/d" + std::to_string(d)).c_str(), random, id, d, d == 3 && law.id == "rodriguez-bowling" ? 40 : 500)->Unit(benchmark::kMillisecond);
  }
  return true;
}

[[maybe_unused]] const bool registered = register_laws();

}  // namespace
