#pragma once
// How steps of bodies at rest are solved. While the same contacts last, the impulses of the last step are looked at before they are changed. When they
// no longer do, they are solved far beyond the tolerance, twice: the first solution also stops the speeds that the errors of earlier steps have left,
// the second carries the weight alone, and does for as many steps as it is better than asked. Where that does not pay, because something moves after
// all, it is tried again more and more seldom.

#include <algorithm>

#include "carom/simulate/stepping/step_solver.hpp"

namespace carom {

class Resting {
 public:
  // Does the step need its full tolerance at once? Else a loose solution shows first which contacts join.
  bool tight() const { return settles_; }
  // Did bodies hardly move in the last step? Then gaps that are open stay out of the problem, which is to last.
  bool still() const { return still_; }
  StepAsk ask(double looseness, bool joined) {
    if (joined || !lasts_) return {looseness};
    if (looseness > 1) return {looseness, 1};
    if (counts_ && !settles_) {  // the second solution has done for `idle_` steps
      wait_ = idle_ < kWorth ? std::min(2 * wait_, kLongest) : 1;
      counts_ = false;
    }
    return {looseness, settles_ || idle_ >= wait_ ? patience_ : 1, settles_ ? StepSolver::kBeyond : 1};
  }
  void solved(const StepAsk& ask, const StepReport& report, double tolerance) {
    if (ask.patience <= 1 || (!settles_ && report.sweeps == 0)) return;  // the last impulses did
    if (report.natural_map > StepSolver::kBeyond * tolerance) patience_ = std::min(2 * ask.patience, kMostPatience);
    counts_ = settles_;
    settles_ = !settles_;
    idle_ = 0;
  }
  // `still`: bodies hardly moved.
  void after(bool joined, int blocks, bool still) {
    lasts_ = !joined && blocks == blocks_;
    still_ = still;
    blocks_ = blocks;
    ++idle_;
    if (!lasts_) settles_ = counts_ = false, patience_ = kPatience;
  }

 private:
  static constexpr int kPatience = 100, kMostPatience = 800;  // sweeps
  static constexpr int kWorth = 8, kLongest = 512;            // steps
  int blocks_ = 0, patience_ = kPatience;
  int idle_ = kLongest, wait_ = 1;  // steps since the last such solution; and what they must be before another is tried
  bool still_ = false;
  bool lasts_ = false;              // the contacts are those of the step before
  bool settles_ = false;            // the second of two solutions is due
  bool counts_ = false;             // how long it does
};

}  // namespace carom
