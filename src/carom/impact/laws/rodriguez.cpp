#include "carom/impact/laws/rodriguez.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "carom/core/error.hpp"
#include "carom/impact/laws/laws.hpp"
#include "carom/impact/laws/rodriguez_collision.hpp"

namespace carom::laws {
namespace {

using namespace rodriguez;

constexpr double kUncoupled = 1e-12;  // |G_ij| over √(G_ii G_jj) up to which two components do not feel each other
constexpr double kNoProgress = 1e-12; // normal impulse of an event over that of the collision

// Do impulses at one contact change what the other's process depends on?
bool coupled(const System& system, int a, int b) {
  const Eigen::MatrixXd& G = system.problem.G;
  const auto first = [&](int c) { return system.problem.mu_s(c) > 0 ? system.tangent(c) : system.normal(c); };
  for (int i = first(a); i <= system.normal(a); ++i)
    for (int j = first(b); j <= system.normal(b); ++j)
      if (std::abs(G(i, j)) > kUncoupled * std::sqrt(G(i, i) * G(j, j))) return true;
  return false;
}

// Contacts that feel each other, directly or through others.
std::vector<std::vector<int>> groups(const System& system) {
  const int n = system.problem.contacts();
  std::vector<int> label(n);
  std::iota(label.begin(), label.end(), 0);
  if (system.paper) std::fill(label.begin(), label.end(), 0);
  for (int a = 0; a < n; ++a)
    for (int b = a + 1; b < n; ++b)
      if (const int keep = label[a], gone = label[b]; keep != gone && coupled(system, a, b)) std::replace(label.begin(), label.end(), gone, keep);
  std::vector<std::vector<int>> out;
  for (int a = 0; a < n; ++a) {
    std::vector<int> group;
    for (int c = 0; c < n; ++c)
      if (label[c] == a) group.push_back(c);
    if (!group.empty()) out.push_back(std::move(group));
  }
  return out;
}

double chosen(const LawCall& call, const std::string& option) {
  const double e = call.number(option);
  if (e > 1 && e != kFromContacts) throw InputError("options." + option, fmt::format("{}", e), "must lie in [-1, 1], or be 2 for the restitution of the contacts");
  return e;
}

double event_restitution(const LawCall& call, int event, const std::vector<int>& members) {
  double e = event <= kRodriguezEvents ? chosen(call, fmt::format("e_star_{}", event)) : kFromContacts;
  if (e == kFromContacts) e = chosen(call, "e_star");
  if (e != kFromContacts) return e;
  e = 1;
  for (const int c : members) e = std::min(e, call.problem.e(c));
  return e;
}

struct GroupEnd {
  int events = 0;
  bool finished = false, failed = false;
};

// Contacts of the group that approach or touch.
std::vector<int> near(const Collision& at, const std::vector<int>& group) {
  std::vector<int> out;
  for (const int c : group)
    if (at.v(at.system.normal(c)) <= at.tolerance.approach) out.push_back(c);
  return out;
}

GroupEnd run_group(Collision& at, std::vector<int> group, const LawCall& call) {
  GroupEnd end;
  const int limit = static_cast<int>(call.number("max_events"));
  while (!approaching(at, group).empty()) {
    const std::vector<int> members = near(at, group);
    const double before = at.p.cwiseAbs().sum();
    bool went = false;
    if (end.events < limit) {
      ++end.events;
      const EventPlan plan{members, event_restitution(call, end.events, members), fmt::format("event {}", end.events)};
      went = at.system.d() == 2 ? planar_event(at, plan) : spatial_event(at, plan);
    }
    if (at.system.paper) {
      if (!went) return end.failed = true, end;
      group = near(at, members);  // points that separated are left alone
    } else if (!went || at.p.cwiseAbs().sum() - before <= kNoProgress * at.p.cwiseAbs().sum()) {
      end.finished = true;
      end.failed = !finish_inelastic(at, group, "finish");
      return end;
    }
  }
  return end;
}

void tell(const Collision& at, std::vector<std::string>& warnings) {
  const Notes& notes = at.notes;
  if (at.system.paper) warnings.emplace_back("mode paper reproduces the dissertation: |p_n| signs, work by (4.7), separated points not looked at again; not physics");
  if (at.system.coincident > 0) warnings.emplace_back(fmt::format("{} pairs of contacts at one point: the pair rule says nothing about them", at.system.coincident));
  if (notes.undetermined) warnings.emplace_back("ratios of impulses undetermined by the pair rules (rank): took the least norm");
  if (notes.over_determined) warnings.emplace_back("pair rules contradict each other (more rules than ratios): took least squares over all pairs");
  if (notes.dropped) warnings.emplace_back("the pair rules ask for tension: non-negative least squares, contacts that would pull take no impulse in that stretch");
  if (notes.tension) warnings.emplace_back("the pair rules ask for tension (C < 0)");
  if (notes.rule_given_up) warnings.emplace_back("no choice of slip and stick agrees with the pair rules: equal shares taken in that stretch");
  if (notes.locked) warnings.emplace_back("restitution cannot act: no further impulse changes the work");
}

Collision start(const System& system, const LawCall& call) {
  const ImpactProblem& problem = call.problem;
  const double speed = problem.v_pre.cwiseAbs().maxCoeff();
  Collision at{system, {}, problem.v_pre, Eigen::VectorXd::Zero(problem.v_pre.size()), {}, 0, {}, nullptr};
  at.tolerance.rest = std::max(call.number("zero_slip"), 1e-12 * speed);
  at.tolerance.approach = call.number("approach_tolerance") * speed;
  at.tolerance.path = call.number("path_tolerance");
  at.work.resize(problem.contacts());
  return at;
}

ImpactOutcome solve_rodriguez(const LawCall& call) {
  const System system = make_system(call.problem, call.word("mode") == "paper");
  ImpactOutcome outcome;
  Collision at = start(system, call);
  if (call.history) at.history = &outcome;
  bool failed = false;
  for (const std::vector<int>& group : groups(system)) {
    const GroupEnd end = run_group(at, group, call);
    failed |= end.failed;
    if (end.finished && !end.failed)
      outcome.warnings.emplace_back(fmt::format("{}: finished with the e = 0 Coulomb complementarity problem", end.events >= static_cast<int>(call.number("max_events")) ? fmt::format("no end after {} events", end.events) : fmt::format("event {} made no progress", end.events)));
    if (end.failed) outcome.warnings.emplace_back(fmt::format("event {} has no answer: {}", end.events, system.paper ? "the printed rules are inconsistent or the work never turns" : "no impulse ends the approach (singular delassus, velocity outside its range)"));
  }
  outcome.v_post = at.v;
  outcome.p = at.p;
  outcome.energy.contacts = at.work;
  tell(at, outcome.warnings);
  std::vector<int> all(call.problem.contacts());
  std::iota(all.begin(), all.end(), 0);
  if (failed)
    outcome.status = ImpactStatus::no_solution;
  else if (!approaching(at, all).empty()) {
    outcome.status = ImpactStatus::not_converged;
    outcome.warnings.emplace_back(fmt::format("contact {} approaches at the end", approaching(at, all).front()));
  }
  return outcome;
}

OptionInfo number(std::string name, double fallback, double low, double high, std::string unit, std::string meaning) {
  return {.name = std::move(name), .fallback = fallback, .low = low, .high = high, .choices = {}, .unit = std::move(unit), .meaning = std::move(meaning)};
}

}  // namespace

LawInfo rodriguez_bowling() {
  LawInfo info{
      .id = "rodriguez-bowling",
      .dimensions = {2, 3},
      .many_contacts = true,
      .restitutions = {Restitution::stronge},
      .never_gains = {Restitution::stronge},
      .order_free = true,
      .summary = "Simultaneous impacts made determinate by rigid-body constraints between contact points; one global e* per impact event, several events.",
      .citation = "rodriguez2014",
      .solve = solve_rodriguez,
  };
  info.options.push_back({.name = "mode", .fallback = std::string("physical"), .choices = {"physical", "paper"}, .unit = "",
                          .meaning = "physical: true signs, work as integral, every point re-checked, never gains energy; paper: as the dissertation computes"});
  info.options.push_back(number("e_star", kFromContacts, -1, kFromContacts, "1", "global restitution of every event, in [-1, 1]; 2: the least restitution of the contacts in the event"));
  for (int k = 1; k <= kRodriguezEvents; ++k)
    info.options.push_back(number(fmt::format("e_star_{}", k), kFromContacts, -1, kFromContacts, "1", fmt::format("global restitution of event {}, in [-1, 1]; 2: as e_star", k)));
  info.options.push_back(number("max_events", 25, 1, 1000, "1", "events per group of coupled contacts, after which the e = 0 complementarity problem ends the collision"));
  info.options.push_back(number("zero_slip", 0, 0, 1e300, "m/s", "slip speed up to which a contact counts as not slipping"));
  info.options.push_back(number("approach_tolerance", 1e-9, 0, 1e-3, "1", "normal speed over the largest initial speed up to which a contact counts as touching"));
  info.options.push_back(number("path_tolerance", 1e-10, 1e-13, 1e-3, "1", "spatial: relative error per step of the integration along the impulse"));
  return info;
}

}  // namespace carom::laws
