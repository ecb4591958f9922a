#pragma once
// Where events come so close together that the run hardly moves on: bodies that settle between others, contacts that wedge each other,
// bounces of several contacts that accumulate together. Two remedies, both told in the run's warnings:
//
//   crowded  256 steps do not come 300 times `bridge` far: contacts that approach more slowly than low_flight() do not bounce
//   crawls   they do not even come 30 times the present time step far: time steps are taken (bridge.hpp), more and longer ones while
//            that does not help

#include <array>
#include <string>
#include <vector>

#include "carom/simulate/scene.hpp"

namespace carom {

class Crowd {
 public:
  explicit Crowd(const Scene& scene);

  // A step between events has come to time t.
  void came_to(double t);
  bool crowded() const { return crowded_; }
  bool crawls() const { return crawls_; }
  // The speed from which a flight does not rise above the gap tolerance: such a flight is not told from contact [m/s].
  double low_flight() const { return low_flight_; }
  void low_flight_ended() { ++low_flights_; }

  // Of the time steps to be taken now: how long, and how many at least.
  double length() const { return length_; }
  int in_a_row() const { return in_a_row_; }
  void passed(double length);
  // No more time steps for now; the next ones will be longer and more.
  void resume();

  void tell(std::vector<std::string>& warnings) const;

 private:
  static constexpr std::size_t kPace = 256;  // steps
  void forget() { times_.fill(-1), steps_ = 0; }

  double shortest_, low_flight_;
  std::array<double, kPace> times_{};  // of the last steps
  std::size_t steps_ = 0;
  bool crowded_ = false, crawls_ = false;
  double length_;
  int in_a_row_ = 1;
  long low_flights_ = 0, passes_ = 0;
  double total_ = 0, longest_ = 0;
};

}  // namespace carom
