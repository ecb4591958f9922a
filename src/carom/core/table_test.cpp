#include "carom/core/table.hpp"

#include <gtest/gtest.h>

using namespace carom;

TEST(Table, AlignsByWhatTheEyeSees) {
  const Table table{{{"law"}, {"ΔT [J]", Align::right}}, {{"routh", "−0.1"}, {"kane–levinson", "+12.25"}}};
  EXPECT_EQ(to_text(table, "  "),
            "  law            ΔT [J]\n"
            "  ─────────────  ──────\n"
            "  routh            −0.1\n"
            "  kane–levinson  +12.25\n");
}

TEST(Table, CountsCodePointsNotBytes) {
  EXPECT_EQ(text_width("q̇⁺"), 2u);
  EXPECT_EQ(text_width("plain"), 5u);
}
