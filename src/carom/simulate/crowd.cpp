#include "carom/simulate/crowd.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

constexpr double kCrawl = 30;     // time steps that the last steps together must come far
constexpr double kLongest = 10;   // time step, in shortest ones
constexpr int kMostInARow = 16;

}  // namespace

Crowd::Crowd(const Scene& scene) : shortest_(scene.integrator.event.bridge), length_(shortest_) {
  const EventOptions& options = scene.integrator.event;
  low_flight_ = std::max(options.rest_speed, std::sqrt(2 * scene.model.gravity().norm() * options.gap_tolerance));
  forget();
}

void Crowd::came_to(double t) {
  times_[steps_++ % kPace] = t;
  const double oldest = times_[steps_ % kPace];
  crawls_ = false;
  if (oldest < 0) return;
  crowded_ = t - oldest <= kCrawl * kLongest * shortest_;
  if (!crowded_) length_ = shortest_, in_a_row_ = 1;
  crawls_ = t - oldest < kCrawl * length_;
}

void Crowd::passed(double length) {
  ++passes_;
  total_ += length, longest_ = std::max(longest_, length);
}

void Crowd::resume() {
  in_a_row_ = std::min(2 * in_a_row_, kMostInARow);
  length_ = std::min(2 * length_, kLongest * shortest_);
  crawls_ = false;
  forget();
}

void Crowd::tell(std::vector<std::string>& warnings) const {
  if (low_flights_ > 0)
    warnings.push_back(fmt::format("{} times, among crowded events, contacts that met more slowly than {:.3g} m/s did not bounce: their flights would not rise above the gap tolerance", low_flights_, low_flight_));
  if (passes_ > 0)
    warnings.push_back(fmt::format("{} times contacts wedged, chattered or accumulated together: passed by time steps of {:.3g} s in all, the longest {:.3g} s", passes_, total_, longest_));
}

}  // namespace carom
