// Siconos as an engine: its Moreau–Jean scheme, its contact problems by nonsmooth Gauss–Seidel, collisions found by Bullet in
// single precision, all as Debian builds it.
// Mechanics first: it tells the kernel's visitors of its classes.
#include <SiconosBulletCollisionManager.hpp>
#include <RigidBodyDS.hpp>
#include <SiconosContactor.hpp>

#include <FrictionContact.hpp>
#include <Friction_cst.h>
#include <MoreauJeanOSI.hpp>
#include <NewtonImpactFrictionNSL.hpp>
#include <NonSmoothDynamicalSystem.hpp>
#include <SiconosConfig.h>
#include <SimpleMatrix.hpp>
#include <SiconosVector.hpp>
#include <SolverOptions.h>
#include <TimeDiscretisation.hpp>
#include <TimeStepping.hpp>
#include <fmt/format.h>

#include <Eigen/Geometry>

#include "peer.hpp"

namespace peers {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

constexpr double kThick = 4;  // SiconosPlane loses balls: the half-spaces are boxes [m]

class SiconosPeer : public SteppedPeer {
 public:
  SiconosPeer(double tolerance, int iterations) : tolerance_(tolerance), iterations_(iterations) {}

  std::string name() const override { return "Siconos 4.4.0"; }
  std::string settings() const override { return fmt::format("Moreau–Jean θ = ½; NSGS {:.0e} ≤ {} iterations", tolerance_, iterations_); }

 protected:
  void build(const PlainScene& p) override {
    const double end = p.h * (p.steps + 1);
    const auto system = std::make_shared<NonSmoothDynamicalSystem>(0, end);
    bodies_.clear();
    for (std::size_t i = 0; i < p.bodies.size(); ++i) {
      const PlainBody& b = p.bodies[i];
      const auto n = static_cast<Eigen::Index>(i);
      const auto q = std::make_shared<SiconosVector>(7), v = std::make_shared<SiconosVector>(6), weight = std::make_shared<SiconosVector>(3);
      for (unsigned k = 0; k < 7; ++k) (*q)(k) = p.start.q[7 * n + k];
      for (unsigned k = 0; k < 6; ++k) (*v)(k) = p.start.u[6 * n + k];
      for (unsigned k = 0; k < 3; ++k) (*weight)(k) = b.mass * p.gravity[k];
      const auto inertia = std::make_shared<SimpleMatrix>(3, 3);
      inertia->zero();
      for (unsigned k = 0; k < 3; ++k) (*inertia)(k, k) = b.inertia[k];
      const auto body = std::make_shared<RigidBodyDS>(q, v, b.mass, inertia);
      body->setUseContactorInertia(false);
      body->setFExtPtr(weight);
      SP::SiconosShape shape;
      if (b.box) shape = std::make_shared<SiconosBox>(2 * b.half.x(), 2 * b.half.y(), 2 * b.half.z());
      else shape = std::make_shared<SiconosSphere>(static_cast<float>(b.half.x()));
      shape->setInsideMargin(0.1 * b.half.minCoeff());  // the default, 0.1 m, is more than the bodies have
      body->setContactors(set(shape));
      system->insertDynamicalSystem(body);
      bodies_.push_back(body);
    }
    const auto osi = std::make_shared<MoreauJeanOSI>(0.5);
    const auto times = std::make_shared<TimeDiscretisation>(0, p.h);
    const auto contacts = std::make_shared<FrictionContact>(3, SICONOS_FRICTION_3D_NSGS);
    SolverOptions& options = *contacts->numericsSolverOptions();
    options.iparam[SICONOS_IPARAM_MAX_ITER] = iterations_;
    options.dparam[SICONOS_DPARAM_TOL] = tolerance_;
    contacts->setMaxSize(static_cast<unsigned>(60 * p.bodies.size()));
    contacts->setMStorageType(NM_SPARSE_BLOCK);
    contacts->setNumericsVerboseMode(false);
    contacts->setKeepLambdaAndYState(true);  // warm start
    simulation_ = std::make_shared<TimeStepping>(system, times, osi, contacts);
    simulation_->setNewtonOptions(SICONOS_TS_LINEAR);

    const auto collisions = std::make_shared<SiconosBulletCollisionManager>();
    collisions->useEqualityConstraints(false);
    collisions->insertNonSmoothLaw(std::make_shared<NewtonImpactFrictionNSL>(p.e, 0.0, p.mu, 3), 0, 0);
    for (const PlainPlane& plane : p.planes) {
      const Quaterniond turn = Quaterniond::FromTwoVectors(Vector3d::UnitZ(), plane.normal);
      const auto place = std::make_shared<SiconosVector>(7);
      const Vector3d centre = plane.point - 0.5 * kThick * plane.normal;
      for (unsigned k = 0; k < 3; ++k) (*place)(k) = centre[k];
      (*place)(3) = turn.w(), (*place)(4) = turn.x(), (*place)(5) = turn.y(), (*place)(6) = turn.z();
      collisions->insertStaticContactorSet(set(std::make_shared<SiconosBox>(kThick, kThick, kThick)), place);
    }
    simulation_->insertInteractionManager(collisions);
    simulation_->initialize();
  }

  void step() override {
    simulation_->computeOneStep();
    simulation_->nextStep();
  }

  // Siconos's coordinates are carom's: place, quaternion w x y z; velocity in the world, angular velocity in body axes.
  void read(carom::State& state) override {
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const auto n = static_cast<Eigen::Index>(i);
      for (unsigned k = 0; k < 7; ++k) state.q[7 * n + k] = (*bodies_[i]->q())(k);
      for (unsigned k = 0; k < 6; ++k) state.u[6 * n + k] = (*bodies_[i]->twist())(k);
    }
  }

 private:
  static SP::SiconosContactorSet set(const SP::SiconosShape& shape) {
    auto out = std::make_shared<SiconosContactorSet>();
    out->append(std::make_shared<SiconosContactor>(shape));
    return out;
  }

  double tolerance_;
  int iterations_;
  std::shared_ptr<TimeStepping> simulation_;
  std::vector<SP::RigidBodyDS> bodies_;
};

}  // namespace

std::vector<std::unique_ptr<Peer>> peers() {
  std::vector<std::unique_ptr<Peer>> out;
  out.push_back(std::make_unique<SiconosPeer>(1e-4, 1000));  // its default
  out.push_back(std::make_unique<SiconosPeer>(1e-8, 10000));
  return out;
}

}  // namespace peers
