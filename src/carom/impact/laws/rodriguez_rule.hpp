#pragma once
// The pair rule of law `rodriguez-bowling`: which contacts are tied to each other, and the row each tie puts on their impulses.
//
// Two points P_i, P_j of one rigid body obey (v_i − v_j)·d = 0, d = (P_i − P_j)/|P_i − P_j| (3.2, 3.10). Projected by Q⁺ onto
// impulses (3.22) the same row binds the impulses that the contacts give to that body,
//   (w_i − w_j)·d = 0,   w = ±(p_n n + p_t)   (+ if the body is A of the contact, − if it is B).                (3.21, 7.11)
// Per unit of normal impulse: sliding w = n − μ_d û, sticking w = n + f with f unknown. Readings:
//   physical   true signs, every pair;
//   paper, 2-D |p_n| along the world axis nearest to the normal, taken positive (B.23, B.33), consecutive pairs;
//   paper, 3-D true signs, but |dp_i| = |C| |dp_j| (7.12): the row may change the sign of its second term; consecutive pairs.
// Flat pairs (both normals across d, same two bodies): the row is dp_i μ_i/s_i = dp_j μ_j/s_j, because s_i û_i·d = s_j û_j·d; written so,
// it has no 0/0 when slip runs across d, and for μ_i, μ_j → 0 it is the limit of equal friction (planar: C = 1, B.13).
//
// Frames: the problem's tangents; without them planar t = (n_y, −n_x), spatial t1, t2 = contact_frame(n), the rule of dynamics/contact.hpp.
// Rows that contradict G (a pair on one body against the ground must have (row) G = 0) are refused.

#include <Eigen/Core>
#include <array>
#include <vector>

#include "carom/impact/problem.hpp"

namespace carom::laws::rodriguez {

enum class Grip { off, slip, stick };  // off: takes no part now

// How a contact holds on, and with what direction it slides.
struct Hold {
  Grip grip = Grip::off;
  Eigen::Vector2d direction = Eigen::Vector2d::Zero();  // unit slip direction (planar: ±1 in the first entry); 0: no friction
  double speed = 0;                                     // slip speed [m/s], for flat pairs
};

struct Pair {
  int i, j;             // contacts
  double side_i, side_j;  // +1: the common body is A of the contact, −1: it is B
  Eigen::Vector3d direction;  // unit, planar with z = 0
  bool flat;
};

// What stays the same through the impact.
struct System {
  const ImpactProblem& problem;
  bool paper;
  std::vector<Eigen::Matrix3d> frame;  // columns t1, t2, n in the world; planar: t, –, n with z = 0
  std::vector<Pair> pairs;
  int coincident = 0;  // pairs at one and the same point: no rule

  int d() const { return problem.dimension; }
  int normal(int c) const { return problem.normal(c); }
  int tangent(int c) const { return problem.normal(c) - (problem.dimension - 1); }
};

// Orthonormal frame (t1, t2, n) that depends on n alone (Duff et al., JCGT 6(1), 2017); n = +z gives the world axes.
Eigen::Matrix3d contact_frame(const Eigen::Vector3d& n);

// Throws InputError: two or more contacts without geometry, or points and normals that contradict delassus.
System make_system(const ImpactProblem& problem, bool paper);

// Coefficients of one contact in a pair's row: on its normal rate r and, for a sticking contact, on its friction rates f.
struct RowPart {
  double normal = 0;
  Eigen::Vector2d friction = Eigen::Vector2d::Zero();
};
std::array<RowPart, 2> pair_row(const System& system, const Pair& pair, const Hold& hold_i, const Hold& hold_j);

}  // namespace carom::laws::rodriguez
