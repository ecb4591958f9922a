#pragma once
// A number that depends on time as a scene may prescribe it: offset + rate t + ½ acceleration t² + Σ sines + a table between
// whose points it is linear (constant outside). Derivatives are exact; a table has slope jumps, where the right one counts.

#include <vector>

namespace carom {

struct Sine {
  double amplitude = 0;
  double frequency = 0;  // [Hz]
  double phase = 0;      // [rad]
};

struct TimeFunction {
  double offset = 0, rate = 0, acceleration = 0;
  std::vector<Sine> sines{};
  std::vector<double> times{}, values{};  // the table: times strictly increasing

  double value(double t) const;
  double first(double t) const;   // d/dt
  double second(double t) const;  // d²/dt²
  bool is_zero() const;           // no term at all
  // The first corner of the table after t; +∞: none. Integrators restart there.
  double next_corner(double t) const;
};

}  // namespace carom
