#pragma once
// Bounces that come ever faster. Their intervals Δ_k shrink by a ratio that settles, r = Δ_k / Δ_{k−1} < 1, and what is left of
// them, Δ_k r / (1 − r), is known long before it is over. When it is shorter than `zeno_horizon` the bounces are summed up.
// Every contact has a series of its own. No speed is compared with anything.

#include <array>
#include <map>

#include "carom/simulate/record.hpp"

namespace carom {

struct Accumulation {
  bool recognised = false;
  double time = 0;    // when the series ends [s]
  double ratio = 0;   // of its intervals
  int bounces = 0;    // resolved in it
};

class BounceSeries {
 public:
  explicit BounceSeries(const EventOptions& options) : options_(options) {}
  // A contact has bounced; tells whether its series may be summed up now.
  Accumulation bounce(const ContactId& contact, double time);
  // The contact has become lasting: its series is over.
  void forget(const ContactId& contact) { series_.erase(contact); }

 private:
  struct Series {
    double last = 0, interval = 0, ratio = 0;
    std::array<double, 5> recent{};  // intervals, the last first
    int bounces = 0, steady = 0;  // bounces in all; in succession with a steady ratio
  };
  const EventOptions& options_;
  std::map<ContactId, Series> series_;
};

}  // namespace carom
