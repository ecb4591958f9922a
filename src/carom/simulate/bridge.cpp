#include "carom/simulate/bridge.hpp"

#include <algorithm>

#include "carom/complementarity/default_policy.hpp"
#include "carom/complementarity/friction_contact.hpp"
#include "carom/dynamics/energy.hpp"
#include "carom/dynamics/kinematics.hpp"
#include "carom/simulate/contact_space.hpp"

namespace carom {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kAsked = 1e-11, kUsable = 1e-7;  // natural map of the step's problem
constexpr double kRounding = 1e-13;  // of the energy
constexpr int kHalvings = 40;
constexpr double kSlow = 100;    // [m/s²]: contacts further than this times h² are not looked at
constexpr double kDeep = 100;     // times the gap tolerance: how deep the step may leave the contacts that take part
constexpr double kDeeper = 0.01;  // … the same, for contacts that are deep already: rounding
constexpr double kPierced = 10;  // times the gap tolerance: deeper, a contact that was open has closed

// The impulses of all touching contacts, island by island; empty without a solution.
VectorXd impulses(const MatrixXd& G, const VectorXd& q, int d, const VectorXd& mu) {
  VectorXd p = VectorXd::Zero(q.size());
  for (const ContactIsland& island : contact_islands(G, d)) {
    ContactOptions options;
    options.tolerance = kAsked;
    const ContactSummary found = solve_default(FrictionContact{d, BlockMatrix::from_dense(G(island.rows, island.rows), d), q(island.rows), mu(island.member)}, options);
    if (!found.usable() && !(found.certificate.natural_map <= kUsable)) return {};
    p(island.rows) = found.x;
  }
  return p;
}

double energy(const Model& model, Data& data) { return kinetic_energy(model, data) + potential_energy(model, data); }

// Time steps from one state, of several lengths.
class Passage {
 public:
  Passage(const Scene& scene, SmoothFlow& flow, const FlowVector& x, double t, double longest) : scene_(scene), flow_(flow), x_(x), t_(t) {
    flow.place(x);
    flow.scan().near(flow.data(), flow.state().q, t, scene.integrator.event.gap_tolerance + kSlow * longest * longest, near_);
    flow.contact_dynamics(x, t, near_, dynamics_);
    before_ = flow.state();
    energy_before_ = energy(scene.model, flow.data());
  }

  // A step of length h into x; false: it goes too deep, gains energy or has no impulses.
  bool step(double h, FlowVector& x) {
    choose(h);
    VectorXd change;
    const VectorXd p = impulses(dynamics_.G(rows_, rows_), q_(rows_), scene_.model.dimension(), Eigen::Map<const VectorXd>(mu_.data(), static_cast<Index>(mu_.size())));
    if (p.size() != static_cast<Index>(rows_.size())) return false;
    flow_.place(x_);
    contact_speeds(scene_.model, flow_.data(), dynamics_.Y(Eigen::all, rows_), p, change);
    after_.u = before_.u + h * dynamics_.udot + change;
    // With the mean speeds flights are exact; with the last ones nothing goes deeper.
    if (!moved(h, (before_.u + after_.u) / 2) && !moved(h, after_.u)) return false;
    // The contacts' work is what is missing of the energy; they may give none.
    const double forces = h * dynamics_.power, work = energy(scene_.model, flow_.data()) - energy_before_ - forces;
    if (work > kRounding * std::abs(energy_before_)) return false;
    x = flow_.pack(after_, flow_.work_forces(x_) + forces, flow_.work_contacts(x_) + work);
    return true;
  }
  const std::vector<ContactId>& contacts() const { return contacts_; }

 private:
  // Who takes part in a step of length h: what touches, and what arrives slowly.
  void choose(double h) {
    const EventOptions& options = scene_.integrator.event;
    const int d = scene_.model.dimension();
    contacts_.clear(), rows_.clear(), mu_.clear();
    q_ = dynamics_.rows.v + h * dynamics_.a0;
    for (std::size_t i = 0; i < near_.size(); ++i) {
      const Index first = static_cast<Index>(i) * d, normal = first + d - 1;
      const double gap = std::max(near_[i].gap.distance, 0.0), v_n = dynamics_.rows.v[normal];
      if (gap > options.gap_tolerance && (v_n < -h * std::abs(dynamics_.a0[normal]) || gap + h * q_[normal] > 0)) continue;
      const Material& m = *near_[i].material;
      mu_.push_back(dynamics_.rows.v.segment(first, d - 1).norm() > options.rest_speed ? m.mu_d : m.mu_s);
      q_[normal] += gap / h;
      for (int c = 0; c < d; ++c) rows_.push_back(first + c);
      contacts_.push_back(near_[i].id);
    }
  }

  // Moves with the given speeds; false: something else has closed, or what takes part is too deep.
  bool moved(double h, const VectorXd& speeds) {
    const double tolerance = scene_.integrator.event.gap_tolerance;
    after_.q = integrate(scene_.model, before_.q, speeds, h);
    forward_kinematics(scene_.model, after_, flow_.data());
    flow_.scan().near(flow_.data(), after_.q, t_ + h, 0, closed_);
    return std::none_of(closed_.begin(), closed_.end(), [&](const LiveContact& c) {
      if (std::find(contacts_.begin(), contacts_.end(), c.id) == contacts_.end()) return c.gap.distance <= -kPierced * tolerance;
      const auto then = std::find_if(near_.begin(), near_.end(), [&](const LiveContact& n) { return n.id == c.id; });
      return c.gap.distance <= std::min(-kDeep * tolerance, then->gap.distance - kDeeper * tolerance);
    });
  }

  const Scene& scene_;
  SmoothFlow& flow_;
  const FlowVector& x_;
  double t_, energy_before_ = 0;
  std::vector<LiveContact> near_, closed_;
  SmoothFlow::ContactDynamics dynamics_;
  State before_, after_;
  // Of the step being tried.
  std::vector<ContactId> contacts_;
  std::vector<Index> rows_;
  std::vector<double> mu_;
  VectorXd q_;
};

}  // namespace

Bridge bridge(const Scene& scene, SmoothFlow& flow, FlowVector& x, double t, double longest) {
  const FlowVector from = x;
  Passage passage(scene, flow, from, t, longest);
  double h = longest;
  for (int k = 0; k < kHalvings; ++k, h /= 2)
    if (passage.step(h, x)) return {h, passage.contacts()};
  return {};
}

}  // namespace carom
