// A ball in a frictionless corner of perpendicular faces: the faces do not feel each other (G is diagonal in the normals), so each returns
// its own component of velocity, v_n⁺ = −e v_n⁻, whatever the law and hypothesis. Closed form, planar and spatial.

#include <gtest/gtest.h>

#include <algorithm>

#include "carom/impact/law.hpp"
#include "carom/lab/reproduce/rodriguez_scenes.hpp"

namespace {

using namespace carom;

void expect_reflected(const ImpactProblem& problem, double tolerance) {
  for (const LawInfo& law : all_laws()) {
    if (!law.many_contacts) continue;
    for (const Restitution restitution : law.restitutions) {
      const ImpactOutcome out = resolve(problem, {law.id, std::string(name(restitution)), {}});
      ASSERT_EQ(out.status, ImpactStatus::resolved) << law.id;
      for (int c = 0; c < problem.contacts(); ++c) {
        const int n = problem.normal(c);
        EXPECT_NEAR(out.v_post(n), -problem.e(c) * problem.v_pre(n), tolerance * problem.v_pre.norm()) << law.id << " contact " << c;
      }
    }
  }
}

// lzb integrates to 1e-11 and moreau solves to 1e-11; the others are exact to rounding.
constexpr double kTolerance = 1e-9;

TEST(Corner, PlanarReflectsEachComponent) {
  for (const double e : {1.0, 0.715, 0.3}) expect_reflected(lab::corner_ball({8, -4.43, 0}, 0, 0, e), kTolerance);
}

TEST(Corner, SpatialReflectsEachComponent) {
  Eigen::VectorXd u(6);
  u << 8, -3, -4.43, 0.3, -0.2, 0.1;
  for (const double e : {1.0, 0.5}) expect_reflected(lab::corner_sphere(u, 0, 0, e), kTolerance);
}

// The printed pair rule swaps the components; it must not be mistaken for physics.
TEST(Corner, PaperModeWarnsThatItIsNotPhysics) {
  const ImpactOutcome out = resolve(lab::corner_ball({8, -4.43, 0}, 0, 0, 1), {"rodriguez-bowling", "stronge", {{"mode", std::string("paper")}}});
  EXPECT_NEAR(out.qdot_post(0), -4.43, 1e-9);
  EXPECT_NEAR(out.qdot_post(1), 8, 1e-9);
  EXPECT_TRUE(std::any_of(out.warnings.begin(), out.warnings.end(), [](const std::string& w) { return w.find("not physics") != std::string::npos; }));
}

// Equal speeds, friction μ < 1/√2: the sphere runs along the diagonal, dv = (1 ± √2 μ) dp per axis, so W_c = −v²/2(1 + √2 μ) per contact.
TEST(Corner, SymmetricSphereWithFriction) {
  const double v = 2, e = 0.5, mu = 0.2, q = std::sqrt(2.0) * mu;
  Eigen::VectorXd u = Eigen::VectorXd::Zero(6);
  const ImpactProblem still = lab::corner_sphere(u, mu, mu, e);
  for (int c = 0; c < 3; ++c) u.head(3) -= v * Eigen::Vector3d(still.geometry->normals.col(c));
  const ImpactProblem problem = lab::corner_sphere(u, mu, mu, e);
  const auto leaves_with = [&](const char* law, double expected) {
    const ImpactOutcome out = resolve(problem, {law, "", {}});
    for (int c = 0; c < 3; ++c) EXPECT_NEAR(out.v_post(problem.normal(c)), expected, 1e-8) << law;
  };
  leaves_with("lzb", e * v * std::sqrt((1 - q) / (1 + q)));
  leaves_with("rodriguez-bowling", e * v * std::sqrt((1 - q) / (1 + q)));
  leaves_with("moreau", e * v);
}

}  // namespace
