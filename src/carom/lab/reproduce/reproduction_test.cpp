#include "carom/lab/reproduce/reproduction.hpp"

#include <gtest/gtest.h>

namespace carom::lab {
namespace {

TEST(Verdict, IsReproducedWhenThePublishedNumberIsARounding) {
  EXPECT_EQ(check_number("x", "-0.03", -0.0329).verdict, Verdict::reproduced);
  EXPECT_EQ(check_number("x", "0.16", 0.165).verdict, Verdict::reproduced);  // a tie may go either way
  EXPECT_EQ(check_number("x", "0.17", 0.165).verdict, Verdict::reproduced);
  EXPECT_EQ(check_number("x", "0.16", 0.1651).verdict, Verdict::differs);
  EXPECT_EQ(check_number("x", "0.16", -0.16).verdict, Verdict::differs);
  EXPECT_EQ(check_number("x", "3", 3.4).verdict, Verdict::reproduced);
}

TEST(Verdict, AnExplanationExcusesOnlyTheLastDigit) {
  const Finding slip = check_number("x", "0.1034", 0.103327, "rounding");
  EXPECT_EQ(slip.verdict, Verdict::explained);
  EXPECT_EQ(slip.note, "rounding");
  EXPECT_EQ(check_number("x", "0.1034", 0.103327).verdict, Verdict::differs);
  EXPECT_EQ(check_number("x", "0.1034", 0.1036, "rounding").verdict, Verdict::differs);
  const Finding right = check_number("x", "0.1034", 0.10341, "rounding");
  EXPECT_EQ(right.verdict, Verdict::reproduced);
  EXPECT_TRUE(right.note.empty());
}

TEST(Verdict, ReferencesAndWords) {
  EXPECT_EQ(check_reference("x", 5.0, 5.0 + 4e-12, 1e-12).verdict, Verdict::reproduced);
  EXPECT_EQ(check_reference("x", 0.5, 0.5 + 4e-12, 1e-12).verdict, Verdict::differs);
  EXPECT_EQ(check_word("x", "Yes", "Yes").verdict, Verdict::reproduced);
  EXPECT_EQ(check_word("x", "Yes", "No").verdict, Verdict::differs);
}

}  // namespace
}  // namespace carom::lab
