#pragma once
// Dormand–Prince steps along the sliding differential equation, for `routh-ode` and `mirtich`.
//
// State y = (v_t, v_n, p_t, p, W, F): dy/dλ = ρ · (b − μ A û, k, −μ û, 1, v_n, s) with a clock λ chosen by dp = ρ dλ:
//   slip:  ρ = s, the clock of Keller's time scaling, in which the equation stays smooth while slip dies away;
//   normal_velocity:  ρ = 1/k;   work:  ρ = 1/v_n   (Mirtich).

#include <array>
#include <boost/math/tools/toms748_solve.hpp>
#include <boost/numeric/odeint/stepper/controlled_runge_kutta.hpp>
#include <boost/numeric/odeint/stepper/generation.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>
#include <cmath>

#include "carom/impact/laws/routh_spatial.hpp"

namespace carom::laws {

enum class Clock { slip, normal_velocity, work };

class SlidingOde {
 public:
  using State = std::array<double, 8>;
  enum Index { kV1, kV2, kVn, kP1, kP2, kP, kW, kF };

  SlidingOde(const SpatialContact<double>& contact, double absolute, double relative)
      : c_(contact), controlled_(boost::numeric::odeint::make_controlled(absolute, relative, Dopri())) {
    y = {c_.v1, c_.v2, c_.v_n, 0, 0, 0, 0, 0};
  }

  State y;
  Clock clock = Clock::slip;
  int steps = 0;

  double speed() const { return std::hypot(y[kV1], y[kV2]); }
  // dv_n/dp and d|v_t|/dp here.
  double k() const { return c_.c - c_.mu_d * (c_.b1 * y[kV1] + c_.b2 * y[kV2]) / speed(); }
  double g() const {
    const double s = speed(), u1 = y[kV1] / s, u2 = y[kV2] / s;
    return c_.b1 * u1 + c_.b2 * u2 - c_.mu_d * (u1 * (c_.A11 * u1 + c_.A12 * u2) + u2 * (c_.A12 * u1 + c_.A22 * u2));
  }
  // The rate ρ = dp/dλ at y.
  double rate(const State& x) const {
    const double s = std::hypot(x[kV1], x[kV2]);
    if (clock == Clock::slip) return s;
    if (clock == Clock::work) return 1 / x[kVn];
    return 1 / (c_.c - c_.mu_d * (c_.b1 * x[kV1] + c_.b2 * x[kV2]) / s);
  }

  // One step of at most `limit`; false when the stepper refused it (it has then chosen a shorter one).
  bool step(double limit) {
    before_ = y;
    slope(before_, slope_before_);
    double t = 0, h = std::min(next_, limit);
    State slope_after;
    const auto result = controlled_.try_step([this](const State& x, State& dx, double) { slope(x, dx); }, before_, slope_before_, t, y, slope_after, h);
    ++steps;
    if (result == boost::numeric::odeint::success && finite(y)) {
      taken_ = t;
      next_ = h;
      return true;
    }
    next_ = result == boost::numeric::odeint::success ? 0.1 * std::min(next_, limit) : h;
    y = before_;
    return false;
  }
  void first_step(double h) { next_ = h; }
  double next() const { return next_; }

  // Goes back into the last step, to where f(y) = 0; f has changed its sign over it.
  template <class F>
  void back_to(F f) {
    const auto at = [&](double h) {
      State out, slope_out;
      dopri_.do_step([this](const State& x, State& dx, double) { slope(x, dx); }, before_, slope_before_, 0.0, out, slope_out, h);
      return out;
    };
    const double f0 = f(before_), f1 = f(y);
    if (f0 == 0 || f1 == 0 || (f0 < 0) == (f1 < 0)) return;
    std::uintmax_t most = 60;
    const auto bracket = boost::math::tools::toms748_solve([&](double h) { return f(at(h)); }, 0.0, taken_, f0, f1,
                                                           boost::math::tools::eps_tolerance<double>(52), most);
    taken_ = bracket.second;
    y = at(taken_);
  }

  SpatialPoint<double> point() const { return {y[kP1], y[kP2], y[kP], y[kV1], y[kV2], y[kVn], y[kW]}; }
  double friction_work() const { return -c_.mu_d * y[kF]; }

 private:
  using Dopri = boost::numeric::odeint::runge_kutta_dopri5<State>;

  void slope(const State& x, State& dx) const {
    const double s = std::hypot(x[kV1], x[kV2]), u1 = x[kV1] / s, u2 = x[kV2] / s, mu = c_.mu_d, rho = rate(x);
    dx[kV1] = rho * (c_.b1 - mu * (c_.A11 * u1 + c_.A12 * u2));
    dx[kV2] = rho * (c_.b2 - mu * (c_.A12 * u1 + c_.A22 * u2));
    dx[kVn] = rho * (c_.c - mu * (c_.b1 * u1 + c_.b2 * u2));
    dx[kP1] = -rho * mu * u1, dx[kP2] = -rho * mu * u2, dx[kP] = rho;
    dx[kW] = rho * x[kVn], dx[kF] = rho * s;
  }
  static bool finite(const State& x) {
    for (const double value : x)
      if (!std::isfinite(value)) return false;
    return true;
  }

  SpatialContact<double> c_;
  decltype(boost::numeric::odeint::make_controlled(0.0, 0.0, Dopri())) controlled_;
  Dopri dopri_;
  State before_{}, slope_before_{};
  double next_ = 1e-3, taken_ = 0;
};

}  // namespace carom::laws
