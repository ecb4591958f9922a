// carom against Debian's Siconos, run here on the same problems.
#include <gtest/gtest.h>

#include "carom/complementarity/lemke.hpp"
#include "carom/complementarity/nsgs.hpp"
#include "cross/siconos_bridge.hpp"
#include "cross/siconos_problems.hpp"
#include "reference/contact_box_lcps.hpp"

using namespace carom;

TEST(SiconosSolvers, NsgsFindsTheSameVelocities) {
  // Rover problems: W regular, so that r and u are unique for these friction coefficients.
  int compared = 0;
  for (const std::string name : {"Rover1039", "Rover4396", "Rover4493", "Rover4516", "Rover4622", "NESpheres_10_1"}) {
    const auto p = std::get<FrictionContact>(load_contact_problem(carom_test::siconos_folder() + "fc3d/" + name + ".dat"));
    const auto theirs = carom_test::SiconosFriction(p).solve(SICONOS_FRICTION_3D_NSGS, 1e-13, 20000);
    const auto ours = solve_nsgs(p, {.tolerance = 1e-13, .max_sweeps = 20000});
    // Their answer in our order satisfies our certificate: the conversion of W, q and r is right.
    const Certificate certificate = certify(p, theirs.x);
    if (certificate.natural_map > 1e-11) continue;
    ASSERT_TRUE(ours.usable()) << name;
    EXPECT_LE((ours.u - (p.W * theirs.x + p.q)).norm(), 1e-8 * p.q.norm()) << name;
    ++compared;
  }
  EXPECT_GE(compared, 4);
}

TEST(SiconosSolvers, LemkeOnRedundantBoxes) {
  int theirs = 0, false_success = 0, ours = 0;
  for (const Lcp& lcp : carom_test::box_lcps()) {
    const auto answer = carom_test::siconos_lemke(lcp);
    const bool solved = certify(lcp, answer.x).natural_map <= 1e-9;
    theirs += solved;
    false_success += answer.info == 0 && !solved;
    ours += solve_lemke(lcp).certificate.natural_map <= 1e-9;
  }
  std::printf("of 130: Siconos's Lemke %d (false success %d), carom's %d\n", theirs, false_success, ours);
  EXPECT_EQ(ours, 130);
  EXPECT_GE(ours, theirs);
}
