#pragma once
// Which contacts are near at a moment: the scene's colliders through broad phase and gaps, and its joint limits.
//
// What a look finds out serves the next ones. Every collider has a path: how far any of its points has moved at most, look by look. A pair
// that was apart by s is not looked at before the paths of both have grown by s − range, and the broad phase, with bounds
// each grown by a margin of its own, not before some path has used its margin up. The contacts found do not depend on what was looked at before.

#include <array>
#include <span>
#include <vector>

#include "carom/dynamics/data.hpp"
#include "carom/dynamics/spatial.hpp"
#include "carom/geometry/broad_phase.hpp"
#include "carom/geometry/gap.hpp"
#include "carom/simulate/record.hpp"
#include "carom/simulate/scene.hpp"

namespace carom {

// A contact that is, or may come to be. Of a joint limit only gap.distance has a meaning.
struct LiveContact {
  ContactId id;
  int body_a = kGround, body_b = kGround;
  Gap gap;
  const Material* material = nullptr;  // of the pair; lives as long as the scan
  bool is_limit() const { return id.a == ContactId::kLimit; }
};

// How a driven collider's frame moves at a moment: velocity and acceleration of its origin and rotation.
struct DrivenFrame {
  Placement pose;
  Motion velocity, acceleration;
};
DrivenFrame driven_frame(const Collider& collider, double time);

// The speed of a joint with one freedom, from the motion of its two bodies; needs velocities.
double joint_speed(const Model& model, const Data& data, int freedom);

// Where a collider is.
Placement collider_pose(const Collider& collider, const Data& data, double time);

class ContactScan {
 public:
  explicit ContactScan(const Scene& scene);

  // Every contact with a gap ≤ range, ascending by id, but for those of the pairs of `without` (ascending); needs poses in `data`.
  void near(const Data& data, const Eigen::VectorXd& q, double time, double range, std::vector<LiveContact>& out,
            std::span<const ContactId> without = {});
  // The same with a range for every pair, as far as its two colliders may come towards each other: each is carried on by its step, and its surface
  // may get farther than that by its way ≥ 0. All joint limits are there.
  void near(const Data& data, const Eigen::VectorXd& q, double time, std::span<const Eigen::Vector3d> steps, std::span<const double> ways,
            std::vector<LiveContact>& out, std::span<const ContactId> without = {});
  // The moment of the last look once more, with other steps and ways: all contacts of the pairs whose range is greater than they were asked for;
  // they are asked for `more` ≥ 1 times as much.
  void farther(std::span<const Eigen::Vector3d> steps, std::span<const double> ways, double more, std::vector<LiveContact>& out,
               std::span<const ContactId> without = {});
  double range(int a, int b) const {  // of a pair at the last look
    return (step_[static_cast<std::size_t>(a)] - step_[static_cast<std::size_t>(b)]).norm() + way_[static_cast<std::size_t>(a)] + way_[static_cast<std::size_t>(b)];
  }
  // The contacts of the pairs of `wanted` ids only (their other features too), gap ≤ range.
  void of_pairs(const Data& data, const Eigen::VectorXd& q, double time, double range, std::span<const ContactId> wanted,
                std::vector<LiveContact>& out);
  // Pairs (A, B) whose colliders may come within reach of each other when each moves by its own margin; ascending.
  std::span<const std::array<int, 2>> pairs_within(const Data& data, double time, std::span<const double> margin);
  // How a collider moves: the motion of its body's hub, or of its drive. Its surface is within `reach` of that point.
  Motion motion(const Data& data, double time, int collider) const;
  double reach_of(int collider) const { return reach_[static_cast<std::size_t>(collider)]; }
  // The same for all colliders, when the bodies' hubs move so.
  void motions(double time, std::span<const Motion> bodies, std::vector<Motion>& out) const;
  // How far from that point each can touch another.
  void reaches(const Data& data, double time, std::vector<double>& out) const;

 private:
  struct Pair {
    int a, b;
    PairMemory memory;
    double path;  // of both when memory.apart was found
    double asked;  // greatest range of this moment …
    long moment;   // … the last one that it was asked at
  };
  void add_pair(int a, const Placement& pose_a, int b, const Placement& pose_b, double range, PairMemory* memory, std::vector<LiveContact>& out);
  void follow(const Data& data, double time);
  void renew_candidates();
  void set_bounds();
  void add_candidates(double more, std::vector<LiveContact>& out, std::span<const ContactId> without);
  PairMemory* memory_of(int a, int b);
  void add_limit(const Eigen::VectorXd& q, int limit, double range, std::vector<LiveContact>& out) const;
  bool may_touch(int a, int b) const;
  // Into pairs_, from bounds_.
  void collect_pairs();

  const Scene& scene_;
  std::vector<Collider> colliders_;    // the scene's, without the seams between those of one body
  std::size_t count_;                  // colliders
  std::vector<std::array<int, 2>> ignored_;  // the scene's, lower index first, ascending
  std::vector<std::array<int, 2>> pairs_;    // of the last call: A, B
  std::vector<Material> together_;     // materials × materials
  std::vector<Material> limit_material_;
  std::vector<double> reach_;          // per collider: from the hub of its body; 0 for half-spaces
  std::vector<double> extent_;         // per collider: from the origin of its own frame; +∞ for half-spaces
  double skin_ = 0;                    // least margin of the broad phase beyond the range [m]
  std::vector<Placement> pose_;        // per collider, at the last look
  std::vector<double> path_, path_then_;  // per collider: how far its points have moved; path_then_: when the candidates were collected
  std::vector<char> roams_;            // per collider: a half-space that moves: its path says nothing
  std::vector<Eigen::Vector3d> step_;  // per collider, of the last look
  std::vector<double> way_;            // …
  std::vector<double> bound_;          // per collider: step, way and path together; +∞ where the path says nothing
  long moment_ = 0;                    // counts the calls of near
  std::vector<double> margin_;         // per collider, of the candidates; none: there are none
  std::vector<Pair> candidates_, renewed_;  // ascending
  BroadPhase broad_;
  std::vector<Bounds> bounds_;
  std::vector<Gap> gaps_;
};

}  // namespace carom
