#include "carom/math/time_function.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace carom {
namespace {

double turn(const Sine& s) { return 2 * std::numbers::pi * s.frequency; }

}  // namespace

double TimeFunction::value(double t) const {
  double sum = offset + t * (rate + 0.5 * acceleration * t);
  for (const Sine& s : sines) sum += s.amplitude * std::sin(turn(s) * t + s.phase);
  if (!times.empty()) {
    const auto after = std::upper_bound(times.begin(), times.end(), t);
    const auto k = static_cast<std::size_t>(after - times.begin());
    if (k == 0) sum += values.front();
    else if (k == times.size()) sum += values.back();
    else sum += values[k - 1] + (values[k] - values[k - 1]) * (t - times[k - 1]) / (times[k] - times[k - 1]);
  }
  return sum;
}

double TimeFunction::first(double t) const {
  double sum = rate + acceleration * t;
  for (const Sine& s : sines) sum += s.amplitude * turn(s) * std::cos(turn(s) * t + s.phase);
  if (!times.empty()) {
    const auto k = static_cast<std::size_t>(std::upper_bound(times.begin(), times.end(), t) - times.begin());
    if (k > 0 && k < times.size()) sum += (values[k] - values[k - 1]) / (times[k] - times[k - 1]);
  }
  return sum;
}

double TimeFunction::second(double t) const {
  double sum = acceleration;
  for (const Sine& s : sines) sum -= s.amplitude * turn(s) * turn(s) * std::sin(turn(s) * t + s.phase);
  return sum;
}

bool TimeFunction::is_zero() const { return offset == 0 && rate == 0 && acceleration == 0 && sines.empty() && times.empty(); }

double TimeFunction::next_corner(double t) const {
  const auto after = std::upper_bound(times.begin(), times.end(), t);
  return after == times.end() ? std::numeric_limits<double>::infinity() : *after;
}

}  // namespace carom
