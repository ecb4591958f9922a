#include "cross/simbody_peer.hpp"

#include <Simbody.h>

#include <Eigen/Dense>

namespace {

using namespace carom;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

SimTK::Vec3 simbody(const Vector3d& v) { return {v.x(), v.y(), v.z()}; }

SimTK::Rotation simbody(const Matrix3d& R) {
  SimTK::Mat33 m;
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) m(r, c) = R(r, c);
  }
  return SimTK::Rotation(m, true);
}

MatrixXd eigen(const SimTK::Matrix& m) {
  MatrixXd out(m.nrow(), m.ncol());
  for (int r = 0; r < m.nrow(); ++r) {
    for (int c = 0; c < m.ncol(); ++c) out(r, c) = m(r, c);
  }
  return out;
}

SimTK::MassProperties simbody_mass(const Body& body) {
  const Matrix3d& I = body.inertia;
  const SimTK::Inertia central(SimTK::Vec3(I(0, 0), I(1, 1), I(2, 2)), SimTK::Vec3(I(0, 1), I(0, 2), I(1, 2)));
  return {body.mass, simbody(body.com), central.shiftFromMassCenter(simbody(body.com), body.mass)};
}

}  // namespace

struct SimbodyPeer::Tree {
  Tree(const Model& model, const carom::State& state)
      : matter_(system_),
        forces_(system_),
        gravity_(forces_, matter_, simbody(model.gravity())),
        T_(MatrixXd::Zero(model.nv(), model.nv())) {
    for (int i = 0; i < model.bodies(); ++i) add(model, i);
    state_ = system_.realizeTopology();
    for (int i = 0; i < model.bodies(); ++i) place(model.joint(i), i, state.q);
    system_.realize(state_, SimTK::Stage::Position);
    for (int i = 0; i < model.bodies(); ++i) relate_speeds(model.joint(i), i, state.q);
    const VectorXd u = T_ * state.u;
    for (int j = 0; j < u.size(); ++j) state_.updU()[j] = u[j];
    system_.realize(state_, SimTK::Stage::Acceleration);
  }

  MatrixXd mass_matrix() const {
    SimTK::Matrix M;
    matter_.calcM(state_, M);
    return T_.transpose() * eigen(M) * T_;
  }
  VectorXd accelerations() const {
    VectorXd udot(T_.rows());
    for (int j = 0; j < udot.size(); ++j) udot[j] = state_.getUDot()[j];
    return T_.partialPivLu().solve(udot);
  }
  MatrixXd delassus(const std::vector<SimbodyContact>& contacts) const {
    MatrixXd J(3 * contacts.size(), T_.rows());
    for (std::size_t c = 0; c < contacts.size(); ++c) {
      J.middleRows(3 * static_cast<int>(c), 3) =
          contacts[c].frame.transpose() *
          (station(contacts[c].body_a, contacts[c].point_a) - station(contacts[c].body_b, contacts[c].point_b));
    }
    SimTK::Matrix inverse;
    matter_.calcMInv(state_, inverse);
    return J * eigen(inverse) * J.transpose();
  }

  SimTK::MobilizedBodyIndex index(int body) const { return SimTK::MobilizedBodyIndex(body + 1); }

  void add(const Model& model, int i) {
    const Joint& joint = model.joint(i);
    // Simbody's pin turns about z and its slider moves along x of the joint frames.
    Matrix3d turn = Matrix3d::Identity();
    if (joint.kind == JointKind::revolute) turn = Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), joint.axis);
    if (joint.kind == JointKind::prismatic) turn = Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitX(), joint.axis);
    const SimTK::Transform F(simbody(Matrix3d(joint.in_parent.rotation * turn)), simbody(joint.in_parent.translation));
    const SimTK::Transform M(simbody(Matrix3d(joint.in_child.rotation * turn)), simbody(joint.in_child.translation));
    SimTK::MobilizedBody& parent = matter_.updMobilizedBody(index(model.parent(i)));
    const SimTK::Body::Rigid body(simbody_mass(model.body(i)));
    switch (joint.kind) {
      case JointKind::fixed: SimTK::MobilizedBody::Weld(parent, F, body, M); return;
      case JointKind::revolute: SimTK::MobilizedBody::Pin(parent, F, body, M); return;
      case JointKind::prismatic: SimTK::MobilizedBody::Slider(parent, F, body, M); return;
      case JointKind::planar: SimTK::MobilizedBody::Planar(parent, F, body, M); return;
      case JointKind::spherical: SimTK::MobilizedBody::Ball(parent, F, body, M); return;
      case JointKind::free: SimTK::MobilizedBody::Free(parent, F, body, M); return;
    }
  }

  static Matrix3d rotation(const VectorXd& q, int at) {
    return Eigen::Quaterniond(q[at], q[at + 1], q[at + 2], q[at + 3]).toRotationMatrix();
  }

  void place(const Joint& joint, int i, const VectorXd& q) {
    const SimTK::MobilizedBody& body = matter_.getMobilizedBody(index(i));
    const int k = joint.q_index;
    switch (joint.kind) {
      case JointKind::fixed: return;
      case JointKind::revolute:
      case JointKind::prismatic: body.setOneQ(state_, 0, q[k]); return;
      case JointKind::planar:
        body.setOneQ(state_, 0, q[k + 2]);
        body.setOneQ(state_, 1, q[k]);
        body.setOneQ(state_, 2, q[k + 1]);
        return;
      case JointKind::spherical: body.setQToFitRotation(state_, simbody(rotation(q, k))); return;
      case JointKind::free:
        body.setQToFitTransform(state_,
                                SimTK::Transform(simbody(rotation(q, k + 3)), simbody(Vector3d(q.segment<3>(k)))));
        return;
    }
  }

  void relate_speeds(const Joint& joint, int i, const VectorXd& q) {
    if (joint.nv == 0) return;
    const int row = matter_.getMobilizedBody(index(i)).getFirstUIndex(state_), col = joint.u_index;
    switch (joint.kind) {
      case JointKind::planar: T_(row, col + 2) = T_(row + 1, col) = T_(row + 2, col + 1) = 1; return;
      case JointKind::spherical: T_.block<3, 3>(row, col) = rotation(q, joint.q_index); return;
      case JointKind::free:
        T_.block<3, 3>(row, col + 3) = rotation(q, joint.q_index + 3);
        T_.block<3, 3>(row + 3, col).setIdentity();
        return;
      default: T_(row, col) = 1;
    }
  }

  MatrixXd station(int body, const Vector3d& point) const {
    MatrixXd J = MatrixXd::Zero(3, T_.rows());
    if (body == kGround) return J;
    SimTK::Matrix station_jacobian;
    matter_.calcStationJacobian(state_, SimTK::Array_<SimTK::MobilizedBodyIndex>(1, index(body)),
                                SimTK::Array_<SimTK::Vec3>(1, simbody(point)), station_jacobian);
    return eigen(station_jacobian);
  }

  SimTK::MultibodySystem system_;
  SimTK::SimbodyMatterSubsystem matter_;
  SimTK::GeneralForceSubsystem forces_;
  SimTK::Force::UniformGravity gravity_;
  SimTK::State state_;
  MatrixXd T_;
};

SimbodyPeer::SimbodyPeer(const carom::Model& model, const carom::State& state)
    : tree_(std::make_unique<Tree>(model, state)) {}
SimbodyPeer::~SimbodyPeer() = default;
MatrixXd SimbodyPeer::mass_matrix() const { return tree_->mass_matrix(); }
VectorXd SimbodyPeer::accelerations() const { return tree_->accelerations(); }
MatrixXd SimbodyPeer::delassus(const std::vector<SimbodyContact>& contacts) const { return tree_->delassus(contacts); }
