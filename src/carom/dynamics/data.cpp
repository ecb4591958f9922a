#include "carom/dynamics/data.hpp"

namespace carom {

Data::Data(const Model& model) {
  const auto bodies = static_cast<std::size_t>(model.bodies());
  const auto speeds = static_cast<std::size_t>(model.nv());
  pose.resize(bodies);
  hub.resize(bodies, Eigen::Vector3d::Zero());
  reach.resize(bodies, Eigen::Vector3d::Zero());
  screw.resize(speeds);
  for (int j = 0; j < model.nv(); ++j) {
    screw[static_cast<std::size_t>(j)] = {Eigen::Vector3d::Zero(), model.freedom(j).rotation};
  }
  velocity.resize(bodies);
  step.resize(bodies);
  drift.resize(bodies);
  articulated.resize(bodies);
  root.resize(speeds);
  root_scale.resize(speeds);
  C.resize(model.constraint_rows(), model.nv());
  row_scale.resize(model.constraint_rows());
  C_root = Eigen::ColPivHouseholderQR<Eigen::MatrixXd>(model.nv(), model.constraint_rows());
  load.resize(bodies);
  motion.resize(bodies);
  composite.resize(bodies);
  row_work.resize(model.constraint_rows());
  touch_head.resize(speeds);
}

}  // namespace carom
