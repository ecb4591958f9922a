#include "carom/lab/reproduce/double_pendulum.hpp"

#include "carom/model/builder.hpp"
#include "carom/simulate/contact_builder.hpp"

namespace carom::lab {

ImpactProblem double_pendulum_impact(const DoublePendulum& pendulum, double mu_s, double mu_d, double e) {
  const double m = pendulum.mass, l = pendulum.length;
  const MassProperties rod = MassProperties::planar(m, {l / 2, 0}, m * l * l / 12);
  JointSpec shoulder{.name = "shoulder", .kind = JointKind::revolute, .child = "upper"};
  JointSpec elbow{.name = "elbow", .kind = JointKind::revolute, .parent = "upper", .child = "lower"};
  elbow.in_parent.translation = {l, 0, 0};
  const Model model = ModelBuilder(World::planar).body("upper", rod).body("lower", rod).joint(shoulder).joint(elbow).build();
  const State state{pendulum.q, pendulum.qdot};
  const TouchingContact contact{touching_at(model, state.q, model.body_index("lower"), {l, 0, 0}, kGround, Eigen::Vector3d::UnitY()), mu_s, mu_d, e};
  return impact_problem(model, state, {&contact, 1});
}

}  // namespace carom::lab
