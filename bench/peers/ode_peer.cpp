// The Open Dynamics Engine.
#include <fmt/format.h>
#include <ode/ode.h>

#include <Eigen/Geometry>
#include <array>
#include <cstring>

#include "peer.hpp"

namespace peers {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

constexpr int kContacts = 8;  // of a pair

class OdePeer : public SteppedPeer {
 public:
  explicit OdePeer(int iterations) : iterations_(iterations) {}
  ~OdePeer() override { clear(); }

  std::string name() const override { return "ODE 0.16.2"; }
  std::string settings() const override { return iterations_ > 0 ? fmt::format("QuickStep {} iterations", iterations_) : "Step (Dantzig)"; }

 protected:
  void build(const PlainScene& p) override {
    clear();
    world_ = dWorldCreate(), space_ = dHashSpaceCreate(nullptr), contacts_ = dJointGroupCreate(0);
    dWorldSetGravity(world_, p.gravity.x(), p.gravity.y(), p.gravity.z());
    if (iterations_ > 0) dWorldSetQuickStepNumIterations(world_, iterations_);
    dWorldSetAutoDisableFlag(world_, 0);
    h_ = p.h;
    std::memset(&surface_, 0, sizeof surface_);
    surface_.mode = dContactApprox1 | (p.e > 0 ? dContactBounce : 0);  // friction follows the normal force
    surface_.mu = p.mu, surface_.bounce = p.e, surface_.bounce_vel = 0;
    for (const PlainPlane& plane : p.planes) dCreatePlane(space_, plane.normal.x(), plane.normal.y(), plane.normal.z(), plane.normal.dot(plane.point));
    for (std::size_t i = 0; i < p.bodies.size(); ++i) {
      const PlainBody& b = p.bodies[i];
      const auto n = static_cast<Eigen::Index>(i);
      const auto q = p.start.q.segment<7>(7 * n);
      const auto u = p.start.u.segment<6>(6 * n);
      const dBodyID body = dBodyCreate(world_);
      dMass mass;
      dMassSetParameters(&mass, b.mass, 0, 0, 0, b.inertia.x(), b.inertia.y(), b.inertia.z(), 0, 0, 0);
      dBodySetMass(body, &mass);
      const dGeomID geom = b.box ? dCreateBox(space_, 2 * b.half.x(), 2 * b.half.y(), 2 * b.half.z()) : dCreateSphere(space_, b.half.x());
      dGeomSetBody(geom, body);
      const dQuaternion turn = {q[3], q[4], q[5], q[6]};
      const Vector3d omega = Quaterniond(q[3], q[4], q[5], q[6]) * Vector3d(u.tail<3>());
      dBodySetPosition(body, q[0], q[1], q[2]);
      dBodySetQuaternion(body, turn);
      dBodySetLinearVel(body, u[0], u[1], u[2]);
      dBodySetAngularVel(body, omega.x(), omega.y(), omega.z());
      bodies_.push_back(body);
    }
  }

  void step() override {
    dSpaceCollide(space_, this, &OdePeer::touch);
    if (iterations_ > 0) dWorldQuickStep(world_, h_);
    else dWorldStep(world_, h_);
    dJointGroupEmpty(contacts_);
  }

  void read(carom::State& state) override {
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const auto n = static_cast<Eigen::Index>(i);
      const dReal* x = dBodyGetPosition(bodies_[i]);
      const dReal* turn = dBodyGetQuaternion(bodies_[i]);
      const dReal* v = dBodyGetLinearVel(bodies_[i]);
      const dReal* w = dBodyGetAngularVel(bodies_[i]);
      const Quaterniond quaternion(turn[0], turn[1], turn[2], turn[3]);
      state.q.segment<7>(7 * n) << x[0], x[1], x[2], turn[0], turn[1], turn[2], turn[3];
      state.u.segment<6>(6 * n) << v[0], v[1], v[2], quaternion.conjugate() * Vector3d(w[0], w[1], w[2]);
    }
  }

 private:
  static void touch(void* self, dGeomID a, dGeomID b) {
    auto& peer = *static_cast<OdePeer*>(self);
    const dBodyID body_a = dGeomGetBody(a), body_b = dGeomGetBody(b);
    if (body_a == nullptr && body_b == nullptr) return;
    std::array<dContact, kContacts> found;
    const int count = dCollide(a, b, kContacts, &found[0].geom, sizeof(dContact));
    for (int i = 0; i < count; ++i) {
      found[static_cast<std::size_t>(i)].surface = peer.surface_;
      dJointAttach(dJointCreateContact(peer.world_, peer.contacts_, &found[static_cast<std::size_t>(i)]), body_a, body_b);
    }
  }

  void clear() {
    if (world_ == nullptr) return;
    dJointGroupDestroy(contacts_), dSpaceDestroy(space_), dWorldDestroy(world_);
    world_ = nullptr;
    bodies_.clear();
  }

  int iterations_;
  double h_ = 0;
  dWorldID world_ = nullptr;
  dSpaceID space_ = nullptr;
  dJointGroupID contacts_ = nullptr;
  dSurfaceParameters surface_{};
  std::vector<dBodyID> bodies_;
};

}  // namespace

std::vector<std::unique_ptr<Peer>> peers() {
  static const int started = dInitODE2(0);
  (void)started;
  std::vector<std::unique_ptr<Peer>> out;
  out.push_back(std::make_unique<OdePeer>(20));  // the default
  out.push_back(std::make_unique<OdePeer>(200));
  out.push_back(std::make_unique<OdePeer>(1000));
  out.push_back(std::make_unique<OdePeer>(0));
  return out;
}

}  // namespace peers
