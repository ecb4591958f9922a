#pragma once
// What the algorithms know about one configuration of a Model, and the memory they work in. A Data belongs to one Model; it
// is sized once, so that the algorithms allocate nothing (project_speeds, assemble and constrained_forward_dynamics excepted). All
// vectors are in world axes; the hub of a body is the origin of its joint's frame M, the reference point of all its
// six-dimensional quantities.

#include <Eigen/Core>
#include <Eigen/QR>
#include <vector>

#include "carom/dynamics/spatial.hpp"
#include "carom/model/model.hpp"

namespace carom {

struct Data {
  explicit Data(const Model& model);

  // By forward_kinematics from q.
  std::vector<Placement> pose;         // per body: body frame in the world
  std::vector<Eigen::Vector3d> hub;    // per body: hub in the world [m]
  std::vector<Eigen::Vector3d> reach;  // per body: hub minus the parent's hub (the world's origin for the ground) [m]
  std::vector<Screw> screw;            // per speed, at the hub of its body

  // By forward_kinematics from (q, u).
  std::vector<Motion> velocity;  // per body, at its hub
  std::vector<Motion> step;      // per body: acceleration at its hub that u alone adds to the parent's, u̇ = 0
  std::vector<Motion> drift;     // per body: acceleration at its hub when u̇ = 0 and the ground rests (J̇ u)

  // By articulated_inertias.
  std::vector<SpatialInertia> articulated;  // per body: of it and all it carries, with its own joint let loose
  std::vector<Wrench> root;                 // per speed: I s / √D
  std::vector<double> root_scale;           // per speed: 1 / √D; 0 where nothing resists the speed
  int massless_speed = -1;  // some speed without inertia, −1: none; it then takes no part in the motion

  // By constraint_factorisation: the rows of C in the metric of M⁻¹, scaled to length 1.
  Eigen::MatrixXd C;                                   // constraint rows × nv
  Eigen::VectorXd row_scale;                           // 1 / length of each row, 0 for a row that cannot move
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> C_root;  // of Z Cᵀ diag(row_scale), M⁻¹ = Zᵀ Z
  int rank = 0;                                        // independent constraint rows
  double rank_tolerance = 1e-10;                       // option: a row this dependent on others counts as redundant

  // Single free bodies, hinged to nothing, whose hub is their centre of mass, are most bodies of a pile: what articulated inertias are made
  // of is constant in their own axes, and they are dealt with in closed form.
  struct Single {
    bool is = false, straight = false;   // straight: F and M coincide with the world's and the body's frames, their origins included
    double root_mass = 0;                // √m
    Eigen::Matrix3d V, inverse_inertia;  // in M axes: columns I s / √D of the three turns; I⁻¹
    Eigen::Vector3d scale;               // 1 / √D of the three turns
  };
  std::vector<Single> single;  // per body

  // Which of the above hold for the present configuration.
  bool has_velocities = false, has_articulated = false, has_constraints = false;

  // Work space without meaning between calls.
  std::vector<Wrench> load;
  std::vector<Motion> motion;
  std::vector<SpatialInertia> composite;
  Eigen::VectorXd row_work;
  Eigen::MatrixXd columns;
  struct Touch {  // a contact whose path to the ground passes a speed
    int contact, next;
    Eigen::Vector3d y;
  };
  std::vector<Touch> touches;
  std::vector<int> touch_head;  // per speed: its latest touch
};

}  // namespace carom
