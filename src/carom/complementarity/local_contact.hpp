#pragma once
// One contact with friction, solved exactly: u = W r + q with Coulomb's law (friction_contact.hpp), W a d × d block.
//
// Separation: q_n ≥ 0 gives r = 0. Otherwise u_n = 0 and eliminating r_n leaves the tangent plane,
//   u_t = S r_t + c,  S = W_tt − W_tn W_nt / W_nn,  c = q_t − W_tn q_n / W_nn,  r_n = −(q_n + W_nt r_t) / W_nn.
// Sliding, r_t = −u_t / λ with λ > 0, is (S + λ I) r_t = −c; λ = 0 is sticking. In the eigenbasis of the symmetric part of S,
// S = [s₁ a; −a s₂] (a = 0 for symmetric W), with σ_i = s_i + λ and the determinant D = σ₁ σ₂ + a²,
//   r_t = −n(λ) / D(λ),  n = (σ₂ c₁ − a c₂, σ₁ c₂ + a c₁),
// so that ‖r_t‖ = μ r_n becomes one scalar equation with one square root and, for symmetric W, no cancellation in D and n,
//   G(λ) = (μ / W_nn)(−q_n D + W_nt n) − ‖n‖ = 0.
// G(0) ≥ 0 means that sticking is inside the cone; otherwise G changes sign on (0, ∞) since −q_n > 0, and any root solves
// the contact. Halley's method inside a shrinking bracket, to the last bit that G can tell.
// In the plane the root is explicit.

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom {

enum class LocalMode { separate, stick, slip };

// With G = P − ‖n‖: P² − ‖n‖², which has G's sign and roots where P > 0, with half its first two derivatives.
struct SlipValue {
  double value, slope, bend;
  bool positive;  // P > 0
};

// The root of G on (0, ∞), from x on.
template <class Evaluate>
double slip_root(double x, const Evaluate& evaluate) {
  double low = 0, high = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 200; ++k) {
    const auto [value, slope, bend, positive] = evaluate(x);
    if (value == 0 && positive) return x;
    (value < 0 || !positive ? low : high) = x;
    // Halley's step for f = value, f′ = 2 slope, f″ = 2 bend: x − 2 f f′ / (2 f′² − f f″).
    double next = positive ? x - 2 * value * slope / (4 * slope * slope - value * bend) : low;
    // Halley cubes the relative error: after a step of 1e-6 nothing is left to correct.
    if (positive && std::abs(next - x) <= 1e-6 * x) return next;
    if (!(next > low && next < high)) next = std::isinf(high) ? 4 * x : low > 0 ? std::sqrt(low * high) : high / 16;
    if (next <= low || next >= high) return x;
    x = next;
  }
  return x;
}

class LocalContact3 {
 public:
  LocalContact3() = default;
  // W: column-major 3 × 3, order (t1, t2, n).
  LocalContact3(const double* W, double mu) : mu_(mu), wnn_(W[8]) {
    if (!(wnn_ > 0)) return;
    k_ = mu / wnn_;
    const double s11 = W[0] - W[6] * W[2] / wnn_, s12 = W[3] - W[6] * W[5] / wnn_;
    const double s21 = W[1] - W[7] * W[2] / wnn_, s22 = W[4] - W[7] * W[5] / wnn_;
    const double off = 0.5 * (s12 + s21);
    skew_ = 0.5 * (s12 - s21);
    double t = 0;  // tangent of the Jacobi rotation
    if (off != 0) {
      const double tau = (s22 - s11) / (2 * off);
      t = (tau >= 0 ? 1 : -1) / (std::abs(tau) + std::sqrt(1 + tau * tau));
    }
    cos_ = 1 / std::sqrt(1 + t * t), sin_ = t * cos_;
    // A block that is singular up to rounding is raised by rounding, so that a solution exists and is found.
    const double least = 4 * kEps * std::max({W[0], W[4], wnn_});
    s1_ = std::max(least, s11 - t * off), s2_ = std::max(least, s22 + t * off);
    bc1_ = (cos_ * W[6] - sin_ * W[7]) / wnn_, bc2_ = (sin_ * W[6] + cos_ * W[7]) / wnn_;
    br1_ = cos_ * W[2] - sin_ * W[5], br2_ = sin_ * W[2] + cos_ * W[5];
  }

  // Solves for r given q. `lambda` is the starting guess on entry (0: none) and slip per friction ‖u_t‖ / ‖r_t‖ on exit.
  LocalMode solve(const double* q, double* r, double& lambda) const {
    if (q[2] >= 0 || !(wnn_ > 0)) {
      r[0] = r[1] = r[2] = 0;
      return LocalMode::separate;
    }
    if (mu_ == 0) {
      r[0] = r[1] = 0, r[2] = -q[2] / wnn_;
      return LocalMode::slip;
    }
    const Tangent t{cos_ * q[0] - sin_ * q[1] - bc1_ * q[2], sin_ * q[0] + cos_ * q[1] - bc2_ * q[2], -k_ * q[2]};
    double y1, y2;
    LocalMode mode = LocalMode::stick;
    if (sticks(t)) {
      if (skew_ == 0) {
        y1 = -t.c1 / s1_, y2 = -t.c2 / s2_;
      } else {
        const double scale = -1 / (s1_ * s2_ + skew_ * skew_);
        y1 = scale * (s2_ * t.c1 - skew_ * t.c2), y2 = scale * (s1_ * t.c2 + skew_ * t.c1);
      }
      r[2] = -(q[2] + br1_ * y1 + br2_ * y2) / wnn_;
    } else {
      mode = LocalMode::slip;
      const double root = lambda = slide(t, lambda), d1 = s1_ + root, d2 = s2_ + root;
      const double scale = -1 / (d1 * d2 + skew_ * skew_);
      y1 = scale * (d2 * t.c1 - skew_ * t.c2), y2 = scale * (d1 * t.c2 + skew_ * t.c1);
      r[2] = std::sqrt(y1 * y1 + y2 * y2) / mu_;
    }
    r[0] = cos_ * y1 + sin_ * y2, r[1] = -sin_ * y1 + cos_ * y2;
    return mode;
  }

 private:
  static constexpr double kEps = std::numeric_limits<double>::epsilon();
  struct Tangent {
    double c1, c2, push;  // c and −μ q_n / W_nn
  };

  // G(0) ≥ 0, without the square root.
  bool sticks(const Tangent& t) const {
    const double n1 = s2_ * t.c1 - skew_ * t.c2, n2 = s1_ * t.c2 + skew_ * t.c1;
    const double limit = t.push * (s1_ * s2_ + skew_ * skew_) + k_ * (br1_ * n1 + br2_ * n2);
    return limit >= 0 && limit * limit >= n1 * n1 + n2 * n2;
  }

  SlipValue evaluate(const Tangent& t, double x) const {
    const double d1 = s1_ + x, d2 = s2_ + x;
    const double n1 = d2 * t.c1 - skew_ * t.c2, n2 = d1 * t.c2 + skew_ * t.c1;
    const double limit = t.push * (d1 * d2 + skew_ * skew_) + k_ * (br1_ * n1 + br2_ * n2);
    const double limit_slope = t.push * (d1 + d2) + k_ * (br1_ * t.c1 + br2_ * t.c2);
    return {limit * limit - (n1 * n1 + n2 * n2), limit * limit_slope - (n1 * t.c1 + n2 * t.c2),
            limit_slope * limit_slope + 2 * t.push * limit - (t.c1 * t.c1 + t.c2 * t.c2), limit > 0};
  }

  double slide(const Tangent& t, double guess) const {
    double x = guess;
    if (!(x > 0)) {
      const double free = std::sqrt(t.c1 * t.c1 + t.c2 * t.c2) / t.push;  // exact when S = 0
      x = std::max(free - 0.5 * (s1_ + s2_), 0.1 * free);
    }
    return slip_root(x, [&](double at) { return evaluate(t, at); });
  }

  double mu_ = 0, wnn_ = 0, k_ = 0;           // k = μ / W_nn
  double cos_ = 1, sin_ = 0;                  // eigenbasis of the symmetric part of S
  double s1_ = 0, s2_ = 0, skew_ = 0;         // S in it
  double bc1_ = 0, bc2_ = 0;                  // W_tn / W_nn in it
  double br1_ = 0, br2_ = 0;                  // W_nt in it
};

// The same for symmetric W, in the tangent axes that make S diagonal: what a sweep over many contacts needs of each, and no more.
struct PrincipalContact3 {
  double s1 = 0, s2 = 0;         // S
  double b1 = 0, b2 = 0;         // W_tn / W_nn
  double wnn = 0, inverse = 0;   // W_nn and 1 / W_nn; an empty block has 0
  double mu = 0;

  // W: column-major 3 × 3, order (t1, t2, n). The new axes are cos t1 − sin t2 and sin t1 + cos t2.
  static PrincipalContact3 of(const double* W, double mu, double& cos, double& sin) {
    PrincipalContact3 c;
    c.mu = mu, c.wnn = W[8];
    cos = 1, sin = 0;
    if (!(c.wnn > 0)) return c.wnn = 0, c;
    c.inverse = 1 / c.wnn;
    const double s11 = W[0] - W[6] * W[6] * c.inverse, s22 = W[4] - W[7] * W[7] * c.inverse, off = W[3] - W[6] * W[7] * c.inverse;
    double t = 0;
    if (off != 0) {
      const double tau = (s22 - s11) / (2 * off);
      t = (tau >= 0 ? 1 : -1) / (std::abs(tau) + std::sqrt(1 + tau * tau));
      cos = 1 / std::sqrt(1 + t * t), sin = t * cos;
    }
    const double least = 4 * std::numeric_limits<double>::epsilon() * std::max({W[0], W[4], c.wnn});
    c.s1 = std::max(least, s11 - t * off), c.s2 = std::max(least, s22 + t * off);
    c.b1 = (cos * W[6] - sin * W[7]) * c.inverse, c.b2 = (sin * W[6] + cos * W[7]) * c.inverse;
    return c;
  }

  // u −= W r.
  void take_away(const double* r, double* u) const {
    const double pressed = wnn * (r[2] + b1 * r[0] + b2 * r[1]);
    u[0] -= s1 * r[0] + b1 * pressed, u[1] -= s2 * r[1] + b2 * pressed, u[2] -= pressed;
  }

  // As LocalContact3::solve.
  LocalMode solve(const double* q, double* r, double& lambda) const {
    if (q[2] >= 0 || wnn == 0) {
      r[0] = r[1] = r[2] = 0;
      return LocalMode::separate;
    }
    const double push = -q[2] * inverse;
    if (mu == 0) {
      r[0] = r[1] = 0, r[2] = push;
      return LocalMode::slip;
    }
    const double c1 = q[0] - b1 * q[2], c2 = q[1] - b2 * q[2];
    const double n1 = s2 * c1, n2 = s1 * c2, det = s1 * s2, limit = mu * (push * det + b1 * n1 + b2 * n2);
    if (limit >= 0 && limit * limit >= n1 * n1 + n2 * n2) {
      const double part = 1 / det;
      r[0] = -n1 * part, r[1] = -n2 * part;
      r[2] = push - b1 * r[0] - b2 * r[1];
      return LocalMode::stick;
    }
    const double root = lambda = slide(c1, c2, mu * push, lambda), d1 = s1 + root, d2 = s2 + root, part = -1 / (d1 * d2);
    r[0] = part * d2 * c1, r[1] = part * d1 * c2;
    r[2] = std::sqrt(r[0] * r[0] + r[1] * r[1]) / mu;
    return LocalMode::slip;
  }

 private:
  double slide(double c1, double c2, double push, double guess) const {
    double x = guess;
    if (!(x > 0)) {
      const double free = std::sqrt(c1 * c1 + c2 * c2) / push;
      x = std::max(free - 0.5 * (s1 + s2), 0.1 * free);
    }
    // P and ‖n‖² as polynomials of λ; the coefficients of the latter are sums of squares.
    const double n1 = s2 * c1, n2 = s1 * c2, size = c1 * c1 + c2 * c2;
    const double p0 = push * (s1 * s2) + mu * (b1 * n1 + b2 * n2), p1 = push * (s1 + s2) + mu * (b1 * c1 + b2 * c2);
    const double size0 = n1 * n1 + n2 * n2, size1 = n1 * c1 + n2 * c2;
    return slip_root(x, [&](double at) {
      const double limit = (push * at + p1) * at + p0, slope = 2 * push * at + p1, size_slope = size * at + size1;
      return SlipValue{limit * limit - ((size_slope + size1) * at + size0), limit * slope - size_slope, slope * slope + 2 * push * limit - size, limit > 0};
    });
  }
};

class LocalContact2 {
 public:
  LocalContact2() = default;
  // W: column-major 2 × 2, order (t, n).
  LocalContact2(const double* W, double mu) : mu_(mu), wnn_(W[3]), bc_(W[2]), br_(W[1]) {
    s_ = W[0] - bc_ * br_ / wnn_;
    usable_ = wnn_ > 0;
  }

  LocalMode solve(const double* q, double* r, double& lambda) const {
    (void)lambda;
    if (q[1] >= 0 || !usable_) {
      r[0] = r[1] = 0;
      return LocalMode::separate;
    }
    const double c = q[0] - bc_ * q[1] / wnn_;
    const double normal = -(q[1] * s_ - br_ * c);  // W_nn s r_n when sticking
    if (s_ > 0 && std::abs(c) * wnn_ <= mu_ * normal) {
      r[0] = -c / s_, r[1] = normal / (wnn_ * s_);
      return LocalMode::stick;
    }
    const double direction = c > 0 ? -1.0 : 1.0;
    const double denominator = wnn_ + direction * mu_ * br_;
    r[1] = denominator > 0 ? -q[1] / denominator : 0.0;
    r[0] = direction * mu_ * r[1];
    return LocalMode::slip;
  }

 private:
  double mu_ = 0, wnn_ = 1, bc_ = 0, br_ = 0, s_ = 0;
  bool usable_ = false;
};

}  // namespace carom
