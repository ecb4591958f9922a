// Law lzb against springs in time: an integration that shares no code with it. Contacts are springs λ = k δ^η that unload by the mono- or
// bi-stiffness rule; classical Runge–Kutta with a small fixed step, events pinned by bisection, planar Coulomb friction with one held
// contact solved at a time. Decides what the prototype's rows in data/multi2d.json leave open (docs/many_contacts.md).

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <vector>

#include "carom/impact/law.hpp"
#include "carom/lab/reproduce/rodriguez_scenes.hpp"
#include "support/ball_chain.hpp"

namespace {

using namespace carom;

class Springs {
 public:
  Springs(const ImpactProblem& problem, double exponent, bool mono) : problem_(problem), n_(problem.contacts()), eta_(exponent), mono_(mono), springs_(static_cast<std::size_t>(n_)) {
    y_ = Eigen::VectorXd::Zero(3 * n_);
    for (int c = 0; c < n_; ++c) springs_[c].slip = sign(problem.v_pre(2 * c));
  }

  Eigen::VectorXd impulse(double step) {
    touch();
    while (pressed()) advance(step);
    return y_.head(2 * n_);
  }

 private:
  enum class Load { none, in, out };
  struct Spring {
    Load load = Load::none;
    double k = 0, cut = 0;
    int slip = 0;  // sign of slip, 0: held
  };
  static int sign(double x) { return x > 1e-12 ? 1 : x < -1e-12 ? -1 : 0; }

  bool pressed() const {
    for (const Spring& s : springs_)
      if (s.load != Load::none) return true;
    return false;
  }
  Eigen::VectorXd velocity(const Eigen::VectorXd& y) const { return problem_.v_pre + problem_.G * y.head(2 * n_); }

  Eigen::VectorXd force(const Eigen::VectorXd& y) const {
    Eigen::VectorXd f = Eigen::VectorXd::Zero(2 * n_);
    std::vector<int> held;
    for (int c = 0; c < n_; ++c) {
      const Spring& s = springs_[c];
      if (s.load == Load::none) continue;
      f(2 * c + 1) = s.k * std::pow(std::max(y(2 * n_ + c), 0.0), eta_);
      f(2 * c) = -s.slip * problem_.mu_d(c) * f(2 * c + 1);
      if (s.slip == 0 && problem_.mu_s(c) > 0) held.push_back(2 * c);
    }
    if (!held.empty()) {
      const Eigen::VectorXd free = (problem_.G * f)(held);
      const Eigen::MatrixXd own = problem_.G(held, held);
      f(held) = -own.partialPivLu().solve(free);
    }
    return f;
  }
  Eigen::VectorXd rate(const Eigen::VectorXd& y) const {
    Eigen::VectorXd dy = Eigen::VectorXd::Zero(3 * n_);
    dy.head(2 * n_) = force(y);
    const Eigen::VectorXd v = velocity(y);
    for (int c = 0; c < n_; ++c)
      if (springs_[c].load != Load::none) dy(2 * n_ + c) = -v(2 * c + 1);
    return dy;
  }
  Eigen::VectorXd step(double h) const {
    const Eigen::VectorXd a = rate(y_), b = rate(y_ + h / 2 * a), c = rate(y_ + h / 2 * b), d = rate(y_ + h * c);
    return y_ + h / 6 * (a + 2 * b + 2 * c + d);
  }

  // The contact whose mode no longer fits at y, or −1.
  int misfit(const Eigen::VectorXd& y) const {
    const Eigen::VectorXd v = velocity(y), f = force(y);
    for (int c = 0; c < n_; ++c) {
      const Spring& s = springs_[c];
      const double vn = v(2 * c + 1);
      if (s.load == Load::in && vn > 0) return c;
      if (s.load == Load::out && (y(2 * n_ + c) < s.cut || vn < 0)) return c;
      if (s.load == Load::none && vn < -1e-12) return c;
      if (s.load == Load::none || problem_.mu_s(c) == 0) continue;
      if (s.slip != 0 && s.slip * v(2 * c) < 0) return c;
      if (s.slip == 0 && std::abs(f(2 * c)) > problem_.mu_s(c) * f(2 * c + 1) + 1e-13) return c;
    }
    return -1;
  }

  void advance(double h) {
    Eigen::VectorXd next = step(h);
    if (misfit(next) < 0) {
      y_ = next;
      return;
    }
    double low = 0, high = h;
    while (high - low > 1e-15) {
      const double middle = 0.5 * (low + high);
      (misfit(step(middle)) < 0 ? low : high) = middle;
    }
    next = step(high);
    const int c = misfit(next);
    y_ = next;
    change(c);
    touch();
  }

  void change(int c) {
    Spring& s = springs_[c];
    const Eigen::VectorXd v = velocity(y_);
    double& depth = y_(2 * n_ + c);
    const double vn = v(2 * c + 1), e = problem_.e(c);
    if (s.load == Load::in && vn > 0) {
      s.load = Load::out;
      if (mono_) s.cut = std::pow(1 - e * e, 1 / (eta_ + 1)) * depth;
      else s.k *= std::pow(e, -2 * eta_), depth *= e * e, s.cut = 0;
    } else if (s.load == Load::out && depth < s.cut) {
      s.load = Load::none, depth = 0;
    } else if (s.load == Load::out && vn < 0) {
      s.load = Load::in;
    } else if (s.load != Load::none) {  // friction: held if it can be, else against the force that would be needed
      s.slip = 0;
      const Eigen::VectorXd f = force(y_);
      if (std::abs(f(2 * c)) > problem_.mu_s(c) * f(2 * c + 1)) s.slip = f(2 * c) > 0 ? -1 : 1;
    }
  }

  void touch() {
    const Eigen::VectorXd v = velocity(y_);
    for (int c = 0; c < n_; ++c)
      if (springs_[c].load == Load::none && v(2 * c + 1) < -1e-12) springs_[c].load = Load::in, springs_[c].k = 1, springs_[c].cut = 0;
  }

  const ImpactProblem& problem_;
  int n_;
  double eta_;
  bool mono_;
  std::vector<Spring> springs_;
  Eigen::VectorXd y_;  // p, δ
};

// The start of a Hertz contact, t^(5/2), costs the fixed step 1e-10; the law's own zero slip 1e-9.
void expect_same(ImpactProblem problem, double exponent, double tolerance, const char* what) {
  problem.exponent = Eigen::VectorXd::Constant(problem.contacts(), exponent);
  for (const bool mono : {true, false}) {
    const Eigen::VectorXd p = Springs(problem, exponent, mono).impulse(2e-4);
    const Eigen::VectorXd v = problem.v_pre + problem.G * p;
    const ImpactOutcome out = resolve(problem, {"lzb", "stronge", {{"unloading", std::string(mono ? "mono" : "bi")}}});
    EXPECT_LE((out.v_post - v).norm(), tolerance * problem.v_pre.norm()) << what << (mono ? " mono " : " bi ") << exponent << "\n" << out.v_post.transpose() << "\n" << v.transpose();
  }
}

TEST(LzbSprings, BallChains) {
  for (const double exponent : {1.0, 1.5}) {
    expect_same(carom::testing::ball_chain(3, 0.85), exponent, 1e-8, "three balls");
    expect_same(carom::testing::ball_chain(5, 0.8), exponent, 1e-8, "five balls");
  }
}

TEST(LzbSprings, RockingBlock) {
  ImpactProblem block = lab::rocking_block(0, 0, 0, 1);
  block.e = Eigen::Vector2d(0.43, 0.64);
  expect_same(block, 1.5, 1e-8, "block");
}

TEST(LzbSprings, BallInACornerWithFriction) { expect_same(lab::corner_ball({8, -4.43, 0}, 0.35, 0.35, 0.715), 1.5, 1e-8, "corner"); }

}  // namespace
