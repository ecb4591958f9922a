#pragma once
// The laws of this folder, one entry each; law.cpp gathers them into the table.

#include "carom/impact/law.hpp"

namespace carom::laws {

LawInfo routh();          // routh.cpp: the exact impulse process
LawInfo conventional();   // textbook.cpp: friction against the initial slip
LawInfo kane_levinson();  // textbook.cpp: friction against the final slip
LawInfo rodriguez_bowling();  // rodriguez.cpp: simultaneous impacts by rigid-body constraints

}  // namespace carom::laws
