#include "carom/model/builder.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <functional>
#include <limits>

#include "carom/core/error.hpp"

namespace carom {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

const MassProperties kBall{1, Vector3d::Zero(), Matrix3d::Identity()};
const MassProperties kDisc = MassProperties::planar(1, {0, 0}, 0.5);
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

JointSpec hung(std::string name, std::string parent, std::string child, JointKind kind = JointKind::revolute) {
  JointSpec spec;
  spec.name = std::move(name);
  spec.parent = std::move(parent);
  spec.child = std::move(child);
  spec.kind = kind;
  return spec;
}

ModelBuilder two_links(World world = World::spatial) {
  const MassProperties& p = world == World::planar ? kDisc : kBall;
  ModelBuilder b(world);
  b.body("a", p).body("b", p).joint(hung("ja", "ground", "a")).joint(hung("jb", "a", "b"));
  return b;
}

// The builder call must be refused on `field` with `words` in what is said.
void expect_refused(const std::function<void()>& call, const std::string& field, const std::string& words) {
  try {
    call();
    ADD_FAILURE() << field << " was not refused";
  } catch (const InputError& error) {
    EXPECT_EQ(error.field(), field);
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
  }
}

void expect_body_refused(const MassProperties& p, const std::string& field, const std::string& words,
                         World world = World::spatial) {
  expect_refused([&] { ModelBuilder(world).body("rod", p); }, field, words);
}

MassProperties with_moments(double x, double y, double z) {
  return {1, Vector3d::Zero(), Vector3d(x, y, z).asDiagonal()};
}

TEST(Builder, SortsParentsFirstAndKeepsNames) {
  ModelBuilder b(World::spatial);
  b.body("hand", kBall).body("arm", kBall).body("ball", kBall);
  b.joint(hung("wrist", "arm", "hand", JointKind::spherical)).joint(hung("shoulder", "ground", "arm"));
  b.joint(hung("flight", "ground", "ball", JointKind::free));
  const Model m = b.build();
  EXPECT_EQ(m.body_name(0), "arm");
  EXPECT_EQ(m.body_name(1), "hand");
  EXPECT_EQ(m.joint_name(1), "wrist");
  EXPECT_EQ(m.parent(1), 0);
  EXPECT_EQ(m.parent(2), kGround);
  EXPECT_EQ(m.nq(), 1 + 4 + 7);
  EXPECT_EQ(m.nv(), 1 + 3 + 6);
  EXPECT_EQ(m.body_index("ball"), 2);
  EXPECT_EQ(m.body_index("ground"), kGround);
  EXPECT_EQ(m.joint_index("flight"), 2);
  expect_refused([&] { static_cast<void>(m.body_index("leg")); }, "body", "known are: arm, hand, ball");
}

TEST(Builder, RefusesMass) {
  expect_body_refused({0, Vector3d::Zero(), Matrix3d::Identity()}, "bodies.rod.mass", "must be > 0");
  expect_body_refused({-1, Vector3d::Zero(), Matrix3d::Identity()}, "bodies.rod.mass", "= -1");
  expect_body_refused({kNan, Vector3d::Zero(), Matrix3d::Identity()}, "bodies.rod.mass", "nan");
  expect_body_refused({1, {0, kNan, 0}, Matrix3d::Identity()}, "bodies.rod.com", "finite");
  expect_body_refused({1, {0, 0, 1}, Matrix3d::Identity()}, "bodies.rod.com", "x–y plane", World::planar);
}

TEST(Builder, RefusesInertia) {
  expect_body_refused(with_moments(1, 1, 2.1), "bodies.rod.inertia", "triangle inequality");
  expect_body_refused(with_moments(-0.1, 1, 1), "bodies.rod.inertia", "≥ 0");
  expect_body_refused(with_moments(kNan, 1, 1), "bodies.rod.inertia", "finite");
  MassProperties skew = kBall;
  skew.inertia(0, 1) = 0.1;
  expect_body_refused(skew, "bodies.rod.inertia", "symmetric");
  expect_body_refused(MassProperties::planar(1, {0, 0}, -1), "bodies.rod.inertia", "≥ 0", World::planar);
}

TEST(Builder, AcceptsThinRodsPlatesAndPoints) {
  ModelBuilder b(World::spatial);
  b.body("rod", with_moments(0, 1, 1)).body("plate", with_moments(1, 1, 2)).body("point", with_moments(0, 0, 0));
  ModelBuilder(World::planar).body("point", MassProperties::planar(1, {0, 0}, 0));
}

TEST(Builder, RefusesNames) {
  expect_refused([] { two_links().body("a", kBall); }, "bodies.a", "taken");
  expect_refused([] { two_links().body("", kBall); }, "bodies", "needs a name");
  expect_refused([] { two_links().body("ground", kBall); }, "bodies", "world itself");
  expect_refused([] { two_links().joint(hung("ja", "a", "b")); }, "joints.ja", "taken");
  expect_refused([] { two_links().joint(hung("jc", "a", "c")).build(); }, "joints.jc.child", "known are: ground, a, b");
  expect_refused([] { two_links().body("c", kBall).joint(hung("jc", "x", "c")).build(); }, "joints.jc.parent",
                 "unknown body");
  expect_refused(
      [] {
        two_links().coincidence("pin", "a", {0, 0, 0}, "z", {0, 0, 0}).build();
      },
      "constraints.pin.body_b", "unknown body");
  expect_refused(
      [] {
        two_links().coupling("gear", {{"ja", 1, 0}, {"jx", 2, 0}}).build();
      },
      "constraints.gear.joint", "known are: ja, jb");
}

TEST(Builder, RefusesWhatIsNoTree) {
  expect_refused([] { two_links().joint(hung("again", "ground", "b")).build(); }, "joints.again.child",
                 "use a loop closure");
  expect_refused([] { two_links().body("c", kBall).build(); }, "bodies.c", "free joint");
  expect_refused([] { two_links(World::planar).body("c", kDisc).build(); }, "bodies.c", "planar joint");
  expect_refused([] { two_links().joint(hung("up", "a", "ground")).build(); }, "joints.up.child", "hangs on nothing");
  expect_refused(
      [] {
        two_links().body("c", kBall).body("d", kBall).joint(hung("jc", "d", "c")).joint(hung("jd", "c", "d")).build();
      },
      "joints", "cycle c → d → c");
}

TEST(Builder, RefusesJointFrames) {
  JointSpec spec = hung("j", "ground", "a");
  spec.axis = Vector3d::Zero();
  expect_refused([&] { ModelBuilder(World::spatial).joint(spec); }, "joints.j.axis", "must not be zero");
  spec.axis = {0, kNan, 1};
  expect_refused([&] { ModelBuilder(World::spatial).joint(spec); }, "joints.j.axis", "finite");
  spec.axis = {0, 1, 1};
  expect_refused([&] { ModelBuilder(World::planar).joint(spec); }, "joints.j.axis", "turns about z");
  spec.kind = JointKind::prismatic;
  expect_refused([&] { ModelBuilder(World::planar).joint(spec); }, "joints.j.axis", "x–y plane");
  spec.kind = JointKind::free;
  expect_refused([&] { ModelBuilder(World::planar).joint(spec); }, "joints.j.kind", "planar world has");
  spec.in_child.rotation(0, 0) = 2;
  expect_refused([&] { ModelBuilder(World::spatial).joint(spec); }, "joints.j.in_child.rotation", "rotation matrix");
  spec.in_child.rotation = Vector3d(1, 1, -1).asDiagonal();
  expect_refused([&] { ModelBuilder(World::spatial).joint(spec); }, "joints.j.in_child.rotation", "determinant +1");
}

TEST(Builder, NormalisesAxes) {
  ModelBuilder b(World::spatial);
  JointSpec spec = hung("j", "ground", "a");
  spec.axis = {3, 0, 4};
  const Model m = b.body("a", kBall).joint(spec).build();
  EXPECT_LE((m.joint(0).axis - Vector3d(0.6, 0, 0.8)).norm(), 1e-15);
}

TEST(Builder, RefusesConstraints) {
  expect_refused(
      [] {
        two_links().distance("rod", "a", {0, 0, 0}, "b", {0, 0, 0}, 0);
      },
      "constraints.rod.length", "must be > 0");
  expect_refused([] { two_links().weld("w", "a", {}, "a", {}); }, "constraints.w.body_b", "differ");
  expect_refused([] { two_links().coupling("gear", {}); }, "constraints.gear.terms", "at least one");
  expect_refused(
      [] {
        two_links().coupling("gear", {{"ja", 1, 1}}).build();
      },
      "constraints.gear.freedom", "has 1 freedoms");
  expect_refused(
      [] {
        two_links().hinge("h", "a", {0, 0, 0}, {0, 0, 0}, "b", {0, 0, 0}, {0, 0, 1});
      },
      "constraints.h.axis_a", "zero");
}

TEST(Builder, CountsConstraintRows) {
  const auto rows = [](World world) {
    return two_links(world)
        .coincidence("c", "a", {0, 0, 0}, "ground", {0, 0, 0})
        .hinge("h", "a", {0, 0, 0}, {0, 0, 1}, "b", {0, 0, 0}, {0, 0, 1})
        .weld("w", "a", {}, "b", {})
        .distance("d", "a", {0, 0, 0}, "b", {0, 0, 0}, 1)
        .coupling("g", {{"ja", 1, 0}, {"jb", -2, 0}})
        .build()
        .constraint_rows();
  };
  EXPECT_EQ(rows(World::planar), 2 + 2 + 3 + 1 + 1);
  EXPECT_EQ(rows(World::spatial), 3 + 5 + 6 + 1 + 1);
}

}  // namespace
}  // namespace carom
