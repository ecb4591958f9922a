// bench_peers_contact_problems [SCENE…]: contact problems of single steps of carom's piles, solved by carom's StepSolver and by Siconos's
// solvers to the same natural map, judged by carom's certificate; both from zero, or both from the impulses of the step before. A CSV row
// each on stdout. Not counted: assembling W, which Siconos needs and carom does not.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "carom/lab/piles.hpp"
#include "carom/simulate/simulate.hpp"
#include "cross/siconos_bridge.hpp"
#include "peer.hpp"
#include "step_law.hpp"

using namespace peers;
using Eigen::VectorXd;

namespace {

constexpr double kStep = 2e-3;                    // h [s]
constexpr double kMoments[] = {0.1, 0.4, 0.8};    // when the problems are taken [s]
constexpr double kEnough = 10;                    // a solver that took longer is not asked for more on this problem [s]

// The states before the step at each moment, and one step earlier: its impulses are the warm start.
class Keeper : public carom::Recorder {
 public:
  void sample(const carom::Sample& s) override {
    for (const double moment : kMoments)
      for (const int back : {1, 0})
        if (std::lround(s.time / kStep) == std::lround(moment / kStep) - back) states.push_back({s.q, s.u});
  }
  std::vector<carom::State> states;
};

struct TheirSolver {
  const char* name;
  int id, local;
};
const TheirSolver kTheirs[] = {{"Siconos NSGS", SICONOS_FRICTION_3D_NSGS, -1},
                               {"Siconos NSGS with projections", SICONOS_FRICTION_3D_NSGS, SICONOS_FRICTION_3D_ONECONTACT_ProjectionOnConeWithLocalIteration},
                               {"Siconos ADMM", SICONOS_FRICTION_3D_ADMM, -1}};

struct Try {
  double seconds = 0, residual = 1;
  int iterations = 0;
};

// What takes long is run once.
template <class Run>
Try best_of_three(const Run& run) {
  Try best = run();
  for (int k = 1; k < 3 && best.seconds <= 1; ++k)
    if (const Try next = run(); next.seconds < best.seconds) best = next;
  return best;
}

Try ours(const carom::Scene& scene, const carom::StepProblem& problem, const carom::FrictionContact& local, const std::vector<double>& start, double target, const char* solver_id) {
  carom::SteppingOptions o = scene.integrator.stepping;
  o.tolerance = target, o.max_sweeps = 20000, o.solver = solver_id;
  carom::Workers one(1);
  carom::StepSolver solver(scene.model, o, one);  // a run has one, which keeps its memory
  return best_of_three([&] {
    std::vector<double> r = start;
    VectorXd z;
    const double from = processor_seconds();
    const carom::StepReport report = solver.solve(problem, r, z);
    const double seconds = processor_seconds() - from;
    return Try{seconds, carom::certify(local, Eigen::Map<const VectorXd>(r.data(), static_cast<Eigen::Index>(r.size()))).natural_map, static_cast<int>(report.sweeps)};
  });
}

// Siconos scales its error otherwise: its tolerance is lowered until carom's certificate is at the target; only the last call counts.
Try theirs(const TheirSolver& s, const carom_test::SiconosFriction& problem, const carom::FrictionContact& local, const VectorXd& start, double target) {
  Try last;
  for (double tolerance = target; tolerance >= 1e-4 * target; tolerance /= 10) {
    last = best_of_three([&] {
      const double from = processor_seconds();
      const carom_test::SiconosAnswer a = problem.solve(s.id, tolerance, 20000, s.local, start);
      return Try{processor_seconds() - from, a.x.allFinite() ? carom::certify(local, a.x).natural_map : 1, a.iterations};
    });
    if (last.residual <= target || last.seconds > kEnough) break;
  }
  return last;
}

void compare(const std::string& name, carom::Scene scene) {
  scene.duration = kMoments[2] + kStep, scene.sampling = kStep;
  scene.integrator.stepping.tolerance = 1e-3;  // of the motion that leads to the problems
  Keeper keeper;
  carom::simulate(scene, keeper);
  StepLaw law(scene);
  for (std::size_t k = 0; k + 1 < keeper.states.size(); k += 2) {
    law.pose(keeper.states[k]);
    law.solve(1e-6);
    law.pose(keeper.states[k + 1]);
    const carom::FrictionContact local = law.local_form();
    if (local.contacts() == 0) continue;
    const carom_test::SiconosFriction problem(local);
    for (const bool warm : {false, true})
      for (const double target : {1e-4, 1e-8}) {
        std::vector<double> start = law.warm();
        if (!warm) std::fill(start.begin(), start.end(), 0.0);
        const auto row = [&](const char* solver, const Try& t, double ratio) {
          fmt::print("{},{},{},{},{:.0e},{},{:.4g},{:.2g},{},{:.3g}\n", name, kMoments[k / 2], local.contacts(), warm ? "warm" : "cold", target, solver, t.seconds, t.residual, t.iterations, ratio);
          std::fflush(stdout);
        };
        const Try mine = ours(scene, law.problem(), local, start, target, "default");
        row("carom", mine, 1);
        const Try plain = ours(scene, law.problem(), local, start, target, "nsgs");
        row("carom sweeps alone", plain, plain.seconds / mine.seconds);
        for (const TheirSolver& s : kTheirs) {
          const Try t = theirs(s, problem, local, Eigen::Map<const VectorXd>(start.data(), static_cast<Eigen::Index>(start.size())), target);
          row(s.name, t, t.seconds / mine.seconds);
        }
      }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> wanted(argv + 1, argv + argc);
  const auto asked = [&](const char* name) { return wanted.empty() || std::find(wanted.begin(), wanted.end(), name) != wanted.end(); };
  fmt::print("scene,time [s],contacts,start,target,solver,seconds,natural map,iterations,over carom\n");
  if (asked("balls-125")) compare("balls-125", carom::lab::settling_balls(5, kStep));
  if (asked("balls-1000")) compare("balls-1000", carom::lab::settling_balls(10, kStep));
  if (asked("bin-200")) compare("bin-200", carom::lab::box_bin(200, 0, 0.4, kStep));
  if (asked("stack-10")) compare("stack-10", carom::lab::box_stack(10, kStep));
}
