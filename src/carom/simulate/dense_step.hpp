#pragma once
// One Dormand–Prince step of the smooth flow with its inside: by dense output (fourth order), and by single steps from its beginning
// (fifth). Memory is kept from step to step.

#include <algorithm>
#include <memory>

#include "carom/simulate/smooth_flow.hpp"

namespace carom {

class DenseStep {
 public:
  DenseStep(SmoothFlow& flow, const EventOptions& options);
  ~DenseStep();

  // From (t, x) as far as the local error allows, not beyond `end`; false: no step is short enough.
  bool take(const FlowVector& x, double t, double end);
  // The size to try next is not to be greater.
  void shorten(double size) { size_ = std::min(size_, size); }

  double t0() const { return t0_; }
  double t1() const { return t1_; }
  const FlowVector& x0() const { return x0_; }
  const FlowVector& x1() const { return x1_; }
  void dense(double t, FlowVector& x) const;
  void exact(double t, FlowVector& x);  // the last one is remembered

 private:
  struct Steppers;
  SmoothFlow& flow_;
  const EventOptions& options_;
  std::unique_ptr<Steppers> steppers_;
  FlowVector x0_, x1_, slope0_, slope1_, exact_, unused_;
  double t0_ = 0, t1_ = 0, exact_at_ = 0, size_ = 1e-4;
};

}  // namespace carom
