// Scene files: what they mean, and what is said about those that mean nothing.

#include "carom/io/scene_yaml.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <numbers>
#include <regex>
#include <sstream>

#include "carom/core/error.hpp"
#include "carom/io/scene_keys.hpp"

namespace carom {
namespace {

constexpr double kPi = std::numbers::pi;

Scene read(const std::string& text) { return io::read_scene_text(text, "scene.yaml"); }

std::string complaint(const std::string& text) {
  try {
    read(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::string file(const std::string& name) {
  std::ifstream stream(std::string(CAROM_SOURCE_DIR) + "/" + name);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

const char* const kBall = R"(world: planar
gravity: [0, -9.81]
materials: {rubber: {friction: {static: 0.5, kinetic: 0.4}, restitution: 0.8}}
ground:
  - {half_space: {normal: [0, 2]}, at: [0, -1], name: floor}
bodies:
  ball: {mass: 2, shapes: [{disc: {radius: 0.5}}], position: [1, 3], angle_deg: 90, velocity: [4, 5], angular_velocity: 6}
duration: 2
)";

TEST(SceneYaml, ABodyWithoutAJointIsFree) {
  const Scene scene = read(kBall);
  EXPECT_EQ(scene.name, "scene");
  ASSERT_EQ(scene.model.bodies(), 1);
  EXPECT_EQ(scene.model.joint(0).kind, JointKind::planar);
  EXPECT_EQ(scene.model.joint_name(0), "ball");
  EXPECT_EQ(scene.model.gravity(), Eigen::Vector3d(0, -9.81, 0));
  EXPECT_TRUE(scene.start.q.isApprox(Eigen::Vector3d(1, 3, kPi / 2), 1e-15));
  EXPECT_TRUE(scene.start.u.isApprox(Eigen::Vector3d(4, 5, 6), 0));
  EXPECT_EQ(scene.model.body(0).mass, 2);
  EXPECT_NEAR(scene.model.body(0).inertia(2, 2), 0.25, 1e-15);  // ½ m r² of the disc
  ASSERT_EQ(scene.colliders.size(), 2);
  EXPECT_EQ(scene.colliders[0].name, "ball");
  EXPECT_EQ(scene.colliders[1].name, "floor");
  EXPECT_EQ(scene.colliders[1].body, kGround);
  EXPECT_EQ(scene.colliders[1].in_body.translation, Eigen::Vector3d(0, -1, 0));
  EXPECT_EQ(scene.materials[0].mu_s, 0.5);
  EXPECT_EQ(scene.materials[0].mu_d, 0.4);
  EXPECT_EQ(scene.colliders[1].material, 0);
  EXPECT_EQ(scene.duration, 2);
}

TEST(SceneYaml, SpatialStartIsInWorldAxes) {
  const Scene scene = read(R"(world: spatial
bodies:
  b: {density: 1000, shapes: [{box: {size: [1, 2, 3]}, at: [0, 0, 1]}], position: [1, 2, 3], rpy_deg: [0, 0, 90], velocity: [1, 0, 0], angular_velocity: [1, 0, 0]}
)");
  const double h = std::sqrt(0.5);
  EXPECT_TRUE(scene.start.q.isApprox((Eigen::VectorXd(7) << 1, 2, 3, h, 0, 0, h).finished(), 1e-15));
  EXPECT_TRUE(scene.start.u.isApprox((Eigen::VectorXd(6) << 1, 0, 0, 0, -1, 0).finished(), 1e-15));  // ω in body axes
  EXPECT_DOUBLE_EQ(scene.model.body(0).mass, 6000);
  EXPECT_TRUE(scene.model.body(0).com.isApprox(Eigen::Vector3d(0, 0, 1)));
  EXPECT_NEAR(scene.model.body(0).inertia(0, 0), 6000 * (4 + 9) / 12., 1e-9);
  ASSERT_EQ(scene.notes.size(), 1);  // that there are no materials
}

TEST(SceneYaml, CompoundBodyByTheParallelAxes) {
  const Scene scene = read(R"(world: spatial
materials: {m: {}}
bodies:
  dumbbell: {mass: 2, shapes: [{sphere: {radius: 0.1}, at: [1, 0, 0]}, {sphere: {radius: 0.1}, at: [-1, 0, 0]}]}
)");
  EXPECT_TRUE(scene.model.body(0).com.isZero(1e-15));
  EXPECT_NEAR(scene.model.body(0).inertia(0, 0), 2 * 0.4 * 0.01, 1e-14);
  EXPECT_NEAR(scene.model.body(0).inertia(1, 1), 2 * 0.4 * 0.01 + 2, 1e-14);
  EXPECT_EQ(scene.colliders[1].name, "dumbbell.1");
}

TEST(SceneYaml, ArrayMakesCopiesAndItsNameMeansAllOfThem) {
  const std::string text = R"(world: spatial
materials: {m: {}}
ground: [{half_space: {}}]
bodies:
  ball: {mass: 1, shapes: [{sphere: {radius: 0.1}}], position: [0, 0, 1], array: {count: [2, 3, 4], spacing: [1, 2, 3], jitter: 0.1, seed: 7}}
  post: {mass: 1, shapes: [{sphere: {radius: 0.1}}], position: [0, 0, 30]}
ignore: [[ball, post], [ball_0_0_0, ground]]
)";
  const Scene scene = read(text), again = read(text);
  ASSERT_EQ(scene.model.bodies(), 25);
  EXPECT_EQ(scene.model.body_name(23), "ball_1_2_3");
  EXPECT_EQ(scene.colliders[23].name, "ball_1_2_3");
  const Eigen::Vector3d last = scene.start.q.segment<3>(7 * 23);
  EXPECT_LT((last - Eigen::Vector3d(1, 4, 10)).cwiseAbs().maxCoeff(), 0.1);
  EXPECT_GT((last - Eigen::Vector3d(1, 4, 10)).cwiseAbs().minCoeff(), 0);
  EXPECT_EQ(scene.start.q, again.start.q);
  EXPECT_EQ(scene.ignored.size(), 25);
}

TEST(SceneYaml, OneCountMakesARowAlongTheSpacing) {
  const Scene scene = read("world: planar\nbodies: {b: {mass: 1, disc: {radius: 1}, array: {count: 3, spacing: [2, 1]}}}\n");
  EXPECT_EQ(scene.model.body_name(2), "b_2");
  EXPECT_EQ(scene.start.q.segment<2>(6), Eigen::Vector2d(4, 2));
}

TEST(SceneYaml, SegmentAndHalfSpaceArePlaced) {
  const Scene scene = read(R"(world: planar
bodies: {b: {mass: 1, inertia: 1}}
ground:
  - {segment: {from: [1, 1], to: [1, 3]}}
  - {half_space: {normal: [1, 0], offset: 2}}
)");
  EXPECT_DOUBLE_EQ(std::get<Capsule>(scene.colliders[0].shape).half_length, 1);
  EXPECT_TRUE((scene.colliders[0].in_body * Eigen::Vector3d(1, 0, 0)).isApprox(Eigen::Vector3d(1, 3, 0)));
  const Placement& wall = scene.colliders[1].in_body;
  EXPECT_TRUE((wall.rotation * Eigen::Vector3d::UnitY()).isApprox(Eigen::Vector3d::UnitX()));  // out of the solid
  EXPECT_TRUE(wall.translation.isApprox(Eigen::Vector3d(2, 0, 0)));
}

TEST(SceneYaml, SpringLengthDefaultsToTheDistanceAtTheStart) {
  const Scene scene = read("world: planar\nbodies: {b: {mass: 1, inertia: 1, position: [3, 4]}}\nforces: {springs: [{a: b, stiffness: 10}]}\n");
  EXPECT_DOUBLE_EQ(scene.forces.springs[0].length, 5);
  EXPECT_EQ(scene.forces.springs[0].body_b, kGround);
}

TEST(SceneYaml, SurfacesOfBodiesRunAndPairsHaveTheirOwnConeEdges) {
  const Scene scene = read(R"(world: spatial
materials: {tyre: {friction: 0.8, cone_edges: 5}, floor: {}}
pairs: [{materials: [tyre, floor], friction: 0.8, cone_edges: 7}]
ground: [{half_space: {}, material: floor}]
bodies: {cart: {mass: 1, inertia: [1, 1, 1], shapes: [{points: [[0, 0, 0]], surface_velocity: [-0.5, 0, 0], material: tyre}]}}
)");
  EXPECT_EQ(scene.colliders[0].surface_velocity, Eigen::Vector3d(-0.5, 0, 0));
  EXPECT_EQ(scene.materials[0].cone_edges, 5);
  EXPECT_EQ(scene.pairs[0].together.cone_edges, 7);
  EXPECT_NE(complaint("world: planar\nmaterials: {m: {cone_edges: 2}}\nbodies: {b: {mass: 1, inertia: 1}}\n").find("materials.m.cone_edges"), std::string::npos);
}

// The frames that a slider and a weld are built of: a stands turned in b as the file says.
TEST(SceneYaml, SliderAndWeldHoldABodyTurned) {
  const Scene scene = read(R"(world: spatial
bodies:
  a: {mass: 1, inertia: [1, 1, 1], position: [0, 3, 0], rpy_deg: [0, 0, 90]}
  b: {mass: 1, inertia: [1, 1, 1]}
  c: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}
constraints:
  - {name: rail, type: slider, a: a, b: b, axis_b: [0, 1, 0], rpy_deg: [0, 0, 90]}
  - {name: glue, type: weld, a: c, b: b, at_b: [1, 0, 0]}
)");
  EXPECT_EQ(scene.model.constraint_rows(), 11);  // that the start satisfies them was checked by read()
  EXPECT_NE(complaint("world: planar\nbodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1, position: [0, 1]}}\n"
                      "constraints: [{name: rail, type: slider, a: a, b: b}]\n").find("onstraint"), std::string::npos);
  EXPECT_NE(complaint("world: planar\nbodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1}}\n"
                      "constraints: [{name: pin, type: coincidence, a: a, b: b, axis_b: [1, 0]}]\n").find("constraints[0].axis_b"), std::string::npos);
}

TEST(SceneYaml, LimitsOfJoints) {
  const Scene scene = read(R"(world: planar
bodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1}}
joints:
  - {name: hip, type: revolute, child: a, limit_deg: [-90, 45], limit_restitution: 0.5}
  - {name: slide, type: prismatic, parent: a, child: b}
limits: [{joint: slide, upper: 2}]
)");
  ASSERT_EQ(scene.limits.size(), 2);
  EXPECT_DOUBLE_EQ(scene.limits[0].lower, -kPi / 2);
  EXPECT_EQ(scene.limits[0].e, 0.5);
  EXPECT_EQ(scene.limits[1].coordinate, 1);
  EXPECT_EQ(scene.limits[1].upper, 2);
  EXPECT_EQ(scene.limits[1].lower, -std::numeric_limits<double>::infinity());
}

// Every key that the reference lists is read: the full scenes write them all.
TEST(SceneYaml, TheFullScenesUseEveryKey) {
  const std::string text =
      file("tests/support/scenes/full_planar.yaml") + file("tests/support/scenes/full_spatial.yaml") + file("tests/support/scenes/models.yaml");
  for (const io::KeyTable& table : io::scene_tables())
    for (const io::Key& key : table.keys) EXPECT_TRUE(std::regex_search(text, std::regex("\\b" + key.name + ":"))) << table.id << ": " << key.name;
}

TEST(SceneYaml, TheFullPlanarScene) {
  const Scene scene = io::read_scene(std::string(CAROM_SOURCE_DIR) + "/tests/support/scenes/full_planar.yaml");
  EXPECT_EQ(scene.law.process, "routh");
  EXPECT_EQ(scene.law.restitution, "poisson");
  EXPECT_FALSE(scene.integrator.time_stepping);
  EXPECT_EQ(scene.integrator.event.relative, 1e-9);
  EXPECT_EQ(scene.integrator.event.zeno_bounces, 5);
  EXPECT_EQ(scene.sampling, 0.02);
  EXPECT_EQ(scene.combination.friction, Combination::maximum);
  EXPECT_EQ(scene.pairs[0].together.e, 0.9);
  ASSERT_EQ(scene.forces.joints.size(), 1);
  EXPECT_NEAR(scene.forces.joints[0].torque.value(0.25), 1 + 0.25 + 0.5 * 2 * 0.0625 + 3 + 0.5,
              1e-12);  // offset, rate, acceleration, sine at its top, table
  EXPECT_EQ(scene.forces.pushes[0].force[1].value(0), 2);
  EXPECT_EQ(scene.forces.pushes[0].moment[2].value(0), 3);
  EXPECT_TRUE(scene.forces.pushes[0].body_axes);
  EXPECT_EQ(scene.pair_laws.size(), 1);
  EXPECT_EQ(scene.ignored.size(), 1);
  const auto belt = std::find_if(scene.colliders.begin(), scene.colliders.end(), [](const Collider& c) { return c.name == "belt"; });
  ASSERT_NE(belt, scene.colliders.end());
  EXPECT_EQ(belt->surface_velocity, Eigen::Vector3d(1, 0, 0));
  ASSERT_TRUE(belt->drive.has_value());
  EXPECT_NEAR(belt->drive->y.value(0.25), 0.1, 1e-15);
}

TEST(SceneYaml, TheFullSpatialScene) {
  const Scene scene = io::read_scene(std::string(CAROM_SOURCE_DIR) + "/tests/support/scenes/full_spatial.yaml");
  EXPECT_TRUE(scene.integrator.time_stepping);
  EXPECT_EQ(scene.integrator.stepping.scheme, Scheme::moreau_jean);
  EXPECT_EQ(scene.integrator.stepping.theta, 0.75);
  EXPECT_EQ(scene.integrator.stepping.cone_edges, 8);
  EXPECT_TRUE(scene.integrator.stepping.sleeping);
  const auto told = [&](const char* part) {
    return std::any_of(scene.notes.begin(), scene.notes.end(), [&](const std::string& note) { return note.find(part) != std::string::npos; });
  };
  EXPECT_TRUE(told("tetrahedron.stl is taken as its convex hull"));
  EXPECT_TRUE(told("tetrahedron.obj is taken as its convex hull"));
}

TEST(SceneYaml, TheReferencePageIsUpToDate) {
  EXPECT_TRUE(file("docs/scene.md") == io::scene_reference()) << "print it anew: carom info --scene-reference > docs/scene.md";
}

TEST(SceneYaml, WhatIsAScene) {
  EXPECT_TRUE(io::is_scene(std::string_view(kBall)));
  EXPECT_FALSE(io::is_scene(std::string_view("world: planar\nbodies: {}\ncontact: {}")));
  EXPECT_FALSE(io::is_scene(std::string_view("{\"dimension\": 2}")));
  EXPECT_FALSE(io::is_scene(std::string_view("a: [")));
}

// What is wrong, and where: each of these replaces a piece of the good scene.
struct Wrong {
  const char *before, *after, *says;
};

TEST(SceneYaml, ErrorsNamePlaceFieldValueAndRange) {
  const Wrong wrongs[] = {
      {"mass: 2", "mass: -2", "scene.yaml:7:16: bodies.ball.mass = -2: must be > 0 [kg]"},
      {"mass: 2", "mas: 2", "scene.yaml:7:15: bodies.ball.mas = 2: unknown key; did you mean mass?"},
      {"mass: 2", "mass: two", "bodies.ball.mass = \"two\": must be a number"},
      {"mass: 2, ", "", "scene.yaml:7:9: bodies.ball.mass: is missing"},
      {"world: planar", "world: flat", "scene.yaml:1:8: world = \"flat\": must be one of planar, spatial"},
      {"world: planar", "name: x", "scene.yaml:1:1: world: is missing"},
      {"radius: 0.5", "radius: 0", "bodies.ball.shapes[0].disc.radius = 0: must be > 0 [m]"},
      {"disc: {radius: 0.5}", "disk: {radius: 0.5}", "bodies.ball.shapes[0].disk = a map of 1 keys: unknown key; did you mean disc?"},
      {"disc: {radius: 0.5}", "disc: {radius: 0.5}, box: {size: [1, 1]}",
       "bodies.ball.shapes[0].box = a map of 1 keys: is a second shape in one entry"},
      {"disc: {radius: 0.5}", "cylinder: {radius: 0.5, length: 1}", "is a shape of spatial worlds"},
      {"normal: [0, 2]", "normal: [0, 0]", "ground[0].half_space.normal = (0, 0, 0): must not be zero"},
      {"kinetic: 0.4", "kinetic: 0.6", "materials.rubber.friction.kinetic = 0.6: must be ≤ friction.static = 0.5"},
      {"restitution: 0.8", "restitution: 1.2", "materials.rubber.restitution = 1.2: must be in [0, 1]"},
      {"name: floor", "material: ruber", "ground[0].material = \"ruber\": unknown material; did you mean rubber?"},
      {"name: floor", "name: ball", "ground[0].name = ball: is already the name of bodies.ball.shapes[0]"},
      {"angle_deg: 90", "angle_deg: 90, angle: 1", "the rotation is already given by angle"},
      {"angle_deg: 90", "rpy: [0, 0, 1]", "a planar world turns about z only"},
      {"position: [1, 3]", "position: [1, 3, 1]", "must lie in the x–y plane"},
      {"position: [1, 3]", "array: {count: 0, spacing: [1, 0]}", "bodies.ball.array.count = 0: must be ≥ 1"},
      {"position: [1, 3]", "array: {count: [1000, 1000], spacing: [1, 0]}", "must not make more than 100000 copies"},
      {"duration: 2", "joints: [{type: revolute, child: bal}]", "scene.yaml:8:34: joints[0].child = bal: unknown body; known are: ground, ball"},
      {"duration: 2", "joints: [{type: revolute, child: ball}]", "bodies.ball.position = a list of 2 values: is for bodies without a joint"},
      {"duration: 2", "law: rout", "scene.yaml:8:6: law = rout: must be one of routh"},
      {"duration: 2", "law: park", "law = park: does not handle dimension 2"},
      {"duration: 2", "options: {x: 1}", "options.x: law routh has no such option"},
      {"duration: 2", "integrator: {type: euler}", "integrator.type = \"euler\": must be one of event-driven"},
      {"duration: 2", "integrator: {type: moreau, step: 0.1}", "integrator.type = \"moreau\": must be one of event-driven"},
      {"duration: 2", "integrator: moreau-jean", "must be a map of keys and values (those of event-driven or time-stepping in docs/scene.md)"},
      {"disc: {radius: 0.5}", "box: [1, 1]", "must be a map of keys and values (those of box in docs/scene.md)"},
      {"duration: 2", "integrator: {step: 0.1}", "integrator.step = 0.1: belongs to time-stepping: type must be given"},
      {"duration: 2", "integrator: {type: moreau-jean, theta: 0.2}", "integrator.theta = 0.2: must be in [0.5, 1]"},
      {"duration: 2", "ignore: [[ball, flor]]", "ignore[0][1] = \"flor\": names no shape nor a body with shapes; did you mean floor?"},
      {"duration: 2", "forces: {drags: [{body: ground}]}", "forces.drags[0].body = ground: must be a body"},
      {"duration: 2", "forces: {motors: [{joint: ball, freedom: 3}]}", "forces.motors[0].freedom = 3: joint ball has 3 speeds"},
      {"duration: 2", "forces: {motors: [{joint: ball, torque: {table: [[1, 2], [1, 3]]}}]}",
       "forces.motors[0].torque.table[1][0] = 1: must be later than 1"},
      {"duration: 2", "limits: [{joint: ball, lower: 2, upper: 1}]", "limits[0].upper = 1: must be > lower = 2"},
      {"duration: 2", "contact: {body: ball}", "belongs to a single impact"},
      {"duration: 2", "duration: .nan", "duration = nan: must be a finite number"},
  };
  for (const Wrong& wrong : wrongs) {
    std::string text = kBall;
    const std::size_t at = text.find(wrong.before);
    ASSERT_NE(at, std::string::npos) << wrong.before;
    const std::string message = complaint(text.replace(at, std::string_view(wrong.before).size(), wrong.after));
    EXPECT_NE(message.find(wrong.says), std::string::npos) << wrong.after << "\n  said: " << message << "\n  not:  " << wrong.says;
    EXPECT_TRUE(message.starts_with("scene.yaml:")) << message;
  }
}

}  // namespace
}  // namespace carom
