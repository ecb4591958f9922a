#include "carom/simulate/contact_scan.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace carom {

using Eigen::Vector3d;

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

ContactScan::ContactScan(const Scene& scene) : scene_(scene), count_(scene.colliders.size()) {
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
  for (const Collider& c : scene.colliders) {
    double r = 0;
    if (c.body != kGround) {
      const Vector3d hub = scene.model.joint(c.body).in_child.translation;
      r = reach(c.shape, scene.model.world(), inside(c.in_body, hub));
    } else if (c.drive && !std::holds_alternative<HalfSpace>(c.shape)) {
      r = reach(c.shape, scene.model.world(), Vector3d::Zero());
    }
    reach_.push_back(std::isfinite(r) ? r : 0);
  }
  bounds_.resize(count_);
}

bool ContactScan::may_touch(int a, int b) const {
  return carom::may_touch_as_bodies(scene_, a, b) && !std::binary_search(ignored_.begin(), ignored_.end(), std::array<int, 2>{std::min(a, b), std::max(a, b)});
}

void ContactScan::add_pair(const Data& data, double time, int a, int b, double range, std::vector<LiveContact>& out) {
  const Collider& A = scene_.colliders[static_cast<std::size_t>(a)];
  const Collider& B = scene_.colliders[static_cast<std::size_t>(b)];
  gaps_.clear();
  gaps(scene_.model.world(), A.shape, collider_pose(A, data, time), B.shape, collider_pose(B, data, time), range, gaps_);
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

void ContactScan::near(const Data& data, const Eigen::VectorXd& q, double time, double range, std::vector<LiveContact>& out) {
  out.clear();
  for (int i = 0; i < static_cast<int>(scene_.limits.size()); ++i) add_limit(q, i, range, out);
  for (std::size_t c = 0; c < count_; ++c)
    bounds_[c] = bounds(scene_.colliders[c].shape, scene_.model.world(), collider_pose(scene_.colliders[c], data, time));
  collect_pairs(std::max(range, 0.0) / 2);
  for (const auto& [a, b] : pairs_) add_pair(data, time, a, b, range, out);
}

// A is the collider of the lower index unless that is the ground. Limits stand before all pairs, and the pairs are sorted
// before their gaps are taken: the contacts then ascend by id.
void ContactScan::collect_pairs(double margin) {
  pairs_.clear();
  for (const auto& [i, j] : broad_.pairs(bounds_, margin)) {
    if (!may_touch(i, j)) continue;
    const bool swap = scene_.colliders[static_cast<std::size_t>(i)].body == kGround;
    pairs_.push_back({swap ? j : i, swap ? i : j});
  }
  std::sort(pairs_.begin(), pairs_.end());
}

std::span<const std::array<int, 2>> ContactScan::pairs_within(const Data& data, double time, std::span<const double> margin) {
  for (std::size_t c = 0; c < count_; ++c) {
    bounds_[c] = bounds(scene_.colliders[c].shape, scene_.model.world(), collider_pose(scene_.colliders[c], data, time));
    bounds_[c].low.array() -= margin[c], bounds_[c].high.array() += margin[c];
  }
  collect_pairs(0);
  return pairs_;
}

Motion ContactScan::motion(const Data& data, double time, int collider) const {
  const Collider& c = scene_.colliders[static_cast<std::size_t>(collider)];
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
    if (a == ContactId::kLimit) add_limit(q, b, range, out);
    else add_pair(data, time, a, b, range, out);
  }
}

double ContactScan::speed_bound(const Data& data, double time) const {
  double first = 0, second = 0;  // the two fastest
  const auto count = [&](double speed) {
    if (speed > first) second = first, first = speed;
    else second = std::max(second, speed);
  };
  for (std::size_t c = 0; c < count_; ++c) {
    const Motion v = motion(data, time, static_cast<int>(c));
    count(v.linear.norm() + v.angular.norm() * reach_[c]);
  }
  double fastest = first + second;
  for (const JointLimit& limit : scene_.limits) fastest = std::max(fastest, std::abs(joint_speed(scene_.model, data, limit.freedom)));
  return fastest;
}

}  // namespace carom
