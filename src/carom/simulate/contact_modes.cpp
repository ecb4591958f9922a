#include "carom/simulate/contact_modes.hpp"

#include <algorithm>
#include <cmath>

#include "carom/complementarity/default_policy.hpp"
#include "carom/complementarity/friction_contact.hpp"

namespace carom {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kSolved = 1e-10;    // natural map asked of the acceleration problem
constexpr double kRedundant = 1e-10;  // a pivot this small against the largest is zero
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

Trial attempt(const MatrixXd& G, const VectorXd& a0, int d, const std::vector<ModeContact>& contacts, const VectorXd& mu) {
  const FrictionContact problem = reduced(G, a0, d, contacts, mu);
  ContactOptions options;
  options.tolerance = kSolved;
  const ContactSummary summary = solve_default(problem, options);
  Trial out;
  // Ill-conditioned stacks may stop short of kSolved; what is good to 1e-7 still tells the modes.
  out.solved = summary.usable() || summary.certificate.natural_map <= 1e-7;
  out.force = expanded(summary.x, d, contacts);
  out.acceleration = G * out.force + a0;
  return out;
}

}  // namespace

TouchingForces touching_forces(const MatrixXd& G, const VectorXd& a0, int d, const std::vector<ModeContact>& contacts) {
  const auto n = static_cast<Index>(contacts.size());
  TouchingForces out;
  VectorXd mu = VectorXd::Zero(n);
  for (Index i = 0; i < n; ++i) {
    const ModeContact& c = contacts[static_cast<std::size_t>(i)];
    if (c.mode == ContactMode::stick) mu[i] = c.mu_s;
    else if (G.row(i * d + d - 1).segment(i * d, d).dot(slip_column(c, d)) <= 0) out.negative_diagonal = true;
  }
  if (out.negative_diagonal) return out;
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
  out.force = found.force, out.acceleration = found.acceleration;
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

const VectorXd& HeldForces::solve(const MatrixXd& G, const VectorXd& a0, int d, const std::vector<ModeContact>& contacts, const VectorXd& reference) {
  Index unknowns = 0;
  for (const ModeContact& c : contacts) unknowns += c.mode == ContactMode::slip ? 1 : d;
  const Index size = G.rows();
  columns_.resize(size, unknowns);
  A_.resize(unknowns, unknowns);
  rhs_.resize(unknowns);
  x_reference_.setZero(unknowns);
  Index k = 0;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Index first = static_cast<Index>(i) * d;
    if (contacts[i].mode == ContactMode::slip) {
      columns_.col(k) = G.col(first + d - 1);
      for (int j = 0; j < d - 1; ++j) columns_.col(k) -= contacts[i].mu_d * contacts[i].direction[j] * G.col(first + j);
      if (reference.size() > 0) x_reference_[k] = reference[first + d - 1];
      ++k;
    } else {
      columns_.middleCols(k, d) = G.middleCols(first, d);
      if (reference.size() > 0) x_reference_.segment(k, d) = reference.segment(first, d);
      k += d;
    }
  }
  k = 0;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Index first = static_cast<Index>(i) * d;
    const int rows = contacts[i].mode == ContactMode::slip ? 1 : d;
    A_.middleRows(k, rows) = columns_.middleRows(first + d - rows, rows);
    rhs_.segment(k, rows) = -a0.segment(first + d - rows, rows);
    k += rows;
  }
  rhs_.noalias() -= A_ * x_reference_;
  decomposition_.setThreshold(kRedundant);
  decomposition_.compute(A_);
  redundant_ = decomposition_.rank() < unknowns;
  x_ = decomposition_.solve(rhs_);
  x_ += x_reference_;
  force_.setZero(size);
  k = 0;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Index first = static_cast<Index>(i) * d;
    if (contacts[i].mode == ContactMode::slip) {
      force_[first + d - 1] = x_[k];
      for (int j = 0; j < d - 1; ++j) force_[first + j] = -contacts[i].mu_d * contacts[i].direction[j] * x_[k];
      ++k;
    } else {
      force_.segment(first, d) = x_.segment(k, d);
      k += d;
    }
  }
  return force_;
}

}  // namespace carom
