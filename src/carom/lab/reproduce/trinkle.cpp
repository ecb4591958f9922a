// Trinkle's lecture notes of 2004: time-stepping as a mixed LCP. Every example of the notes as a scene, with the number that
// mechanics expects of it; corrections of the notes in the remarks. The notes print no results.

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "carom/lab/reproduce/papers.hpp"
#include "carom/lab/reproduce/trinkle_scenes.hpp"
#include "carom/simulate/simulate.hpp"

namespace carom::lab {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

struct Played : Recorder {
  void sample(const Sample& s) override { samples.push_back(s); }
  void contacts(double, std::span<const ContactForce> forces) override { last.assign(forces.begin(), forces.end()); }

  // The sum of the last forces on bodies from one collider.
  Vector3d force_of(const Scene& scene, std::string_view collider) const {
    Vector3d sum = Vector3d::Zero();
    for (const ContactForce& f : last) {
      if (scene.colliders[static_cast<std::size_t>(f.contact.b)].name == collider) sum += f.force;
      if (scene.colliders[static_cast<std::size_t>(f.contact.a)].name == collider) sum -= f.force;
    }
    return sum;
  }
  const Eigen::VectorXd& q() const { return samples.back().q; }
  const Eigen::VectorXd& u() const { return samples.back().u; }

  std::vector<Sample> samples;
  std::vector<ContactForce> last;
  RunSummary summary;
};

Played play(const Scene& scene) {
  Played p;
  p.summary = simulate(scene, p);
  return p;
}

Finding within(std::string item, double expected, double computed, double tolerance, std::string why) {
  const bool good = std::abs(computed - expected) <= tolerance;
  return {std::move(item), fmt::format("{:.6g}", expected), fmt::format("{:.6g}", computed), good ? Verdict::reproduced : Verdict::differs, fmt::format("off by {:.1e}; allowed {:.1e}: {}", std::abs(computed - expected), tolerance, why)};
}

Finding holds(std::string item, bool good, std::string evidence) {
  return {std::move(item), "true", good ? "true" : "false", good ? Verdict::reproduced : Verdict::differs, std::move(evidence)};
}

Finding certificate(const Played& p, double tolerance) {
  return holds(fmt::format("certificate of every step ≤ {:.0e}", tolerance), p.summary.worst_certificate <= tolerance && p.summary.status == RunStatus::finished, fmt::format("worst {:.1e} in {} steps", p.summary.worst_certificate, p.summary.steps));
}

// ---- the box on the floor ------------------------------------------------------------------------------------------------

// x = h Σ (v0 − k μ g h) while positive: what exact steps give; v0²/(2 μ g) − h v0/2 and a remainder of h².
double discrete_slide(double v0, double mu, double h) {
  double x = 0;
  for (double v = v0 - mu * kGravity * h; v > 0; v -= mu * kGravity * h) x += h * v;
  return x;
}

FindingGroup box_on_floor() {
  FindingGroup group{"Box on floor: m = 1, J = diag(1, 2, 3)", {}};
  const double h = 0.01;
  Scene flat = notes_box(0.5, h, {4, 5, 6, 8});
  flat.start.q[2] = 1;
  const Played dropped = play(flat);
  group.findings.push_back(within("dropped flat from 0.5 m, feet with 4, 5, 6 and 8 directions: height at rest [m]", 0.5, dropped.q()[2], 1e-9, "exact"));
  group.findings.push_back(within("sum of the normal forces over m g", 1, -dropped.force_of(flat, "floor").z() / -kGravity, 1e-9, "exact; each alone is not unique"));
  group.findings.push_back(certificate(dropped, 1e-10));

  Scene tilted = notes_box(0.5, h / 4);
  tilted.duration = 3;
  tilted.start.q[2] = 1.5;
  tilted.start.q.segment<4>(3) = Eigen::Vector4d(1, 0.1, 0.07, 0).normalized();
  const Played tumbled = play(tilted);
  double gained = 0;
  for (std::size_t k = 1; k < tumbled.samples.size(); ++k) {
    const EnergyState &a = tumbled.samples[k - 1].energy, &b = tumbled.samples[k].energy;
    gained = std::max(gained, b.kinetic + b.potential - a.kinetic - a.potential);
  }
  group.findings.push_back(within("dropped tilted: height at rest [m]", 0.5, tumbled.q()[2], 1e-6, "what stabilisation leaves"));
  group.findings.push_back(within("dropped tilted: tilt at rest [rad]", 0, 2 * tumbled.q().segment<2>(4).norm(), 1e-6, "what stabilisation leaves"));
  group.findings.push_back(within("dropped tilted: greatest energy gain of a step [J]", 0, gained, 1e-12, "rounding"));
  group.findings.push_back(certificate(tumbled, 1e-10));

  for (const double step : {0.01, 0.005, 0.0025}) {
    Scene slides = notes_box(0.5, step);
    slides.start.u[0] = 3;
    const Played p = play(slides);
    group.findings.push_back(within(fmt::format("slides at 3 m/s, μ = 0.5, h = {}: distance [m]", step), discrete_slide(3, 0.5, step), p.q()[0], 1e-9, fmt::format("exact for the step; v0²/(2μg) = {:.6f}", 9 / kGravity)));
  }
  return group;
}

FindingGroup polygons() {
  FindingGroup group{"Friction polygons: stop distance against the middle of a side, over that of the exact cone", {}};
  const double h = 0.002, mu = 0.5;
  const auto distance = [&](int edges, double angle) {
    Scene scene = notes_box(mu, h, {edges, edges, edges, edges});
    scene.start.u.head<2>() = 2 * Vector2d(std::cos(angle), std::sin(angle));
    return play(scene).q().head<2>().norm();
  };
  for (const int edges : {4, 6, 8, 16, 32}) {
    const double alpha = std::numbers::pi / edges;
    group.findings.push_back(within(fmt::format("{} directions", edges), discrete_slide(2, mu * std::cos(alpha), h), distance(edges, alpha), 1e-9, fmt::format("exact; excess {:.1f} %", 100 * (1 / std::cos(alpha) - 1))));
  }
  group.findings.push_back(within("exact cone, at 22.5°", discrete_slide(2, mu, h), distance(0, std::numbers::pi / 8), 1e-9, "exact"));
  return group;
}

// ---- blimp, disc, pusher ---------------------------------------------------------------------------------------------------

// When x(t) = (F/c) (t − (m/c)(1 − e^{−ct/m})) reaches `distance`, m = 1, c = 0.5.
double arrival(double force, double distance) {
  double low = 0, high = 100;
  for (int k = 0; k < 100; ++k) {
    const double t = 0.5 * (low + high), x = force / 0.5 * (t - 2 * (1 - std::exp(-0.5 * t)));
    (x < distance ? low : high) = t;
  }
  return low;
}

FindingGroup parked_blimp() {
  FindingGroup group{"Blimp parked against ceiling, front and left walls", {}};
  const double h = 0.02;
  for (const double mu : {0.0, 0.3}) {
    const Scene scene = blimp(mu, h);
    const Played p = play(scene);
    const Vector3d rest(4, 3, 2);
    group.findings.push_back(within(fmt::format("μ = {}: distance of its place at rest from (4, 3, 2) [m]", mu), 0, (p.q().head<3>() - rest).norm(), 1e-9, "the gap is closed exactly"));
    group.findings.push_back(certificate(p, 1e-10));
    if (mu > 0) continue;
    const std::array<const char*, 3> walls{"front", "left", "ceiling"};
    for (int k = 0; k < 3; ++k) {
      const double force = 0.6 - 0.1 * k;
      group.findings.push_back(within(fmt::format("force on the {} wall [N]", walls[static_cast<std::size_t>(k)]), force, -p.force_of(scene, walls[static_cast<std::size_t>(k)])[k], 1e-9, "statics"));
      double reached = 0;
      for (const Sample& s : p.samples)
        if (s.q[k] < rest[k] - 1e-9) reached = s.time;
      group.findings.push_back(within(fmt::format("arrival at the {} wall [s]", walls[static_cast<std::size_t>(k)]), arrival(force, rest[k]), reached + h, 2 * h, "two steps"));
    }
  }
  return group;
}

FindingGroup spinning_disc() {
  FindingGroup group{"Disc spinning and sliding, uniform pressure (147 pads)", {}};
  const double h = 0.001;
  Scene scene = disc_of_pads(7, h);
  scene.integrator.stepping.tolerance = 1e-8;
  const Played p = play(scene);
  double slide = -1, spin = -1, ratio = 0;
  for (const Sample& s : p.samples) {
    if (slide < 0 && s.u.head<2>().norm() < 1e-9) slide = s.time;
    if (spin < 0 && std::abs(s.u[2]) < 1e-9) spin = s.time;
    if (s.u.head<2>().norm() > 0.01) ratio = s.u.head<2>().norm() / (0.5 * s.u[2]);
  }
  group.findings.push_back(holds("slide and spin stop in the same step", slide == spin && slide > 0, fmt::format("{:.3f} s and {:.3f} s", slide, spin)));
  group.findings.push_back(within("time of the stop [s]", 0.6466, slide, 2 * h, "two steps"));
  group.findings.push_back(within("v / (R ω) at the end", 0.653, ratio, 0.015, "its value at 0.01 m/s; the limit is approached as the root of the time left"));
  group.findings.push_back(certificate(p, 1e-8));
  return group;
}

FindingGroup pusher() {
  FindingGroup group{"Box pushed by a position-controlled pusher: μ = 0.4, m g = 9.81 N, 0.5 m/s", {}};
  const double weight = 0.4 * kGravity;
  for (const double mu : {0.0, 0.2}) {
    const Scene scene = pushed_box(mu, 0.01);
    const Played p = play(scene);
    const double force = p.force_of(scene, "pusher").x();
    group.findings.push_back(within(fmt::format("pusher with μ = {}: speed of the box [m/s]", mu), 0.5, p.u()[0], 1e-9, "∂Ψ/∂t"));
    group.findings.push_back(within(fmt::format("pusher with μ = {}: place of the box [m]", mu), 0.4, p.q()[0], 1e-9, "0.5 t less the gap of 0.1"));
    if (mu == 0) group.findings.push_back(within("frictionless pusher: its force [N]", weight, force, 1e-7, "μ m g"));
    else group.findings.push_back(holds(fmt::format("pusher with friction: its force in μ m g / (1 ± μ μ_p) = [{:.4f}, {:.4f}] N", weight / (1 + 0.4 * mu), weight / (1 - 0.4 * mu)), force >= weight / (1 + 0.4 * mu) - 1e-7 && force <= weight / (1 - 0.4 * mu) + 1e-7, fmt::format("{:.4f} N; not unique", force)));
    group.findings.push_back(certificate(p, 1e-10));
  }
  return group;
}

// ---- robot, joints, several bodies --------------------------------------------------------------------------------------------

FindingGroup robot() {
  FindingGroup group{"Mobile robot: two wheels as running surfaces, a caster with μ = 0.1", {}};
  const double h = 0.005;
  const Scene straight = mobile_robot(0.5, 0.5, true, h);
  const Played p = play(straight);
  const int ball = straight.model.joint(straight.model.body_index("ball")).u_index, ball_q = straight.model.joint(straight.model.body_index("ball")).q_index;
  const Vector3d spin = p.samples.back().poses[static_cast<std::size_t>(straight.model.body_index("ball"))].rotation * p.u().segment<3>(ball + 3);
  group.findings.push_back(within("straight: speed of the chassis [m/s]", 0.5, p.u()[0], 1e-8, "the wheels roll"));
  group.findings.push_back(within("straight: sideways speed [m/s]", 0, p.u()[1], 1e-8, "symmetry"));
  group.findings.push_back(within("speed of the ball [m/s]", 0.5, p.u()[ball], 1e-8, "pushed"));
  group.findings.push_back(within("spin of the ball V/R [rad/s]", 5, spin.y(), 1e-7, "rolls"));
  group.findings.push_back(within("ball ahead of the chassis by [m]", 0.4, p.q()[ball_q] - p.q()[0], 1e-8, "bumper 0.3 and radius 0.1"));
  group.findings.push_back(certificate(p, 1e-10));
  const double left = 0.4, right = 0.6;
  const Played turned = play(mobile_robot(left, right, false, h));
  const double omega = (right - left) / kTrack;
  group.findings.push_back(within("turning at 0.4 and 0.6 m/s: (V_r − V_l)/track [rad/s]", omega, turned.u()[5], 1e-7, "both wheels roll"));
  group.findings.push_back(certificate(turned, 1e-10));
  return group;
}

// The pair in its centre-of-mass frame: m r̈ = m r ω² with m = 2/3, (I + m r²) ω = const, I = 0.5; by Runge–Kutta in small steps.
double exact_separation(double time) {
  const double m = 2.0 / 3, I = 0.5, L = I + m;
  double r = 1, v = 0.2;
  const int n = 200000;
  const double dt = time / n;
  const auto pull = [&](double x) { return x * std::pow(L / (I + m * x * x), 2); };
  for (int k = 0; k < n; ++k) {
    const double k1 = pull(r), k2 = pull(r + 0.5 * dt * v), k3 = pull(r + 0.5 * dt * v + 0.25 * dt * dt * k1), k4 = pull(r + dt * v + 0.5 * dt * dt * k2);
    r += dt * v + dt * dt / 6 * (k1 + k2 + k3);
    v += dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return r;
}

FindingGroup joints() {
  FindingGroup group{"Prismatic joints", {}};
  for (const World world : {World::planar, World::spatial}) {
    const std::string where = world == World::planar ? "planar" : "spatial";
    const double h = 0.01, a = 0.5 * kGravity;
    const Played p = play(prismatic_incline(world, h));
    group.findings.push_back(within(fmt::format("{}: incline of 30°, distance after 1 s [m]", where), 0.5 * a * (1 + h), p.q()[0], 1e-9, "g sin 30° (t² + h t)/2: exact for the step"));
    for (const JointAs joint : {JointAs::coordinate, JointAs::rows}) {
      const auto apart = [&](double step) {
        const Scene scene = prismatic_pair(world, joint, step);
        return separation(scene, play(scene).q());
      };
      const double exact = exact_separation(2), coarse = apart(0.01), fine = apart(0.0025);
      const std::string as = joint == JointAs::coordinate ? "joint as coordinate" : world == World::planar ? "joint as 2 rows" : "joint as 5 rows";
      group.findings.push_back(within(fmt::format("{}: two free bodies, {}, separation after 2 s, h → 0 [m]", where, as), exact, fine - (coarse - fine) / 3, 1e-4, "extrapolated from h = 0.01 and 0.0025, second order"));
      group.findings.push_back(within(fmt::format("{}: {}, error at h = 0.0025 [m]", where, as), 0, fine - exact, 0.0025 * 2, "first order: of h times the speed of parting, some 2 m/s"));
    }
  }
  return group;
}

FindingGroup several_bodies() {
  FindingGroup group{"Several bodies: a block on a slab on ice, μ = 0.3", {}};
  const double h = 0.005, t = 0.5;
  for (const double force : {6.0, 12.0}) {
    const Scene scene = block_on_slab(force, h);
    const Played p = play(scene);
    const int slab = scene.model.joint(scene.model.body_index("slab")).u_index, block = scene.model.joint(scene.model.body_index("block")).u_index;
    const bool together = force / 3 <= 0.3 * kGravity;
    const double a_block = together ? force / 3 : 0.3 * kGravity, a_slab = together ? force / 3 : (force - 0.3 * kGravity) / 2;
    group.findings.push_back(within(fmt::format("pulled with {} N: speed of the slab [m/s]", force), a_slab * t, p.u()[slab], 1e-7, together ? "they go together" : "the block slides back"));
    group.findings.push_back(within(fmt::format("pulled with {} N: speed of the block [m/s]", force), a_block * t, p.u()[block], 1e-7, together ? "they go together" : "μ g t"));
    group.findings.push_back(certificate(p, 1e-10));
  }
  return group;
}

Figure slide_figure() {
  Figure figure{"Stop distance of the box: error against the step", {}, 900, 500};
  Panel panel;
  panel.x_label = "step h [ms]", panel.y_label = "distance − v0²/(2μg) [mm]";
  Curve error{"Stewart–Trinkle, exact cone", {}, {}, Stroke::line, 0}, law{"−h v0/2", {}, {}, Stroke::dashed, 1};
  for (const double h : {0.001, 0.002, 0.004, 0.006, 0.008, 0.01}) {
    Scene scene = notes_box(0.5, h);
    scene.start.u[0] = 3;
    error.xs.push_back(1e3 * h), law.xs.push_back(1e3 * h);
    error.ys.push_back(1e3 * (play(scene).q()[0] - 9 / kGravity)), law.ys.push_back(-1e3 * h * 1.5);
  }
  panel.curves = {error, law};
  figure.panels.push_back(panel);
  return figure;
}

Figure blimp_figure() {
  Figure figure{"Blimp: place of its centre", {}, 900, 500};
  Panel panel;
  panel.x_label = "time [s]", panel.y_label = "coordinate [m]";
  const Played p = play(blimp(0, 0.02));
  const std::array<const char*, 3> names{"x", "y", "z"};
  for (int k = 0; k < 3; ++k) {
    Curve curve{names[static_cast<std::size_t>(k)], {}, {}, Stroke::line, k};
    for (const Sample& s : p.samples)
      if (s.time <= 8) curve.xs.push_back(s.time), curve.ys.push_back(s.q[k]);
    panel.curves.push_back(curve);
  }
  figure.panels.push_back(panel);
  return figure;
}

}  // namespace

Reproduction reproduce_trinkle() {
  Reproduction out;
  out.paper = "trinkle";
  out.title = "Trinkle 2004: time-stepping with contact and friction (lecture notes)";
  out.preface = "The notes give the method and a list of examples, no results: each example is a scene here, and what is expected of it follows from mechanics.";
  out.published_heading = "expected";
  out.groups = {box_on_floor(), polygons(), parked_blimp(), spinning_disc(), pusher(), robot(), joints(), several_bodies()};
  out.figures.push_back({"slide", slide_figure()});
  out.figures.push_back({"blimp", blimp_figure()});
  out.remarks = {
      "The unit-quaternion row of pp. 24-25 and 34 is identically zero, since eᵀ G(e) = 0: the mixed LCP with it is singular. carom turns quaternions by the exponential map and has no such row.",
      "The last update of p. 1 of 4/1/04 lacks h: q⁺ = q + h G v⁺. The −mg of p_ext on the box page lacks h as well, and p. 25 has f_ext/h where h f_ext is meant.",
      "The gyroscopic term of g_ext (pp. 21, 33) must be −ω × Iω, as on p. 20: with the printed + the angular momentum of the box is off by 22 % after some turns, with − by 0.2 % at h = 1 ms.",
      "E is (Σ n_f) × n_c, and the LCP has 6 n_b + Σ (2 + n_f) rows (p. 35 has 7 n_b and one n_f for all contacts).",
      "J = diag(1, 2, 3) with m = 1 is a lamina of 2√6 × 2√3 m without height; the scenes give it feet 0.5 m below its centre.",
      "Ψ/h turns a penetration of 1 mm into 1 m/s at h = 1 ms and throws the body out; carom takes away a part of a penetration per step, at a bounded speed.",
      "Normal forces of redundant contacts, and the force of a pusher with friction, are not unique: only their sums and bounds are checked."};
  return out;
}

}  // namespace carom::lab
