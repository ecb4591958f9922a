#include "carom/simulate/stepping/sleepers.hpp"

#include <algorithm>
#include <cmath>

namespace carom {

Sleepers::Sleepers(const Scene& scene) : scene_(scene) {
  const Model& model = scene.model;
  const auto n = static_cast<std::size_t>(model.bodies());
  for (int i = 0; i < model.bodies(); ++i) tree_of_body_.push_back(model.parent(i) == kGround ? i : tree_of_body_[model.parent(i)]);
  for (int j = 0; j < model.nv(); ++j) tree_of_speed_.push_back(tree_of_body_[model.freedom(j).body]);
  parent_.resize(n), rest_.assign(n, 0.0), asleep_.assign(n, 0), forced_.assign(n, 0), awake_.resize(n);
  const auto force = [&](int body) {
    if (body != kGround) forced_[tree_of_body_[body]] = 1;
  };
  for (const JointForce& f : scene.forces.joints) force(model.freedom(f.freedom).body);
  for (const Spring& f : scene.forces.springs) force(f.body_a), force(f.body_b);
  for (const Push& f : scene.forces.pushes) force(f.body);
  // Loop constraints may join trees: all stay awake.
  if (model.constraint_rows() > 0) std::fill(forced_.begin(), forced_.end(), char{1});
}

int Sleepers::root(int tree) {
  while (parent_[tree] != tree) tree = parent_[tree] = parent_[parent_[tree]];
  return tree;
}

void Sleepers::join(const StepContact& c) {
  if (c.is_limit()) return;
  const auto keep_awake = [&](int body) {
    if (body != kGround) awake_[tree_of_body_[body]] = 1;
  };
  for (const int collider : {c.id.a, c.id.b}) {
    const Collider& k = scene_.colliders[static_cast<std::size_t>(collider)];
    if (k.drive || !k.surface_velocity.isZero(0)) keep_awake(c.body_a), keep_awake(c.body_b);
  }
  if (c.body_a == kGround || c.body_b == kGround) return;
  const int a = root(tree_of_body_[c.body_a]), b = root(tree_of_body_[c.body_b]);
  parent_[std::max(a, b)] = std::min(a, b);
}

void Sleepers::before(std::vector<StepContact>& list, Eigen::VectorXd& u_free) {
  const int n = static_cast<int>(parent_.size());
  for (int i = 0; i < n; ++i) parent_[i] = i;
  awake_ = forced_;
  for (const StepContact& c : list) join(c);
  for (int i = 0; i < n; ++i)
    if (tree_of_body_[i] == i && (!asleep_[i] || awake_[i])) awake_[root(i)] = 1;
  for (int i = 0; i < n; ++i)
    if (asleep_[i] && awake_[root(i)]) asleep_[i] = 0, rest_[i] = 0;
  const auto sleeps = [&](int body) { return body != kGround && asleep_[tree_of_body_[body]]; };
  for (StepContact& c : list) {
    const int body = c.is_limit() ? scene_.model.freedom(scene_.limits[static_cast<std::size_t>(c.id.b)].freedom).body : c.body_a != kGround ? c.body_a : c.body_b;
    c.asleep = sleeps(body);
  }
  for (std::size_t j = 0; j < tree_of_speed_.size(); ++j)
    if (asleep_[tree_of_speed_[j]]) u_free[static_cast<Eigen::Index>(j)] = 0;
}

void Sleepers::after(double h, Eigen::VectorXd& u) {
  const int n = static_cast<int>(parent_.size());
  for (int i = 0; i < n; ++i) rest_[i] += h;
  for (std::size_t j = 0; j < tree_of_speed_.size(); ++j)
    if (!(std::abs(u[static_cast<Eigen::Index>(j)]) <= kRestSpeed)) rest_[tree_of_speed_[j]] = 0;
  // A group is as restless as its most restless tree; `awake_` holds at its root whether it may sleep.
  for (int i = 0; i < n; ++i) awake_[i] = 0;
  for (int i = 0; i < n; ++i)
    if (tree_of_body_[i] == i && (forced_[i] || rest_[i] < kRestTime)) awake_[root(i)] = 1;
  for (int i = 0; i < n; ++i)
    if (tree_of_body_[i] == i && !awake_[root(i)]) asleep_[i] = 1;
  for (std::size_t j = 0; j < tree_of_speed_.size(); ++j)
    if (asleep_[tree_of_speed_[j]]) u[static_cast<Eigen::Index>(j)] = 0;
}

int Sleepers::asleep() const { return static_cast<int>(std::count(asleep_.begin(), asleep_.end(), char{1})); }

}  // namespace carom
