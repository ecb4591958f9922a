#include "carom/simulate/contact_scan.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/geometry/seams.hpp"

namespace carom {

using Eigen::Vector3d;

namespace {

constexpr double kSkin = 0.1;            // of the mean extent of the colliders
constexpr double kPathRounding = 1e-14;  // relative, of sums of many steps
constexpr double kFar = 1e100;           // ranges that take everything [m]
constexpr double kTouchingBounds = 1e-6; // bounds nearer than this may belong to shapes that lie flush [m]

// May b stand for a where it covers a: whatever b lets through, so does a.
bool stands_for(const Scene& scene, int b, int a) {
  return std::all_of(scene.ignored.begin(), scene.ignored.end(), [&](const std::array<int, 2>& pair) {
    if (pair[0] != b && pair[1] != b) return true;
    const int other = pair[0] == b ? pair[1] : pair[0];
    return std::any_of(scene.ignored.begin(), scene.ignored.end(), [&](const std::array<int, 2>& p) { return (p[0] == a && p[1] == other) || (p[1] == a && p[0] == other); });
  });
}

// The scene's colliders, those of one body or of the ground without the seams between them.
std::vector<Collider> without_seams(const Scene& scene) {
  std::vector<Collider> out = scene.colliders;
  std::vector<PlacedShape> others;
  const World world = scene.model.world();
  for (std::size_t a = 0; a < out.size(); ++a) {
    const Collider& collider = scene.colliders[a];
    if (collider.drive) continue;
    others.clear();
    const Bounds box = bounds(collider.shape, world, collider.in_body);
    for (std::size_t b = 0; b < out.size(); ++b) {
      const Collider& other = scene.colliders[b];
      if (b == a || other.body != collider.body || other.drive || !stands_for(scene, static_cast<int>(b), static_cast<int>(a))) continue;
      const Bounds around = bounds(other.shape, world, other.in_body);
      if (((box.low - around.high).array() <= kTouchingBounds).all() && ((around.low - box.high).array() <= kTouchingBounds).all()) others.push_back({other.shape, other.in_body});
    }
    const PlacedShape closed = without_seams(world, {collider.shape, collider.in_body}, others);
    out[a].shape = closed.shape, out[a].in_body = closed.pose;
  }
  return out;
}

}  // namespace

DrivenFrame driven_frame(const Collider& collider, double time) {
  const Drive& d = *collider.drive;
  const Placement carrier{Eigen::AngleAxisd(d.turn.value(time), d.axis).toRotationMatrix(),
                          {d.x.value(time), d.y.value(time), d.z.value(time)}};
  DrivenFrame frame{carrier * collider.in_body, {}, {}};
  const Vector3d omega = d.turn.first(time) * d.axis, alpha = d.turn.second(time) * d.axis;
  const Vector3d r = frame.pose.translation - carrier.translation;
  frame.velocity = {omega, Vector3d(d.x.first(time), d.y.first(time), d.z.first(time)) + omega.cross(r)};
  frame.acceleration = {alpha, Vector3d(d.x.second(time), d.y.second(time), d.z.second(time)) + alpha.cross(r) + omega.cross(omega.cross(r))};
  return frame;
}

double joint_speed(const Model& model, const Data& data, int freedom) {
  const int body = model.freedom(freedom).body, parent = model.parent(body);
  const Screw& s = data.screw[static_cast<std::size_t>(freedom)];
  Motion outer{};
  if (parent != kGround) outer = at(data.velocity[static_cast<std::size_t>(parent)], data.reach[static_cast<std::size_t>(body)]);
  const Motion& inner = data.velocity[static_cast<std::size_t>(body)];
  return s.rotation ? s.axis.dot(inner.angular - outer.angular) : s.axis.dot(inner.linear - outer.linear);
}

Placement collider_pose(const Collider& collider, const Data& data, double time) {
  if (collider.drive) return driven_frame(collider, time).pose;
  if (collider.body == kGround) return collider.in_body;
  return data.pose[static_cast<std::size_t>(collider.body)] * collider.in_body;
}

ContactScan::ContactScan(const Scene& scene) : scene_(scene), colliders_(without_seams(scene)), count_(scene.colliders.size()) {
  for (const auto& pair : scene.ignored) ignored_.push_back({std::min(pair[0], pair[1]), std::max(pair[0], pair[1])});
  std::sort(ignored_.begin(), ignored_.end());
  const int kinds = static_cast<int>(scene.materials.size());
  for (int a = 0; a < kinds; ++a)
    for (int b = 0; b < kinds; ++b) together_.push_back(combine(scene.materials, scene.pairs, scene.combination, a, b));
  for (const JointLimit& limit : scene.limits) {
    Material stop;
    stop.name = "limit of " + limit.joint;
    stop.e = limit.e;
    stop.exponent = 1;
    limit_material_.push_back(stop);
  }
  for (const Collider& c : colliders_) {
    double r = 0;
    if (c.body != kGround) {
      const Vector3d hub = scene.model.joint(c.body).in_child.translation;
      r = reach(c.shape, scene.model.world(), inside(c.in_body, hub));
    } else if (c.drive && !std::holds_alternative<HalfSpace>(c.shape)) {
      r = reach(c.shape, scene.model.world(), Vector3d::Zero());
    }
    reach_.push_back(std::isfinite(r) ? r : 0);
    extent_.push_back(reach(c.shape, scene.model.world(), Vector3d::Zero()));
    roams_.push_back(!std::isfinite(extent_.back()) && (c.drive || c.body != kGround));
  }
  bounds_.resize(count_);
  path_.assign(count_, 0.0), path_then_ = path_, bound_ = path_;
  double sum = 0;
  int bounded = 0;
  for (const double r : extent_)
    if (std::isfinite(r)) sum += r, ++bounded;
  if (bounded > 0) skin_ = kSkin * sum / bounded;
}

bool ContactScan::may_touch(int a, int b) const {
  return carom::may_touch_as_bodies(scene_, a, b) && !std::binary_search(ignored_.begin(), ignored_.end(), std::array<int, 2>{std::min(a, b), std::max(a, b)});
}

void ContactScan::add_pair(int a, const Placement& pose_a, int b, const Placement& pose_b, double range, PairMemory* memory, std::vector<LiveContact>& out) {
  const Collider& A = colliders_[static_cast<std::size_t>(a)];
  const Collider& B = colliders_[static_cast<std::size_t>(b)];
  gaps_.clear();
  gaps(scene_.model.world(), A.shape, pose_a, B.shape, pose_b, range, gaps_, memory);
  if (gaps_.empty()) return;
  const Material& material = together_[static_cast<std::size_t>(A.material) * scene_.materials.size() + static_cast<std::size_t>(B.material)];
  for (const Gap& gap : gaps_) out.push_back({{a, b, gap.feature}, A.body, B.body, gap, &material});
}

void ContactScan::add_limit(const Eigen::VectorXd& q, int limit, double range, std::vector<LiveContact>& out) const {
  const JointLimit& l = scene_.limits[static_cast<std::size_t>(limit)];
  const double gap[2] = {q[l.coordinate] - l.lower, l.upper - q[l.coordinate]};
  for (int side = 0; side < 2; ++side)
    if (gap[side] <= range) {
      LiveContact contact{{ContactId::kLimit, limit, side}, kGround, kGround, {}, &limit_material_[static_cast<std::size_t>(limit)]};
      contact.gap.distance = gap[side];
      contact.gap.feature = side;
      out.push_back(contact);
    }
}

void ContactScan::near(const Data& data, const Eigen::VectorXd& q, double time, double range, std::vector<LiveContact>& out,
                       std::span<const ContactId> without) {
  out.clear();
  for (int i = 0; i < static_cast<int>(scene_.limits.size()); ++i) add_limit(q, i, range, out);
  follow(data, time);
  step_.assign(count_, Vector3d::Zero()), way_.assign(count_, range / 2);
  ++moment_;
  set_bounds();
  renew_candidates();
  add_candidates(1, out, without);
}

void ContactScan::near(const Data& data, const Eigen::VectorXd& q, double time, std::span<const Vector3d> steps, std::span<const double> ways,
                       std::vector<LiveContact>& out, std::span<const ContactId> without) {
  out.clear();
  for (int i = 0; i < static_cast<int>(scene_.limits.size()); ++i) add_limit(q, i, kFar, out);
  follow(data, time);
  step_.assign(steps.begin(), steps.end()), way_.assign(ways.begin(), ways.end());
  ++moment_;
  set_bounds();
  renew_candidates();
  add_candidates(1, out, without);
}

void ContactScan::farther(std::span<const Vector3d> steps, std::span<const double> ways, double more, std::vector<LiveContact>& out,
                          std::span<const ContactId> without) {
  out.clear();
  step_.assign(steps.begin(), steps.end()), way_.assign(ways.begin(), ways.end());
  set_bounds();
  renew_candidates();
  add_candidates(more, out, without);
}

void ContactScan::set_bounds() {
  for (std::size_t c = 0; c < count_; ++c)
    bound_[c] = roams_[c] ? std::numeric_limits<double>::infinity() : step_[c].norm() + std::max(way_[c], 0.0) + (1 + 10 * kPathRounding) * path_[c];
}

void ContactScan::add_candidates(double more, std::vector<LiveContact>& out, std::span<const ContactId> without) {
  std::size_t w = 0;
  for (Pair& pair : candidates_) {
    const auto a = static_cast<std::size_t>(pair.a), b = static_cast<std::size_t>(pair.b);
    if (pair.memory.apart + pair.path > bound_[a] + bound_[b]) continue;  // what the next test says, for nearly all of them
    const double path = path_[a] + path_[b], spare = pair.memory.apart - (path - pair.path) - kPathRounding * path - way_[a] - way_[b];
    if (spare > 0 && spare * spare > (step_[a] - step_[b]).squaredNorm() && !roams_[a] && !roams_[b]) continue;
    const double wide = range(pair.a, pair.b);
    if (pair.moment == moment_ && pair.asked >= wide) continue;
    const std::array<int, 2> ids{pair.a, pair.b};
    while (w < without.size() && std::array<int, 2>{without[w].a, without[w].b} < ids) ++w;
    if (w < without.size() && without[w].a == pair.a && without[w].b == pair.b) continue;
    add_pair(pair.a, pose_[a], pair.b, pose_[b], more * wide, &pair.memory, out);
    pair.path = path, pair.asked = more * wide, pair.moment = moment_;
  }
}

// Chords: a point at distance r from the origin of the frame moves by no more than the origin does and r ‖R' − R‖₂, which is ‖R' − R‖_F / √2.
void ContactScan::follow(const Data& data, double time) {
  const bool first = pose_.empty();
  pose_.resize(count_);
  for (std::size_t c = 0; c < count_; ++c) {
    const Collider& collider = colliders_[c];
    if (!first && collider.body == kGround && !collider.drive) continue;
    const Placement now = collider_pose(collider, data, time);
    if (!first && !roams_[c]) path_[c] += (now.translation - pose_[c].translation).norm() + std::sqrt(0.5) * extent_[c] * (now.rotation - pose_[c].rotation).norm();
    pose_[c] = now;
  }
}

// Pairs outside of the candidates were apart by both margins along some axis when these were collected.
void ContactScan::renew_candidates() {
  bool enough = !margin_.empty();
  for (std::size_t c = 0; c < count_ && enough; ++c) enough = roams_[c] || bound_[c] - path_then_[c] <= margin_[c] * (1 - 1e-9);
  if (enough) return;
  margin_.resize(count_);
  for (std::size_t c = 0; c < count_; ++c) {
    const double reach = step_[c].norm() + std::max(way_[c], 0.0);
    margin_[c] = reach + std::max(4 * reach, skin_);
    bounds_[c] = bounds(colliders_[c].shape, scene_.model.world(), pose_[c]);
    bounds_[c].low.array() -= margin_[c], bounds_[c].high.array() += margin_[c];
  }
  collect_pairs();
  path_then_ = path_;
  for (std::vector<Pair>* list : {&candidates_, &renewed_})  // both, with room: renewals must not allocate for ever
    if (list->capacity() < pairs_.size()) list->reserve(2 * pairs_.size());
  renewed_.clear();
  std::size_t k = 0;
  for (const auto& [a, b] : pairs_) {
    while (k < candidates_.size() && std::array<int, 2>{candidates_[k].a, candidates_[k].b} < std::array<int, 2>{a, b}) ++k;
    if (k < candidates_.size() && candidates_[k].a == a && candidates_[k].b == b) renewed_.push_back(candidates_[k]);
    else renewed_.push_back({a, b, {}, 0, 0, 0});
  }
  std::swap(candidates_, renewed_);
}

PairMemory* ContactScan::memory_of(int a, int b) {
  const auto at = std::lower_bound(candidates_.begin(), candidates_.end(), std::array<int, 2>{a, b},
                                   [](const Pair& pair, const std::array<int, 2>& ids) { return std::array<int, 2>{pair.a, pair.b} < ids; });
  return at != candidates_.end() && at->a == a && at->b == b ? &at->memory : nullptr;
}

// A is the collider of the lower index unless that is the ground. Limits stand before all pairs, and the pairs are sorted
// before their gaps are taken: the contacts then ascend by id.
void ContactScan::collect_pairs() {
  pairs_.clear();
  for (const auto& [i, j] : broad_.pairs(bounds_, 0)) {
    if (!may_touch(i, j)) continue;
    const bool swap = colliders_[static_cast<std::size_t>(i)].body == kGround;
    pairs_.push_back({swap ? j : i, swap ? i : j});
  }
  std::sort(pairs_.begin(), pairs_.end());
}

std::span<const std::array<int, 2>> ContactScan::pairs_within(const Data& data, double time, std::span<const double> margin) {
  for (std::size_t c = 0; c < count_; ++c) {
    bounds_[c] = bounds(colliders_[c].shape, scene_.model.world(), collider_pose(colliders_[c], data, time));
    bounds_[c].low.array() -= margin[c], bounds_[c].high.array() += margin[c];
  }
  collect_pairs();
  return pairs_;
}

Motion ContactScan::motion(const Data& data, double time, int collider) const {
  const Collider& c = colliders_[static_cast<std::size_t>(collider)];
  if (c.drive) return driven_frame(c, time).velocity;
  return c.body == kGround ? Motion{} : data.velocity[static_cast<std::size_t>(c.body)];
}

void ContactScan::of_pairs(const Data& data, const Eigen::VectorXd& q, double time, double range, std::span<const ContactId> wanted,
                           std::vector<LiveContact>& out) {
  out.clear();
  pairs_.clear();
  for (const ContactId& id : wanted) pairs_.push_back({id.a, id.b});
  std::sort(pairs_.begin(), pairs_.end());
  pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
  for (const auto& [a, b] : pairs_) {
    if (a == ContactId::kLimit) {
      add_limit(q, b, range, out);
      continue;
    }
    PairMemory* memory = range < kFar ? memory_of(a, b) : nullptr;
    const Collider &A = colliders_[static_cast<std::size_t>(a)], &B = colliders_[static_cast<std::size_t>(b)];
    add_pair(a, collider_pose(A, data, time), b, collider_pose(B, data, time), range, memory, out);
    if (memory) memory->apart = -std::numeric_limits<double>::infinity();  // the paths do not know of these poses
  }
}

void ContactScan::motions(double time, std::span<const Motion> bodies, std::vector<Motion>& out) const {
  out.resize(count_);
  for (std::size_t c = 0; c < count_; ++c) {
    const Collider& collider = colliders_[c];
    if (collider.drive) out[c] = driven_frame(collider, time).velocity;
    else out[c] = collider.body == kGround ? Motion{} : bodies[static_cast<std::size_t>(collider.body)];
  }
}

// A half-space touches wherever the others are.
void ContactScan::reaches(const Data& data, double time, std::vector<double>& out) const {
  out = reach_;
  for (std::size_t c = 0; c < count_; ++c) {
    if (!roams_[c]) continue;
    const Collider& collider = colliders_[c];
    const Vector3d hub = collider.drive ? collider_pose(collider, data, time).translation : data.hub[static_cast<std::size_t>(collider.body)];
    for (std::size_t k = 0; k < count_; ++k)
      if (std::isfinite(extent_[k])) out[c] = std::max(out[c], (collider_pose(colliders_[k], data, time).translation - hub).norm() + extent_[k]);
  }
}

}  // namespace carom
