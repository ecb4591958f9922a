#pragma once
// Says a multibody system by names, in any order, and makes the Model of it. Nonsense is refused by an InputError that names
// the field ("bodies.rod.mass"), the value found and what is allowed; what a single call can know is refused by that call,
// what only the whole can know (unknown names, cycles, two parents, bodies without a joint) by build().

#include <Eigen/Core>
#include <string>
#include <vector>

#include "carom/model/model.hpp"

namespace carom {

struct MassProperties {
  double mass = 0;                                // > 0 [kg]
  Eigen::Vector3d com = Eigen::Vector3d::Zero();  // in the body frame [m]
  // About the centre of mass, in body axes [kg m²]. Principal moments ≥ 0 that obey the triangle inequality: thin rods and
  // point masses pass. In a planar world only zz counts.
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();

  static MassProperties planar(double mass, const Eigen::Vector2d& com, double inertia_zz);
};

struct JointSpec {
  std::string name{};
  JointKind kind = JointKind::fixed;
  std::string parent = "ground";
  std::string child{};
  Placement in_parent{};                            // frame F in the parent
  Placement in_child{};                             // frame M in the child
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();  // revolute, prismatic: in F; made unit, refused when zero
};

// One term of a coupling: `factor` times speed number `freedom` (0-based) of a joint.
struct SpeedTerm {
  std::string joint{};
  double factor = 1;
  int freedom = 0;
};

class ModelBuilder {
 public:
  explicit ModelBuilder(World world) : world_(world) {}

  ModelBuilder& gravity(const Eigen::Vector3d& acceleration);  // default none
  ModelBuilder& body(std::string name, const MassProperties& properties);
  ModelBuilder& joint(JointSpec spec);

  // A point of body a stays on a point of body b: 2 rows planar, 3 spatial.
  ModelBuilder& coincidence(std::string name, std::string body_a, const Eigen::Vector3d& point_a, std::string body_b,
                            const Eigen::Vector3d& point_b);
  // As coincidence, and the two axes stay parallel: 5 rows spatial; planar the axes are z and nothing is added.
  ModelBuilder& hinge(std::string name, std::string body_a, const Eigen::Vector3d& point_a,
                      const Eigen::Vector3d& axis_a, std::string body_b, const Eigen::Vector3d& point_b,
                      const Eigen::Vector3d& axis_b);
  // The origin of frame a stays on the x axis of frame b and the frames stay parallel: 2 rows planar, 5 spatial.
  ModelBuilder& slider(std::string name, std::string body_a, const Placement& frame_a, std::string body_b,
                       const Placement& frame_b);
  // The two frames stay one: 3 rows planar, 6 spatial.
  ModelBuilder& weld(std::string name, std::string body_a, const Placement& frame_a, std::string body_b,
                     const Placement& frame_b);
  // A massless rod of length > 0 between the points: 1 row.
  ModelBuilder& distance(std::string name, std::string body_a, const Eigen::Vector3d& point_a, std::string body_b,
                         const Eigen::Vector3d& point_b, double length);
  // Σ factor · u = 0 (gears, rack and pinion, differentials): 1 row; kept at Σ factor · q = offset where every term's speed
  // is the rate of a coordinate.
  ModelBuilder& coupling(std::string name, std::vector<SpeedTerm> terms, double offset = 0);

  Model build() const;

 private:
  struct NamedBody {
    std::string name;
    MassProperties properties;
  };
  struct NamedConstraint {
    std::string name;
    Constraint constraint;
    std::string body_a, body_b;
    std::vector<SpeedTerm> terms;
  };

  void add_constraint(NamedConstraint added);
  std::vector<int> joint_of_each_body() const;
  std::vector<int> parent_of_each_body(const std::vector<int>& joint_of) const;
  std::vector<int> parents_first(const std::vector<int>& parent_of) const;
  int declared_body(const std::string& name, const std::string& field) const;
  Constraint resolved(const NamedConstraint& named, const Model& model) const;

  World world_;
  Eigen::Vector3d gravity_ = Eigen::Vector3d::Zero();
  std::vector<NamedBody> bodies_;
  std::vector<JointSpec> joints_;
  std::vector<NamedConstraint> constraints_;
};

}  // namespace carom
