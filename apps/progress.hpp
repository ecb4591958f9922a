#pragma once
// A bar on a terminal's standard error that tells how far a run is and when it will be done; silent anywhere else.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <string>

namespace carom::app {

// "3 s", "2 min 05 s", "1 h 01 min".
inline std::string shown_duration(double seconds) {
  if (!std::isfinite(seconds) || seconds > 1e7) return "long";
  const long s = std::lround(std::ceil(seconds));
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{} min {:02} s", s / 60, s % 60);
  return fmt::format("{} h {:02} min", s / 3600, s % 3600 / 60);
}

// The line at `time` of `end` in a unit (simulated seconds, say; empty: the part alone), after `elapsed` seconds of the clock.
inline std::string progress_line(double time, double end, double elapsed, const std::string& unit = "s") {
  constexpr int kWidth = 30;
  const double done = end > 0 ? std::clamp(time / end, 0.0, 1.0) : 1.0;
  const int full = static_cast<int>(kWidth * done);
  std::string bar;
  for (int i = 0; i < kWidth; ++i) bar += i < full ? "█" : "░";
  const std::string left = done > 0 && elapsed > 0.2 ? shown_duration(elapsed * (1 - done) / done) + " left" : "";
  return fmt::format("{} {:3.0f} %  {}{}", bar, 100 * done, unit.empty() ? "" : fmt::format("{:.4g} of {:.4g} {}  ", time, end, unit), left);
}

class Progress {
 public:
  explicit Progress(double end, std::string unit = "s", std::FILE* out = stderr) : end_(end), unit_(std::move(unit)), out_(out), terminal_(isatty(fileno(out)) == 1) {}
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Takes the bar away; before anything else is printed.
  void clear() {
    if (drawn_) fmt::print(out_, "\r\033[K"), std::fflush(out_);
    drawn_ = false;
  }

  // Cheap enough to be called at every step: draws ten times a second.
  void show(double time) {
    if (!terminal_) return;
    const Clock::time_point now = Clock::now();
    if (now - last_ < std::chrono::milliseconds(100)) return;
    last_ = now;
    drawn_ = true;
    fmt::print(out_, "\r{}\033[K", progress_line(time, end_, std::chrono::duration<double>(now - start_).count(), unit_));
    std::fflush(out_);
  }

 private:
  using Clock = std::chrono::steady_clock;
  double end_;
  std::string unit_;
  std::FILE* out_;
  bool terminal_, drawn_ = false;
  Clock::time_point start_ = Clock::now(), last_ = start_;
};

}  // namespace carom::app
