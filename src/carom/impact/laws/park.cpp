// Law `park`: Park, Chung & Youm's evolution of collision modes by algebraic equations on the quadratic impulse cone.
//
// A mode [τ1, τ2] is one implicit step of normal impulse p: friction opposes the slip direction û at the END of the mode,
//   v_t(τ2) = v_t(τ1) + p (b − μ A û),   v_n(τ2) = v_n(τ1) + p (c − μ b·û)                                     [1, 17, 18a, 18b]
// (their v_z > 0 approaches: v = S v_paper, H = S H_paper S, S = diag(1, 1, −1), done where the paper's data enter, not here.)
//   stick event (CStick, EStick):  |A⁻¹v_t + A⁻¹b p| = μ p, a quadratic in p                                   [19–21]
//     feasible while v_n ≤ 0 (23) in compression, p ≤ ε p_c in expansion;
//   EndComp while sliding:  v_n(τ2) = 0 gives p = −v_n/(c − μ b·û), and û ∥ v_t(τ2) a quartic in tan(ψ/2)        [31–35]
//   EndExp while sliding:  p = ε p_c known, (s + μ p A) û = v_t + b p with |û| = 1, a secular equation for s = |v_t(τ2)|  [36, 37]
//   sticking persists iff λ = |A⁻¹b|² ≤ μ_s² (25): PCStick, PEStick; else slip resumes from zero along the direction with
//     b − μ A û ∥ û (CRSlide, ERSlide).
// Modes: CSlide, CStick, PCStick, CRSlide, EndComp, ESlide, EStick, PEStick, ERSlide, EndExp (segments carry the mode, events the
// stick and phase events). Zero slip at the start begins with PCStick or CRSlide.
//
// Deviations: the conics (33, 35) and (36, 37) are solved as one quartic and one secular equation; of several solutions the one
// with the least impulse that satisfies (18b) is taken, its residual checked. Poisson's hypothesis only, as in the paper.
// Validity: one contact; it agrees with `routh` where slip does not turn, and differs by the turning within a mode elsewhere.
// Failure: no solution of a mode's equations (possible where jamming lets v_n fall): status no-solution, named in the warnings.
// Citation: park. Checked by: tests/reference/spatial_oracle_test.cpp, tests/properties/spatial_test.cpp.

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <optional>

#include "carom/impact/laws/laws.hpp"
#include "carom/impact/laws/real_roots.hpp"
#include "carom/impact/laws/slip_direction.hpp"
#include "carom/impact/laws/spatial_outcome.hpp"
#include "carom/impact/laws/straight_path.hpp"

namespace carom::laws {
namespace {

using Eigen::Matrix2d;
using Eigen::Vector2d;
using Eigen::Vector3d;

constexpr double kSlack = 1e-12;  // relative: an event this little beyond its bound still counts

class Park {
 public:
  explicit Park(const LawCall& call) : path_(call), k_(spatial_contact(call.problem)) {
    A_ << k_.A11, k_.A12, k_.A12, k_.A22;
    b_ = {k_.b1, k_.b2};
    constexpr double kRank = 1e-13;
    stick_ = stick_slope(k_.A11, k_.A12, k_.A22, k_.b1, k_.b2, k_.c, kRank);
    pull_ = Vector2d(stick_.m1, stick_.m2);
  }

  ImpactOutcome run() {
    const bool ok = compress() && expand();
    if (!ok) {
      path_.status(ImpactStatus::no_solution);
      path_.warn(fmt::format("mode {}: its equations have no solution", mode_));
    }
    return path_.take();
  }

 private:
  Vector2d slip() const { return path_.velocity().head<2>(); }
  double normal() const { return path_.velocity()(2); }
  double cone() const { return k_.mu_d; }
  bool persists() const { return pull_.norm() <= k_.mu_s; }

  bool compress() {
    mode_ = "CSlide";
    if (slip().norm() > 0) {
      if (const auto p = stick_event(normal_bound())) {
        to_stick(*p, Phase::compression);
        path_.event(ImpactEventKind::slip_stops);
      } else if (!end_compression()) {
        return false;
      }
    }
    if (slip().norm() == 0) {
      mode_ = persists() ? "PCStick" : "CRSlide";
      if (path_.impulse()(2) > 0) path_.event(persists() ? ImpactEventKind::sticks : ImpactEventKind::slip_reverses);
      rested_ = true;
      const double rate = persists() ? stick_.k : resumed_rate();
      if (!(rate > 0)) return false;
      from_rest(-normal() / rate, Phase::compression, true);
    }
    p_c_ = path_.impulse()(2);
    path_.event(ImpactEventKind::compression_ends);
    return true;
  }

  bool expand() {
    const double p = k_.e * p_c_;
    if (p > 0) {
      if (rested_ && persists()) from_rest(p, Phase::restitution, false);  // PCStick goes on
      else if (!expand_sliding(p)) return false;
    }
    path_.event(ImpactEventKind::separates);
    return true;
  }

  bool expand_sliding(double p) {
    if (!rested_) mode_ = "ESlide";
    if (!rested_ || slip().norm() > 0) {
      const auto stop = rested_ ? std::nullopt : stick_event(p);
      if (!stop) return slide(p, Phase::restitution);
      to_stick(*stop, Phase::restitution);
      path_.event(ImpactEventKind::slip_stops);
      path_.event(persists() ? ImpactEventKind::sticks : ImpactEventKind::slip_reverses);
      p -= *stop;
    }
    mode_ = persists() ? "PEStick" : "ERSlide";
    if (p > 0) from_rest(p, Phase::restitution, false);
    return true;
  }

  // Normal impulse at which the line of sticking reaches v_n = 0 (γ of eq. 24).
  double normal_bound() const {
    const double start = normal() - pull_.dot(slip());
    if (stick_.k > 0) return -start / stick_.k;
    return start <= 0 ? std::numeric_limits<double>::infinity() : -1;
  }

  // The least p in (0, bound] at which slip can have stopped (eq. 21).
  std::optional<double> stick_event(double bound) const {
    if (!stick_.determined) return stick_event_singular(bound);
    const double det = product_difference(k_.A11, k_.A22, k_.A12, k_.A12);
    const Vector2d v = slip();
    const Vector2d a(product_difference(v.x(), k_.A22, v.y(), k_.A12) / det, product_difference(v.y(), k_.A11, v.x(), k_.A12) / det);
    return least_root(a, bound);
  }
  // A singular: slip can stop only if it lies in A's range, A = t n nᵀ.
  std::optional<double> stick_event_singular(double bound) const {
    const double trace = A_.trace();
    if (!(trace > 1e-13 * k_.c)) return std::nullopt;
    const Vector2d v = slip(), inside = A_ * v / trace;
    if ((v - inside).norm() > 1e-12 * v.norm()) return std::nullopt;
    return least_root(A_ * v / (trace * trace), bound);
  }
  // (μ² − λ) p² − 2 (a·m) p − |a|² = 0, least positive root up to the bound.
  std::optional<double> least_root(const Vector2d& a, double bound) const {
    const double mu = cone(), m = pull_.norm(), Q = (mu - m) * (mu + m), L = -2 * a.dot(pull_), C = -a.squaredNorm();
    double disc = L * L - 4 * Q * C;
    if (disc < 0 && disc > -kSlack * L * L) disc = 0;
    if (disc < 0) return std::nullopt;
    const double q = -0.5 * (L + (L < 0 ? -1 : 1) * std::sqrt(disc));
    double best = std::numeric_limits<double>::infinity();
    for (const double root : {q != 0 ? C / q : -1, Q != 0 ? q / Q : -1})
      if (root > 0 && root < best) best = root;
    if (!(best <= bound * (1 + kSlack))) return std::nullopt;
    return best;
  }

  // The step that brings slip to zero: friction −A⁺(v_t + b p).
  void to_stick(double p, Phase phase) {
    const Vector2d need = -(slip() + b_ * p);
    Vector2d friction;
    if (stick_.determined) {
      const double det = product_difference(k_.A11, k_.A22, k_.A12, k_.A12);
      friction = Vector2d(product_difference(need.x(), k_.A22, need.y(), k_.A12), product_difference(need.y(), k_.A11, need.x(), k_.A12)) / det;
    } else {
      friction = A_ * need / (A_.trace() * A_.trace());
    }
    step(friction, p, Vector2d::Zero(), normal() + b_.dot(friction) + k_.c * p, phase, SlipState::slip);
  }

  double resumed_rate() const {
    const Departure<double> d = departure(k_.A11, k_.A12, k_.A22, k_.b1, k_.b2, cone());
    return k_.c - cone() * (k_.b1 * d.u1 + k_.b2 * d.u2);
  }

  // From zero slip: sticking, or slip that resumes.
  void from_rest(double p, Phase phase, bool to_zero) {
    if (persists()) {
      const double v_n = to_zero ? 0.0 : normal() + stick_.k * p;
      return step(-pull_ * p, p, Vector2d::Zero(), v_n, phase, SlipState::stick);
    }
    const Departure<double> d = departure(k_.A11, k_.A12, k_.A22, k_.b1, k_.b2, cone());
    const Vector2d u(d.u1, d.u2);
    step(-cone() * p * u, p, slip() + d.gamma * p * u, to_zero ? 0.0 : normal() + (k_.c - cone() * b_.dot(u)) * p, phase, SlipState::reverse);
  }

  // A sliding mode of known normal impulse (EndExp): v_t + b p − μ p A û = s û.
  bool slide(double p, Phase phase) {
    const Vector2d f = slip() + b_ * p;
    const Departure<double> d = departure(k_.A11, k_.A12, k_.A22, f.x(), f.y(), cone() * p);
    const Vector2d u(d.u1, d.u2), residual = f - cone() * p * (A_ * u) - d.gamma * u;
    if (!(residual.norm() <= 1e-9 * (f.norm() + cone() * p * A_.norm())) || !(d.gamma >= 0)) return false;
    step(-cone() * p * u, p, d.gamma * u, normal() + (k_.c - cone() * b_.dot(u)) * p, phase, SlipState::slip);
    return true;
  }

  // EndComp while sliding: û × (v_t (c − μ b·û) − v_n (b − μ A û)) = 0 in the slip angle; least p with (18b).
  bool end_compression() {
    const Vector2d v = slip();
    const double mu = cone(), n = -normal();
    // With û = (cos ψ, sin ψ): d = û × (c v + n b) − μ [(û × v)(b·û) + n û × A û].
    const Vector2d w = k_.c * v + n * b_;
    const double cc = v.y() * b_.x() + n * A_(0, 1), ss = -v.x() * b_.y() - n * A_(0, 1);
    const double cs = v.y() * b_.y() - v.x() * b_.x() + n * (A_(1, 1) - A_(0, 0));
    // As a quartic form in X = sin ψ/2, Y = cos ψ/2: cos = Y² − X², sin = 2 X Y.
    const std::array<double, 5> form{w.y() - mu * cc, -2 * w.x() - 2 * mu * cs, 2 * mu * cc - 4 * mu * ss, -2 * w.x() + 2 * mu * cs, -w.y() - mu * cc};
    std::array<double, 5> reversed = form;
    std::reverse(reversed.begin(), reversed.end());
    double best = std::numeric_limits<double>::infinity();
    Vector2d direction = Vector2d::Zero();
    for (const bool flip : {false, true}) {
      const RootList roots = real_roots(flip ? reversed : form, 4);
      for (int i = 0; i < roots.count; ++i) {
        const double t = roots.at[static_cast<std::size_t>(i)], X = flip ? 1 : t, Y = flip ? t : 1, square = X * X + Y * Y;
        const Vector2d u((Y * Y - X * X) / square, 2 * X * Y / square);
        const double rate = k_.c - mu * b_.dot(u), p = n / rate;
        if (!(rate > 0) || !(p < best)) continue;
        if (u.dot(v + p * (b_ - mu * (A_ * u))) < 0) continue;  // (18b)
        best = p, direction = u;
      }
    }
    if (!std::isfinite(best)) return false;
    const Vector2d end = v + best * (b_ - mu * (A_ * direction));
    const double across = direction.x() * end.y() - direction.y() * end.x();
    if (!(std::abs(across) <= 1e-9 * (v.norm() + best * (b_.norm() + mu * A_.norm())))) return false;
    step(-mu * best * direction, best, end, 0, Phase::compression, SlipState::slip);
    return true;
  }

  void step(const Vector2d& friction, double p, const Vector2d& v_t, double v_n, Phase phase, SlipState state) {
    path_.move(Vector3d(friction.x(), friction.y(), p), Vector3d(v_t.x(), v_t.y(), v_n), phase, {state}, mode_);
  }

  StraightPath path_;
  SpatialContact<double> k_;
  Matrix2d A_;
  Vector2d b_, pull_;
  StickSlope<double> stick_;
  std::string mode_ = "CSlide";
  double p_c_ = 0;
  bool rested_ = false;  // slip was zero at some time in compression
};

ImpactOutcome solve(const LawCall& call) { return Park(call).run(); }

}  // namespace

LawInfo park() {
  return {
      .id = "park",
      .dimensions = {3},
      .many_contacts = false,
      .restitutions = {Restitution::poisson},
      .summary = "Collision modes by algebraic equations: one implicit step on the quadratic impulse cone per mode.",
      .citation = "park",
      .solve = solve,
  };
}

}  // namespace carom::laws
