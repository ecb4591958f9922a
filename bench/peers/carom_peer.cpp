// carom's own time-stepping, through simulate() as any user has it.
#include <fmt/format.h>

#include "carom/simulate/simulate.hpp"
#include "peer.hpp"

namespace peers {
namespace {

// Stops the clock while the watcher looks.
class Stopwatch : public carom::Recorder {
 public:
  explicit Stopwatch(const Watcher& watch) : watch_(watch), from_(processor_seconds()) {}
  void sample(const carom::Sample& s) override {
    if (first_) first_ = false;  // what comes before the first step is building, which is not counted for any peer
    else seconds_ += processor_seconds() - from_;
    on_ = watch_({s.q, s.u}, seconds_);
    from_ = processor_seconds();
  }
  bool progress(double) override { return on_; }
  double seconds() const { return seconds_; }

 private:
  const Watcher& watch_;
  double from_, seconds_ = 0;
  bool on_ = true, first_ = true;
};

class CaromPeer : public Peer {
 public:
  CaromPeer(double tolerance, int max_sweeps, std::string solver = "default") : tolerance_(tolerance), max_sweeps_(max_sweeps), solver_(std::move(solver)) {}
  std::string name() const override { return "carom"; }
  std::string settings() const override {
    return solver_ == "default" ? fmt::format("natural map {:.0e} ≤ {} sweeps", tolerance_, max_sweeps_) : fmt::format("{} natural map {:.0e} ≤ {} sweeps", solver_, tolerance_, max_sweeps_);
  }
  double run(const carom::Scene& scene, const Watcher& watch) override {
    carom::Scene mine = scene;
    mine.integrator.stepping.tolerance = tolerance_;
    mine.integrator.stepping.max_sweeps = max_sweeps_;
    mine.integrator.stepping.solver = solver_;
    Stopwatch stopwatch(watch);
    carom::simulate(mine, stopwatch);
    return stopwatch.seconds();
  }

 private:
  double tolerance_;
  int max_sweeps_;
  std::string solver_;
};

}  // namespace

std::vector<std::unique_ptr<Peer>> peers() {
  std::vector<std::unique_ptr<Peer>> out;
  // As engines of games do: so many sweeps, whatever they reach.
  for (const int sweeps : {3, 6, 12, 25}) out.push_back(std::make_unique<CaromPeer>(1e-3, sweeps, "nsgs"));
  out.push_back(std::make_unique<CaromPeer>(1e-1, 500));
  out.push_back(std::make_unique<CaromPeer>(1e-2, 500));
  out.push_back(std::make_unique<CaromPeer>(1e-3, 500));
  out.push_back(std::make_unique<CaromPeer>(1e-4, 500));
  out.push_back(std::make_unique<CaromPeer>(1e-8, 1000));
  return out;
}

}  // namespace peers
