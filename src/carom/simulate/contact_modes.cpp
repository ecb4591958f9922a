#include "carom/simulate/contact_modes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/complementarity/default_policy.hpp"
#include "carom/complementarity/friction_contact.hpp"
#include "carom/simulate/contact_space.hpp"

namespace carom {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kSolved = 1e-10;    // natural map asked of the acceleration problem
constexpr double kRedundant = 1e-10;  // a pivot this small against the largest is zero
constexpr double kConsistent = 1e-11;  // part of the greatest force or acceleration by which a mode may be inconsistent: rounding
constexpr double kZero = 1e-7;       // part of the largest force or acceleration that counts as none, when modes are read off

// λ_n → λ of a slipping contact.
VectorXd slip_column(const ModeContact& c, int d) {
  VectorXd w = VectorXd::Zero(d);
  w[d - 1] = 1;
  for (int k = 0; k < d - 1; ++k) w[k] = -c.mu_d * c.direction[k];
  return w;
}

// The problem with slipping contacts reduced to their normal row; μ per contact as given.
FrictionContact reduced(const MatrixXd& G, const VectorXd& a0, int d, const std::vector<ModeContact>& contacts, const VectorXd& mu) {
  MatrixXd W = G;
  VectorXd q = a0;
  const double scale = G.diagonal().maxCoeff();
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (contacts[i].mode != ContactMode::slip) continue;
    const Index first = static_cast<Index>(i) * d;
    const VectorXd column = W.middleCols(first, d) * slip_column(contacts[i], d);
    W.middleCols(first, d - 1).setZero();
    W.col(first + d - 1) = column;
    W.middleRows(first, d - 1).setZero();
    q.segment(first, d - 1).setZero();
    for (int k = 0; k < d - 1; ++k) W(first + k, first + k) = scale;
  }
  return {d, BlockMatrix::from_dense(W, d), q, mu};
}

// Forces of the reduced problem to forces of all components.
VectorXd expanded(const VectorXd& r, int d, const std::vector<ModeContact>& contacts) {
  VectorXd out = r;
  for (std::size_t i = 0; i < contacts.size(); ++i)
    if (contacts[i].mode == ContactMode::slip) {
      const Index first = static_cast<Index>(i) * d;
      out.segment(first, d) = r[first + d - 1] * slip_column(contacts[i], d);
    }
  return out;
}

struct Trial {
  bool solved = false;
  VectorXd force, acceleration;
};

// The same problem as an LCP, friction of resting contacts by a fan of directions (exact in the plane): Lemke's method finds
// solutions where slipping contacts make the cone problem unsymmetric beyond what the iterative solvers bear.
Trial pivoting_attempt(const MatrixXd& G, const VectorXd& a0, int d, const std::vector<ModeContact>& contacts, const VectorXd& mu) {
  const int fan = d == 2 ? 2 : 12;
  const auto unknowns_of = [&](std::size_t i) { return contacts[i].mode == ContactMode::slip ? 1 : fan + 2; };
  Index size = 0;
  for (std::size_t i = 0; i < contacts.size(); ++i) size += unknowns_of(i);
  // λ = B z; rows of the LCP: S a + E z.
  MatrixXd B = MatrixXd::Zero(G.rows(), size), S = MatrixXd::Zero(size, G.rows()), E = MatrixXd::Zero(size, size);
  Index at = 0;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Index first = static_cast<Index>(i) * d;
    S(at, first + d - 1) = 1;
    if (contacts[i].mode == ContactMode::slip) {
      B.block(first, at, d, 1) = slip_column(contacts[i], d);
    } else {
      B(first + d - 1, at) = 1;
      for (int k = 0; k < fan; ++k) {
        const double angle = 2 * std::numbers::pi * k / fan;
        const Index row = at + 1 + k;
        B(first, row) = S(row, first) = std::cos(angle);
        if (d == 3) B(first + 1, row) = S(row, first + 1) = std::sin(angle);
        E(row, at + fan + 1) = 1;
        E(at + fan + 1, row) = -1;
      }
      E(at + fan + 1, at) = mu[static_cast<Index>(i)];
    }
    at += unknowns_of(i);
  }
  ContactOptions options;
  options.tolerance = kSolved;
  const ContactSummary summary = solve_default(Lcp{S * G * B + E, S * a0}, options);
  Trial out;
  out.solved = summary.usable() || summary.certificate.natural_map <= 1e-7;
  out.force = B * summary.x;
  out.acceleration = G * out.force + a0;
  return out;
}

Trial attempt(const MatrixXd& G, const VectorXd& a0, int d, const std::vector<ModeContact>& contacts, const VectorXd& mu) {
  const FrictionContact problem = reduced(G, a0, d, contacts, mu);
  ContactOptions options;
  options.tolerance = kSolved;
  const ContactSummary summary = solve_default(problem, options);
  Trial out;
  // Ill-conditioned stacks may stop short of kSolved; what is good to 1e-7 still tells the modes.
  out.solved = summary.usable() || summary.certificate.natural_map <= 1e-7;
  if (!out.solved && contacts.size() <= 24) return pivoting_attempt(G, a0, d, contacts, mu);
  out.force = expanded(summary.x, d, contacts);
  out.acceleration = G * out.force + a0;
  return out;
}

template <class T>
std::vector<T> taken(const std::vector<T>& all, const std::vector<Index>& member) {
  std::vector<T> out;
  out.reserve(member.size());
  for (const Index i : member) out.push_back(all[static_cast<std::size_t>(i)]);
  return out;
}

struct IslandForces {
  bool solved = false;
  VectorXd force;
  std::vector<ContactMode> mode;
  std::vector<Eigen::Vector2d> direction;
};

IslandForces island_forces(const MatrixXd& G, const VectorXd& a0, int d, const std::vector<ModeContact>& contacts) {
  const auto n = static_cast<Index>(contacts.size());
  IslandForces out;
  VectorXd mu = VectorXd::Zero(n);
  for (Index i = 0; i < n; ++i) {
    const ModeContact& c = contacts[static_cast<std::size_t>(i)];
    if (c.mode == ContactMode::stick) mu[i] = c.mu_s;
    else if (slip_stiffness(G, d, c, i) <= 0) return out;
  }
  Trial found = attempt(G, a0, d, contacts, mu);
  const auto sticks = [&](Index i, double a_scale) { return found.acceleration.segment(i * d, d - 1).norm() <= kZero * a_scale; };
  const double a_scale = std::max(a0.cwiseAbs().maxCoeff(), 1e-300);
  bool slides = false;  // static friction fails somewhere where kinetic friction is less
  for (Index i = 0; i < n; ++i) {
    const ModeContact& c = contacts[static_cast<std::size_t>(i)];
    if (c.mode == ContactMode::stick && c.mu_d < c.mu_s && !sticks(i, a_scale)) mu[i] = c.mu_d, slides = true;
  }
  if (found.solved && slides) found = attempt(G, a0, d, contacts, mu);
  out.solved = found.solved;
  out.force = found.force;
  for (Index i = 0; i < n; ++i) {
    const ModeContact& c = contacts[static_cast<std::size_t>(i)];
    const bool holds = found.acceleration[i * d + d - 1] <= kZero * a_scale;
    ContactMode mode = ContactMode::open;
    Eigen::Vector2d direction = c.direction;
    if (holds && c.mode == ContactMode::slip) mode = ContactMode::slip;
    if (holds && c.mode == ContactMode::stick) {
      mode = sticks(i, a_scale) && mu[i] == c.mu_s ? ContactMode::stick : ContactMode::slip;
      if (mode == ContactMode::slip) {
        direction.setZero();
        direction.head(d - 1) = found.acceleration.segment(i * d, d - 1);
        if (direction.norm() <= kZero * a_scale) direction.head(d - 1) = -found.force.segment(i * d, d - 1);
        if (direction.norm() > 0) direction.normalize();
        else direction.x() = 1;
      }
    }
    out.mode.push_back(mode);
    out.direction.push_back(direction);
  }
  return out;
}

}  // namespace

double slip_stiffness(const MatrixXd& G, int d, const ModeContact& contact, Index i) {
  return G.row(i * d + d - 1).segment(i * d, d).dot(slip_column(contact, d));
}

TouchingForces touching_forces(const MatrixXd& G, const VectorXd& a0, int d, const std::vector<ModeContact>& contacts) {
  TouchingForces out{VectorXd::Zero(G.rows()), std::vector(contacts.size(), ContactMode::open), std::vector(contacts.size(), Eigen::Vector2d(Eigen::Vector2d::UnitX())),
                     std::vector(contacts.size(), false)};
  for (const ContactIsland& part : contact_islands(G, d)) {
    const IslandForces found = island_forces(G(part.rows, part.rows), a0(part.rows), d, taken(contacts, part.member));
    for (std::size_t k = 0; k < part.member.size(); ++k) {
      const auto i = static_cast<std::size_t>(part.member[k]);
      out.jams[i] = !found.solved;
      if (found.solved) out.mode[i] = found.mode[k], out.direction[i] = found.direction[k];
    }
    if (found.solved) out.force(part.rows) = found.force;
  }
  return out;
}

void HeldForces::solve_island(const MatrixXd& G, const VectorXd& a0, int d, const std::vector<ModeContact>& contacts, const VectorXd& reference, int island) {
  const auto unknowns_of = [&](std::size_t i) { return contacts[i].mode == ContactMode::slip ? 1 : d; };
  Index unknowns = 0;
  for (std::size_t i = 0; i < contacts.size(); ++i)
    if (island_[i] == island) unknowns += unknowns_of(i);
  A_.resize(unknowns, unknowns);
  rhs_.resize(unknowns);
  x_reference_.setZero(unknowns);
  Index row = 0;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (island_[i] != island) continue;
    const int rows = unknowns_of(i);
    const Index first = static_cast<Index>(i) * d + d - rows;
    rhs_.segment(row, rows) = -a0.segment(first, rows);
    if (reference.size() > 0) x_reference_.segment(row, rows) = reference.segment(first, rows);
    Index column = 0;
    for (std::size_t j = 0; j < contacts.size(); ++j) {
      if (island_[j] != island) continue;
      const int columns = unknowns_of(j);
      const Index from = static_cast<Index>(j) * d;
      A_.block(row, column, rows, columns) = G.block(first, from + d - columns, rows, columns);
      if (columns == 1)
        for (int k = 0; k < d - 1; ++k) A_.block(row, column, rows, 1) -= contacts[j].mu_d * contacts[j].direction[k] * G.block(first, from + k, rows, 1);
      column += columns;
    }
    row += rows;
  }
  rhs_.noalias() -= A_ * x_reference_;
  const bool redundant = linear_.factor(A_, kRedundant) < unknowns;
  linear_.solve(rhs_, x_);
  x_ += x_reference_;
  row = 0;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (island_[i] != island) continue;
    redundant_[i] = redundant;
    const Index first = static_cast<Index>(i) * d;
    const int rows = unknowns_of(i);
    force_.segment(first + d - rows, rows) = x_.segment(row, rows);
    if (contacts[i].mode == ContactMode::slip)
      for (int k = 0; k < d - 1; ++k) force_[first + k] = -contacts[i].mu_d * contacts[i].direction[k] * x_[row];
    row += rows;
  }
}

const VectorXd& HeldForces::solve(const MatrixXd& G, const VectorXd& a0, int d, const std::vector<ModeContact>& contacts, const VectorXd& reference) {
  const int islands = contact_islands(G, d, island_);
  redundant_.assign(contacts.size(), false);
  force_.setZero(G.rows());
  for (int island = 0; island < islands; ++island) solve_island(G, a0, d, contacts, reference, island);
  return force_;
}

namespace {

// polish_modes of one island.
bool polish_island(const MatrixXd& G, const VectorXd& a0, int d, const std::vector<ModeContact>& entered, std::vector<ContactMode>& modes,
                   std::vector<Eigen::Vector2d>& directions) {
  const auto n = entered.size();
  HeldForces linear;
  VectorXd force;
  for (std::size_t round = 0; round < 4 * n + 10; ++round) {
    std::vector<ModeContact> held;
    std::vector<std::size_t> who;
    std::vector<Index> rows;
    for (std::size_t i = 0; i < n; ++i) {
      if (modes[i] == ContactMode::open) continue;
      held.push_back({modes[i], directions[i], entered[i].mu_s, entered[i].mu_d});
      who.push_back(i);
      for (int k = 0; k < d; ++k) rows.push_back(static_cast<Index>(i) * d + k);
    }
    force.setZero(G.rows());
    if (!held.empty()) force(rows) = linear.solve(G(rows, rows), a0(rows), d, held, {});
    const VectorXd a = G * force + a0;
    const double f_scale = force.cwiseAbs().maxCoeff(), a_scale = a0.cwiseAbs().maxCoeff();
    double worst = kConsistent;
    std::size_t which = n;
    ContactMode change = ContactMode::open;
    for (std::size_t k = 0; k < who.size(); ++k) {
      const auto f = force.segment(static_cast<Index>(who[k]) * d, d);
      if (linear.redundant(k) || f_scale == 0) continue;
      if (-f[d - 1] / f_scale > worst) worst = -f[d - 1] / f_scale, which = who[k], change = ContactMode::open;
      const double excess = (f.head(d - 1).norm() - entered[who[k]].mu_s * f[d - 1]) / f_scale;
      if (held[k].mode == ContactMode::stick && f[d - 1] >= 0 && excess > worst) worst = excess, which = who[k], change = ContactMode::slip;
      // What starts to slip must gain speed that way.
      const double back = -a.segment(static_cast<Index>(who[k]) * d, d - 1).dot(held[k].direction.head(d - 1)) / a_scale;
      if (held[k].mode == ContactMode::slip && entered[who[k]].mode == ContactMode::stick && back > worst) worst = back, which = who[k], change = ContactMode::stick;
    }
    for (std::size_t i = 0; i < n; ++i)
      if (modes[i] == ContactMode::open && a_scale > 0 && -a[static_cast<Index>(i) * d + d - 1] / a_scale > worst)
        worst = -a[static_cast<Index>(i) * d + d - 1] / a_scale, which = i, change = entered[i].mode;
    if (which == n) return true;
    if (modes[which] == ContactMode::stick && change == ContactMode::slip) {
      directions[which].setZero();
      directions[which].head(d - 1) = -force.segment(static_cast<Index>(which) * d, d - 1).normalized();
    }
    modes[which] = change;
  }
  return false;
}

}  // namespace

void polish_modes(const MatrixXd& G, const VectorXd& a0, int d, const std::vector<ModeContact>& entered, std::vector<ContactMode>& modes, std::vector<Eigen::Vector2d>& directions) {
  for (const ContactIsland& part : contact_islands(G, d)) {
    std::vector<ContactMode> own = taken(modes, part.member);
    std::vector<Eigen::Vector2d> turned = taken(directions, part.member);
    if (!polish_island(G(part.rows, part.rows), a0(part.rows), d, taken(entered, part.member), own, turned)) continue;
    for (std::size_t k = 0; k < part.member.size(); ++k) {
      const auto i = static_cast<std::size_t>(part.member[k]);
      modes[i] = own[k], directions[i] = turned[k];
    }
  }
}

}  // namespace carom
