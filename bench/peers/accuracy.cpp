#include "accuracy.hpp"

#include <algorithm>
#include <cmath>

#include "carom/dynamics/energy.hpp"
#include "carom/dynamics/kinematics.hpp"

namespace peers {

namespace {
constexpr double kNear = 1e-4;       // pairs nearer than this are in contact [m]
constexpr double kReference = 1e-6;  // natural map asked of u*

double median(std::vector<double> x) {
  if (x.empty()) return NAN;
  const auto middle = x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2);
  std::nth_element(x.begin(), middle, x.end());
  return *middle;
}

}  // namespace

Judge::Judge(const carom::Scene& scene, int gaps_every, int errors_every)
    : scene_(scene), gaps_every_(gaps_every), errors_every_(errors_every), data_(scene.model), scan_(scene), law_(scene) {}

double Judge::energy(const carom::State& state) {
  carom::forward_kinematics(scene_.model, state, data_);
  return carom::kinetic_energy(scene_.model, data_) + carom::potential_energy(scene_.model, data_);
}

void Judge::look_at_gaps(const carom::State& state) {
  scan_.near(data_, state.q, 0, kNear, live_);
  out_.pairs = 0;
  for (std::size_t i = 0; i < live_.size(); ++i) {
    const carom::ContactId& id = live_[i].id;
    if (i > 0 && live_[i - 1].id.a == id.a && live_[i - 1].id.b == id.b) continue;
    const carom::Collider& a = scene_.colliders[static_cast<std::size_t>(id.a)];
    const carom::Collider& b = scene_.colliders[static_cast<std::size_t>(id.b)];
    const double depth = std::max(0.0, -carom::distance(scene_.model.world(), a.shape, carom::collider_pose(a, data_, 0), b.shape, carom::collider_pose(b, data_, 0)));
    out_.deepest = std::max(out_.deepest, depth);
    depth_sum_ += depth, ++depth_count_, ++out_.pairs;
  }
}

void Judge::see(const carom::State& state) {
  if (!state.q.allFinite() || !state.u.allFinite()) out_.finite = false;
  if (!out_.finite) return;
  if (count_ > 0 && errors_every_ > 0 && count_ % errors_every_ == 0) {
    law_.pose(before_);
    if (law_.problem().blocks() > 0) {
      references_.push_back(law_.solve(kReference));
      errors_.push_back(law_.error(state.u));
    }
  }
  const double now = energy(state);
  if (count_ == 0) energy_start_ = energy_last_ = now;
  out_.energy_rises += std::max(0.0, now - energy_last_) / energy_start_;
  out_.above_start = std::max(out_.above_start, (now - energy_start_) / energy_start_);
  out_.energy_left = now / energy_start_;
  energy_last_ = now;
  if (count_ % gaps_every_ == 0) look_at_gaps(state);
  out_.steps = count_++;
  if (errors_every_ > 0 && count_ % errors_every_ == 0) before_ = state;
}

Accuracy Judge::result() const {
  Accuracy out = out_;
  out.mean_depth = depth_count_ > 0 ? depth_sum_ / depth_count_ : 0;
  out.step_error = median(errors_), out.reference = median(references_);
  return out;
}

}  // namespace peers
