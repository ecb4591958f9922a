#include "carom/simulate/scene.hpp"

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "carom/core/error.hpp"
#include "carom/dynamics/constraints.hpp"
#include "carom/dynamics/kinematics.hpp"
#include "carom/simulate/contact_scan.hpp"

namespace carom {
namespace {

// Beyond these a slip of the pen is likelier than a run: days of steps, and more samples than memory.
constexpr double kMostSteps = 1e10, kMostSamples = 1e7;

void require(bool good, const std::string& field, double value, const std::string& allowed) {
  if (!good) throw InputError(field, fmt::format("{}", value), allowed);
}

void check_material(const Material& m, const std::string& field) {
  require(m.mu_d >= 0 && std::isfinite(m.mu_d), field + ".friction.kinetic", m.mu_d, "must be ≥ 0");
  require(m.mu_s >= m.mu_d && std::isfinite(m.mu_s), field + ".friction.static", m.mu_s, "must be ≥ the kinetic coefficient");
  require(m.e >= 0 && m.e <= 1, field + ".restitution", m.e, "must lie in [0, 1]");
  require(m.stiffness > 0 && std::isfinite(m.stiffness), field + ".stiffness", m.stiffness, "must be > 0");
  require(m.exponent >= 1 && std::isfinite(m.exponent), field + ".exponent", m.exponent, "must be ≥ 1");
  require(m.torsion >= 0 && m.rolling >= 0, field + ".rolling", std::min(m.torsion, m.rolling), "must be ≥ 0");
  require(m.cone_edges == 0 || m.cone_edges >= 3, field + ".cone_edges", m.cone_edges, "must be 0 (the integrator's) or ≥ 3");
}

void check_options(const Scene& scene) {
  const EventOptions& o = scene.integrator.event;
  require(scene.duration > 0 && std::isfinite(scene.duration), "duration", scene.duration, "must be > 0");
  require(scene.sampling > 0 && std::isfinite(scene.sampling), "output.sampling", scene.sampling, "must be > 0");
  require(o.relative > 0 && o.relative < 1, "integrator.relative", o.relative, "must lie in (0, 1)");
  require(o.absolute > 0, "integrator.absolute", o.absolute, "must be > 0");
  require(o.max_step > 0, "integrator.max_step", o.max_step, "must be > 0");
  require(o.time_tolerance > 0, "integrator.time_tolerance", o.time_tolerance, "must be > 0");
  require(o.gap_tolerance > 0, "integrator.gap_tolerance", o.gap_tolerance, "must be > 0");
  require(o.rest_speed > 0, "integrator.rest_speed", o.rest_speed, "must be > 0");
  require(o.slip_resolution >= o.rest_speed, "integrator.slip_resolution", o.slip_resolution, "must be ≥ rest_speed");
  require(o.zeno_horizon > 0, "integrator.zeno_horizon", o.zeno_horizon, "must be > 0");
  require(o.zeno_bounces >= 3, "integrator.zeno_bounces", o.zeno_bounces, "must be ≥ 3");
  require(o.max_impacts >= 1, "integrator.max_impacts", o.max_impacts, "must be ≥ 1");
  const SteppingOptions& s = scene.integrator.stepping;
  require(s.step > 0, "integrator.step", s.step, "must be > 0");
  if (scene.integrator.time_stepping) require(scene.duration / s.step <= kMostSteps, "integrator.step", s.step, fmt::format("must be ≥ {} [s]: {:.0e} steps are the most", scene.duration / kMostSteps, kMostSteps));
  require(scene.duration / scene.sampling <= kMostSamples, "output.sampling", scene.sampling, fmt::format("must be ≥ {} [s]: {:.0e} samples are the most", scene.duration / kMostSamples, kMostSamples));
  require(s.cone_edges == 0 || s.cone_edges >= 3, "integrator.cone_edges", s.cone_edges, "must be 0 (exact) or ≥ 3");
  require(s.theta >= 0.5 && s.theta <= 1, "integrator.theta", s.theta, "must lie in [0.5, 1]");
  require(s.tolerance > 0, "integrator.tolerance", s.tolerance, "must be > 0");
  require(s.stabilisation >= 0 && s.stabilisation <= 1, "integrator.stabilisation", s.stabilisation, "must lie in [0, 1]");
  require(s.recovery_speed >= 0, "integrator.recovery_speed", s.recovery_speed, "must be ≥ 0");
  require(s.max_sweeps >= 1, "integrator.max_sweeps", s.max_sweeps, "must be ≥ 1");
  require(s.threads >= 1, "integrator.threads", s.threads, "must be ≥ 1");
}

// How deep bodies may be in each other at the start. Time steps take penetrations out, and what one run left the next may begin with.
double allowed_overlap(const Scene& scene, const ContactScan& scan, const ContactId& contact) {
  constexpr double kRounding = 1e-6, kShallow = 0.01;  // [m], part of the smaller body
  if (!scene.integrator.time_stepping || contact.a == ContactId::kLimit) return kRounding;
  const double a = scan.reach_of(contact.a), b = scan.reach_of(contact.b);  // 0: a half-space
  return std::max(kRounding, kShallow * (a > 0 && b > 0 ? std::min(a, b) : std::max(a, b)));
}

void check_start(const Scene& scene) {
  const Model& model = scene.model;
  if (scene.start.q.size() != model.nq() || !scene.start.q.allFinite()) throw InputError("state", fmt::format("{} coordinates", scene.start.q.size()), fmt::format("must be {} finite numbers", model.nq()));
  if (scene.start.u.size() != model.nv() || !scene.start.u.allFinite()) throw InputError("state", fmt::format("{} speeds", scene.start.u.size()), fmt::format("must be {} finite numbers", model.nv()));
  Data data(model);
  forward_kinematics(model, scene.start, data);
  Eigen::VectorXd g;
  constraint_residual(model, data, scene.start.q, g);
  if (g.size() > 0) require(g.cwiseAbs().maxCoeff() < 1e-6, "state", g.cwiseAbs().maxCoeff(), "must close every constraint to 1e-6");
  ContactScan scan(scene);
  std::vector<LiveContact> overlapping;
  scan.near(data, scene.start.q, 0, 0, overlapping);
  for (const LiveContact& c : overlapping)
    if (c.gap.distance < -allowed_overlap(scene, scan, c.id)) throw InputError("state", fmt::format("{} overlaps by {:.3g} m", name(scene, c.id), -c.gap.distance), "must start with gaps ≥ 0");
}

}  // namespace

std::string_view name(Scheme scheme) {
  switch (scheme) {
    case Scheme::stewart_trinkle: return "stewart-trinkle";
    case Scheme::anitescu_potra: return "anitescu-potra";
    case Scheme::moreau_jean: break;
  }
  return "moreau-jean";
}

Scheme scheme_named(std::string_view word) {
  for (const Scheme scheme : {Scheme::stewart_trinkle, Scheme::anitescu_potra, Scheme::moreau_jean})
    if (name(scheme) == word) return scheme;
  throw InputError("scheme", std::string(word), "must be stewart-trinkle, anitescu-potra or moreau-jean");
}

bool may_touch_as_bodies(const Scene& scene, int a, int b) {
  if (a == b) return false;
  const int body_a = scene.colliders[static_cast<std::size_t>(a)].body, body_b = scene.colliders[static_cast<std::size_t>(b)].body;
  if (body_a == body_b) return false;
  // Bodies joined directly share a pin; a free or planar joint to the ground joins nothing.
  const auto joined = [&](int child, int parent) {
    if (child == kGround || scene.model.parent(child) != parent) return false;
    const JointKind kind = scene.model.joint(child).kind;
    return parent != kGround || (kind != JointKind::free && kind != JointKind::planar && kind != JointKind::prismatic && kind != JointKind::revolute && kind != JointKind::spherical);
  };
  return !joined(body_a, body_b) && !joined(body_b, body_a);
}

bool may_touch(const Scene& scene, int a, int b) {
  for (const auto& pair : scene.ignored)
    if ((pair[0] == a && pair[1] == b) || (pair[0] == b && pair[1] == a)) return false;
  return may_touch_as_bodies(scene, a, b);
}

void validate(const Scene& scene) {
  check_options(scene);
  for (const Material& m : scene.materials) check_material(m, "materials." + m.name);
  for (std::size_t i = 0; i < scene.pairs.size(); ++i) check_material(scene.pairs[i].together, fmt::format("pairs[{}]", i));
  std::set<std::string> names;
  for (const Collider& c : scene.colliders) {
    if (!names.insert(c.name).second) throw InputError("shapes." + c.name, c.name, "must be the name of one collider only");
    validate(c.shape, scene.model.world(), "shapes." + c.name);
    if (c.material < 0 || c.material >= static_cast<int>(scene.materials.size())) throw InputError("shapes." + c.name + ".material", fmt::format("{}", c.material), "must be a material of the scene");
    if (c.drive && c.body != kGround) throw InputError("shapes." + c.name + ".drive", c.name, "only shapes of the ground are driven");
    if (c.body != kGround && std::holds_alternative<HalfSpace>(c.shape)) throw InputError("shapes." + c.name, "half-space", "must be on the ground");
  }
  for (const JointLimit& l : scene.limits) {
    require(l.lower < l.upper, "limits." + l.joint, l.lower, fmt::format("must be less than the upper limit {}", l.upper));
    require(l.e >= 0 && l.e <= 1, "limits." + l.joint + ".restitution", l.e, "must lie in [0, 1]");
  }
  if (!scene.law.process.empty()) (void)find_law(scene.law.process);
  if (const std::string& r = scene.law.restitution; !r.empty() && r != "newton" && r != "poisson" && r != "stronge")
    throw InputError("restitution_law", r, "must be newton, poisson or stronge");
  check_start(scene);
}

}  // namespace carom
