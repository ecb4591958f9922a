// URDF and MJCF models: what becomes of them, and that nothing is dropped in silence.

#include "carom/io/model_source.hpp"

#include <gtest/gtest.h>

#include <unistd.h>
#include <Eigen/Geometry>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "carom/dynamics/kinematics.hpp"
#include "carom/io/scene_yaml.hpp"
#include "carom/io/text_file.hpp"

namespace carom {
namespace {

using Eigen::Vector3d;
namespace fs = std::filesystem;

constexpr double kDegree = std::numbers::pi / 180;

std::string scenes(const std::string& name) { return std::string(CAROM_SOURCE_DIR) + "/tests/support/scenes/" + name; }

// The scene of a text, as if it stood among the test scenes.
Scene scene_of(const std::string& yaml) { return io::read_scene_text(yaml, scenes("here.yaml")); }

bool told(const Scene& scene, const std::string& part) {
  return std::any_of(scene.notes.begin(), scene.notes.end(), [&](const std::string& note) { return note.find(part) != std::string::npos; });
}

const Collider& collider(const Scene& scene, const std::string& name) {
  return *std::find_if(scene.colliders.begin(), scene.colliders.end(), [&](const Collider& c) { return c.name == name; });
}

TEST(Urdf, FixedJointsMergeLinks) {
  const Scene scene = scene_of("urdf: {file: biped.urdf, base: free, at: [0, 0, 2]}\nmaterials: {rubber: {friction: 0.6}}\n");
  ASSERT_EQ(scene.model.bodies(), 4);  // base_frame with trunk, two legs, foot
  const int base = scene.model.body_index("base_frame");
  EXPECT_DOUBLE_EQ(scene.model.body(base).mass, 8);
  EXPECT_TRUE(scene.model.body(base).com.isApprox(Vector3d(0, 0, 0.6), 1e-12));
  EXPECT_NEAR(scene.model.body(base).inertia(0, 0), 0.2, 1e-12);  // the inertial frame is turned by 90° about z
  EXPECT_NEAR(scene.model.body(base).inertia(1, 1), 0.1, 1e-12);
  EXPECT_TRUE(collider(scene, "trunk").in_body.translation.isApprox(Vector3d(0, 0, 0.6)));
  EXPECT_TRUE(scene.start.q.head<3>().isApprox(Vector3d(0, 0, 2)));
  EXPECT_TRUE(told(scene, "trunk is part of base_frame"));
}

TEST(Urdf, FixedBaseIsPartOfTheWorld) {
  const Scene scene = io::read_scene(scenes("biped.urdf"));
  EXPECT_EQ(scene.model.bodies(), 3);
  EXPECT_EQ(collider(scene, "trunk").body, kGround);
  EXPECT_EQ(scene.model.gravity(), Vector3d(0, 0, -9.81));
}

TEST(Urdf, JointsLimitsDampingMimic) {
  const Scene scene = scene_of("urdf: biped.urdf");
  const Model& model = scene.model;
  Data data(model);
  forward_kinematics(model, scene.start, data);
  const Placement& leg = data.pose[static_cast<std::size_t>(model.body_index("left_leg"))];
  EXPECT_TRUE(leg.translation.isApprox(Vector3d(0, 0.1, 0.4), 1e-12));
  ASSERT_EQ(scene.limits.size(), 2);
  EXPECT_EQ(scene.limits[0].joint, "left_hip");
  EXPECT_EQ(scene.limits[0].lower, -1.5);
  EXPECT_EQ(scene.limits[1].upper, 0.05);
  ASSERT_EQ(scene.forces.joints.size(), 1);
  EXPECT_EQ(scene.forces.joints[0].damping, 0.5);
  // right = −left + 0.2, and the start is moved onto it.
  const auto q = [&](const char* joint) { return scene.start.q[model.joint(model.joint_index(joint)).q_index]; };
  EXPECT_NEAR(q("right_hip"), -q("left_hip") + 0.2, 1e-12);
}

TEST(Urdf, SurfacesOfEveryExtension) {
  const Scene scene = scene_of("urdf: {file: biped.urdf, material: rubber}\nmaterials: {rubber: {friction: 0.6}, other: {}}\n");
  const auto surface = [&](const char* name) { return scene.materials[static_cast<std::size_t>(collider(scene, name).material)]; };
  EXPECT_EQ(surface("trunk").mu_s, 0.4);       // gazebo
  EXPECT_EQ(surface("left_leg.1").mu_d, 0.9);  // contact_coefficients
  EXPECT_EQ(surface("left_leg.1").e, 0.1);
  EXPECT_EQ(surface("right_leg").mu_s, 0.8);  // Bullet
  EXPECT_EQ(surface("right_leg").e, 0.3);
  EXPECT_EQ(surface("foot").name, "rubber");  // none
}

TEST(Urdf, WhatIsIgnoredIsListed) {
  const Scene scene = scene_of("urdf: biped.urdf");
  for (const char* part : {"robot/link/visual is ignored (2 times, first in line 12)", "robot/transmission in line 51", "robot/material in line 4",
                           "robot/joint/limit@effort is ignored (2 times", "robot/joint/dynamics@friction", "contact_coefficients@kp",
                           "robot/link/contact/contact_cfm", "robot/gazebo/mu2", "tetrahedron.stl is taken as its convex hull"})
    EXPECT_TRUE(told(scene, part)) << part;
}

TEST(Urdf, WhatBulletWritesOtherwise) {
  const auto read = [](const std::string& joint, const std::string& link) {
    io::SceneDraft draft(World::spatial, "");
    const std::string mass = "<inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial>";
    io::read_urdf("<robot><link name=\"a\">" + link + "</link><link name=\"b\">" + mass + "</link>" + joint + "</robot>", {.file = "r.urdf"}, draft);
    return draft;
  };
  const std::string ends = "<parent link=\"a\"/><child link=\"b\"/>";
  const io::SceneDraft endless = read("<joint name=\"j\" type=\"revolute\">" + ends + "<limit lower=\"1\" upper=\"0\"/></joint>", "");
  EXPECT_TRUE(endless.limits.empty());
  EXPECT_NE(endless.notes.at(0).find("taken as without stops"), std::string::npos);
  const io::SceneDraft plane =
      read("<joint name=\"j\" type=\"spherical\">" + ends + "</joint>", "<collision><geometry><plane normal=\"1 0 0\"/></geometry></collision>");
  EXPECT_EQ(plane.builder.build().joint(0).kind, JointKind::spherical);
  EXPECT_TRUE((plane.colliders.at(0).collider.in_body.rotation * Vector3d::UnitZ()).isApprox(Vector3d::UnitX()));
  const io::SceneDraft massless = read("<joint name=\"j\" type=\"continuous\">" + ends + "</joint>",
                                       "<inertial><mass value=\"0\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial>");
  EXPECT_NE(massless.notes.at(0).find("a link of mass 0 has no inertia"), std::string::npos);
}

TEST(Urdf, ZeroBeyondAStopStartsAtTheStop) {
  std::string text = io::read_text_file(scenes("biped.urdf"));
  text.replace(text.find("lower=\"0\" upper=\"0.05\""), 22, "lower=\"0.01\" upper=\"0.1\"");
  const fs::path folder = fs::temp_directory_path() / ("carom_stop_" + std::to_string(getpid()));
  fs::create_directory(folder);
  std::ofstream(folder / "biped.urdf") << text;
  fs::copy_file(scenes("tetrahedron.stl"), folder / "tetrahedron.stl");
  const Scene scene = io::read_scene((folder / "biped.urdf").string());
  fs::remove_all(folder);
  EXPECT_EQ(scene.start.q[scene.model.joint(scene.model.joint_index("ankle")).q_index], 0.01);
  EXPECT_TRUE(told(scene, "joint ankle: its zero lies beyond a stop"));
}

TEST(Mjcf, TreeAndMasses) {
  const Scene scene = io::read_scene(scenes("pendulum_cart.xml"));
  const Model& model = scene.model;
  EXPECT_EQ(model.gravity(), Vector3d(0, 0, -10));
  EXPECT_EQ(scene.integrator.stepping.step, 0.005);
  ASSERT_EQ(model.bodies(), 8);  // cart with bracket, upper, link and lower, ball, hook, wheel, bob
  const double pi = std::numbers::pi;
  EXPECT_NEAR(model.body(model.body_index("cart")).mass, 3 + 2000 * pi * 0.0004 * 0.1, 1e-12);
  EXPECT_NEAR(model.body(model.body_index("upper")).mass, 500 * (pi * 0.0025 * 0.5 + 4. / 3 * pi * 0.000125), 1e-12);
  EXPECT_TRUE(model.body(model.body_index("upper")).com.isApprox(Vector3d(0, 0, -0.25), 1e-12));
  EXPECT_EQ(model.body(model.body_index("ball")).mass, 2);
  EXPECT_NEAR(model.body(model.body_index("ball")).inertia(2, 2), 0.25, 1e-15);
}

TEST(Mjcf, PosesAtTheStart) {
  const Scene scene = scene_of("mjcf: {file: pendulum_cart.xml, at: [0, 0, 5]}");
  const Model& model = scene.model;
  Data data(model);
  forward_kinematics(model, scene.start, data);
  const auto pose = [&](const char* name) { return data.pose[static_cast<std::size_t>(model.body_index(name))]; };
  const double x = scene.start.q[model.joint(model.joint_index("rail")).q_index];  // the coupling has moved it
  EXPECT_TRUE(pose("lower").translation.isApprox(Vector3d(x, 0, 5.3), 1e-9));
  EXPECT_TRUE(pose("ball").translation.isApprox(Vector3d(1, 0, 5.5), 1e-12));
  EXPECT_TRUE((pose("ball").rotation * Vector3d::UnitX()).isApprox(-Vector3d::UnitX(), 1e-12));
  EXPECT_TRUE(pose("hook").translation.isApprox(Vector3d(2, 0, 6), 1e-9));
  EXPECT_NEAR(scene.start.q[model.joint(model.joint_index("axle")).q_index], 0.1 + 2 * x, 1e-9);
  EXPECT_EQ(collider(scene, "floor").in_body.translation, Vector3d(0, 0, 4));
}

TEST(Mjcf, DefaultsUnitsLimitsAndSprings) {
  const Scene scene = io::read_scene(scenes("pendulum_cart.xml"));
  const auto limit = [&](const std::string& joint) {
    return std::find_if(scene.limits.begin(), scene.limits.end(), [&](const JointLimit& l) { return l.joint == joint; });
  };
  EXPECT_EQ(limit("rail")->upper, 2);
  EXPECT_NEAR(limit("shoulder")->lower, -100 * kDegree, 1e-12);  // from ref = 10°
  EXPECT_EQ(limit("elbow_x"), scene.limits.end());
  const int shoulder = scene.model.joint(scene.model.joint_index("shoulder")).u_index;
  const auto motor = std::find_if(scene.forces.joints.begin(), scene.forces.joints.end(), [&](const JointForce& f) { return f.freedom == shoulder; });
  EXPECT_EQ(motor->stiffness, 3);
  EXPECT_EQ(motor->damping, 0.1);  // of the class
  EXPECT_NEAR(motor->rest, 10 * kDegree, 1e-12);
  const Joint& elbow = scene.model.joint(scene.model.joint_index("elbow_y"));
  EXPECT_TRUE(elbow.axis.isApprox(Vector3d::UnitY()));
}

TEST(Mjcf, SurfacesAndPairs) {
  const Scene scene = io::read_scene(scenes("pendulum_cart.xml"));
  const auto surface = [&](const char* name) { return scene.materials[static_cast<std::size_t>(collider(scene, name).material)]; };
  EXPECT_EQ(surface("floor").mu_s, 0.7);
  EXPECT_EQ(surface("floor").torsion, 0.01);
  EXPECT_EQ(surface("floor").e, 0.25);
  EXPECT_EQ(surface("forearm").mu_s, 0.2);
  EXPECT_EQ(scene.combination.friction, Combination::maximum);
  const auto index = [&](const char* name) { return static_cast<int>(&collider(scene, name) - scene.colliders.data()); };
  EXPECT_FALSE(may_touch(scene, index("ball"), index("upper")));     // excluded
  EXPECT_FALSE(may_touch(scene, index("forearm"), index("floor")));  // contype and conaffinity
  EXPECT_TRUE(may_touch(scene, index("ball"), index("floor")));
  EXPECT_EQ(scene.colliders.size(), 8);  // all but the bracket's
}

TEST(Mjcf, WhatIsIgnoredIsListed) {
  const Scene scene = io::read_scene(scenes("pendulum_cart.xml"));
  for (const char* part : {"mujoco/worldbody/light in line 12", "mujoco/actuator", "mujoco/contact/pair", "mujoco/equality/tendon",
                           "mujoco/asset/texture", "mujoco/option@integrator", "mujoco/default/geom@rgba", "body/site", "body lower has 2 joints",
                           "the friction of two surfaces is the greater"})
    EXPECT_TRUE(told(scene, part)) << part;
}

// Each of these replaces a piece of a good file.
struct Wrong {
  const char *file, *before, *after, *says;
};

TEST(Models, ErrorsNameLineAndElement) {
  const Wrong wrongs[] = {
      {"biped.urdf", "mass value=\"8\"", "mass value=\"-8\"", "here.urdf:9: robot[biped]/link[trunk]/inertial/mass@value = -8: must be ≥ 0 [kg]"},
      {"biped.urdf", "mass value=\"8\"", "mass", "link[trunk]/inertial/mass@value: is missing"},
      {"biped.urdf", "ixx=\"0.1\"", "ixx=\"1\"", "violates the triangle inequality"},
      {"biped.urdf", "radius=\"0.03\"", "radius=\"zero\"", "cylinder@radius = zero: must be a finite number"},
      {"biped.urdf", "<sphere radius=\"0.05\"/>", "<cone/>", "geometry/cone = cone: must be one of box, sphere"},
      {"biped.urdf", "size=\"0.2 0.3 0.4\"/></geometry></collision>", "size=\"0.2 0.3\"/></geometry></collision>",
       "box@size = 2 numbers: must be 3 numbers"},
      {"biped.urdf", "type=\"revolute\"", "type=\"hinge\"", "joint[left_hip]@type = hinge: must be one of revolute"},
      {"biped.urdf", "child link=\"left_leg\"", "child link=\"leg\"", "child@link = leg: names no link"},
      {"biped.urdf", "child link=\"left_leg\"", "child link=\"right_leg\"", "right_leg: is the child of joint left_hip too"},
      {"biped.urdf", "parent link=\"base_frame\"", "parent link=\"foot\"", "hangs in a cycle of joints"},
      {"biped.urdf", "link name=\"left_leg\"", "link name=\"trunk\"", "is already the link in line 6"},
      {"biped.urdf", "mimic joint=\"left_hip\"", "mimic joint=\"nope\"", "mimic@joint = nope: must be another joint"},
      {"biped.urdf", "package://biped/tetrahedron.stl", "package://biped/cube.stl", "names a mesh that is not there"},
      {"biped.urdf", "</robot>", "", "must be well-formed XML"},
      {"biped.urdf", "<mass value=\"0.5\"/>", "<mass value=\"0\"/>", "link[foot]: must have an <inertial> with a mass"},
      {"pendulum_cart.xml", "angle=\"degree\"", "angle=\"turns\"", "here.xml:3: mujoco/compiler@angle = turns: must be one of degree, radian"},
      {"pendulum_cart.xml", "class=\"arm\"><geom", "class=\"leg\"><geom", "class = arm: names no default class"},
      {"pendulum_cart.xml", "type=\"slide\"", "type=\"screw\"", "joint[rail]@type = screw: must be one of hinge"},
      {"pendulum_cart.xml", "mesh=\"tet\"", "mesh=\"tot\"", "names no <mesh>"},
      {"pendulum_cart.xml", "<light", "<include file=\"x\"/><light", "include: is a part of MJCF that carom does not read"},
      {"pendulum_cart.xml", "body1=\"ball\"", "body1=\"bell\"", "exclude@body1 = bell: names no body"},
      {"pendulum_cart.xml", "size=\"0.2 0.1 0.05\"", "size=\"0.2 0.1\"", "geom@size = 2 numbers: must be 3 numbers"},
      {"pendulum_cart.xml", "diaginertia=\"0.1 0.2 0.25\"", "diaginertia=\"0.1 0.2 1\"", "triangle inequality"},
      {"pendulum_cart.xml", "range=\"-2 2\"", "range=\"2 -2\"", "the smaller one first"},
      {"pendulum_cart.xml", "name=\"upper\"", "name=\"cart\"", "is already the name of a body"},
      {"pendulum_cart.xml", "0.1 2 0 0 0", "0.1 2 1 0 0", "must be linear"},
  };
  for (const Wrong& wrong : wrongs) {
    std::string text = io::read_text_file(scenes(wrong.file));
    const std::size_t at = text.find(wrong.before);
    ASSERT_NE(at, std::string::npos) << wrong.before;
    text.replace(at, std::string_view(wrong.before).size(), wrong.after);
    const bool urdf = std::string_view(wrong.file).ends_with("urdf");
    const io::ModelSource source{.file = scenes(urdf ? "here.urdf" : "here.xml")};
    io::SceneDraft draft(World::spatial, scenes(""));
    std::string message;
    try {
      urdf ? io::read_urdf(text, source, draft) : io::read_mjcf(text, source, draft);
    } catch (const InputError& error) {
      message = error.what();
    }
    EXPECT_NE(message.find(wrong.says), std::string::npos) << wrong.after << "\n  said: " << message << "\n  not:  " << wrong.says;
    EXPECT_TRUE(message.starts_with(scenes(""))) << message;
  }
}

TEST(Models, BothInOneScene) {
  const Scene scene = io::read_scene(scenes("models.yaml"));
  EXPECT_EQ(scene.model.bodies(), 12);
  EXPECT_EQ(scene.materials[static_cast<std::size_t>(collider(scene, "foot").material)].name, "steel");
  EXPECT_EQ(scene.model.gravity(), Vector3d(0, 0, -9.81));
}

}  // namespace
}  // namespace carom
