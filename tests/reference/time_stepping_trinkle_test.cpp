// Every example of the notes ends as mechanics expects it.

#include <gtest/gtest.h>

#include "carom/lab/reproduce/papers.hpp"

namespace carom::lab {
namespace {

TEST(TimeSteppingTrinkle, EveryExampleOfTheNotesIsReproduced) {
  const Reproduction notes = reproduce_trinkle();
  int findings = 0;
  for (const FindingGroup& group : notes.groups)
    for (const Finding& finding : group.findings) {
      ++findings;
      EXPECT_EQ(finding.verdict, Verdict::reproduced) << group.heading << ": " << finding.item << ", expected " << finding.published << ", computed " << finding.computed << "; " << finding.note;
    }
  EXPECT_GE(findings, 50);
}

}  // namespace
}  // namespace carom::lab
