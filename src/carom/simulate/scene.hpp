#pragma once
// A scene: a model, what its bodies look like and are made of, what acts on them, how they start, and how time is to move.
// io/scene_yaml.hpp reads it from a file; simulate() moves it.

#include <Eigen/Core>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "carom/geometry/material.hpp"
#include "carom/geometry/shape.hpp"
#include "carom/impact/law.hpp"
#include "carom/math/time_function.hpp"
#include "carom/model/configuration.hpp"
#include "carom/model/model.hpp"

namespace carom {

// The prescribed motion of a collider that stands on the ground: its placement at time t is
//     placement(t) = {R(axis, turn(t)), (x(t), y(t), z(t))} ∘ in_body.
struct Drive {
  TimeFunction x{}, y{}, z{};                       // [m]
  TimeFunction turn{};                              // [rad]
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();  // unit, through the world's origin before the shift
};

// One shape on one body.
struct Collider {
  std::string name{};
  int body = kGround;
  Shape shape{};
  Placement in_body{};
  int material = 0;              // index into Scene::materials
  std::optional<Drive> drive{};  // only on the ground
  // The surface runs in itself at this velocity, in the axes of the shape [m/s]: conveyors; wheels seen from above.
  Eigen::Vector3d surface_velocity = Eigen::Vector3d::Zero();
};

// Forces beside gravity, which stands in the model. All act between t = 0 and the end.
struct JointForce {   // on one speed u_j: torque(t) − stiffness (q_j − rest) − damping u_j
  int freedom = 0;    // index into u
  int coordinate = -1;  // index into q of the coordinate whose rate u_j is; −1: none, then stiffness must be 0
  TimeFunction torque{};                 // [N m] or [N]
  double stiffness = 0, rest = 0, damping = 0;
};
struct Spring {  // a straight spring and damper between two points
  int body_a = kGround, body_b = kGround;
  Eigen::Vector3d point_a = Eigen::Vector3d::Zero(), point_b = Eigen::Vector3d::Zero();  // in the bodies' frames [m]
  double stiffness = 0, length = 0, damping = 0;                                          // [N/m], [m], [N s/m]
};
struct Drag {  // on a body's centre of mass: −(linear + quadratic |v|) v, and the moment −angular ω
  int body = 0;
  double linear = 0, quadratic = 0, angular = 0;  // [N s/m], [N s²/m²], [N m s]
};
struct Push {  // a force at a point of a body and a moment, given in world or in body axes
  int body = 0;
  Eigen::Vector3d point = Eigen::Vector3d::Zero();  // in the body frame [m]
  std::array<TimeFunction, 3> force{}, moment{};    // [N], [N m]
  bool body_axes = false;
};
struct Forces {
  std::vector<JointForce> joints{};
  std::vector<Spring> springs{};
  std::vector<Drag> drags{};
  std::vector<Push> pushes{};
  bool empty() const { return joints.empty() && springs.empty() && drags.empty() && pushes.empty(); }
};

// A coordinate that may not leave [lower, upper]: a frictionless unilateral constraint with restitution.
struct JointLimit {
  std::string joint{};
  int coordinate = 0, freedom = 0;  // indices into q and u; u is the rate of q
  double lower = 0, upper = 0;      // −∞, +∞: none
  double e = 0;
};

// A law for the collisions of one pair of colliders, where the scene's own shall not apply.
struct PairLaw {
  int collider_a = 0, collider_b = 0;
  ImpactLaw law{};
};

// Every tolerance and threshold of the event-driven simulator; all are written into the output.
struct EventOptions {
  double relative = 1e-11;         // local error of the Dormand–Prince steps, relative …
  double absolute = 1e-13;         // … and absolute [SI]
  double max_step = 0.05;          // [s]
  double time_tolerance = 1e-12;   // events are located to this; events nearer than it are one collision [s]
  double gap_tolerance = 1e-10;    // nearer than this is touching [m]
  double rest_speed = 1e-9;        // a touching contact that separates or slips slower than this rests or sticks: rounding [m/s]
  double slip_resolution = 1e-6;   // in space, slip slower than this keeps its direction: it is about to stop or has just begun [m/s]
  double zeno_horizon = 1e-7;      // bounces are summed up when what is left of their series is shorter than this [s]
  int zeno_bounces = 4;            // … and so many have shown the series
  double zeno_spread = 0.05;       // … with ratios that differ by less than this
  double bridge = 1e-5;            // when 256 steps do not come 30 times as far, a time step of this length is taken instead [s]
  int max_impacts = 100;           // impact events of one collision before it is finished plastically
  long max_events = 1'000'000;     // of the run
};

enum class Scheme { stewart_trinkle, anitescu_potra, moreau_jean };
std::string_view name(Scheme);              // "stewart-trinkle" …
Scheme scheme_named(std::string_view name);  // an InputError for another name

// Every choice and tolerance of the time-stepping schemes; all are written into the output.
struct SteppingOptions {
  Scheme scheme = Scheme::stewart_trinkle;
  double step = 1e-3;            // h [s]
  int cone_edges = 0;            // friction directions per contact, ≥ 3; 0: the exact cone
  double theta = 0.5;            // moreau-jean only, in [½, 1]
  double tolerance = 1e-8;       // certificate asked of every step
  double stabilisation = 0.2;    // part of a penetration taken away per step, in [0, 1] …
  double recovery_speed = 0.1;   // … but never faster than this [m/s]
  std::string solver = "default";
  int max_sweeps = 1000;         // of the sweeping solvers per step
  int threads = 1;
  bool sleeping = false;
};

struct Integrator {
  bool time_stepping = false;
  EventOptions event{};
  SteppingOptions stepping{};
};

struct Scene {
  std::string name{}, description{};
  Model model;
  State start;
  std::vector<Material> materials{};
  std::vector<MaterialPair> pairs{};
  CombinationRule combination{};
  std::vector<Collider> colliders{};
  std::vector<std::array<int, 2>> ignored{};  // pairs of colliders that pass through each other
  std::vector<JointLimit> limits{};
  Forces forces{};
  ImpactLaw law{};  // empty process: the documented default
  std::vector<PairLaw> pair_laws{};
  Integrator integrator{};
  double duration = 1;      // [s]
  double sampling = 0.01;   // of the trajectory; every event is recorded besides [s]
  std::vector<std::string> notes{};  // what a reader left out or took otherwise than written, for the user
};

// Refuses by an InputError what only the whole scene can know: indices, ranges, a start that overlaps or breaks a constraint.
void validate(const Scene& scene);

// Do the two colliders take part in contact: not on one body, not both on the ground, not joined directly, not ignored.
bool may_touch(const Scene& scene, int collider_a, int collider_b);
// The same but for the ignored pairs.
bool may_touch_as_bodies(const Scene& scene, int collider_a, int collider_b);

}  // namespace carom
