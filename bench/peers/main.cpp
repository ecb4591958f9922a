// bench_peers_NAME [SCENE…]: every scene (or those named) with every setting of one engine; a CSV row each on stdout.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <string>

#include "accuracy.hpp"
#include "carom/lab/piles.hpp"
#include "peer.hpp"

using namespace peers;

namespace {

constexpr double kStep = 2e-3;    // h [s]
constexpr double kBudget = 8;     // processor time of a run's steps [s]; a run that needs more ends early, which its row tells
constexpr int kGapsEvery = 5;

struct Case {
  std::string name;
  carom::Scene scene;
  double duration;    // [s]
  int errors_every;   // 0: the scene has restitution, which peers understand differently
};

std::vector<Case> cases() {
  std::vector<Case> out;
  out.push_back({"balls-125", carom::lab::settling_balls(5, kStep), 1, 25});
  out.push_back({"balls-1000", carom::lab::settling_balls(10, kStep), 1, 100});
  out.push_back({"bin-200", carom::lab::box_bin(200, 0.8, 0.4, kStep), 1.5, 0});
  out.push_back({"stack-10", carom::lab::box_stack(10, kStep), 1, 25});
  for (Case& c : out) c.scene.duration = c.duration, c.scene.sampling = kStep;
  return out;
}

void measure(const Case& c, Peer& peer) {
  const int steps = static_cast<int>(std::lround(c.duration / kStep));
  Judge judge(c.scene, kGapsEvery, c.errors_every);
  double seconds = 0;
  std::string status;
  try {
    seconds = peer.run(c.scene, [&](const carom::State& state, double so_far) {
      judge.see(state);
      return judge.finite() && so_far < kBudget;
    });
  } catch (const std::exception& failure) {
    status = failure.what();
  }
  const Accuracy a = judge.result();
  if (status.empty()) status = !a.finite ? "not finite" : a.steps < steps ? "out of time" : "done";
  fmt::print("{},{},{},{},{},{},{:.4g},{:.3g},{:.3g},{:.3g},{:.3g},{:.4g},{:.3g},{:.2g},{}\n", c.name, peer.name(), peer.settings(), steps, a.steps, a.pairs,
             a.steps / seconds, a.deepest, a.mean_depth, a.energy_rises, a.above_start, a.energy_left, a.step_error, a.reference, status);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> wanted(argv + 1, argv + argc);
  fmt::print("scene,engine,settings,steps,steps done,touching pairs,steps per second,deepest penetration [m],mean penetration [m],energy rises [E0],"
             "energy above start [E0],energy left [E0],step error,reference natural map,status\n");
  for (const Case& c : cases()) {
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), c.name) == wanted.end()) continue;
    for (const auto& peer : peers::peers()) measure(c, *peer);
  }
}
