// Morgan's and Shen & Townsend's own algorithms, in generalised speeds as they print them (errata applied, each marked), written
// here once more from the papers: they share nothing with the law `routh`, which works in contact space.

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <limits>

#include "carom/impact/law.hpp"
#include "carom/math/counter_rng.hpp"
#include "support/planar_problems.hpp"

namespace {

using carom::CounterRng;
using Eigen::MatrixXd;
using Eigen::VectorXd;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Mechanism {
  MatrixXd M, J;  // J rows: tangential, normal
  VectorXd u;
  double mu_s, mu_d, e;
};

// ---- Morgan 2011, chapters 2 and 3 ----


VectorXd morgan(const Mechanism& x) {
  const MatrixXd L = x.M.inverse() * x.J.transpose();  // (2.5)
  const VectorXd Lt = L.col(0), Ln = L.col(1);
  const Eigen::RowVectorXd Ja = x.J.row(0), Jb = x.J.row(1);
  const double m = -(Ja * Ln).value() / (Ja * Lt).value();  // (3.1)
  const auto direction = [&](double v_t) -> VectorXd {       // (2.12); erratum: at v_t = 0 it sticks only if |m| ≤ μ_s
    if (v_t < 0) return Ln + x.mu_d * Lt;
    if (v_t > 0) return Ln - x.mu_d * Lt;
    if (std::abs(m) <= x.mu_s) return Ln + m * Lt;
    return m < 0 ? VectorXd(Ln - x.mu_d * Lt) : VectorXd(Ln + x.mu_d * Lt);
  };
  const auto pause = [](const Eigen::RowVectorXd& row, const VectorXd& u, const VectorXd& line) {  // (3.2), (3.3)
    const double p = -(row * u).value() / (row * line).value();
    return p > 0 ? p : kInfinity;  // erratum: a negative or infinite pause means "never"
  };
  const auto energy = [&](const VectorXd& u, const VectorXd& line, double p, double E0) {  // (2.21), erratum: L_2 is L_n
    return (u.transpose() * x.M * Ln).value() * p + 0.5 * (line.transpose() * x.M * Ln).value() * p * p + E0;
  };
  const auto stop_at = [&](const VectorXd& u, const VectorXd& line, double E, double E_stop) {  // invert (2.21), + root
    const double a = 0.5 * (line.transpose() * x.M * Ln).value(), b = (u.transpose() * x.M * Ln).value();
    return (-b + std::sqrt(b * b - 4 * a * (E - E_stop))) / (2 * a);
  };
  VectorXd u = x.u, line = direction((Ja * u).value());
  double E = 0;
  const double tangential = (Ja * u).value() == 0 ? kInfinity : pause(Ja, u, line);
  double normal = pause(Jb, u, line);
  bool turned = false;
  if (tangential < normal) {  // path a-b-e: friction changes in compression
    E = energy(u, line, tangential, E);
    u += line * tangential;
    line = direction(0);
    turned = true;
    normal = pause(Jb, u, line);
  }
  E = energy(u, line, normal, E);  // E_n at its extreme
  u += line * normal;
  const double E_stop = (1 - x.e * x.e) * E;  // erratum: the stop value, energetic restitution squared
  double left = stop_at(u, line, E, E_stop);
  if (!turned && tangential - normal < left) {  // path a-c-d-e: friction changes in expansion
    const double p = tangential - normal;
    E = energy(u, line, p, E);
    u += line * p;
    line = direction(0);
    left = stop_at(u, line, E, E_stop);
  }
  return u + line * left;
}

// ---- Shen & Townsend 1998, sections 3 and 4: linear systems in (q̇, F̂, τ̂) ----

struct Event {
  VectorXd u;
  double F, tau;  // impulses over the interval
};

// M (u₂ − u₁) = aF̂ + bτ̂ with two more linear conditions: row·u₂ = value and τ̂ = slope F̂ (or u_t = 0 twice over).
Event lagrange(const Mechanism& x, const VectorXd& u1, const MatrixXd& rows, const Eigen::Vector2d& rhs) {
  const Eigen::Index n = u1.size();
  MatrixXd K = MatrixXd::Zero(n + 2, n + 2);
  VectorXd r(n + 2);
  K.topLeftCorner(n, n) = x.M;
  K.block(0, n, n, 1) = -x.J.row(1).transpose();
  K.block(0, n + 1, n, 1) = -x.J.row(0).transpose();
  r.head(n) = x.M * u1;
  K.bottomRows(2) = rows;
  r.tail(2) = rhs;
  const VectorXd s = K.fullPivLu().solve(r);
  return {s.head(n), s(n), s(n + 1)};
}

MatrixXd two_rows(const VectorXd& a, const VectorXd& b) {
  MatrixXd rows(2, a.size());
  rows << a.transpose(), b.transpose();
  return rows;
}

VectorXd shen_townsend(const Mechanism& x) {
  const Eigen::Index n = x.u.size();
  const auto row = [&](const VectorXd& on_u, double F, double tau) {
    VectorXd out(n + 2);
    out << on_u, F, tau;
    return out;
  };
  const VectorXd none = VectorXd::Zero(n), Jt = x.J.row(0), Jn = x.J.row(1);
  const VectorXd slip_gone = row(Jt, 0, 0), approach_gone = row(Jn, 0, 0);
  const auto sliding = [&](double slope) { return row(none, -slope, 1); };
  const auto impulse_given = row(none, 1, 0);
  const double u_t0 = Jt.dot(x.u), sign = u_t0 > 0 ? 1 : -1;
  const double mu = -sign * x.mu_d;  // τ̂ = −μ F̂ sign(u_t): their sense of τ̂ translated

  const Event star = lagrange(x, x.u, two_rows(slip_gone, sliding(mu)), {0, 0});  // (15)–(17)
  const double u_n_star = Jn.dot(star.u);
  const Event comp = lagrange(x, x.u, two_rows(approach_gone, sliding(mu)), {0, 0});  // (12), (13), (31)
  const bool jammed = comp.F <= 0;
  const bool first_case = star.F > 0 && (jammed || u_n_star < 0);  // erratum: F* < 0 is slip throughout, not case (i)
  const auto throughout = [&](double F) { return lagrange(x, x.u, two_rows(impulse_given, sliding(mu)), {F, 0}).u; };
  if (!first_case && (star.F <= 0 || star.F > (1 + x.e) * comp.F)) return throughout((1 + x.e) * comp.F);  // (32), (33)

  // (a, b) stick after t*, total impulse from sticking compression [case (i)] or from sliding compression [case (iii)].
  double F_s = (1 + x.e) * comp.F;
  if (first_case) F_s = (1 + x.e) * (star.F + lagrange(x, star.u, two_rows(slip_gone, approach_gone), {0, 0}).F);  // (18), (13)
  const Event held = lagrange(x, star.u, two_rows(slip_gone, impulse_given), {0, F_s - star.F});  // (19)–(22)
  // The ratio does not depend on the length of the interval; take unit impulse so that e = 0 has one too.
  const Event unit = lagrange(x, star.u, two_rows(slip_gone, impulse_given), {0, 1});
  if (std::abs(unit.tau) <= x.mu_s) return held.u;  // erratum: absolute value, and > μ_s slips
  // (c) slip in the opposite direction (23)–(26), (34)–(38)
  if (first_case) {
    const Event c = lagrange(x, star.u, two_rows(approach_gone, sliding(-mu)), {0, 0});
    return lagrange(x, c.u, two_rows(impulse_given, sliding(-mu)), {x.e * (star.F + c.F), 0}).u;
  }
  return lagrange(x, star.u, two_rows(impulse_given, sliding(-mu)), {F_s - star.F, 0}).u;
}

// A random planar mechanism of 2–5 degrees of freedom: M positive definite, J full, approaching.
Mechanism random_mechanism(CounterRng& rng) {
  const int n = 2 + rng.below(4);
  Mechanism x;
  MatrixXd A(n, n);
  for (double& a : A.reshaped()) a = rng.normal();
  x.M = A * A.transpose() + 0.2 * MatrixXd::Identity(n, n);
  x.J.resize(2, n);
  for (double& a : x.J.reshaped()) a = rng.normal();
  x.u.resize(n);
  for (double& a : x.u.reshaped()) a = rng.normal();
  if ((x.J.row(1) * x.u).value() > 0) x.u = -x.u;
  x.mu_d = rng.uniform(0, 1.5);
  x.mu_s = x.mu_d * rng.uniform(1, 1.4);
  x.e = rng.uniform();
  return x;
}

void compare(VectorXd (*paper)(const Mechanism&), const char* law) {
  int stopped = 0;
  for (int i = 0; i < 20000; ++i) {
    CounterRng rng(5, static_cast<std::uint64_t>(i));
    const Mechanism x = random_mechanism(rng);
    carom::ImpactProblem problem = carom::testing::planar_problem((x.J * x.M.inverse() * x.J.transpose()).eval(), (x.J * x.u).eval(), x.mu_s, x.mu_d, x.e);
    problem.G(1, 0) = problem.G(0, 1);
    problem.system = carom::GeneralisedSystem{x.M, x.J, x.u, {}};
    const carom::ImpactOutcome out = carom::resolve(problem, {.process = law, .restitution = "", .options = {}});
    const VectorXd expected = paper(x);
    stopped += out.events.front().kind == carom::ImpactEventKind::slip_stops || out.segments.size() > 2;
    // Dense solves with M of condition up to about 1e4 and events near the stick limit: rounding times condition.
    ASSERT_LE((out.qdot_post - expected).norm(), 1e-9 * (expected.norm() + x.u.norm())) << law << " " << i;
  }
  EXPECT_GT(stopped, 2000) << "the mix must contain slip stops";
}

TEST(PlanarPapers, MorgansAlgorithmInGeneralisedSpeeds) { compare(morgan, "morgan"); }
TEST(PlanarPapers, ShenAndTownsendsCasesInGeneralisedSpeeds) { compare(shen_townsend, "shen-townsend"); }

}  // namespace
