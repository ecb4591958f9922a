#pragma once
// A rigid multibody system as constants: bodies in a tree of joints, plus bilateral constraints that close loops or couple
// speeds. A Model is made by ModelBuilder (builder.hpp), is valid from then on and never changes.
//
// Every body i hangs on exactly one joint, joint i, whose parent stands before it: parent(i) < i, the ground is kGround.
// A joint joins frame F, fixed in the parent body, to frame M, fixed in the child; its coordinates place M in F.
//
//   kind       q                              u (speeds)                                      allowed in a planar world
//   fixed      –                              –                                               yes
//   revolute   angle about `axis`             its rate                                        yes, axis z
//   prismatic  distance along `axis`          its rate                                        yes, axis in the x–y plane
//   planar     x, y of M in F, angle about z  their rates                                     yes
//   spherical  quaternion w, x, y, z of M     angular velocity of M relative to F, in M axes  no
//   free       position of M in F, then the   velocity of M's origin in F axes, then the      no
//              quaternion w, x, y, z of M     angular velocity in M axes
//
// Each speed is thus a pure rotation about, or a pure translation along, one axis through the origin of M (the hub).

#include <Eigen/Core>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "carom/math/space.hpp"

namespace carom {

inline constexpr int kGround = -1;

enum class JointKind { fixed, revolute, prismatic, planar, spherical, free };
int coordinates(JointKind kind);  // components of q
int freedoms(JointKind kind);     // components of u

struct Body {
  int parent = kGround;
  double mass = 0;               // [kg]
  Eigen::Vector3d com;           // centre of mass in the body frame [m]
  Eigen::Matrix3d inertia;       // about the centre of mass, body axes [kg m²]; in a planar world only zz
  Eigen::Vector3d com_from_hub;  // centre of mass minus hub, body axes [m]
  Eigen::Matrix3d hub_inertia;   // about the hub, body axes [kg m²]
};

struct Joint {
  JointKind kind = JointKind::fixed;
  Placement in_parent;             // frame F in the parent body's frame
  Placement in_child;              // frame M in the child body's frame
  Eigen::Vector3d axis;            // unit, in F (and in M): revolute, prismatic; z for planar
  Eigen::Vector3d axis_in_parent;  // the same in the parent body's axes
  int q_index = 0, u_index = 0;    // first component in q and in u
  int nq = 0, nv = 0;              // number of components in q and in u
  // Rotation from child to parent axes: turn[0] at fixed and prismatic joints, turn[0] + cos θ turn[1] + sin θ turn[2] at
  // revolute and planar ones.
  std::array<Eigen::Matrix3d, 3> turn;
};

// One component of u.
struct Freedom {
  int body = 0;
  bool rotation = false;  // else translation
};

enum class ConstraintKind { coincidence, hinge, slider, weld, distance, coupling };

// One term a · u of a coupling.
struct CouplingTerm {
  int u_index = 0;
  int q_index = -1;  // the coordinate whose rate u is; −1: none (spherical, free rotation)
  double factor = 0;
};

// Bilateral rows g(q) = 0 with C(q) u = ġ; which rows they are is told in dynamics/constraints.hpp.
struct Constraint {
  ConstraintKind kind = ConstraintKind::coincidence;
  int body_a = kGround, body_b = kGround;
  Placement in_a, in_b;             // the frames that meet, in body a and b; a hinge turns about their z axes,
                                    // a slider runs along the x axis of b's
  double length = 0;                // distance only [m]
  std::vector<CouplingTerm> terms;  // coupling only
  double offset = 0;                // coupling only: Σ factor · q = offset
  int row = 0, rows = 0;            // its place among the rows of C
};

class Model {
 public:
  World world() const { return world_; }
  int dimension() const { return world_ == World::planar ? 2 : 3; }
  const Eigen::Vector3d& gravity() const { return gravity_; }  // [m/s²]

  int bodies() const { return static_cast<int>(bodies_.size()); }
  int nq() const { return nq_; }
  int nv() const { return static_cast<int>(freedoms_.size()); }
  const Body& body(int i) const { return bodies_[static_cast<std::size_t>(i)]; }
  const Joint& joint(int i) const { return joints_[static_cast<std::size_t>(i)]; }
  const Freedom& freedom(int j) const { return freedoms_[static_cast<std::size_t>(j)]; }
  int parent(int i) const { return body(i).parent; }

  const std::vector<Constraint>& constraints() const { return constraints_; }
  int constraint_rows() const { return constraint_rows_; }

  const std::string& body_name(int i) const { return body_names_[static_cast<std::size_t>(i)]; }
  const std::string& joint_name(int i) const { return joint_names_[static_cast<std::size_t>(i)]; }
  const std::string& constraint_name(int i) const { return constraint_names_[static_cast<std::size_t>(i)]; }
  // Index by name; "ground" is kGround. An unknown name is an InputError that lists the known ones.
  int body_index(std::string_view name) const;
  int joint_index(std::string_view name) const;

 private:
  friend class ModelBuilder;
  Model() = default;

  World world_ = World::spatial;
  Eigen::Vector3d gravity_ = Eigen::Vector3d::Zero();
  std::vector<Body> bodies_;
  std::vector<Joint> joints_;
  std::vector<Freedom> freedoms_;
  std::vector<Constraint> constraints_;
  std::vector<std::string> body_names_, joint_names_, constraint_names_;
  int nq_ = 0;
  int constraint_rows_ = 0;
};

}  // namespace carom
