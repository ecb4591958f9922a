#include "carom/simulate/zeno.hpp"

#include <cmath>

namespace carom {

Accumulation BounceSeries::bounce(const ContactId& contact, double time) {
  Series& s = series_[contact];
  Accumulation out;
  ++s.bounces;
  if (s.bounces > 1) {
    const double interval = time - s.last;
    if (s.bounces > 2 && s.interval > 0) {
      const double ratio = interval / s.interval;
      const bool steady = ratio < 1 && std::abs(ratio - s.ratio) <= options_.zeno_spread * ratio;
      s.steady = steady ? s.steady + 1 : 0;
      if (ratio >= 1) s.bounces = 2;  // a new series begins with this interval
      s.ratio = ratio;
    }
    s.interval = interval;
  }
  s.last = time;
  const double left = s.interval * s.ratio / (1 - s.ratio);
  // A slow series is summed up too when its intervals come near what the arithmetic can tell of a gap.
  if (s.bounces >= options_.zeno_bounces && s.steady > 0 && s.ratio < 1 && (left <= options_.zeno_horizon || s.interval <= options_.zeno_horizon))
    out = {true, time + left, s.ratio, s.bounces};
  return out;
}

}  // namespace carom
