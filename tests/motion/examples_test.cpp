// The scenes of examples/: all run to the end with their energy accounted for, and what their pages say holds. The expected values are
// closed forms, published measurements or the independent prototypes of tests/reference/data.

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <boost/math/special_functions/ellint_1.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <limits>
#include <utility>

#include "carom/io/scene_yaml.hpp"
#include "carom/io/text_file.hpp"
#include "motion/examples.hpp"

namespace carom {
namespace {

using Eigen::Vector3d;
namespace fs = std::filesystem;

using examples::kExamples, examples::kG, examples::Ran, examples::read, examples::run;

Eigen::VectorXd normal(const Eigen::VectorXd& v, int dimension) {
  Eigen::VectorXd n(v.size() / dimension);
  for (Eigen::Index i = 0; i < n.size(); ++i) n[i] = v[dimension * i + dimension - 1];
  return n;
}
Eigen::VectorXd normal_after(const ImpactRecord& r) { return normal(r.outcome.v_post, r.problem.dimension); }
Eigen::VectorXd normal_before(const ImpactRecord& r) { return normal(r.problem.v_pre, r.problem.dimension); }

nlohmann::json reference(const std::string& file) {
  return nlohmann::json::parse(std::ifstream(fs::path(CAROM_SOURCE_DIR) / "tests/reference/data" / file));
}

// Every scene file, as a name below examples/.
std::vector<std::string> scenes() {
  std::vector<std::string> out;
  for (const auto& entry : fs::recursive_directory_iterator(kExamples))
    if (entry.path().extension() == ".yaml" && io::is_scene(io::read_text_file(entry.path().string()))) out.push_back(fs::relative(entry.path(), kExamples).string());
  std::sort(out.begin(), out.end());
  return out;
}

TEST(Examples, EverySceneIsFoundAndHasAPage) {
  const std::vector<std::string> all = scenes();
  EXPECT_GE(all.size(), 38u);
  for (const std::string& name : all) {
    const fs::path folder = (kExamples / name).parent_path();
    const std::string page = io::read_text_file((folder / "README.md").string());
    EXPECT_NE(page.find("carom run " + fs::path(name).filename().string()), std::string::npos) << name << ": the page does not say how to run it";
    EXPECT_TRUE(fs::exists(folder / "motion.png")) << name;
  }
}

// What holds of a run in steps: each is solved to its tolerance, nothing overlaps by more than half a step's way, and with nothing but
// gravity and surfaces at rest energy only falls. A flight in steps loses ½ m (g h)² a step and gains nothing.
void expect_steps_accounted_for(const Ran& ran) {
  const SteppingOptions& o = ran.scene.integrator.stepping;
  EXPECT_LE(ran.summary.worst_certificate, o.tolerance);
  EXPECT_TRUE(std::none_of(ran.summary.warnings.begin(), ran.summary.warnings.end(), [](const std::string& w) { return w.find("missed") != std::string::npos; }));
  double fastest = 0, most = 0, least = std::numeric_limits<double>::infinity(), gain = 0;
  for (const Sample& s : ran.record.samples) {
    if (s.u.size() > 0) fastest = std::max(fastest, s.u.cwiseAbs().maxCoeff());
    const double energy = s.energy.kinetic + s.energy.potential;
    most = std::max({most, std::abs(energy), s.energy.kinetic, std::abs(s.energy.potential)});
    least = std::min(least, energy);
    gain = std::max(gain, energy - least);
  }
  EXPECT_GE(ran.summary.worst_gap, -0.5 * fastest * o.step - 1e-8);  // [m] 10 nm: what the solver leaves of bodies at rest
  // Forces and bilateral constraints are stepped to first order only.
  const Forces& f = ran.scene.forces;
  if (!f.pushes.empty() || !f.drags.empty() || !f.springs.empty() || !f.joints.empty() || ran.scene.model.constraint_rows() > 0) return;
  const bool driven = std::any_of(ran.scene.colliders.begin(), ran.scene.colliders.end(), [](const Collider& c) { return c.drive || !c.surface_velocity.isZero(0); });
  if (driven) return;
  EXPECT_LE(gain, std::max(o.tolerance, 1e-9) * most);
}

class EveryScene : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryScene, FinishesWithItsEnergyAccountedFor) {
  Scene scene = read(GetParam());
  if (GetParam().starts_with("12_")) scene.duration = 0.1;  // the cue ball strikes at 0.0919 s; the rest of the break takes long
  const Ran ran = run(std::move(scene));
  EXPECT_EQ(ran.summary.status, RunStatus::finished) << ran.summary.reason;
  if (ran.scene.integrator.time_stepping) return expect_steps_accounted_for(ran);
  EXPECT_LE(ran.summary.worst_gain, 1e-12);    // [J] rounding: no impact gives energy
  EXPECT_GE(ran.summary.worst_gap, -1e-9);     // [m]
  EXPECT_LE(ran.summary.smooth_drift, 1e-8);   // relative: local error 1e-11 over some thousand steps
  EXPECT_LE(ran.summary.energy.contacts, 1e-9);  // [J] nothing is driven: lasting contacts only take
  for (const ImpactRecord& r : ran.record.impacts) EXPECT_LE(r.kinetic_after, r.kinetic_before * (1 + 1e-12) + 1e-15) << "t = " << r.time;
}

INSTANTIATE_TEST_SUITE_P(Examples, EveryScene, ::testing::ValuesIn(scenes()), [](const auto& each) {
  std::string name = each.param.substr(0, each.param.size() - 5);
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
});

// A pendulum (ball on a string, I about the pin) reaches its lowest point after √(I/(m g L)) K(sin θ0/2), at ω = √(2 m g L (1 − cos θ0)/I).
struct Cradle {
  double m = 0.166, L = 0.5, I = m * L * L + 0.000166, angle;
  double time() const { return std::sqrt(I / (m * kG * L)) * boost::math::ellint_1(std::sin(angle / 2)); }
  double rate() const { return std::sqrt(2 * m * kG * L * (1 - std::cos(angle)) / I); }
};

// The pins stand in a row and the balls are alike: the sum of their rates is kept by every impact.
void expect_momentum_kept(const Ran& ran) {
  for (const ImpactRecord& r : ran.record.impacts) {
    const auto [before, after] = ran.around(r);
    EXPECT_NEAR(after.sum(), before.sum(), 1e-11) << "t = " << r.time;
  }
}

TEST(Examples, ThreeBallCradle) {
  const Ran ran = run("02_three_ball_cradle/scene.yaml");
  const Cradle cradle{.angle = 26.153 * M_PI / 180};
  const ImpactRecord& first = ran.impact(0);
  EXPECT_NEAR(first.time, cradle.time(), 1e-9);
  EXPECT_NEAR(cradle.L * cradle.rate(), 1, 3e-4);
  EXPECT_NEAR(normal_before(first)[0], -cradle.L * cradle.rate(), 1e-9);
  ASSERT_EQ(first.contacts.size(), 2u) << "all three balls touch: one collision";
  // Ceanga and Hurmuzlu measured 0.036, 0.106, 0.857.
  const Vector3d v = cradle.L * ran.around(first).second;
  EXPECT_LE((v - Vector3d(0.036, 0.106, 0.857)).cwiseAbs().maxCoeff(), 0.006) << v.transpose();
  expect_momentum_kept(ran);
}

TEST(Examples, FiveBallCradle) {
  const Ran ran = run("03_five_ball_chain/scene.yaml");
  const Cradle cradle{.angle = M_PI / 6};
  const ImpactRecord& first = ran.impact(0);
  EXPECT_NEAR(first.time, cradle.time(), 1e-9);
  EXPECT_NEAR(normal_before(first)[0], -cradle.L * cradle.rate(), 1e-9);
  ASSERT_EQ(first.contacts.size(), 4u);
  EXPECT_GT(normal_after(first).minCoeff(), 0) << "all separate, each ball faster than the one behind it";
  EXPECT_GT(ran.around(first).second[4], 0.75 * cradle.rate());
  expect_momentum_kept(ran);
}

TEST(Examples, RockingBlock) {
  const double m = 2.5, w = 0.1087, h = 0.0645, tilt = M_PI / 18, I = m * (w * w + h * h) / 12;
  const double fall = m * kG * ((w * std::sin(tilt) + h * std::cos(tilt)) / 2 - h / 2);
  // Without friction the centre falls straight down: ½ (m w²/4 + I) ω² = fall when the right corner, at w ω, strikes.
  const Ran smooth = run("04_rocking_block/scene.yaml");
  EXPECT_NEAR(normal_before(smooth.impact(0))[1], -w * std::sqrt(2 * fall / (m * w * w / 4 + I)), 1e-8);
  EXPECT_NEAR(smooth.summary.impact_loss, fall, 1e-8) << "impacts take it all";
  const Ran rough = run("04_rocking_block/scene_friction.yaml");
  EXPECT_NEAR(rough.summary.impact_loss - rough.summary.energy.contacts, fall, 1e-8) << "impacts and sliding take it all";
  for (const Ran* each : {&smooth, &rough}) {
    EXPECT_NEAR(each->summary.energy.potential, m * kG * h / 2, 1e-9);
    EXPECT_LE(each->summary.energy.kinetic, 1e-15) << "at rest";
    double last = each->impact(0).kinetic_before;
    for (const ImpactRecord& r : each->record.impacts) {
      EXPECT_LE(r.kinetic_after, r.kinetic_before);
      last = r.kinetic_after;
    }
    EXPECT_LT(last, 1e-6);
  }
}

TEST(Examples, BallInACorner) {
  const Ran ran = run("05_ball_in_corner/scene.yaml");
  const ImpactRecord& first = ran.impact(0);
  EXPECT_NEAR(first.time, 0.3875, 1e-10);
  ASSERT_EQ(first.contacts.size(), 2u) << "floor and wall in one collision";
  EXPECT_NEAR(normal_before(first)[0], -4.43, 1e-10);
  EXPECT_NEAR(normal_before(first)[1], -8, 1e-10);
  // Then free flight back to the floor.
  EXPECT_NEAR(ran.impact(1).time - first.time, 2 * normal_after(first)[0] / kG, 1e-9);
}

TEST(Examples, BallInASpatialCorner) {
  const Ran ran = run("06_ball_in_corner_3d/scene.yaml");
  const ImpactRecord& first = ran.impact(0);
  EXPECT_NEAR(first.time, 0.4, 1e-10);
  ASSERT_EQ(first.contacts.size(), 3u) << "floor and both walls in one collision";
  const double mu = 0.2, after = 0.5 * 3 * std::sqrt((1 - std::sqrt(2) * mu) / (1 + std::sqrt(2) * mu));
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(normal_after(first)[i], after, 1e-6) << i;
}

TEST(Examples, DoublePendulum) {
  const Ran ran = run("07_double_pendulum/scene.yaml");
  const nlohmann::json data = reference("planar.json");
  EXPECT_NEAR(ran.impact(0).time, 0.4584189041017607, 1e-9);
  EXPECT_NEAR(ran.impact(0).time, data["simulation"]["A"]["events"][0]["t"].get<double>(), 1e-9);
  EXPECT_NEAR(normal_after(ran.impact(0))[0], 2.686711229564956, 1e-8);
  EXPECT_NEAR(ran.first(EventKind::accumulation).time, data["zeno"]["limit_time_A"].get<double>(), 1e-6);
  EXPECT_GT(ran.first(EventKind::slip_reverses).time, ran.first(EventKind::accumulation).time);
}

TEST(Examples, BouncingBall) {
  const Ran ran = run("08_bouncing_ball/scene.yaml");
  const double e = 0.7, fall = std::sqrt(2 / kG);
  EXPECT_NEAR(ran.impact(0).time, fall, 1e-10);
  EXPECT_NEAR(ran.first(EventKind::accumulation).time, fall * (1 + e) / (1 - e), 1e-9);
  // The first impact makes it roll: v = 5/7 v0 + 2/7 r ω0 from then on.
  const double rolling = 5.0 / 7 * 0.5 + 2.0 / 7 * 0.05 * 20;
  EXPECT_NEAR(ran.record.samples.back().u[0], rolling, 1e-9);
  EXPECT_NEAR(ran.record.samples.back().q[0], 0.5 * fall + rolling * (4 - fall), 1e-8);
}

TEST(Examples, SpinningRod) {
  const Ran ran = run("09_spinning_rod/scene.yaml");
  const ImpactRecord& first = ran.impact(0);
  const Sample& start = ran.record.samples.front();
  // Up to the first impact: free fall of the centre, and the energy with it.
  const double drop = 0.5 * kG * first.time * first.time;
  EXPECT_NEAR(first.kinetic_before, start.energy.kinetic + 0.5 * kG * drop, 1e-9);
  // Energetic restitution: the contact gives back e² of what it took up.
  const ContactWork& work = first.outcome.energy.contacts.at(0);
  EXPECT_NEAR(work.restitution, -0.36 * work.compression, 1e-9);
  // One impulse: m Δv_z = p_n.
  const auto [before, after] = ran.around(first);
  EXPECT_NEAR(0.5 * (after[2] - before[2]), first.outcome.p[2], 1e-10);
  // Flat on the floor at the end.
  EXPECT_NEAR(ran.record.samples.back().q[2], 0.01, 1e-8);
}

TEST(Examples, BlockOnAWedge) {
  const Ran ran = run("10_block_on_wedge/scene.yaml");
  const double m = 1, M = 4, mu = 0.2, s = 0.5, c = std::sqrt(3) / 2;
  const double N = m * kG * c / (1 + m / M * s * (s - mu * c)), A = N * (s - mu * c) / M, along = kG * s - mu * N / m + A * c;
  const Sample &start = ran.record.samples.front(), &later = ran.at(0.5);
  ASSERT_NEAR(later.time, 0.5, 1e-9);
  const double half = 0.5 * later.time * later.time;
  const Eigen::VectorXd moved = later.q - start.q;  // wedge x, y, angle; block x, y, angle
  const Eigen::VectorXd expected = (Eigen::VectorXd(6) << -A * half, 0, 0, (along * c - A) * half, -along * s * half, 0).finished();
  EXPECT_LE((moved - expected).cwiseAbs().maxCoeff(), 1e-8) << moved.transpose() << "\n" << expected.transpose();
  // The floor has no friction: horizontal momentum stays zero.
  EXPECT_NEAR(M * ran.record.samples.back().u[0] + m * ran.record.samples.back().u[3], 0, 1e-9);
}

// The steady motion of a disc (radius R, thickness h) that rolls round with its centre at rest, tilted by α.
struct Disc {
  double m = 0.4, R = 0.0375, h = 0.0064, A = m * (3 * R * R + h * h) / 12, C = m * R * R / 2;
  double precession(double a) const {
    const double s = std::sin(a), c = std::cos(a);
    return std::sqrt(m * kG * (R * c - h / 2 * s) / (s * (A * c - C * h / (2 * R) * s)));
  }
  double spin(double a) const { return precession(a) * std::sin(a) * std::hypot(1, h / (2 * R)); }  // |ω|
};

TEST(Examples, EulersDisc) {
  const Disc disc;
  const double tilt = M_PI / 15;
  // Without drag the steady motion goes on for ever.
  Scene scene = read("11_eulers_disc/scene.yaml");
  const double drag = scene.forces.drags.at(0).angular;
  scene.forces.drags.clear();
  scene.duration = 0.5;
  const Ran steady = run(scene);
  const Eigen::Matrix3d end = steady.record.samples.back().poses[0].rotation;
  EXPECT_NEAR(std::acos(end(2, 2)), tilt, 1e-6);
  const double turned = std::remainder(std::atan2(end(1, 2), end(0, 2)) - disc.precession(tilt) * 0.5, 2 * M_PI);
  EXPECT_NEAR(turned, 0, 1e-5);
  EXPECT_LE(steady.record.samples.back().u.head<3>().norm(), 1e-6);
  // With drag its energy falls by c ω² at first, and it lies down.
  const Ran ran = run("11_eulers_disc/scene.yaml");
  const auto energy = [](const Sample& s) { return s.energy.kinetic + s.energy.potential; };
  const double rate = (energy(ran.record.samples.front()) - energy(ran.at(0.01))) / 0.01;
  EXPECT_NEAR(rate / (drag * std::pow(disc.spin(tilt), 2)), 1, 0.01);
  double last = 2;
  for (double t = 0; t <= 1.0001; t += 0.1) {
    const double now = std::acos(ran.at(t).poses[0].rotation(2, 2));
    EXPECT_LT(now, last);
    last = now;
  }
}

TEST(Examples, BilliardBreak) {
  Scene scene = read("12_billiard_break/scene.yaml");
  scene.duration = 0.1;
  const Ran ran = run(scene);
  // The cue ball slides (μ g = 1.962 m/s²) until it is 2 R from the first ball, which stands 2 mm off its line; it does not roll yet (2 v/(7 μ g) = 0.87 s).
  const double D = 0.05715, way = 0.6 - std::sqrt(D * D - 4e-6), a = 0.2 * kG, t = (6 - std::sqrt(36 - 2 * a * way)) / a;
  EXPECT_NEAR(ran.impact(0).time, t, 1e-9);
  EXPECT_NEAR(ran.impact(0).kinetic_before - ran.impact(0).kinetic_after, -ran.impact(0).outcome.energy.change, 1e-9);
  // No ball is faster than the cue ball was.
  for (int i = 0; i < 16; ++i) EXPECT_LE(ran.record.samples.back().u.segment<3>(6 * i).norm(), 6);
}

TEST(Examples, Quadruped) {
  const Ran ran = run("13_quadruped/scene.yaml");
  const double mass = 6 + 4 * 1.1, height = 0.1;
  const ImpactRecord& landing = ran.impact(0);
  EXPECT_NEAR(landing.time, std::sqrt(2 * height / kG), 1e-9);
  EXPECT_EQ(landing.contacts.size(), 4u) << "on its four feet";
  EXPECT_NEAR(landing.kinetic_before, mass * kG * height, 1e-8);
  const Sample& end = ran.record.samples.back();
  EXPECT_LE(end.energy.kinetic, 1e-3) << "it stands";
  EXPECT_GT(end.poses[0].translation.z(), 0.3);
  EXPECT_GT(end.poses[0].rotation(2, 2), 0.999) << "level";
}

TEST(Examples, PainleveRod) {
  const Ran ran = run("14_painleve_rod/scene.yaml");
  // G of the tip: m = 1, I = 1/3, half length 1, 60°.
  const double s = std::sqrt(3) / 2, c = 0.5, mu = 1.6, tt = 1 + 3 * s * s, nn = 1 + 3 * c * c, tn = -3 * s * c;
  const double k = nn + mu * tn;
  ASSERT_LT(k, 0);
  // The jam: slip stops after p1, having driven the tip into the floor; then it sticks and the normal velocity comes back to zero (e = 0).
  const double p1 = 10 / (mu * tt + tn), v = k * p1, p2 = -v / (nn - tn * tn / tt);
  ASSERT_EQ(ran.record.impacts.size(), 1u);
  EXPECT_TRUE(ran.impact(0).without_collision);
  EXPECT_NEAR(ran.impact(0).time, 0, 1e-12);
  EXPECT_NEAR(ran.impact(0).outcome.p[1], p1 + p2, 1e-6);  // the jam starts with −1e-8 m/s
  EXPECT_NEAR(ran.impact(0).outcome.energy.normal_work, 0.5 * v * (p1 + p2), 1e-6);
  EXPECT_EQ(ran.summary.events_by_kind.at(static_cast<std::size_t>(EventKind::jam)), 1);
}

// Normal velocities of the feet at the end of event 1 of the first collision.
Eigen::VectorXd after_event_1(const Ran& ran) {
  Eigen::VectorXd v;
  for (const ImpactSegment& s : ran.impact(0).outcome.segments)
    if (s.mode == "event 1") v = s.v_end;
  return normal(v, 3);
}

// Rodriguez 2014, ch. 8: which of its claims hold, and the prototype's numbers.
TEST(Examples, SpatialRockingBlock) {
  const nlohmann::json block = reference("multi3d.json")["taskA"]["ex5"];
  const std::vector<std::pair<std::string, std::vector<int>>> cases = {  // the scene's feet in the order A, B, C, D of the file
      {"three_corners", {1, 0, 2}}, {"four_corners", {0, 1, 3, 2}}, {"centred", {0, 1, 2}}};
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto& [name, order] = cases[i];
    SCOPED_TRACE(name);
    const Ran ran = run("15_rocking_block_3d/" + name + ".yaml");
    const nlohmann::json& expected = block["cases"][std::to_string(i + 1)];
    const ImpactRecord& first = ran.impact(0);
    EXPECT_NEAR(first.time, block["rock"]["t"].get<double>(), 2e-8);  // the file steps in time
    EXPECT_NEAR(first.kinetic_before, expected["T_pre"].get<double>(), 1e-6);
    const Eigen::VectorXd one = after_event_1(ran), end = normal_after(first);
    ASSERT_EQ(static_cast<std::size_t>(one.size()), order.size());
    for (std::size_t k = 0; k < order.size(); ++k) {
      if (k < 2) EXPECT_GT(one[order[k]], 0) << "A, B separate";
      else EXPECT_LT(one[order[k]], 0) << "C, D still approach";
      EXPECT_NEAR(end[order[k]], expected["events"].back()["vn_post_all"][k].get<double>(), 2e-4) << k;
    }
    const Vector3d omega = ran.around(first).second.tail<3>();
    if (i == 0) {  // turns about the line A–C
      const Vector3d line = Vector3d(0.1087, -0.2, 0).normalized();
      EXPECT_NEAR(std::abs(omega.normalized().dot(line)), expected["omega_dot_AC"].get<double>(), 1e-3);
    } else {  // rebounds symmetrically
      EXPECT_NEAR(end[0], end[1], 1e-5);
      EXPECT_LE(std::abs(omega.x()) + std::abs(omega.z()), 1e-4);
    }
  }
}

}  // namespace
}  // namespace carom
