#pragma once
// A peer is an engine at one setting that moves the same scene by the same steps as carom. Every program bench_peers_NAME is main.cpp
// with the peers() of NAME_peer.cpp: one program each, because Debian's engines bring libraries that do not go together in one process
// (Bullet in single and in double precision, ODE's solver in three copies).

#include <Eigen/Core>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "carom/model/configuration.hpp"

namespace carom {
struct Scene;  // its header is C++20, which Siconos's do not bear
}

namespace peers {

// What all peers are built from: free spheres and boxes between fixed planes, one material. Taken from carom's scene.
struct PlainBody {
  bool box = false;
  Eigen::Vector3d half;        // half edges; a sphere's radius in x [m]
  double mass;                 // [kg]
  Eigen::Vector3d inertia;     // principal, along the body axes [kg m²]
};
struct PlainPlane {
  Eigen::Vector3d normal, point;  // the solid lies behind
};
struct PlainScene {
  std::vector<PlainBody> bodies;
  std::vector<PlainPlane> planes;
  carom::State start;  // 7 per body: place, quaternion w x y z; 6 per body: velocity in the world, angular velocity in body axes
  Eigen::Vector3d gravity;
  double mu = 0, e = 0, h = 0;
  int steps = 0;
};
// Refuses scenes with anything else in them.
PlainScene plain(const carom::Scene& scene);

// Called with the state, and the processor time of the steps so far, at the start and after every step; false ends the run. Its own
// time is not counted.
using Watcher = std::function<bool(const carom::State&, double seconds)>;

class Peer {
 public:
  virtual ~Peer() = default;
  virtual std::string name() const = 0;      // "Bullet 3.24"
  virtual std::string settings() const = 0;  // everything that is not the engine's default
  // Moves the scene; returns the processor time of its steps alone [s].
  virtual double run(const carom::Scene& scene, const Watcher& watch) = 0;
};

// An engine that can be stepped from outside.
class SteppedPeer : public Peer {
 public:
  double run(const carom::Scene& scene, const Watcher& watch) final;

 protected:
  virtual void build(const PlainScene& scene) = 0;
  virtual void step() = 0;
  virtual void read(carom::State& state) = 0;
};

double processor_seconds();  // of this thread

std::vector<std::unique_ptr<Peer>> peers();

}  // namespace peers
