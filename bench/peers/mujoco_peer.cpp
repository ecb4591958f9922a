// MuJoCo. Its contacts are springs and dampers by design (solref: time constant and damping ratio; solimp: how hard), and it has no
// coefficient of restitution: scenes with e > 0 run with the same damped contacts.
#include <fmt/format.h>
#include <mujoco/mujoco.h>
#include <stdlib.h>
#include <unistd.h>

#include <Eigen/Geometry>
#include <cstdio>
#include <fstream>
#include <stdexcept>

#include "peer.hpp"

namespace peers {
namespace {

struct Settings {
  const char* solver;   // Newton, CG, PGS
  int iterations;
  double tolerance;
  const char* cone;     // pyramidal, elliptic
  bool stiff;           // time constant 2 h, the least that MuJoCo takes, and impedance 0.99 … 0.999
};

class MujocoPeer : public SteppedPeer {
 public:
  explicit MujocoPeer(const Settings& s) : s_(s) {}
  ~MujocoPeer() override { clear(); }

  std::string name() const override { return fmt::format("MuJoCo {}", mj_versionString()); }
  std::string settings() const override {
    return fmt::format("{} ≤ {} iterations {:.0e}; {} cone{}", s_.solver, s_.iterations, s_.tolerance, s_.cone, s_.stiff ? "; stiff: solref 2h 1 solimp .99 .999" : "");
  }

 protected:
  void build(const PlainScene& p) override {
    clear();
    char path[] = "/tmp/carom_peer_XXXXXX.xml";
    const int fd = mkstemps(path, 4);
    if (fd >= 0) close(fd);
    std::ofstream(path) << mjcf(p);
    char error[1000] = "";
    model_ = mj_loadXML(path, nullptr, error, sizeof error);
    std::remove(path);
    if (model_ == nullptr) throw std::runtime_error(error);
    data_ = mj_makeData(model_);
    for (Eigen::Index i = 0; i < p.start.q.size(); ++i) data_->qpos[i] = p.start.q[i];
    for (Eigen::Index i = 0; i < p.start.u.size(); ++i) data_->qvel[i] = p.start.u[i];
  }

  void step() override {
    mj_step(model_, data_);
    if (data_->warning[mjWARN_CONTACTFULL].number + data_->warning[mjWARN_CNSTRFULL].number > 0) throw std::runtime_error("more contacts than room");
  }

  // MuJoCo's free joints have carom's coordinates: place, quaternion w x y z; world velocity, angular velocity in body axes.
  void read(carom::State& state) override {
    for (Eigen::Index i = 0; i < state.q.size(); ++i) state.q[i] = data_->qpos[i];
    for (Eigen::Index i = 0; i < state.u.size(); ++i) state.u[i] = data_->qvel[i];
  }

 private:
  std::string mjcf(const PlainScene& p) const {
    // Room for contacts, and three or four rows each. No more than needed: MuJoCo takes the square of the rows, at most 2 GiB in all.
    const std::size_t room = (p.bodies.front().box ? 12 * p.bodies.size() : 31 * p.bodies.size() / 10) + 60, rows = std::string(s_.cone) == "elliptic" ? 3 : 4;
    std::string xml = fmt::format(
        "<mujoco><size njmax='{}' nconmax='{}'/><option timestep='{}' gravity='{} {} {}' solver='{}' iterations='{}' tolerance='{}' cone='{}'/>"
        "<default><geom condim='3' friction='{} 0 0'{}/></default><worldbody>",
        rows * room, room, p.h, p.gravity.x(), p.gravity.y(), p.gravity.z(), s_.solver, s_.iterations, s_.tolerance, s_.cone, p.mu,
        s_.stiff ? fmt::format(" solref='{} 1' solimp='.99 .999 .0001'", 2 * p.h) : "");
    for (const PlainPlane& plane : p.planes)
      xml += fmt::format("<geom type='plane' size='1 1 1' pos='{} {} {}' zaxis='{} {} {}'/>", plane.point.x(), plane.point.y(), plane.point.z(), plane.normal.x(), plane.normal.y(), plane.normal.z());
    for (std::size_t i = 0; i < p.bodies.size(); ++i) {
      const PlainBody& b = p.bodies[i];
      const auto q = p.start.q.segment<7>(7 * static_cast<Eigen::Index>(i));
      const std::string geom = b.box ? fmt::format("type='box' size='{} {} {}'", b.half.x(), b.half.y(), b.half.z()) : fmt::format("type='sphere' size='{}'", b.half.x());
      xml += fmt::format("<body pos='{} {} {}' quat='{} {} {} {}'><freejoint/><inertial pos='0 0 0' mass='{}' diaginertia='{} {} {}'/><geom {}/></body>", q[0], q[1], q[2], q[3], q[4],
                         q[5], q[6], b.mass, b.inertia.x(), b.inertia.y(), b.inertia.z(), geom);
    }
    return xml + "</worldbody></mujoco>";
  }

  void clear() {
    if (data_ != nullptr) mj_deleteData(data_);
    if (model_ != nullptr) mj_deleteModel(model_);
    data_ = nullptr, model_ = nullptr;
  }

  Settings s_;
  mjModel* model_ = nullptr;
  mjData* data_ = nullptr;
};

}  // namespace

std::vector<std::unique_ptr<Peer>> peers() {
  mju_user_error = [](const char* message) { throw std::runtime_error(message); };
  std::vector<std::unique_ptr<Peer>> out;
  out.push_back(std::make_unique<MujocoPeer>(Settings{"Newton", 100, 1e-8, "pyramidal", false}));  // the defaults
  out.push_back(std::make_unique<MujocoPeer>(Settings{"PGS", 100, 1e-8, "pyramidal", false}));
  out.push_back(std::make_unique<MujocoPeer>(Settings{"Newton", 100, 1e-8, "elliptic", true}));
  out.push_back(std::make_unique<MujocoPeer>(Settings{"CG", 100, 1e-8, "elliptic", true}));
  return out;
}

}  // namespace peers
