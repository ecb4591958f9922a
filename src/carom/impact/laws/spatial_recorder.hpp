#pragma once
// Writes the branch history of a spatial process into an ImpactOutcome.

#include <algorithm>
#include <utility>
#include <vector>

#include "carom/impact/laws/routh_spatial.hpp"
#include "carom/impact/outcome.hpp"

namespace carom::laws {

inline Eigen::Vector3d velocity(const SpatialPoint<double>& at) { return {at.v1, at.v2, at.v_n}; }
inline Eigen::Vector3d impulse(const SpatialPoint<double>& at) { return {at.p1, at.p2, at.p_n}; }

// Writes the branch history, curved stretches with points along them.
class SpatialRecorder {
 public:
  static constexpr bool watches = true;
  explicit SpatialRecorder(ImpactOutcome& outcome) : outcome_(outcome) {}
  void event(ImpactEventKind kind, const SpatialPoint<double>& at) {
    outcome_.events.push_back({kind, 0, at.p_n, velocity(at), at.work});
  }
  void path(const SpatialPoint<double>& at) { points_.push_back(at); }
  void segment(SlipState state, Phase phase, const SpatialPoint<double>& a, const SpatialPoint<double>& b) {
    ImpactSegment segment;
    segment.state = {state};
    segment.phase = phase;
    segment.p_begin = impulse(a), segment.p_end = impulse(b);
    segment.v_begin = velocity(a), segment.v_end = velocity(b);
    segment.work_begin = a.work, segment.work_end = b.work;
    if (!points_.empty()) draw(segment, a, b);
    points_.clear();
    outcome_.segments.push_back(std::move(segment));
  }

 private:
  static constexpr int kPoints = 33;  // per curved stretch

  void draw(ImpactSegment& segment, const SpatialPoint<double>& a, const SpatialPoint<double>& b) const {
    std::vector<SpatialPoint<double>> all{a};
    for (const SpatialPoint<double>& q : points_)
      if (q.p_n > all.back().p_n && q.p_n < b.p_n) all.push_back(q);
    all.push_back(b);
    const int count = std::min(kPoints, static_cast<int>(all.size()));
    segment.v_path.resize(3, count), segment.p_path.resize(3, count);
    for (int i = 0; i < count; ++i) {
      const auto& q = all[static_cast<std::size_t>(i) * (all.size() - 1) / static_cast<std::size_t>(count - 1)];
      segment.v_path.col(i) = velocity(q), segment.p_path.col(i) = impulse(q);
    }
  }

  ImpactOutcome& outcome_;
  std::vector<SpatialPoint<double>> points_;
};

}  // namespace carom::laws
