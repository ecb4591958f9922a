// Law `sequential`: many contacts as a sequence of impacts at one contact each, until nothing approaches.
//
// While some v_n,c < 0: choose a contact c, resolve it alone with `routh` (its own d × d block of G, its own μ and e), and carry
// the impulse to all contacts, v ← v + G_{:,c} p_c. The order is an assumption, not a result:
//   order = fastest: the contact that approaches fastest (ties: lowest index);   order = index: the first that approaches.
// For up to four contacts the law also runs every priority order and tells how far the answers lie apart.
// Validity: physical where contacts are far apart in time (gaps, stiff waves); for touching bodies it is one of many answers.
// Every single impact with stronge or poisson loses energy, so the sequence does. It is finite for e < 1 only in the limit where
// contacts keep throwing bodies at each other (a body wedged in a corner); it stops when the fastest approach has fallen below
// `tolerance` of |v⁻|, or after `max_impacts`, when the rest is stopped without restitution and the answer says so.
// Citation: wang1992 (the single impact). Checked by: sequential_test.cpp, tests/reference/multi_oracle_test.cpp.

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "carom/impact/laws/laws.hpp"
#include "carom/impact/laws/plastic_stop.hpp"

namespace carom::laws {
namespace {

constexpr int kMostOrdered = 4;  // contacts up to which every order is tried: 4! = 24 runs

// Chooses the next contact that approaches faster than `least`, or −1.
int next(const ImpactProblem& problem, const Eigen::VectorXd& v, const std::vector<int>& priority, double least) {
  for (const int c : priority)
    if (v(problem.normal(c)) < -least) return c;
  if (!priority.empty()) return -1;
  int chosen = -1;
  double fastest = -least;
  for (int c = 0; c < problem.contacts(); ++c)
    if (v(problem.normal(c)) < fastest) fastest = v(problem.normal(c)), chosen = c;
  return chosen;
}

ImpactProblem alone(const ImpactProblem& problem, const Eigen::VectorXd& v, int c) {
  const int d = problem.dimension;
  ImpactProblem one;
  one.dimension = d;
  one.G = problem.G.block(c * d, c * d, d, d);
  one.v_pre = v.segment(c * d, d);
  one.mu_s = problem.mu_s.segment(c, 1), one.mu_d = problem.mu_d.segment(c, 1), one.e = problem.e.segment(c, 1);
  return one;
}

void add(ContactWork& sum, const ContactWork& part) {
  sum.normal += part.normal, sum.friction += part.friction, sum.compression += part.compression, sum.restitution += part.restitution;
}

void stop(const ImpactProblem& problem, ImpactOutcome& outcome, const std::string& why) {
  const PlasticStop end = plastic_stop(problem, outcome.v_post);
  outcome.p += end.p;
  outcome.v_post = end.v;
  for (std::size_t c = 0; c < end.work.size(); ++c) add(outcome.energy.contacts[c], end.work[c]);
  if (!end.stopped) outcome.status = ImpactStatus::not_converged;
  outcome.warnings.push_back(why + ": what was left was stopped without restitution");
}

// Impacts one after the other; an empty priority means the fastest first.
ImpactOutcome run(const LawCall& call, const std::vector<int>& priority, bool history) {
  const ImpactProblem& problem = call.problem;
  const int d = problem.dimension;
  static const LawInfo single = routh();
  LawOptions options;
  for (const OptionInfo& option : single.options) options[option.name] = option.fallback;
  options["zero_slip"] = call.number("zero_slip");
  const double least = call.number("tolerance") * problem.v_pre.norm();

  ImpactOutcome outcome;
  outcome.v_post = problem.v_pre;
  outcome.p = Eigen::VectorXd::Zero(problem.v_pre.size());
  outcome.energy.contacts.resize(static_cast<std::size_t>(problem.contacts()));
  const int limit = static_cast<int>(call.number("max_impacts"));
  double work = 0;
  for (int count = 0;; ++count) {
    const int c = next(problem, outcome.v_post, priority, least);
    if (c < 0) break;
    if (count == limit) {
      stop(problem, outcome, fmt::format("contacts still approach after {} impacts", limit));
      break;
    }
    const ImpactProblem one = alone(problem, outcome.v_post, c);
    const ImpactOutcome hit = single.solve({one, call.restitution, options, false});
    if (hit.status != ImpactStatus::resolved) {
      stop(problem, outcome, fmt::format("contact {} alone has no solution", c));
      break;
    }
    ImpactSegment segment;
    segment.v_begin = outcome.v_post, segment.p_begin = outcome.p, segment.work_begin = work;
    outcome.p.segment(c * d, d) += hit.p;
    outcome.v_post += problem.G.middleCols(c * d, d) * hit.p;
    const ContactWork& part = hit.energy.contacts.front();
    add(outcome.energy.contacts[static_cast<std::size_t>(c)], part);
    work += part.normal;
    if (!history) continue;
    segment.state.assign(static_cast<std::size_t>(problem.contacts()), SlipState::separated);
    segment.state[static_cast<std::size_t>(c)] = hit.v_post.head(d - 1).norm() > 0 ? SlipState::slip : SlipState::stick;
    segment.phase = Phase::restitution;
    segment.mode = fmt::format("impact {} at contact {}", count + 1, c);
    segment.v_end = outcome.v_post, segment.p_end = outcome.p, segment.work_end = work;
    outcome.segments.push_back(std::move(segment));
    outcome.events.push_back({ImpactEventKind::separates, c, outcome.p(problem.normal(c)), outcome.v_post, work});
  }
  return outcome;
}

// How far the answers of all priority orders lie from the answer given.
void tell_orders(const LawCall& call, ImpactOutcome& outcome) {
  std::vector<int> priority(static_cast<std::size_t>(call.problem.contacts()));
  std::iota(priority.begin(), priority.end(), 0);
  std::vector<Eigen::VectorXd> answers{outcome.v_post};
  double spread = 0;
  int orders = 0;
  const double scale = call.problem.v_pre.norm();
  do {
    ++orders;
    const Eigen::VectorXd v = run(call, priority, false).v_post;
    spread = std::max(spread, (v - outcome.v_post).lpNorm<Eigen::Infinity>());
    if (std::none_of(answers.begin(), answers.end(), [&](const Eigen::VectorXd& known) { return (known - v).norm() <= 1e-9 * scale; }))
      answers.push_back(v);
  } while (std::next_permutation(priority.begin(), priority.end()));
  if (answers.size() > 1)
    outcome.warnings.push_back(fmt::format("the order of impacts matters: {} different outcomes over {} orders, contact velocities up to {:.6g} m/s apart", answers.size(), orders + 1, spread));
}

ImpactOutcome solve(const LawCall& call) {
  std::vector<int> priority;
  if (call.word("order") == "index") {
    priority.resize(static_cast<std::size_t>(call.problem.contacts()));
    std::iota(priority.begin(), priority.end(), 0);
  }
  ImpactOutcome outcome = run(call, priority, call.history);
  if (call.flag("orderings") && call.problem.contacts() > 1 && call.problem.contacts() <= kMostOrdered) tell_orders(call, outcome);
  return outcome;
}

}  // namespace

LawInfo sequential() {
  return {
      .id = "sequential",
      .dimensions = routh().dimensions,
      .many_contacts = true,
      .restitutions = {Restitution::stronge, Restitution::poisson, Restitution::newton},
      .never_gains = {Restitution::stronge, Restitution::poisson},
      .options = {{.name = "order", .fallback = std::string("fastest"), .choices = {"fastest", "index"}, .unit = "", .meaning = "which approaching contact is resolved next"},
                  {.name = "orderings", .fallback = true, .choices = {}, .unit = "", .meaning = "up to four contacts: run every priority order and tell how far the outcomes differ"},
                  {.name = "tolerance", .fallback = 1e-12, .low = 0, .high = 1e-3, .choices = {}, .unit = "1", .meaning = "approach speed, relative to |v⁻|, that counts as none"},
                  {.name = "max_impacts", .fallback = 10000.0, .low = 1, .high = 1e9, .choices = {}, .unit = "1", .meaning = "impacts after which what is left is stopped without restitution"},
                  {.name = "zero_slip", .fallback = 0.0, .low = 0, .high = 1e300, .choices = {}, .unit = "m/s", .meaning = "slip speed up to which a contact counts as not slipping"}},
      .summary = "Pairwise impacts, one contact at a time with routh, until nothing approaches. The order is an assumption.",
      .citation = "wang1992",
      .solve = solve,
  };
}

}  // namespace carom::laws
