#include "carom/impact/laws/rodriguez_friction.hpp"

#include <algorithm>
#include <cmath>

namespace carom::laws::rodriguez {
namespace {

constexpr double kCone = 1e-9;       // relative slack of the cone test
constexpr int kFixedPoint = 200;     // iterations for the directions of slip
constexpr double kDirection = 1e-12; // change of a unit direction that counts as settled
constexpr int kSweeps = 10000;       // Gauss–Seidel sweeps of the friction problem at equal rates
constexpr double kSettled = 1e-13;   // relative change of friction that ends them

Eigen::VectorXd acceleration(const System& system, int c, const Rates& rates) { return rates.dv.segment(system.tangent(c), system.d() - 1); }

bool slides_away(const System& system, int c, const Hold& hold, const Rates& rates) {
  return hold.direction.head(system.d() - 1).dot(acceleration(system, c, rates)) >= -rounding(system, c, rates);
}

bool holds_true(const System& system, const std::vector<int>& resting, const std::vector<Hold>& holds, const Rates& rates) {
  return rates.found && std::all_of(resting.begin(), resting.end(), [&](int c) {
    return holds[c].grip == Grip::stick ? within_cone(system, c, rates) : slides_away(system, c, holds[c], rates);
  });
}

// Planar: tries every choice with `sticking` sticking contacts.
void try_choices(const System& system, const Members& members, const std::vector<int>& resting, int sticking, Decision& best) {
  const auto count = resting.size();
  std::vector<int> choice(count, 0);  // 0 stick, 1 and 2 the two slips
  std::vector<Hold> holds = best.holds;
  for (;;) {
    if (std::count(choice.begin(), choice.end(), 0) == sticking) {
      for (std::size_t k = 0; k < count; ++k) {
        holds[resting[k]] = Hold{choice[k] == 0 ? Grip::stick : Grip::slip, Eigen::Vector2d::Zero(), 0};
        if (choice[k] != 0) holds[resting[k]].direction(0) = choice[k] == 1 ? 1 : -1;
      }
      const Rates rates = share(system, members, holds);
      const bool holds_up = holds_true(system, resting, holds, rates);
      const bool better = !best.rates.found || rates.miss < best.rates.miss - kRank || (rates.miss < best.rates.miss + kRank && rates.size < best.rates.size - kRank);
      if (holds_up && better) best.holds = holds, best.rates = rates;
    }
    std::size_t digit = 0;
    while (digit < count && ++choice[digit] == 3) choice[digit++] = 0;
    if (digit == count) return;
  }
}

Decision decide_planar(const System& system, const Members& members, const std::vector<int>& resting, Decision start) {
  Decision best = std::move(start);
  for (int sticking = static_cast<int>(resting.size()); sticking >= 0 && !best.rates.found; --sticking)
    try_choices(system, members, resting, sticking, best);
  return best;
}

// Spatial: directions of the sliding ones among `resting` and the rates, together.
bool settle_directions(const System& system, const Members& members, const std::vector<int>& resting, Decision& at) {
  for (int k = 0; k < kFixedPoint; ++k) {
    at.rates = share(system, members, at.holds);
    if (!at.rates.found) return false;
    double change = 0;
    for (const int c : resting) {
      if (at.holds[c].grip != Grip::slip) continue;
      const Eigen::Vector2d a = acceleration(system, c, at.rates);
      if (a.norm() <= rounding(system, c, at.rates)) continue;
      const Eigen::Vector2d next = (a.normalized() + at.holds[c].direction).normalized();
      if (!next.allFinite()) return false;
      change = std::max(change, (next - at.holds[c].direction).norm());
      at.holds[c].direction = next;
    }
    if (change <= kDirection) return true;
  }
  return false;
}

Decision decide_spatial(const System& system, const Members& members, const std::vector<int>& resting, Decision start) {
  Decision at = std::move(start);
  for (const int c : resting) at.holds[c] = Hold{Grip::stick, Eigen::Vector2d::Zero(), 0};
  at.rates = share(system, members, at.holds);
  for (std::size_t round = 0; round <= resting.size() && at.rates.found; ++round) {
    bool changed = false;
    const Rates before = at.rates;
    for (const int c : resting) {
      if (at.holds[c].grip != Grip::stick || within_cone(system, c, before)) continue;
      const Eigen::Vector2d f = before.dp.segment(system.tangent(c), 2);
      at.holds[c] = Hold{Grip::slip, -f.normalized(), 0};
      changed = true;
    }
    if (!changed) break;
    if (!settle_directions(system, members, resting, at)) at.rates.found = false;
  }
  if (!holds_true(system, resting, at.holds, at.rates)) at.rates.found = false;
  return at;
}

// Friction alone, the normal rates equal among the approaching: Gauss–Seidel on min ½ fᵀ G_tt f + fᵀ G_tn r over the discs |f_c| ≤ μ_d r_c, for the contacts
// at rest; the others slide.
Decision friction_alone(const System& system, const Members& members, const std::vector<int>& resting, Decision at) {
  const ImpactProblem& problem = system.problem;
  const int tangents = system.d() - 1;
  std::vector<int> pushing;
  for (const int c : members.contacts)
    if (members.approach(c) > 0) pushing.push_back(c);
  const double share_each = 1.0 / static_cast<double>(pushing.size());
  Rates& rates = at.rates;
  rates = {};
  rates.found = true;
  rates.dp = Eigen::VectorXd::Zero(problem.v_pre.size());
  for (const int c : pushing) {
    rates.dp(system.normal(c)) = share_each;
    const bool rests = std::find(resting.begin(), resting.end(), c) != resting.end();
    if (!rests) rates.dp.segment(system.tangent(c), tangents) = -problem.mu_d(c) * share_each * at.holds[c].direction.head(tangents);
  }
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    double change = 0, size = 0;
    for (const int c : resting) {
      const int t = system.tangent(c);
      const double stiff = problem.G.block(t, t, tangents, tangents).trace();
      if (stiff <= 0) continue;
      auto f = rates.dp.segment(t, tangents);
      const Eigen::VectorXd old = f;
      Eigen::VectorXd next = old - (problem.G.middleRows(t, tangents) * rates.dp) / stiff;
      const double limit = problem.mu_d(c) * rates.dp(system.normal(c));
      if (next.norm() > limit) next *= limit / next.norm();
      f = next;
      change = std::max(change, (next - old).norm()), size = std::max(size, next.norm());
    }
    if (change <= kSettled * size) break;
  }
  rates.dv = problem.G * rates.dp;
  for (const int c : resting) {
    const Eigen::VectorXd f = rates.dp.segment(system.tangent(c), tangents);
    const double limit = problem.mu_d(c) * rates.dp(system.normal(c));
    at.holds[c] = Hold{Grip::stick, Eigen::Vector2d::Zero(), 0};
    if (f.norm() < limit * (1 - 1e-9)) continue;
    at.holds[c].grip = Grip::slip;
    at.holds[c].direction.head(tangents) = -f.normalized();
  }
  at.rule_given_up = true;
  return at;
}

}  // namespace

double rounding(const System& system, int c, const Rates& rates) {
  double size = 0;
  for (int t = system.tangent(c); t < system.normal(c); ++t) size = std::max(size, system.problem.G.row(t).cwiseAbs().dot(rates.dp.cwiseAbs()));
  return 1e-11 * size;
}

Hold sliding(const System& system, int c, const Eigen::VectorXd& v) {
  Hold hold;
  hold.grip = Grip::slip;
  const Eigen::VectorXd slip = v.segment(system.tangent(c), system.d() - 1);
  hold.speed = slip.norm();
  if (system.problem.mu_s(c) > 0 && hold.speed > 0) hold.direction.head(system.d() - 1) = slip / hold.speed;
  return hold;
}

bool within_cone(const System& system, int c, const Rates& rates) {
  const double f = rates.dp.segment(system.tangent(c), system.d() - 1).norm();
  const double r = rates.dp(system.normal(c));
  return f <= system.problem.mu_s(c) * r * (1 + kCone) + 1e-12;
}

Decision decide(const System& system, const Members& members, const Eigen::VectorXd& v, double rest) {
  Decision start;
  start.holds.resize(system.frame.size());
  std::vector<int> resting;
  for (const int c : members.contacts) {
    start.holds[c] = sliding(system, c, v);
    if (start.holds[c].speed > rest) continue;
    start.holds[c].speed = 0;
    if (system.problem.mu_s(c) > 0) resting.push_back(c);
  }
  if (resting.empty()) {
    start.rates = share(system, members, start.holds);
    if (!start.rates.found && !system.paper) return friction_alone(system, members, resting, start);
    return start;
  }
  Decision found = system.d() == 2 ? decide_planar(system, members, resting, start) : decide_spatial(system, members, resting, start);
  if (!found.rates.found && !system.paper) return friction_alone(system, members, resting, start);
  return found;
}

}  // namespace carom::laws::rodriguez
