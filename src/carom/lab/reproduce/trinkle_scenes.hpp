#pragma once
// The examples of Trinkle's lecture notes (2004) as scenes. The notes give the box (m = 1, J = diag(1, 2, 3)) and the ideas; the other
// numbers are carom's own, chosen so that every example has a closed form. examples/16_trinkle_notes has them as files: the lab may not read files, so a
// test (tests/motion/trinkle_examples_test.cpp) keeps the two the same.

#include "carom/simulate/scene.hpp"

namespace carom::lab {

inline constexpr double kGravity = 9.81;

// A buoyant ball of 1 kg and 1 m with linear drag 0.5, pushed by (0.6, 0.5, 0.4) N towards walls at x = 5, y = 4 and a ceiling at z = 3.
Scene blimp(double mu, double h);

// A disc of 0.5 m and 1 kg with μ = 0.3 that slides at 1 m/s and spins at 4 rad/s, under uniform pressure: a light carrier that slides
// and turns in the plane holds 3 · rings² pads, each with its share of the mass on a foot of its own, free to move up and down.
// (The loads of several feet of one rigid body are not unique, so they could not be made uniform.)
Scene disc_of_pads(int rings, double h);

// The box of the notes, 2√6 × 2√3 × 1 m, resting on the floor; `edges` of its four feet's polygons, all 0: exact cones.
Scene notes_box(double mu, double h, const std::array<int, 4>& edges = {0, 0, 0, 0});

// That box (μ = 0.4 on the floor) and a pusher with two points, 0.1 m behind it, that moves at 0.5 m/s whatever it meets.
Scene pushed_box(double mu_pusher, double h);

// A chassis of 5 kg on two wheels and a caster of μ = 0.1, each a point; the wheels are surfaces that run at `left` and `right` m/s. With
// `ball`, one of 0.5 kg and 0.1 m lies ahead.
Scene mobile_robot(double left, double right, bool ball, double h);
inline constexpr double kTrack = 0.4;  // between the wheels [m]

// A body that slides down a prismatic joint of 30°, in the plane or in space.
Scene prismatic_incline(World world, double h);

// Two bodies joined by a prismatic joint, otherwise free: 1 kg and 2 kg, 1 m apart, spinning at 1 rad/s and parting at 0.2 m/s. The
// joint is a coordinate, or, as in the notes, two (planar) or five (spatial) equality rows between free bodies.
enum class JointAs { coordinate, rows };
Scene prismatic_pair(World world, JointAs joint, double h);
// How far apart they are.
double separation(const Scene& pair, const Eigen::VectorXd& q);

// A slab of 2 kg on a frictionless floor, a block of 1 kg on it with μ = 0.3; the slab is pulled with `force`.
Scene block_on_slab(double force, double h);

}  // namespace carom::lab
