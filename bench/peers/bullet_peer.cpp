// Bullet in double precision (Debian's float64 libraries).
#include <BulletDynamics/ConstraintSolver/btNNCGConstraintSolver.h>
#include <BulletDynamics/MLCPSolvers/btDantzigSolver.h>
#include <BulletDynamics/MLCPSolvers/btMLCPSolver.h>
#include <btBulletDynamicsCommon.h>
#include <fmt/format.h>

#include <Eigen/Geometry>
#include <cmath>

#include "peer.hpp"

namespace peers {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

btVector3 bt(const Vector3d& x) { return {x.x(), x.y(), x.z()}; }

enum class Solver { sequential, nncg, dantzig };

class BulletPeer : public SteppedPeer {
 public:
  BulletPeer(Solver solver, int iterations, bool tight) : solver_kind_(solver), iterations_(iterations), tight_(tight) {}

  std::string name() const override { return fmt::format("Bullet {}.{}", btGetVersion() / 100, btGetVersion() % 100); }
  std::string settings() const override {
    const char* kind = solver_kind_ == Solver::sequential ? "sequential impulses" : solver_kind_ == Solver::nncg ? "NNCG" : "Dantzig";
    return fmt::format("{}{}{}", kind, fmt::format("{} {} iterations", solver_kind_ == Solver::dantzig ? " or where it fails" : "", iterations_), tight_ ? "; two friction directions" : "");
  }

 protected:
  void build(const PlainScene& p) override {
    h_ = p.h;
    // Members are destroyed in the opposite order of their making; the world must go first.
    world_.reset(), bodies_.clear(), shapes_.clear(), solver_.reset(), mlcp_.reset(), broad_.reset(), dispatcher_.reset(), configuration_.reset();
    btDefaultCollisionConstructionInfo info;
    info.m_defaultMaxPersistentManifoldPoolSize = info.m_defaultMaxCollisionAlgorithmPoolSize = 65536;
    configuration_ = std::make_unique<btDefaultCollisionConfiguration>(info);
    dispatcher_ = std::make_unique<btCollisionDispatcher>(configuration_.get());
    broad_ = std::make_unique<btDbvtBroadphase>();
    if (solver_kind_ == Solver::dantzig) {
      mlcp_ = std::make_unique<btDantzigSolver>();
      solver_ = std::make_unique<btMLCPSolver>(mlcp_.get());
    } else if (solver_kind_ == Solver::nncg) {
      solver_ = std::make_unique<btNNCGConstraintSolver>();
    } else {
      solver_ = std::make_unique<btSequentialImpulseConstraintSolver>();
    }
    world_ = std::make_unique<btDiscreteDynamicsWorld>(dispatcher_.get(), broad_.get(), solver_.get(), configuration_.get());
    world_->setGravity(bt(p.gravity));
    world_->getSolverInfo().m_numIterations = iterations_;
    if (tight_) world_->getSolverInfo().m_solverMode |= SOLVER_USE_2_FRICTION_DIRECTIONS;
    if (solver_kind_ == Solver::dantzig) world_->getSolverInfo().m_minimumSolverBatchSize = 1;  // as Bullet's own MLCP demo: islands one by one
    for (const PlainPlane& plane : p.planes) {
      shapes_.push_back(std::make_unique<btStaticPlaneShape>(bt(plane.normal), plane.normal.dot(plane.point)));
      add(0, btVector3(0, 0, 0), btTransform::getIdentity(), p);
    }
    first_ = bodies_.size();
    for (std::size_t i = 0; i < p.bodies.size(); ++i) {
      const PlainBody& b = p.bodies[i];
      const auto n = static_cast<Eigen::Index>(i);
      const auto q = p.start.q.segment<7>(7 * n);
      const auto u = p.start.u.segment<6>(6 * n);
      if (b.box) shapes_.push_back(std::make_unique<btBoxShape>(bt(b.half)));
      else shapes_.push_back(std::make_unique<btSphereShape>(b.half.x()));
      btRigidBody& body = add(b.mass, bt(b.inertia), btTransform(btQuaternion(q[4], q[5], q[6], q[3]), btVector3(q[0], q[1], q[2])), p);
      body.setLinearVelocity(bt(u.head<3>()));
      body.setAngularVelocity(bt(Quaterniond(q[3], q[4], q[5], q[6]) * Vector3d(u.tail<3>())));
    }
  }

  void step() override { world_->stepSimulation(h_, 0, h_); }

  void read(carom::State& state) override {
    for (std::size_t i = first_; i < bodies_.size(); ++i) {
      const auto n = static_cast<Eigen::Index>(i - first_);
      const btTransform& t = bodies_[i]->getWorldTransform();
      const btQuaternion turn = t.getRotation();
      const btVector3 v = bodies_[i]->getLinearVelocity(), w = t.getBasis().transpose() * bodies_[i]->getAngularVelocity();
      state.q.segment<7>(7 * n) << t.getOrigin().x(), t.getOrigin().y(), t.getOrigin().z(), turn.w(), turn.x(), turn.y(), turn.z();
      state.u.segment<6>(6 * n) << v.x(), v.y(), v.z(), w.x(), w.y(), w.z();
    }
  }

 private:
  btRigidBody& add(double mass, const btVector3& inertia, const btTransform& pose, const PlainScene& p) {
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shapes_.back().get(), inertia);
    info.m_startWorldTransform = pose;
    // Bullet multiplies the coefficients of a pair.
    info.m_friction = std::sqrt(p.mu), info.m_restitution = std::sqrt(p.e);
    bodies_.push_back(std::make_unique<btRigidBody>(info));
    bodies_.back()->setActivationState(DISABLE_DEACTIVATION);  // nothing sleeps in any engine
    world_->addRigidBody(bodies_.back().get());
    return *bodies_.back();
  }

  Solver solver_kind_;
  int iterations_;
  bool tight_;
  double h_ = 0;
  std::size_t first_ = 0;
  std::unique_ptr<btDefaultCollisionConfiguration> configuration_;
  std::unique_ptr<btCollisionDispatcher> dispatcher_;
  std::unique_ptr<btBroadphaseInterface> broad_;
  std::unique_ptr<btMLCPSolverInterface> mlcp_;
  std::unique_ptr<btConstraintSolver> solver_;
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  std::unique_ptr<btDiscreteDynamicsWorld> world_;
};

}  // namespace

std::vector<std::unique_ptr<Peer>> peers() {
  std::vector<std::unique_ptr<Peer>> out;
  out.push_back(std::make_unique<BulletPeer>(Solver::sequential, 10, false));  // the defaults
  out.push_back(std::make_unique<BulletPeer>(Solver::sequential, 100, true));
  out.push_back(std::make_unique<BulletPeer>(Solver::sequential, 1000, true));
  out.push_back(std::make_unique<BulletPeer>(Solver::nncg, 100, true));
  out.push_back(std::make_unique<BulletPeer>(Solver::dantzig, 1000, true));
  return out;
}

}  // namespace peers
