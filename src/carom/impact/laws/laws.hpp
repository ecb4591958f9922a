#pragma once
// The laws of this folder, one entry each; law.cpp gathers them into the table.

#include "carom/impact/law.hpp"

namespace carom::laws {

LawInfo routh();          // routh.cpp: the exact impulse process
LawInfo conventional();   // textbook.cpp: friction against the initial slip
LawInfo kane_levinson();  // textbook.cpp: friction against the final slip
LawInfo lzb();            // lzb.cpp: many contacts by stored energy (Liu, Zhao & Brogliato)
LawInfo sequential();     // sequential.cpp: one contact after the other
LawInfo rodriguez_bowling();  // rodriguez.cpp: simultaneous impacts by rigid-body constraints

}  // namespace carom::laws
