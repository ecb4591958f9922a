#include "carom/simulate/zeno.hpp"

#include <algorithm>
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
    std::rotate(s.recent.begin(), s.recent.end() - 1, s.recent.end());
    s.recent.front() = interval;
  }
  s.last = time;
  // Short intervals are known to few digits (a gap of 1e-17 m at 1e-7 m/s is 1e-10 s): the mean of the last ratios knows more.
  double ratio = s.ratio;
  if (const std::size_t mean = std::min(static_cast<std::size_t>(s.steady), s.recent.size() - 1); mean > 0)
    ratio = std::pow(s.interval / s.recent[mean], 1.0 / static_cast<double>(mean));
  const double left = s.interval * ratio / (1 - ratio);
  // A slow series is summed up too when its intervals come near what the arithmetic can tell of a gap.
  if (s.bounces >= options_.zeno_bounces && s.steady > 0 && ratio < 1 && (left <= options_.zeno_horizon || s.interval <= options_.zeno_horizon))
    out = {true, time + left, ratio, s.bounces};
  return out;
}

}  // namespace carom
