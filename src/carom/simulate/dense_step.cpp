#include "carom/simulate/dense_step.hpp"

#include <boost/numeric/odeint/stepper/controlled_runge_kutta.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>
#include <boost/numeric/odeint/util/bind.hpp>
#include <boost/numeric/odeint/util/unwrap_reference.hpp>
#include <cmath>
#include <functional>

namespace carom {
namespace {

namespace odeint = boost::numeric::odeint;
using DormandPrince = odeint::runge_kutta_dopri5<FlowVector>;

constexpr double kSmallestStep = 1e-14;  // [s]; a flow that asks for less has a singular force

bool finite(const FlowVector& x) {
  return std::all_of(x.begin(), x.end(), [](double value) { return std::isfinite(value); });
}

}  // namespace

struct DenseStep::Steppers {
  odeint::controlled_runge_kutta<DormandPrince> controlled;
  mutable DormandPrince exact;
};

DenseStep::DenseStep(SmoothFlow& flow, const EventOptions& options)
    : flow_(flow), options_(options),
      steppers_(std::make_unique<Steppers>(Steppers{
          odeint::controlled_runge_kutta<DormandPrince>(odeint::default_error_checker<double, odeint::range_algebra, odeint::default_operations>(options.absolute, options.relative)), {}})) {}

DenseStep::~DenseStep() = default;

bool DenseStep::take(const FlowVector& x, double t, double end) {
  x0_ = x, t0_ = exact_at_ = t;
  x1_.resize(x.size()), slope1_.resize(x.size()), exact_.resize(x.size()), unused_.resize(x.size());
  flow_(x0_, slope0_, t);
  const double longest = std::min(options_.max_step, end - t);
  double size = std::clamp(size_, std::min(kSmallestStep, longest), longest);
  for (;;) {
    const double tried = size;
    double at = t;
    const bool taken = steppers_->controlled.try_step(std::ref(flow_), x0_, slope0_, at, x1_, slope1_, size) == odeint::success;
    if (taken && finite(x1_)) {
      t1_ = tried == end - t ? end : at;
      size_ = std::max(size, tried == longest ? size_ : 0);
      return true;
    }
    if (taken || !std::isfinite(size)) size = tried / 5;
    if (size < kSmallestStep) return false;
  }
}

void DenseStep::dense(double t, FlowVector& x) const {
  x.resize(x0_.size());
  steppers_->controlled.stepper().calc_state(t, x, x0_, slope0_, t0_, x1_, slope1_, t1_);
}

void DenseStep::exact(double t, FlowVector& x) {
  if (t <= t0_) {
    x = x0_;
    return;
  }
  if (t != exact_at_) {
    steppers_->exact.do_step(std::ref(flow_), x0_, slope0_, t0_, exact_, unused_, t - t0_);
    exact_at_ = t;
  }
  x = exact_;
}

}  // namespace carom
