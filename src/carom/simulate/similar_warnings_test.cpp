#include "carom/simulate/similar_warnings.hpp"

#include <gtest/gtest.h>

namespace carom {
namespace {

TEST(SimilarWarnings, AreToldOnceWithTheirCount) {
  SimilarWarnings warnings;
  warnings.add("not finished after 10000 steps: what still approached at 5.39e-05 m/s was stopped");
  warnings.add("finished plastically after 3 impact events");
  warnings.add("not finished after 10000 steps: what still approached at 2 m/s was stopped");
  warnings.add("not finished after 100 steps: what still approached at 1.25e+02 m/s was stopped");
  std::vector<std::string> told{"before"};
  warnings.tell(told);
  EXPECT_EQ(told, (std::vector<std::string>{"before", "not finished after 10000 steps: what still approached at 5.39e-05 m/s was stopped (the first of 3 like it)",
                                            "finished plastically after 3 impact events"}));
}

}  // namespace
}  // namespace carom
