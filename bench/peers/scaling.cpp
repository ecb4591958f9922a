// bench_peers_scaling [LAYERS…]: cost of a step of carom against contacts, up to 1e5: pyramids of balls at rest (lab/piles.hpp), ten steps each, the
// first from nothing and the others from its impulses. The last column is the whole run, contact search and all, over sweeps and contacts. CSV on stdout.
#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <vector>

#include "carom/lab/piles.hpp"
#include "carom/simulate/simulate.hpp"
#include "peer.hpp"

namespace {

constexpr int kSteps = 10;

class Clock : public carom::Recorder {
 public:
  void sample(const carom::Sample&) override { times.push_back(peers::processor_seconds()); }
  std::vector<double> times;
};

}  // namespace

int main(int argc, char** argv) {
  const double h = 1e-3;
  fmt::print("balls,contacts,first step [s],later steps [s],later steps per contact [us],natural map asked,worst natural map,sweeps per step,per sweep and contact [ns]\n");
  std::vector<int> sizes;
  for (int i = 1; i < argc; ++i) sizes.push_back(std::stoi(argv[i]));
  if (sizes.empty()) sizes = {3, 5, 7, 10, 14, 20, 30, 43};
  for (const int layers : sizes) {
    carom::Scene scene = carom::lab::ball_pyramid(layers, h);
    scene.duration = kSteps * h, scene.sampling = h;
    Clock clock;
    const carom::RunSummary summary = carom::simulate(scene, clock);
    const double first = clock.times[1] - clock.times[0], later = (clock.times.back() - clock.times[1]) / (kSteps - 1), contacts = summary.most_contacts;
    fmt::print("{},{},{:.4g},{:.4g},{:.3g},{:.0e},{:.2g},{:.4g},{:.3g}\n", scene.model.bodies(), summary.most_contacts, first, later, 1e6 * later / contacts, scene.integrator.stepping.tolerance, summary.worst_certificate, static_cast<double>(summary.sweeps) / kSteps,
               1e9 * (clock.times.back() - clock.times[0]) / (static_cast<double>(summary.sweeps) * contacts));
    std::fflush(stdout);
  }
}
