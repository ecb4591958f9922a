// 130 LCPs with redundant corner contacts: every one must be solved, with the residual recomputed here.
#include "reference/contact_box_lcps.hpp"

#include <gtest/gtest.h>

TEST(ContactBoxLcps, LexicographicLemkeSolvesAll130) {
  const auto problems = carom_test::box_lcps();
  ASSERT_EQ(problems.size(), 130U);
  int solved = 0, in_one_run = 0;
  for (std::size_t k = 0; k < problems.size(); ++k) {
    const carom::Lcp& lcp = problems[k];
    const auto s = carom::solve_lemke(lcp);
    const Eigen::VectorXd w = lcp.M * s.z + lcp.q;
    const double residual = s.z.cwiseMin(w).norm() / lcp.q.norm();
    EXPECT_LE(residual, 1e-9) << "problem " << k << ", size " << lcp.size() << ", status " << name(s.status);
    solved += residual <= 1e-9;
    in_one_run += carom::solve_lemke(lcp, {.restarts = 0}).certificate.natural_map <= 1e-9;
  }
  EXPECT_EQ(solved, 130);
  EXPECT_EQ(in_one_run, 130);
  RecordProperty("solved_with_first_covering_vector", in_one_run);
}
