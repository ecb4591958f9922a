#include "carom/impact/laws/rodriguez_rates.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace carom::laws::rodriguez {
namespace {

constexpr double kPull = 1e-9;  // −r above this is tension

// The linear problem on one support.
struct Support {
  std::vector<int> contacts;
  std::vector<int> friction_at;  // index in x of the friction rates of contacts[k]; −1: slides
  Eigen::MatrixXd B;             // components × x
  Eigen::MatrixXd equal, rules;  // sticking and g·r = 1; pair rows
  Eigen::VectorXd right;
};

Eigen::MatrixXd impulses(const System& system, const std::vector<Hold>& holds, Support& s) {
  const int tangents = system.d() - 1, count = static_cast<int>(s.contacts.size());
  int unknowns = count;
  for (const int c : s.contacts) {
    const bool stick = holds[c].grip == Grip::stick;
    s.friction_at.push_back(stick ? unknowns : -1);
    if (stick) unknowns += tangents;
  }
  Eigen::MatrixXd B = Eigen::MatrixXd::Zero(system.problem.v_pre.size(), unknowns);
  for (int k = 0; k < count; ++k) {
    const int c = s.contacts[k];
    B(system.normal(c), k) = 1;
    for (int t = 0; t < tangents; ++t) {
      if (s.friction_at[k] >= 0)
        B(system.tangent(c) + t, s.friction_at[k] + t) = 1;
      else
        B(system.tangent(c) + t, k) = -system.problem.mu_d(c) * holds[c].direction(t);
    }
  }
  return B;
}

void equalities(const System& system, const Eigen::VectorXd& approach, Support& s) {
  const int tangents = system.d() - 1, count = static_cast<int>(s.contacts.size());
  const auto unknowns = s.B.cols();
  const auto sticking = unknowns - count;
  s.equal.setZero(sticking + 1, unknowns);
  int row = 0;
  for (int k = 0; k < count; ++k) {
    if (s.friction_at[k] < 0) continue;
    for (int t = 0; t < tangents; ++t) {
      const int component = system.tangent(s.contacts[k]) + t;
      const double scale = system.problem.G(component, component);
      if (scale > 0) s.equal.row(row) = system.problem.G.row(component) * s.B / scale;
      ++row;
    }
  }
  for (int k = 0; k < count; ++k) s.equal(row, k) = approach(s.contacts[k]);
  s.right = Eigen::VectorXd::Unit(sticking + 1, row);
}

// The pairs that bind these contacts: all of them, or (paper) each contact once, to the nearest before it.
std::vector<const Pair*> binding_pairs(const System& system, const std::vector<int>& members) {
  std::vector<bool> member(system.frame.size(), false), tied(system.frame.size(), false);
  for (const int c : members) member[c] = true;
  std::vector<const Pair*> used;
  for (const Pair& pair : system.pairs) {
    if (!member[pair.i] || !member[pair.j]) continue;
    const bool nearest = std::none_of(system.pairs.begin(), system.pairs.end(), [&](const Pair& other) {
      return other.j == pair.j && other.i > pair.i && member[other.i];
    });
    if (system.paper && (!nearest || tied[pair.j])) continue;
    tied[pair.j] = true;
    used.push_back(&pair);
  }
  return used;
}

// Pair rows in the unknowns of the support; a member outside it has r = 0.
// `flips`: bit k set changes the sign of the second term of row k (paper, 3-D).
void rules(const System& system, const std::vector<const Pair*>& used, const std::vector<Hold>& holds, std::uint32_t flips, Support& s) {
  std::vector<int> place(holds.size(), -1);
  for (std::size_t k = 0; k < s.contacts.size(); ++k) place[s.contacts[k]] = static_cast<int>(k);
  s.rules.setZero(static_cast<Eigen::Index>(used.size()), s.B.cols());
  for (std::size_t row = 0; row < used.size(); ++row) {
    const Pair& pair = *used[row];
    const std::array<RowPart, 2> parts = pair_row(system, pair, holds[pair.i], holds[pair.j]);
    for (int which = 0; which < 2; ++which) {
      const int k = place[which == 0 ? pair.i : pair.j];
      if (k < 0) continue;
      const double sign = which == 0 ? 1 : (flips >> row & 1 ? 1 : -1);
      s.rules(row, k) += sign * parts[which].normal;
      if (s.friction_at[k] >= 0) s.rules.block(row, s.friction_at[k], 1, system.d() - 1) += sign * parts[which].friction.head(system.d() - 1).transpose();
    }
  }
}

// Least-norm minimiser of |rules x| subject to the equalities; r of any sign.
Rates solve(const System& system, const Support& s) {
  Rates out;
  const auto unknowns = s.B.cols();
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(s.equal.transpose());
  qr.setThreshold(kRank);
  const auto rank = qr.rank();
  const Eigen::MatrixXd Q = qr.householderQ() * Eigen::MatrixXd::Identity(unknowns, unknowns);
  const Eigen::VectorXd permuted = qr.colsPermutation().transpose() * s.right;
  const Eigen::VectorXd y = qr.matrixQR().topLeftCorner(rank, rank).triangularView<Eigen::Upper>().transpose().solve(permuted.head(rank));
  Eigen::VectorXd x = Q.leftCols(rank) * y;
  if ((s.equal * x - s.right).cwiseAbs().maxCoeff() > kRank) return out;  // sticking leaves no normal impulse
  const Eigen::MatrixXd null = Q.rightCols(unknowns - rank);
  Eigen::Index settled = 0;
  if (s.rules.rows() > 0 && null.cols() > 0) {
    const Eigen::MatrixXd free = s.rules * null;
    if (free.cwiseAbs().maxCoeff() > kRank) {
      Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> cod;
      cod.setThreshold(kRank);
      cod.compute(free);
      settled = cod.rank();
      x -= null * cod.solve(s.rules * x);
    }
  }
  out.found = true;
  out.undetermined = settled < null.cols();
  out.miss = s.rules.rows() > 0 ? (s.rules * x).norm() : 0;
  out.size = x.norm();
  const auto count = static_cast<Eigen::Index>(s.contacts.size());
  out.tension = x.head(count).minCoeff() < -kPull;
  if (!out.tension) x.head(count) = x.head(count).cwiseMax(0);
  const double total = x.head(count).sum();
  if (!(total > 0)) return {};
  x /= total;
  out.dp = s.B * x;
  out.dv = system.problem.G * out.dp;
  return out;
}

Rates try_support(const System& system, const Members& members, const std::vector<const Pair*>& used, std::vector<int> contacts,
                  const std::vector<Hold>& holds, std::uint32_t flips = 0) {
  Support s;
  s.contacts = std::move(contacts);
  s.B = impulses(system, holds, s);
  equalities(system, members.approach, s);
  rules(system, used, holds, flips, s);
  return solve(system, s);
}

Rates share_paper(const System& system, const Members& members, const std::vector<Hold>& holds) {
  const std::vector<const Pair*> used = binding_pairs(system, members.contacts);
  Rates plain = try_support(system, members, used, members.contacts, holds);
  if (system.d() == 2 || used.size() > 16) {
    plain.found = plain.found && plain.miss <= kRank;
    return plain;
  }
  // |dp_i| = |C| |dp_j|: the signs that leave every rate compressive.
  for (std::uint32_t flips = 0; flips < 1U << used.size(); ++flips) {
    Rates rates = flips == 0 ? plain : try_support(system, members, used, members.contacts, holds, flips);
    if (rates.found && !rates.tension && rates.miss <= kRank) return rates;
  }
  plain.found = plain.found && plain.miss <= kRank;
  return plain;
}

bool better(const Rates& a, const Rates& b) {
  if (!b.found) return true;
  if (std::abs(a.miss - b.miss) > kRank) return a.miss < b.miss;
  return a.size < b.size;
}

// Beyond this many contacts the supports are too many to try: the contact that pulls hardest goes, until none pulls.
constexpr std::size_t kTryAll = 10;

Rates drop_one_by_one(const System& system, const Members& members, const std::vector<const Pair*>& used, const std::vector<Hold>& holds) {
  std::vector<int> left = members.contacts;
  while (!left.empty()) {
    Rates rates = try_support(system, members, used, left, holds);
    if (rates.found && !rates.tension) return rates;
    if (!rates.found) return {};
    const auto worst = std::min_element(left.begin(), left.end(), [&](int a, int b) { return rates.dp(system.normal(a)) < rates.dp(system.normal(b)); });
    left.erase(worst);
  }
  return {};
}

}  // namespace

Rates share(const System& system, const Members& members, const std::vector<Hold>& holds) {
  if (members.contacts.empty()) return {};
  if (system.paper) return share_paper(system, members, holds);
  const std::vector<const Pair*> used = binding_pairs(system, members.contacts);
  Rates whole = try_support(system, members, used, members.contacts, holds);
  if (whole.found && !whole.tension) return whole;
  Rates best;
  if (members.contacts.size() > kTryAll) {
    best = drop_one_by_one(system, members, used, holds);
  } else {
    const std::uint32_t all = (1U << members.contacts.size()) - 1;
    for (std::uint32_t mask = 1; mask < all; ++mask) {
      std::vector<int> support;
      for (std::size_t k = 0; k < members.contacts.size(); ++k)
        if (mask >> k & 1) support.push_back(members.contacts[k]);
      Rates rates = try_support(system, members, used, std::move(support), holds);
      if (rates.found && !rates.tension && better(rates, best)) best = rates;
    }
  }
  best.dropped = best.found;
  return best;
}

}  // namespace carom::laws::rodriguez
