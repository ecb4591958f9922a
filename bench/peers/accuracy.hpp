#pragma once
// How well a motion keeps the laws of rigid bodies, judged from states alone, by carom's geometry and model, the same for every peer.
//
//   penetration   depth of each overlapping pair of bodies, by the geometry's distance
//   energy        T + V over T + V of the start, V from the floor (z = 0): no contact may add to it, so every rise of a step is an error
//   step error    √(T(u⁺ − u*) / T(u* − u_free)), T = ½ uᵀMu: the speeds after a step against those that the contact law asks for
//                 (step_law.hpp) from the same state before it, relative to what the contacts do; the median over the steps looked at.
//                 0 is exact, 1 is as wrong as no contacts at all

#include <vector>

#include "carom/simulate/contact_scan.hpp"
#include "step_law.hpp"

namespace peers {

struct Accuracy {
  int steps = 0;
  double deepest = 0, mean_depth = 0;  // over pairs that are nearer than 0.1 mm [m]
  double pairs = 0;                    // such pairs, at the last look
  double energy_rises = 0;             // sum of the rises of all steps, over E₀
  double above_start = 0;              // greatest E − E₀, over E₀
  double energy_left = 1;              // E at the end, over E₀
  double step_error = 0;               // median; NaN: not looked at
  double reference = 0;                // median of the natural maps of u*
  bool finite = true;
};

class Judge {
 public:
  // Looks at gaps every `gaps_every` steps, at step errors every `errors_every` (0: never).
  Judge(const carom::Scene& scene, int gaps_every, int errors_every);
  void see(const carom::State& state);
  bool finite() const { return out_.finite; }
  Accuracy result() const;

 private:
  double energy(const carom::State& state);
  void look_at_gaps(const carom::State& state);

  const carom::Scene& scene_;
  int gaps_every_, errors_every_, count_ = 0;
  carom::Data data_;
  carom::ContactScan scan_;
  std::vector<carom::LiveContact> live_;
  StepLaw law_;
  carom::State before_;
  double energy_start_ = 0, energy_last_ = 0, depth_sum_ = 0, depth_count_ = 0;
  std::vector<double> errors_, references_;
  Accuracy out_;
};

}  // namespace peers
