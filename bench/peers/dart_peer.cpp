// DART, with its native collision detector for spheres and boxes; the half-spaces are boxes of 10 m.
#include <fmt/format.h>

#include <dart/dart.hpp>

#include "peer.hpp"

namespace peers {
namespace {

using Eigen::Isometry3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;

class DartPeer : public SteppedPeer {
 public:
  explicit DartPeer(bool dantzig, int iterations = 0) : dantzig_(dantzig), iterations_(iterations) {}

  std::string name() const override { return fmt::format("DART {}", DART_VERSION); }
  std::string settings() const override { return dantzig_ ? "Dantzig" : fmt::format("PGS ≤ {} iterations", iterations_); }

 protected:
  void build(const PlainScene& p) override {
    using namespace dart;
    world_ = simulation::World::create();
    world_->setGravity(p.gravity);
    world_->setTimeStep(p.h);
    std::unique_ptr<constraint::BoxedLcpConstraintSolver> solver;
    if (dantzig_) {
      solver = std::make_unique<constraint::BoxedLcpConstraintSolver>();
    } else {
      auto pgs = std::make_shared<constraint::PgsBoxedLcpSolver>();
      constraint::PgsBoxedLcpSolver::Option o;
      o.mMaxIteration = iterations_;
      pgs->setOption(o);
      solver = std::make_unique<constraint::BoxedLcpConstraintSolver>(pgs, nullptr);
    }
    world_->setConstraintSolver(std::move(solver));
    auto detector = collision::DARTCollisionDetector::create();
    world_->getConstraintSolver()->setCollisionDetector(detector);
    auto& option = world_->getConstraintSolver()->getCollisionOption();
    option.maxNumContacts = 1000000;
    const double thick = 10;
    for (const PlainPlane& plane : p.planes) {
      auto ground = dynamics::Skeleton::create(fmt::format("plane {}", world_->getNumSkeletons()));
      Isometry3d place = Isometry3d::Identity();
      place.linear() = Quaterniond::FromTwoVectors(Vector3d::UnitZ(), plane.normal).toRotationMatrix();
      place.translation() = plane.point - 0.5 * thick * plane.normal;
      auto [joint, node] = ground->createJointAndBodyNodePair<dynamics::WeldJoint>();
      joint->setTransformFromParentBodyNode(place);
      dress(*node->createShapeNodeWith<dynamics::CollisionAspect, dynamics::DynamicsAspect>(std::make_shared<dynamics::BoxShape>(Vector3d::Constant(thick))), p);
      ground->setMobile(false);
      world_->addSkeleton(ground);
    }
    for (std::size_t i = 0; i < p.bodies.size(); ++i) {
      const PlainBody& b = p.bodies[i];
      const auto n = static_cast<Eigen::Index>(i);
      const auto q = p.start.q.segment<7>(7 * n);
      const auto u = p.start.u.segment<6>(6 * n);
      auto skeleton = dynamics::Skeleton::create(fmt::format("body {}", i));
      auto [joint, node] = skeleton->createJointAndBodyNodePair<dynamics::FreeJoint>();
      dynamics::ShapePtr shape;
      if (b.box) shape = std::make_shared<dynamics::BoxShape>(2 * b.half);
      else shape = std::make_shared<dynamics::SphereShape>(b.half.x());
      dress(*node->createShapeNodeWith<dynamics::CollisionAspect, dynamics::DynamicsAspect>(shape), p);
      node->setInertia(dynamics::Inertia(b.mass, Vector3d::Zero(), b.inertia.asDiagonal()));
      Isometry3d pose = Isometry3d::Identity();
      pose.linear() = Quaterniond(q[3], q[4], q[5], q[6]).toRotationMatrix();
      pose.translation() = q.head<3>();
      joint->setTransform(pose);
      joint->setLinearVelocity(u.head<3>());
      joint->setAngularVelocity(pose.linear() * u.tail<3>());
      world_->addSkeleton(skeleton);
      bodies_.push_back(node);
    }
  }

  void step() override { world_->step(); }

  void read(carom::State& state) override {
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const auto n = static_cast<Eigen::Index>(i);
      const Isometry3d pose = bodies_[i]->getWorldTransform();
      const Quaterniond turn(pose.linear());
      state.q.segment<7>(7 * n) << pose.translation(), turn.w(), turn.x(), turn.y(), turn.z();
      state.u.segment<6>(6 * n) << bodies_[i]->getLinearVelocity(), pose.linear().transpose() * bodies_[i]->getAngularVelocity();
    }
  }

 private:
  // DART takes the lesser friction of a pair and the product of the restitutions.
  static void dress(dart::dynamics::ShapeNode& node, const PlainScene& p) {
    node.getDynamicsAspect()->setFrictionCoeff(p.mu);
    node.getDynamicsAspect()->setRestitutionCoeff(std::sqrt(p.e));
  }

  bool dantzig_;
  int iterations_;
  dart::simulation::WorldPtr world_;
  std::vector<dart::dynamics::BodyNode*> bodies_;
};

}  // namespace

std::vector<std::unique_ptr<Peer>> peers() {
  std::vector<std::unique_ptr<Peer>> out;
  out.push_back(std::make_unique<DartPeer>(true));  // the default
  out.push_back(std::make_unique<DartPeer>(false, 30));
  out.push_back(std::make_unique<DartPeer>(false, 1000));
  return out;
}

}  // namespace peers
