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

}  // namespace

Bridge bridge(const Scene& scene, SmoothFlow& flow, FlowVector& x, double t, double longest) {
  const EventOptions& options = scene.integrator.event;
  const Model& model = scene.model;
  const int d = model.dimension();
  Bridge out;
  std::vector<LiveContact> near, after;
  SmoothFlow::ContactDynamics dynamics;
  flow.place(x);
  flow.scan().near(flow.data(), flow.state().q, t, options.gap_tolerance + kSlow * longest * longest, near);
  flow.contact_dynamics(x, t, near, dynamics);
  const State before = flow.state();
  const double energy_before = energy(model, flow.data());
  State state;
  VectorXd change;
  double h = longest;
  for (int k = 0; k < kHalvings; ++k, h /= 2) {
    // Who takes part.
    out.contacts.clear();
    std::vector<Index> rows;
    std::vector<double> mu;
    VectorXd q = dynamics.rows.v + h * dynamics.a0;
    for (std::size_t i = 0; i < near.size(); ++i) {
      const Index first = static_cast<Index>(i) * d, normal = first + d - 1;
      const double gap = std::max(near[i].gap.distance, 0.0), v_n = dynamics.rows.v[normal];
      if (gap > options.gap_tolerance && (v_n < -h * std::abs(dynamics.a0[normal]) || gap + h * q[normal] > 0)) continue;
      const Material& m = *near[i].material;
      mu.push_back(dynamics.rows.v.segment(first, d - 1).norm() > options.rest_speed ? m.mu_d : m.mu_s);
      q[normal] += gap / h;
      for (int c = 0; c < d; ++c) rows.push_back(first + c);
      out.contacts.push_back(near[i].id);
    }
    const VectorXd p = impulses(dynamics.G(rows, rows), q(rows), d, Eigen::Map<const VectorXd>(mu.data(), static_cast<Index>(mu.size())));
    if (p.size() != static_cast<Index>(rows.size())) continue;
    flow.place(x);
    contact_speeds(model, flow.data(), dynamics.Y(Eigen::all, rows), p, change);
    state.u = before.u + h * dynamics.udot + change;
    // With the mean speeds flights are exact; with the last ones nothing goes deeper.
    VectorXd moving = (before.u + state.u) / 2;
    bool strange = false, deep = false;
    for (int attempt = 0; attempt < 2; ++attempt, moving = state.u) {
      state.q = integrate(model, before.q, moving, h);
      forward_kinematics(model, state, flow.data());
      flow.scan().near(flow.data(), state.q, t + h, 0, after);
      strange = deep = false;
      for (const LiveContact& c : after) {
        if (c.gap.distance > -kPierced * options.gap_tolerance) continue;
        const bool known = std::find(out.contacts.begin(), out.contacts.end(), c.id) != out.contacts.end();
        strange = strange || !known, deep = deep || (known && c.gap.distance < -kDeep * options.gap_tolerance);
      }
      if (!deep) break;
    }
    if (strange || deep) continue;
    // The contacts' work is what is missing of the energy; they may give none.
    const double forces = h * dynamics.power, work = energy(model, flow.data()) - energy_before - forces;
    if (work > kRounding * std::abs(energy_before)) continue;
    x = flow.pack(state, flow.work_forces(x) + forces, flow.work_contacts(x) + work);
    out.length = h;
    return out;
  }
  return out;
}

}  // namespace carom
