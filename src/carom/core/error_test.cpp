#include "carom/core/error.hpp"

#include <gtest/gtest.h>

using carom::InputError;

TEST(InputError, NamesPlaceFieldValueAndRange) {
  const InputError plain("restitution", "1.2", "must lie in [0, 1]");
  EXPECT_STREQ(plain.what(), "restitution = 1.2: must lie in [0, 1]");
  const InputError placed = plain.at({.file = "a.yaml", .line = 3, .column = 7});
  EXPECT_STREQ(placed.what(), "a.yaml:3:7: restitution = 1.2: must lie in [0, 1]");
  const InputError item = plain.at({.file = "a.json", .line = 9, .column = 0, .item = 41});
  EXPECT_STREQ(item.what(), "a.json:9: problem 41: restitution = 1.2: must lie in [0, 1]");
}
