// bench_peers_NAME [SCENE…]: every scene (or those named) with every setting of one engine; a CSV row each on stdout.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "accuracy.hpp"
#include "carom/lab/piles.hpp"
#include "carom/simulate/simulate.hpp"
#include "peer.hpp"

using namespace peers;

namespace {

constexpr double kStep = 2e-3;    // h [s]
constexpr double kBudget = 40;    // processor time of a run's steps [s]: for what hangs; its row then tells how far it came
constexpr int kGapsEvery = 5;
constexpr double kLanding = 1e-4;  // natural map of the motion before the runs

struct Case {
  std::string name;
  carom::Scene scene;
  double landed;      // carom moves the scene so far, once; all engines start from there [s]
  double duration;    // of the runs [s]
  int errors_every;   // 0: the scene has restitution, which peers understand differently
};

std::vector<Case> cases() {
  std::vector<Case> out;
  out.push_back({"balls-125", carom::lab::settling_balls(5, kStep), 0.3, 0.2, 5});
  out.push_back({"balls-1000", carom::lab::settling_balls(10, kStep), 0.4, 0.05, 5});
  out.push_back({"bin-200", carom::lab::box_bin(200, 0.8, 0.4, kStep), 0.8, 0.3, 0});
  out.push_back({"stack-10", carom::lab::box_stack(10, kStep), 0, 1, 25});
  for (Case& c : out) c.scene.sampling = kStep;
  return out;
}

// Moves the scene to where the runs start. Every program does so for itself and comes to the same bits.
void land(Case& c) {
  struct Last : carom::Recorder {
    void sample(const carom::Sample& s) override { q = s.q, u = s.u; }
    Eigen::VectorXd q, u;
  } last;
  if (c.landed > 0) {
    carom::Scene before = c.scene;
    before.duration = before.sampling = c.landed;
    before.integrator.stepping.tolerance = kLanding;
    (void)carom::simulate(before, last);
    c.scene.start.q = last.q, c.scene.start.u = last.u;
  }
  c.scene.duration = c.duration;
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
  std::vector<Case> all = cases();
  for (Case& c : all) {
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), c.name) == wanted.end()) continue;
    land(c);
    for (const auto& peer : peers::peers()) measure(c, *peer);
  }
}
