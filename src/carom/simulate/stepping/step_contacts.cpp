#include "carom/simulate/stepping/step_contacts.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <utility>

#include "carom/dynamics/contact.hpp"
#include "carom/simulate/contact_kinematics.hpp"
#include "carom/simulate/stepping/limit_surface.hpp"

namespace carom {
namespace {

constexpr double kOnePlace = 1e-5;  // contacts of one pair of bodies in two steps, nearer together than this, of the smaller reach, are the same

using Eigen::Matrix3d;
using Eigen::Vector3d;

// Room for the change of a collider's surface speed by impulses, before gaps are asked for anew: …
constexpr double kAgain = 1.5;    // … times what forces change: impulses undo it at rest …
constexpr double kSpare = 0.1;    // … and a part of its speed; …
constexpr double kAtRest = 5e-8;  // … more than rounding [m in a step]
constexpr double kMore = 1.25;    // gaps asked for anew, over those that are needed: the next answer differs a little

Vector3d body_velocity(const Data& data, const std::vector<Motion>& motion, int body, const Vector3d& x) {
  if (body == kGround) return Vector3d::Zero();
  return at(motion[static_cast<std::size_t>(body)], x - data.hub[body]).linear;
}

Matrix3d block_axes(World world, const LiveContact& contact) {
  if (contact.is_limit()) return Matrix3d::Zero();
  Matrix3d axes = contact_frame(world, contact.gap.normal);
  if (world == World::planar) axes.col(1) = axes.col(2), axes.col(2).setZero();
  return axes;
}

Motion difference(const Motion& a, const Motion& b) { return {a.angular - b.angular, a.linear - b.linear}; }

// Bound for points no farther from the hub than `reach`.
double surface_speed(const Motion& m, double reach) { return m.linear.norm() + m.angular.norm() * reach; }

double two_greatest(const std::vector<double>& values) {
  double first = 0, second = 0;
  for (const double value : values)
    if (value > first) second = first, first = value;
    else second = std::max(second, value);
  return first + second;
}

// Where a witness point of a gap at the start is at the middle of the step: corners and edges move with their body, the places where
// something round touches with its hub alone.
Vector3d carried(const Vector3d& x, int body, bool sharp, const Data& start, const Data& middle) {
  if (body == kGround) return x;
  if (!sharp) return x + middle.hub[body] - start.hub[body];
  return middle.pose[body] * inside(start.pose[body], x);
}

// The contact follows the sharper of the two surfaces; the other point lies across from it.
void carry_on(LiveContact& contact, const Data& start, const Data& middle) {
  Gap& gap = contact.gap;
  const auto sharp = [](bool vertex, const EdgeLine& edge) { return vertex || !edge.along.isZero(0); };
  gap.point_a = carried(gap.point_a, contact.body_a, sharp(gap.vertex_a, gap.edge_a), start, middle);
  gap.point_b = carried(gap.point_b, contact.body_b, sharp(gap.vertex_b, gap.edge_b), start, middle);
  const Vector3d between = gap.normal.dot(gap.point_a - gap.point_b) * gap.normal;
  if (gap.curvature_b.norm() > gap.curvature_a.norm()) gap.point_a = gap.point_b + between;
  else gap.point_b = gap.point_a - between;
}

}  // namespace

StepContacts::StepContacts(const Scene& scene) : scene_(scene), d_(scene.model.dimension()), scan_(scene) {}

void StepContacts::find(const Data& data, const Eigen::VectorXd& q, double time, double drive_time, double range) {
  scan_.near(data, q, time, range, live_);
  again_.clear();
  describe_all(data, drive_time);
}

double StepContacts::speed_bound(const Data& data, double time) {
  scan_.reaches(data, time, reach_);
  scan_.motions(time, data.velocity, motion_);
  way_.resize(motion_.size());
  for (std::size_t c = 0; c < way_.size(); ++c) way_[c] = surface_speed(motion_[c], reach_[c]);
  return two_greatest(way_);
}

// The surface of a collider: its hub is carried on by its step, and the rest turns about the hub.
void StepContacts::set_ways(const std::vector<Motion>& motion, double h) {
  step_.resize(motion.size()), way_.resize(motion.size());
  for (std::size_t c = 0; c < way_.size(); ++c) {
    step_[c] = h * motion[c].linear;
    way_[c] = h * (motion[c].angular.norm() * reach_[c] + scene_.colliders[c].surface_velocity.norm());
  }
}

void StepContacts::find(const Moment& start, const Moment& middle, double drive_time, double h) {
  scan_.reaches(middle.data, drive_time, reach_);
  scan_.motions(drive_time, before.body, motion_now_);
  scan_.motions(drive_time, free.body, motion_);
  room_.resize(motion_.size());
  for (std::size_t c = 0; c < room_.size(); ++c)
    room_[c] = kAgain * surface_speed(difference(motion_[c], motion_now_[c]), reach_[c]) + kSpare * surface_speed(motion_[c], reach_[c]) + kAtRest / h;
  set_ways(motion_, h);
  for (std::size_t c = 0; c < room_.size(); ++c) way_[c] += h * room_[c];
  // Who sleeps has to wake before the step when anything could reach it by way of others.
  if (scene_.integrator.stepping.sleeping) {
    for (std::size_t c = 0; c < way_.size(); ++c) way_[c] = h * (surface_speed(motion_[c], reach_[c]) + surface_speed(motion_now_[c], reach_[c]));
    step_.assign(step_.size(), Vector3d::Zero()), way_.assign(way_.size(), two_greatest(way_) / 2);
  }
  touched_.clear();
  if (&start.data != &middle.data)
    for (const Memory& memory : memory_)
      if (memory.id.a != ContactId::kLimit) touched_.push_back(memory.id);
  asked_.assign(touched_.size(), -1.0);
  scan_.near(start.data, start.q, start.time, step_, way_, live_, touched_);
  carry(start, middle);
  look_at_touched(middle, 1);
  describe_all(middle.data, drive_time);
  for (StepContact& c : list) complete(c, middle);
}

// Unless some collider has left the room that was given to it, all pairs have been asked for what they can close.
void StepContacts::widen(const Moment& start, const Moment& middle, double drive_time, double h) {
  if (scene_.integrator.stepping.sleeping) return;
  scan_.motions(drive_time, middle.data.velocity, motion_now_);
  bool enough = true;
  for (std::size_t c = 0; c < room_.size() && enough; ++c) enough = surface_speed(difference(motion_now_[c], motion_[c]), reach_[c]) <= room_[c];
  if (enough) return;
  set_ways(motion_now_, h);
  scan_.farther(step_, way_, kMore, live_, touched_);
  carry(start, middle);
  look_at_touched(middle, kMore);
  insert(middle, drive_time);
}

// What was found at the start, to the second moment.
void StepContacts::carry(const Moment& start, const Moment& middle) {
  if (&start.data == &middle.data) return;
  for (LiveContact& contact : live_)
    if (!contact.is_limit()) carry_on(contact, start.data, middle.data);
}

// Pairs that touched in the last step. From the θ-point the motion goes on by (1 − θ)² v⁻ − θ² v_free + θ v⁺: 3θ − 1 times the greatest, and
// no more than that while θ is ½.
void StepContacts::look_at_touched(const Moment& middle, double more) {
  again_.clear();
  const double through = std::max(1.0, 3 * scene_.integrator.stepping.theta - 1);
  for (std::size_t k = 0; k < touched_.size(); ++k) {
    const ContactId& id = touched_[k];
    if (k > 0 && touched_[k - 1].a == id.a && touched_[k - 1].b == id.b) continue;
    const double range = through * scan_.range(id.a, id.b);
    if (range <= asked_[k]) continue;
    asked_[k] = more * range;
    scan_.of_pairs(middle.data, middle.q, middle.time, asked_[k], {&id, 1}, some_);
    again_.insert(again_.end(), some_.begin(), some_.end());
  }
}

void StepContacts::describe(const LiveContact& live, bool late, const Data& data, double drive_time, StepContact& c) const {
  c.id = live.id, c.body_a = live.body_a, c.body_b = live.body_b;
  c.point_a = live.gap.point_a, c.point_b = live.gap.point_b;
  c.axes = block_axes(scene_.model.world(), live);
  c.material = live.material, c.gap = live.gap.distance;
  c.running.setZero();
  if (!live.is_limit())
    c.running = c.axes.transpose() * (running_velocity(scene_, data, drive_time, c.id.a, c.point_a) - running_velocity(scene_, data, drive_time, c.id.b, c.point_b));
  c.kept = c.held = c.began = c.moved_on = c.landed = c.stuck = c.asleep = false, c.at_middle = late;
  c.block = c.moments = -1;
  c.impulse.setZero(), c.moment_impulse.setZero(), c.collision.setZero(), c.recovery = 0;
}

void StepContacts::recall(Memory& memory, StepContact& c) const {
  memory.recalled = true;
  c.moved_on = memory.id != c.id;
  c.held = true, c.landed = memory.landed, c.stuck = memory.stuck, c.recovery = memory.recovery;
  c.impulse = c.is_limit() ? memory.impulse : Vector3d(c.axes.transpose() * memory.impulse);
  c.moment_impulse = c.moment_axes(d_).transpose() * memory.moment;
}

void StepContacts::describe_all(const Data& data, double drive_time) {
  list.resize(live_.size() + again_.size());
  std::size_t m = 0, first = 0, second = 0;  // all lists ascend by id
  for (StepContact& c : list) {
    const bool late = first == live_.size() || (second < again_.size() && again_[second].id < live_[first].id);
    describe(late ? again_[second++] : live_[first++], late, data, drive_time, c);
    while (m < memory_.size() && memory_[m].id < c.id) ++m;
    if (m < memory_.size() && memory_[m].id == c.id) recall(memory_[m], c);
  }
  recall_by_place();
}

// Where flush bodies creep, a corner of the one, a corner of the other and edges that cross take turns at one place: the same contact.
void StepContacts::recall_by_place() {
  const auto pair_of = [](const ContactId& id) { return std::array<int, 2>{id.a, id.b}; };
  std::size_t first = 0;  // of the memories of the pair
  for (StepContact& c : list) {
    if (c.held || c.is_limit()) continue;
    while (first < memory_.size() && pair_of(memory_[first].id) < pair_of(c.id)) ++first;
    Memory* nearest = nullptr;
    const auto [smaller, greater] = std::minmax({scan_.reach_of(c.id.a), scan_.reach_of(c.id.b)});
    double least = kOnePlace * (smaller > 0 ? smaller : greater);  // half-spaces have none
    for (std::size_t m = first; m < memory_.size() && pair_of(memory_[m].id) == pair_of(c.id); ++m) {
      const double distance = (memory_[m].point - c.point_a).norm();
      if (!memory_[m].recalled && distance <= least) nearest = &memory_[m], least = distance;
    }
    if (nearest != nullptr) recall(*nearest, c);
  }
}

// What has been found and is not in the list yet joins it, from behind, without impulses.
void StepContacts::insert(const Moment& middle, double drive_time) {
  const auto known = [&](const LiveContact& live) {
    const auto at = std::lower_bound(list.begin(), list.end(), live.id, [](const StepContact& c, const ContactId& id) { return c.id < id; });
    return at != list.end() && at->id == live.id;
  };
  std::erase_if(live_, known), std::erase_if(again_, known);
  std::size_t first = live_.size(), second = again_.size(), old = list.size();
  list.resize(old + first + second);
  while (first + second > 0) {
    const bool late = first == 0 || (second > 0 && again_[second - 1].id > live_[first - 1].id);
    const LiveContact& live = late ? again_[second - 1] : live_[first - 1];
    StepContact& c = list[old + first + second - 1];
    if (old > 0 && list[old - 1].id > live.id) {
      c = list[--old];
      continue;
    }
    --(late ? second : first);
    describe(live, late, middle.data, drive_time, c);
    const auto memory = std::lower_bound(memory_.begin(), memory_.end(), c.id, [](const Memory& m, const ContactId& id) { return m.id < id; });
    if (memory != memory_.end() && memory->id == c.id) recall(*memory, c);
    c.impulse.setZero(), c.moment_impulse.setZero();
    complete(c, middle);
  }
}

void StepContacts::complete(StepContact& c, const Moment& middle) const {
  set_before(c, middle.data), set_free(c, middle.data);
  choose_friction(c);
  // The penetration to recover is that of the start, not what the free motion adds until the middle.
  if (c.at_middle) c.gap -= middle.after * velocity(c, middle.data, at_middle.body, at_middle.u)[d_ - 1];
}

Vector3d StepContacts::velocity(const StepContact& c, const Data& data, const std::vector<Motion>& body, const Eigen::VectorXd& u) const {
  if (c.is_limit()) {
    Vector3d v = Vector3d::Zero();
    v[d_ - 1] = (c.id.feature == 0 ? 1 : -1) * u[scene_.limits[static_cast<std::size_t>(c.id.b)].freedom];
    return v;
  }
  return c.axes.transpose() * (body_velocity(data, body, c.body_a, c.point_a) - body_velocity(data, body, c.body_b, c.point_b)) + c.running;
}

Vector3d StepContacts::turning(const StepContact& c, const std::vector<Motion>& body) const {
  Vector3d omega = Vector3d::Zero();
  if (c.body_a != kGround) omega += body[static_cast<std::size_t>(c.body_a)].angular;
  if (c.body_b != kGround) omega -= body[static_cast<std::size_t>(c.body_b)].angular;
  return c.moment_axes(d_).transpose() * omega;
}

double StepContacts::normal_velocity(const StepContact& c, const Data& data, const Eigen::VectorXd& u) const {
  return velocity(c, data, data.velocity, u)[d_ - 1];
}

void StepContacts::set_before(StepContact& c, const Data& data) const {
  c.before = velocity(c, data, before.body, before.u);
  if (c.has_moments()) c.turning = turning(c, before.body);
}

void StepContacts::set_free(StepContact& c, const Data& data) const {
  c.free = velocity(c, data, free.body, free.u);
  if (c.has_moments()) c.turning_free = turning(c, free.body);
}

void StepContacts::velocities_before(const Data& data, const Eigen::VectorXd& u) {
  before.take(data, u);
  for (StepContact& c : list) set_before(c, data);
}

void StepContacts::velocities_free(const Data& data, const Eigen::VectorXd& u) {
  free.take(data, u);
  for (StepContact& c : list) set_free(c, data);
}

void StepContacts::choose_friction() {
  for (StepContact& c : list) choose_friction(c);
}

bool StepContacts::is_slow(const StepContact& c) const { return c.before.head(d_ - 1).norm() <= scene_.integrator.event.rest_speed; }

void StepContacts::choose_friction(StepContact& c) const {
  const bool sticks = c.held ? c.stuck : is_slow(c);
  c.mu = sticks ? c.material->mu_s : c.material->mu_d;
}

void StepContacts::build(const Data& data, int edges, StepProblem& problem) {
  problem.clear(d_);
  for (StepContact& c : list) c.block = c.moments = -1;
  extend(data, edges, problem);
}

void StepContacts::extend(const Data& data, int edges, StepProblem& problem) {
  const Model& model = scene_.model;
  if (data.rank > 0 && problem.blocks() > 0) return build(data, edges, problem);  // loop constraints project all rows at once
  for (StepContact& c : list) {
    if (!c.kept || c.block >= 0) continue;
    c.block = problem.blocks();
    StepBlock contact;
    contact.mu = c.mu;
    // A joint limit has no friction; its polygon is the smallest, so that an island is polygonal as a whole.
    c.edges = d_ == 2 || edges == 0 ? 0 : c.is_limit() ? 3 : c.material->cone_edges > 0 ? c.material->cone_edges : edges;
    contact.edges = c.edges;
    problem.block.push_back(contact);
    if (c.is_limit()) {
      problem.rows.add_speed(model, data, scene_.limits[static_cast<std::size_t>(c.id.b)].freedom, c.id.feature == 0 ? 1 : -1);
      continue;
    }
    BlockLoad load{c.body_a, c.body_b, c.point_a, c.point_b, c.axes, false};
    problem.rows.add(model, data, load);
    if (!c.has_moments()) continue;
    c.moments = problem.blocks();
    StepBlock moments;
    moments.parent = c.block, moments.edges = contact.edges;
    moments.rolling = c.material->rolling, moments.torsion = c.material->torsion;
    problem.block.push_back(moments);
    load.turning = true;
    load.axes = c.moment_axes(d_);
    problem.rows.add(model, data, load);
  }
  problem.rows.project(data);
}

// The friction impulse in the measure of its limit surface.
double StepContacts::friction_used(const StepContact& c) const {
  if (c.edges == 0) return c.impulse.head(d_ - 1).norm();
  const auto wedge = polygon(c.edges).wedge(c.impulse.head<2>());
  return wedge.a + wedge.b;
}

void StepContacts::remember() {
  memory_.clear();
  for (const StepContact& c : list) {
    if (!c.held) continue;
    const bool stuck = c.impulse[d_ - 1] > 0 ? friction_used(c) < (1 - 1e-9) * c.mu * c.impulse[d_ - 1] : is_slow(c);
    memory_.push_back({c.id, c.is_limit() ? c.impulse : Vector3d(c.axes * c.impulse), c.moment_axes(d_) * c.moment_impulse, c.recovery, c.point_a, stuck, c.landed, false});
  }
}

}  // namespace carom
