#include "carom/simulate/collision.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "carom/dynamics/energy.hpp"
#include "carom/dynamics/kinematics.hpp"
#include "carom/impact/law.hpp"
#include "carom/simulate/body_islands.hpp"
#include "carom/simulate/contact_space.hpp"

namespace carom {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kHistoryContacts = 6;  // the history inside impacts of more contacts at once is not kept: it would fill memory

bool contains(const std::vector<ContactId>& ids, const ContactId& id) { return std::find(ids.begin(), ids.end(), id) != ids.end(); }

// The law of the scene, or that of the pair when every contact of the collision has the same pair law.
ImpactLaw choose_law(const Scene& scene, std::span<const LiveContact> contacts) {
  const PairLaw* common = nullptr;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const PairLaw* own = nullptr;
    for (const PairLaw& p : scene.pair_laws)
      if ((p.collider_a == contacts[i].id.a && p.collider_b == contacts[i].id.b) || (p.collider_a == contacts[i].id.b && p.collider_b == contacts[i].id.a)) own = &p;
    if (own == nullptr || (i > 0 && own != common)) return scene.law;
    common = own;
  }
  return common != nullptr ? common->law : scene.law;
}

ContactGeometry geometry(int d, std::span<const LiveContact> contacts) {
  const auto n = static_cast<Index>(contacts.size());
  ContactGeometry out{MatrixXd::Zero(d, n), MatrixXd::Zero(d, n), {}};
  for (Index c = 0; c < n; ++c) {
    const LiveContact& contact = contacts[static_cast<std::size_t>(c)];
    out.points.col(c) = contact.gap.point_a.head(d);
    out.normals.col(c) = contact.gap.normal.head(d);
    out.bodies.push_back({contact.body_a, contact.body_b});
  }
  return out;
}

ImpactProblem problem_of(int d, std::span<const LiveContact> contacts, const VectorXd& v, const MatrixXd& G, const CollisionOptions& options) {
  ImpactProblem problem;
  problem.dimension = d;
  problem.G = G, problem.v_pre = v;
  const auto n = static_cast<Index>(contacts.size());
  for (VectorXd* values : {&problem.mu_s, &problem.mu_d, &problem.e, &problem.stiffness, &problem.exponent}) values->resize(n);
  bool limits = false;
  for (Index c = 0; c < n; ++c) {
    const LiveContact& contact = contacts[static_cast<std::size_t>(c)];
    const Material& m = *contact.material;
    problem.mu_s[c] = m.mu_s, problem.mu_d[c] = m.mu_d, problem.stiffness[c] = m.stiffness, problem.exponent[c] = m.exponent;
    const bool slow = options.slow > 0 && v[problem.normal(static_cast<int>(c))] > -options.slow;
    problem.e[c] = options.all_plastic || slow || contains(options.plastic, contact.id) ? 0 : m.e;
    limits = limits || contact.is_limit();
  }
  if (!limits) problem.geometry = geometry(d, contacts);
  return problem;
}

bool usable(const ImpactOutcome& outcome) {
  return outcome.v_post.allFinite() && (outcome.status == ImpactStatus::resolved || outcome.status == ImpactStatus::separating);
}

// Does nothing approach faster than that?
bool is_slow(const ImpactProblem& problem, double speed) {
  for (int i = 0; i < problem.contacts(); ++i)
    if (problem.v_pre[problem.normal(i)] < -speed) return false;
  return true;
}

void warn_once(std::vector<std::string>& warnings, std::string text) {
  if (std::find(warnings.begin(), warnings.end(), text) == warnings.end()) warnings.push_back(std::move(text));
}

// The law's answer, or that of the next one that has an answer: lzb, then the plastic cone problem.
ImpactOutcome resolve_or_finish(const ImpactProblem& problem, ImpactLaw law, double slow, std::vector<std::string>& warnings) {
  if (is_slow(problem, slow))
    if (ImpactOutcome outcome = resolve(problem, {"moreau", "", {}}); usable(outcome)) return outcome;
  if (!law.process.empty() && problem.contacts() > 1 && !find_law(law.process).many_contacts) {
    warn_once(warnings, fmt::format("law {} is for one contact; collisions of several contacts were resolved by {}", law.process, default_law(problem).id));
    law = {};
  }
  law.history = problem.contacts() <= kHistoryContacts;
  ImpactOutcome outcome = resolve(problem, law);
  if (usable(outcome)) return outcome;
  warn_once(warnings, fmt::format("law {} had no answer ({}) to some collision; the next law that had one was taken", outcome.law, name(outcome.status)));
  if (outcome.law != "lzb") outcome = resolve(problem, {"lzb", "", {}});
  if (usable(outcome)) return outcome;
  ImpactProblem plastic = problem;
  plastic.e.setZero();
  return resolve(plastic, {"moreau", "", {}});
}

// Contacts that approach, and those that rest, of bodies that the blow on the fastest of them can reach.
struct Candidates {
  std::vector<std::size_t> contacts;  // indices into those that touch
  int seed = -1;                      // the fastest, in `contacts`; −1: nothing approaches
};

// Jammed contacts are given an approach in `rows`.
Candidates find_candidates(const Scene& scene, std::span<const LiveContact> touching, const CollisionOptions& options, ContactRows& rows) {
  const int d = scene.model.dimension();
  std::vector<std::size_t> slow_or_closing;
  std::vector<ContactId> ids;
  std::size_t fastest = touching.size();
  double deepest = -options.rest_speed;
  for (std::size_t i = 0; i < touching.size(); ++i) {
    const Index first = static_cast<Index>(i) * d;
    const bool jammed = contains(options.jammed, touching[i].id);
    double& v_n = rows.v[first + d - 1];
    if (jammed) v_n = -1e-9 * rows.v.segment(first, d).norm();
    if (v_n > options.rest_speed) continue;
    if (v_n < deepest || jammed) deepest = v_n, fastest = i;
    slow_or_closing.push_back(i);
    ids.push_back(touching[i].id);
  }
  Candidates out;
  if (fastest == touching.size()) return out;
  const std::vector<int> bodies = body_islands(scene, ids);
  for (const std::size_t i : slow_or_closing) {
    if (island_of(scene, bodies, touching[i].id) != island_of(scene, bodies, touching[fastest].id)) continue;
    if (i == fastest) out.seed = static_cast<int>(out.contacts.size());
    out.contacts.push_back(i);
  }
  return out;
}

}  // namespace

ImpactRecord impact_event(const Scene& scene, SmoothFlow& flow, FlowVector& x, double t, std::span<const LiveContact> touching,
                          const CollisionOptions& options, std::vector<std::string>& warnings) {
  ImpactRecord record;
  record.time = t;
  if (touching.empty()) return record;
  const int d = scene.model.dimension();
  flow.place(x);
  ContactRows rows;
  contact_velocities(scene, flow.data(), t, touching, rows);
  const Candidates candidates = find_candidates(scene, touching, options, rows);
  if (candidates.seed < 0) return record;
  std::vector<LiveContact> contacts;
  std::vector<Index> kept;
  for (const std::size_t i : candidates.contacts) {
    contacts.push_back(touching[i]);
    for (int k = 0; k < d; ++k) kept.push_back(static_cast<Index>(i) * d + k);
  }
  MatrixXd G, Y;
  contact_space(scene.model, flow.data(), rows.J(kept, Eigen::all), G, Y);
  std::vector<int> island;
  contact_islands(G, d, island);
  std::vector<LiveContact> struck;
  std::vector<Index> part;
  for (std::size_t m = 0; m < contacts.size(); ++m) {
    if (island[m] != island[static_cast<std::size_t>(candidates.seed)]) continue;
    struck.push_back(contacts[m]);
    for (int k = 0; k < d; ++k) part.push_back(static_cast<Index>(m) * d + k);
  }
  const VectorXd v = rows.v(kept)(part);
  record.problem = problem_of(d, struck, v, G(part, part), options);
  for (const LiveContact& c : struck) record.contacts.push_back(c.id);
  record.kinetic_before = kinetic_energy(scene.model, flow.data());
  record.outcome = resolve_or_finish(record.problem, choose_law(scene, struck), options.slow, warnings);
  State state = flow.state();
  if (record.outcome.p.allFinite()) {
    VectorXd change;
    contact_speeds(scene.model, flow.data(), Y(Eigen::all, part), record.outcome.p, change);
    state.u += change;
  }
  forward_kinematics(scene.model, state, flow.data());
  record.kinetic_after = kinetic_energy(scene.model, flow.data());
  flow.write(state, x);
  return record;
}

}  // namespace carom
