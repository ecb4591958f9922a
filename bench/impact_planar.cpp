// One planar impact, random branches, single thread: the bare closed form, and the whole contract around it.

#include <benchmark/benchmark.h>

#include <vector>

#include "carom/impact/law.hpp"
#include "carom/impact/laws/routh_planar.hpp"
#include "support/planar_problems.hpp"

namespace {

using carom::Restitution;

std::vector<carom::ImpactProblem> problems(int n) {
  std::vector<carom::ImpactProblem> out;
  for (int i = 0; i < n; ++i) {
    carom::CounterRng rng(11, static_cast<std::uint64_t>(i));
    out.push_back(carom::testing::random_planar(rng));
  }
  return out;
}

void kernel(benchmark::State& state, Restitution hypothesis) {
  std::vector<carom::laws::PlanarContact<double>> contacts;
  for (const auto& p : problems(4096))
    contacts.push_back({p.G(0, 0), p.G(0, 1), p.G(1, 1), p.v_pre(0), p.v_pre(1), p.mu_s(0), p.mu_d(0), p.e(0)});
  std::size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(carom::laws::routh_planar(contacts[i], hypothesis));
    i = (i + 1) % contacts.size();
  }
  state.SetItemsProcessed(state.iterations());
}

void contract(benchmark::State& state, bool history) {
  const auto all = problems(4096);
  const carom::ImpactLaw law{.process = "routh", .restitution = "stronge", .options = {}, .history = history};
  std::size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(carom::resolve(all[i], law));
    i = (i + 1) % all.size();
  }
  state.SetItemsProcessed(state.iterations());
}

BENCHMARK_CAPTURE(kernel, stronge, Restitution::stronge);
BENCHMARK_CAPTURE(kernel, poisson, Restitution::poisson);
BENCHMARK_CAPTURE(kernel, newton, Restitution::newton);
BENCHMARK_CAPTURE(contract, without_history, false);
BENCHMARK_CAPTURE(contract, with_history, true);

}  // namespace
