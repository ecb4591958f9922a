#include "carom/io/siconos_dat.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <filesystem>

#include "carom/core/error.hpp"
#include "carom/io/fclib.hpp"

using namespace carom;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

const std::string kProblems = CAROM_SOURCE_DIR "/data/siconos_problems/";

std::string complaint(const std::string& text) {
  try {
    (void)parse_siconos_dat(text, "x.dat");
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

GlobalFrictionContact small_global() {
  GlobalFrictionContact g;
  g.M = MatrixXd(VectorXd::LinSpaced(4, 1, 2).asDiagonal()).sparseView();
  g.H = MatrixXd(MatrixXd::Random(4, 6)).sparseView();
  g.f = VectorXd::LinSpaced(4, 0.1, 1.0 / 3);
  g.w = VectorXd::LinSpaced(6, -1, 1);
  g.mu = Eigen::Vector2d(0.3, 0.7);
  return g;
}

void expect_equal(const FrictionContact& a, const FrictionContact& b) {
  EXPECT_EQ((a.W.dense() - b.W.dense()).norm(), 0);
  EXPECT_EQ((a.q - b.q).norm(), 0);
  EXPECT_EQ((a.mu - b.mu).norm(), 0);
}

}  // namespace

TEST(SiconosDat, NormalFirstBecomesNormalLast) {
  const auto p = std::get<FrictionContact>(parse_siconos_dat("2 1 0 2 2 2 2  1 2 3 4  5 6  0.5"));
  // Column-major [1 3; 2 4] in (n, t) is [4 2; 3 1] in (t, n).
  EXPECT_EQ((p.W.dense() - (MatrixXd(2, 2) << 4, 2, 3, 1).finished()).norm(), 0);
  EXPECT_EQ((p.q - Eigen::Vector2d(6, 5)).norm(), 0);
}

TEST(SiconosDat, KindsAreToldApart) {
  EXPECT_TRUE(std::holds_alternative<Lcp>(read_siconos_dat(kProblems + "lcp/lcp_CPS_1.dat")));
  EXPECT_TRUE(std::holds_alternative<Lcp>(read_siconos_dat(kProblems + "lcp/lcp_ortiz_block.dat")));
  EXPECT_TRUE(std::holds_alternative<Mlcp>(read_siconos_dat(kProblems + "mlcp/relay2_mlcp.dat")));
  EXPECT_TRUE(std::holds_alternative<FrictionContact>(read_siconos_dat(kProblems + "fc3d/Rover1039.dat")));
  EXPECT_TRUE(std::holds_alternative<GlobalFrictionContact>(read_siconos_dat(kProblems + "gfc3d/GFC3D_Example00.dat")));
}

TEST(SiconosDat, DenseAndBlockFilesOfOneProblemAreEqual) {
  const auto dense = std::get<Lcp>(read_siconos_dat(kProblems + "lcp/lcp_ortiz.dat"));
  const auto block = std::get<Lcp>(read_siconos_dat(kProblems + "lcp/lcp_ortiz_block.dat"));
  EXPECT_EQ((dense.M - block.M).norm(), 0);
  EXPECT_EQ((dense.q - block.q).norm(), 0);
}

TEST(SiconosDat, ReductionOfGlobalFilesIsTheirLocalFile) {
  for (const std::string name : {"gfc3d/GFC3D_TwoRods1", "gfc3d/GFC3D_OneContact", "gfc3d/GFC3D_Example1"}) {
    const auto local = reduce(std::get<GlobalFrictionContact>(read_siconos_dat(kProblems + name + ".dat")));
    const auto file = std::get<FrictionContact>(
        read_siconos_dat(kProblems + "local_from_global/" + std::filesystem::path(name).filename().string() + "_local.dat"));
    EXPECT_LE((local.W.dense() - file.W.dense()).norm(), 1e-11 * file.W.dense().norm()) << name;
    EXPECT_LE((local.q - file.q).norm(), 1e-11 * file.q.norm()) << name;
  }
}

TEST(SiconosDat, EveryKindRoundTripsToTheBit) {
  const auto local = std::get<FrictionContact>(read_siconos_dat(kProblems + "fc3d/Rover1039.dat"));
  for (const auto storage : {MatrixStorage::dense, MatrixStorage::sparse_block})
    expect_equal(local, std::get<FrictionContact>(parse_siconos_dat(format_siconos_dat(local, storage))));
  const auto planar = std::get<FrictionContact>(read_siconos_dat(kProblems + "fc2d/FrictionContactProblem00031.dat"));
  for (const auto storage : {MatrixStorage::dense, MatrixStorage::sparse_block})
    expect_equal(planar, std::get<FrictionContact>(parse_siconos_dat(format_siconos_dat(planar, storage))));
  const auto lcp = std::get<Lcp>(read_siconos_dat(kProblems + "lcp/lcp_mmc.dat"));
  EXPECT_EQ((std::get<Lcp>(parse_siconos_dat(format_siconos_dat(lcp))).M - lcp.M).norm(), 0);
  const auto mlcp = std::get<Mlcp>(read_siconos_dat(kProblems + "mlcp/m3n2_mlcp.dat"));
  const auto again = std::get<Mlcp>(parse_siconos_dat(format_siconos_dat(mlcp)));
  EXPECT_EQ((again.M - mlcp.M).norm() + (again.q - mlcp.q).norm(), 0);
  EXPECT_EQ(again.complementary, mlcp.complementary);
  const auto global = small_global(), back = std::get<GlobalFrictionContact>(parse_siconos_dat(format_siconos_dat(global)));
  EXPECT_EQ(MatrixXd(back.H - global.H).norm() + MatrixXd(back.M - global.M).norm(), 0);
  EXPECT_EQ((back.f - global.f).norm() + (back.w - global.w).norm() + (back.mu - global.mu).norm(), 0);
}

TEST(SiconosDat, ComplaintsNameFileLineFieldAndRange) {
  EXPECT_EQ(complaint("2\n1\n0\n2\n2\n2 2\n1 2\n3 x\n5 6\n0.5\n"), "x.dat:8: matrix entry = x: must be a finite number");
  EXPECT_NE(complaint("5 1 0 5 5 5 5").find("x.dat:1:"), std::string::npos);
  EXPECT_NE(complaint("3 1 0 3 3 3 3 1 0 0 0 1 0 0 0 1 0 0 -1").find("mu"), std::string::npos);
  EXPECT_THROW((void)load_contact_problem("/nonexistent.dat"), InputError);
}

TEST(Fclib, LocalAndGlobalRoundTrip) {
  const std::string path = testing::TempDir() + "carom_fclib_test.hdf5";
  const auto local = std::get<FrictionContact>(read_siconos_dat(kProblems + "fc3d/Rover1039.dat"));
  write_fclib(local, path);
  expect_equal(local, std::get<FrictionContact>(load_contact_problem(path)));
  auto global = small_global();
  global.G = MatrixXd(MatrixXd::Random(4, 1)).sparseView();
  global.b = VectorXd::Constant(1, 0.25);
  write_fclib(global, path);
  const auto back = std::get<GlobalFrictionContact>(load_contact_problem(path));
  EXPECT_EQ(MatrixXd(back.H - global.H).norm() + MatrixXd(back.M - global.M).norm() + MatrixXd(back.G - global.G).norm(), 0);
  EXPECT_EQ((back.f - global.f).norm() + (back.w - global.w).norm() + (back.b - global.b).norm(), 0);
  std::filesystem::remove(path);
}

TEST(Fclib, ReadsFilesWrittenByFclib) {
  const auto local = std::get<FrictionContact>(load_contact_problem(kProblems + "fc3d/Capsules-i125-1213.hdf5"));
  const auto same = std::get<FrictionContact>(load_contact_problem(kProblems + "local_from_global/Capsules-i125-1213_local.dat"));
  EXPECT_LE((local.W.dense() - same.W.dense()).norm(), 1e-14 * same.W.dense().norm());
  EXPECT_LE((local.q - same.q).norm(), 1e-14 * same.q.norm());
  const auto global = std::get<GlobalFrictionContact>(load_contact_problem(kProblems + "gfc3d/Box_Stacks-i0122-82-5.hdf5"));
  EXPECT_EQ(global.contacts(), 82);
  EXPECT_EQ(global.M.rows(), 450);
}

TEST(Fclib, RefusesOtherKinds) {
  EXPECT_THROW(write_fclib(Lcp{MatrixXd::Identity(1, 1), VectorXd::Zero(1)}, testing::TempDir() + "no.hdf5"), InputError);
  EXPECT_THROW((void)read_fclib(kProblems + "lcp/lcp_CPS_1.dat"), InputError);
}
