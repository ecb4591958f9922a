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

constexpr double kOnePlace = 1e-6;  // contacts of one pair of bodies in two steps, nearer together than this, are the same [m]

using Eigen::Matrix3d;
using Eigen::Vector3d;

Vector3d body_velocity(const Data& data, int body, const Vector3d& x) {
  if (body == kGround) return Vector3d::Zero();
  return at(data.velocity[body], x - data.hub[body]).linear;
}

Matrix3d block_axes(World world, const LiveContact& contact) {
  if (contact.is_limit()) return Matrix3d::Zero();
  Matrix3d axes = contact_frame(world, contact.gap.normal);
  if (world == World::planar) axes.col(1) = axes.col(2), axes.col(2).setZero();
  return axes;
}

// Where a witness point of a gap at the start is at the middle of the step: corners and edges move with their body, the places where
// something round touches with its hub alone.
Vector3d carried(const Vector3d& x, int body, bool sharp, const Data& start, const Data& middle) {
  if (body == kGround) return x;
  if (!sharp) return x + middle.hub[body] - start.hub[body];
  return middle.pose[body] * inside(start.pose[body], x);
}

// The contact follows the sharper of the two surfaces; the other point lies across from it.
void carry(LiveContact& contact, const Data& start, const Data& middle) {
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
  describe(data, drive_time);
}

void StepContacts::find(const Moment& start, const Moment& middle, double drive_time, double range) {
  touched_.clear();
  for (const Memory& memory : memory_)
    if (memory.id.a != ContactId::kLimit) touched_.push_back(memory.id);
  scan_.near(start.data, start.q, start.time, range, live_, touched_);
  for (LiveContact& contact : live_)
    if (!contact.is_limit()) carry(contact, start.data, middle.data);
  scan_.of_pairs(middle.data, middle.q, middle.time, range, touched_, again_);
  describe(middle.data, drive_time);
}

void StepContacts::describe(const Data& data, double drive_time) {
  list.resize(live_.size() + again_.size());
  std::size_t m = 0, first = 0, second = 0;  // all lists ascend by id
  for (StepContact& c : list) {
    const bool at_middle = first == live_.size() || (second < again_.size() && again_[second].id < live_[first].id);
    const LiveContact& live = at_middle ? again_[second++] : live_[first++];
    c.id = live.id, c.body_a = live.body_a, c.body_b = live.body_b;
    c.point_a = live.gap.point_a, c.point_b = live.gap.point_b;
    c.axes = block_axes(scene_.model.world(), live);
    c.material = live.material, c.gap = live.gap.distance;
    c.running.setZero();
    if (!live.is_limit())
      c.running = c.axes.transpose() * (running_velocity(scene_, data, drive_time, c.id.a, c.point_a) - running_velocity(scene_, data, drive_time, c.id.b, c.point_b));
    c.kept = c.held = c.began = c.moved_on = c.landed = c.asleep = false, c.at_middle = at_middle;
    c.block = c.moments = -1;
    c.impulse.setZero(), c.moment_impulse.setZero(), c.collision.setZero(), c.recovery = 0;
    while (m < memory_.size() && memory_[m].id < live.id) ++m;
    if (m < memory_.size() && memory_[m].id == live.id) recall(memory_[m], c);
  }
  recall_by_place();
}

void StepContacts::recall(Memory& memory, StepContact& c) const {
  memory.recalled = true;
  c.held = true, c.landed = memory.landed, c.stuck = memory.stuck, c.recovery = memory.recovery;
  c.moved_on = memory.id != c.id;
  c.impulse = c.is_limit() ? memory.impulse : Vector3d(c.axes.transpose() * memory.impulse);
  c.moment_impulse = c.moment_axes(d_).transpose() * memory.moment;
}

// Where flush bodies creep, a corner of the one, a corner of the other and edges that cross take turns at one place: the same contact.
void StepContacts::recall_by_place() {
  const auto pair_of = [](const ContactId& id) { return std::array<int, 2>{id.a, id.b}; };
  std::size_t first = 0;  // of the memories of the pair
  for (StepContact& c : list) {
    if (c.held || c.is_limit()) continue;
    while (first < memory_.size() && pair_of(memory_[first].id) < pair_of(c.id)) ++first;
    Memory* nearest = nullptr;
    double least = kOnePlace;
    for (std::size_t m = first; m < memory_.size() && pair_of(memory_[m].id) == pair_of(c.id); ++m) {
      const double distance = (memory_[m].point - c.point_a).norm();
      if (!memory_[m].recalled && distance <= least) nearest = &memory_[m], least = distance;
    }
    if (nearest != nullptr) recall(*nearest, c);
  }
}

Vector3d StepContacts::velocity(const StepContact& c, const Data& data, const Eigen::VectorXd& u) const {
  if (c.is_limit()) {
    Vector3d v = Vector3d::Zero();
    v[d_ - 1] = (c.id.feature == 0 ? 1 : -1) * u[scene_.limits[static_cast<std::size_t>(c.id.b)].freedom];
    return v;
  }
  return c.axes.transpose() * (body_velocity(data, c.body_a, c.point_a) - body_velocity(data, c.body_b, c.point_b)) + c.running;
}

Vector3d StepContacts::turning(const StepContact& c, const Data& data) const {
  Vector3d omega = Vector3d::Zero();
  if (c.body_a != kGround) omega += data.velocity[c.body_a].angular;
  if (c.body_b != kGround) omega -= data.velocity[c.body_b].angular;
  return c.moment_axes(d_).transpose() * omega;
}

double StepContacts::normal_velocity(const StepContact& c, const Data& data, const Eigen::VectorXd& u) const { return velocity(c, data, u)[d_ - 1]; }

void StepContacts::velocities_before(const Data& data, const Eigen::VectorXd& u) {
  for (StepContact& c : list) {
    c.before = velocity(c, data, u);
    if (c.has_moments()) c.turning = turning(c, data);
  }
}

void StepContacts::velocities_free(const Data& data, const Eigen::VectorXd& u) {
  for (StepContact& c : list) {
    c.free = velocity(c, data, u);
    if (c.has_moments()) c.turning_free = turning(c, data);
  }
}

void StepContacts::choose_friction(double rest_speed) {
  for (StepContact& c : list) {
    const bool sticks = c.held ? c.stuck : c.before.head(d_ - 1).norm() <= rest_speed;
    c.mu = sticks ? c.material->mu_s : c.material->mu_d;
  }
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
    const bool stuck = c.impulse[d_ - 1] > 0 && friction_used(c) < (1 - 1e-9) * c.mu * c.impulse[d_ - 1];
    memory_.push_back({c.id, c.is_limit() ? c.impulse : Vector3d(c.axes * c.impulse), c.moment_axes(d_) * c.moment_impulse, c.recovery, c.point_a, stuck, c.landed, false});
  }
}

}  // namespace carom
