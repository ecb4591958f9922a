#pragma once
// The gaps of each kind of pair, in the one order in which gap.cpp calls them: rounder shapes first. Every function appends
// gaps with A the first shape; features need not come in order.

#include <array>
#include <limits>
#include <span>
#include <vector>

#include "carom/geometry/footprint.hpp"
#include "carom/geometry/gap.hpp"
#include "carom/geometry/polytope.hpp"

namespace carom {

// What the gap code of a pair writes to: keeps what is in range.
class GapList {
 public:
  GapList(World world_in, double range_in, std::vector<Gap>& out) : world(world_in), range(range_in), out_(out), first_(out.size()) {}
  void add(const Gap& gap) {
    if (gap.distance <= range) out_.push_back(gap);
  }
  // A ball of A (radius 0: a corner or foot) at `centre` over the solid B.
  void add_ball(int feature, const Eigen::Vector3d& centre, double radius, const Footprint& foot);
  // The same where the solid is A and the ball is B's.
  void add_ball_of_b(int feature, const Eigen::Vector3d& centre, double radius, const Footprint& foot);

  // In place of the gap of the same feature, if there is one.
  void put(const Gap& gap);
  // Leaves out gaps that are deeper than `depth` > 0.
  void drop_deeper(double depth);
  // The nearest gap so far; null: none.
  const Gap* nearest() const;
  std::span<const Gap> found() const { return std::span<const Gap>(out_).subspan(first_); }

  const World world;
  const double range;
  double apart = -std::numeric_limits<double>::infinity();  // the pair is no nearer than this, as far as its code tells
  PairMemory* memory = nullptr;                             // of the pair its A and B those of the list; null: none

 private:
  std::vector<Gap>& out_;
  std::size_t first_;  // earlier ones belong to other pairs
};

// The gap of a ball of A over the solid B.
Gap ball_gap(World world, int feature, const Eigen::Vector3d& centre, double radius, const Footprint& foot);
// A gap seen from the other body.
Gap mirrored(const Gap& gap);

template <class Solid>
struct Placed {
  const Solid& solid;
  const Placement& pose;
};

// over_half_space.cpp: features are the corners (polytope, feet), the ends (capsule), 0 (ball); cylinder.
void half_space_gaps(const Shape& a, const Placement& pose_a, const Placement& plane, GapList& list);

// Points of the rim of cap c that may touch a plane of outward normal n (over_half_space.cpp tells which).
struct RimPoint {
  int index = 0;
  bool used = false;
  Eigen::Vector3d point;  // in the world [m]
  Eigen::Matrix3d curvature;
  EdgeLine edge{};
  bool vertex = false;
};
// Such a point over a plane of outward normal n.
Gap rim_gap(int feature, const RimPoint& point, const Eigen::Vector3d& n, double distance);
inline constexpr double kFlatCap = 1e-6;
std::array<RimPoint, 4> rim_points(const Cylinder& c, const Placement& pose, int cap, const Eigen::Vector3d& n);

// capsule_gaps.cpp
void capsule_gaps(Placed<Capsule> a, Placed<Capsule> b, GapList& list);
void capsule_gaps(Placed<Capsule> a, Placed<Polytope> b, GapList& list);

// cylinder_gaps.cpp, cylinder_cylinder_gaps.cpp
void cylinder_gaps(Placed<Capsule> a, Placed<Cylinder> b, GapList& list);
void cylinder_gaps(Placed<Cylinder> a, Placed<Polytope> b, GapList& list);
void cylinder_gaps(Placed<Cylinder> a, Placed<Cylinder> b, GapList& list);

// polytope_gaps.cpp
void polytope_gaps(Placed<Polytope> a, Placed<Polytope> b, GapList& list);

}  // namespace carom
