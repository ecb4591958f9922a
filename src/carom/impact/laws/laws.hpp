#pragma once
// The laws of this folder, one entry each; law.cpp gathers them into the table.

#include "carom/impact/law.hpp"

namespace carom::laws {

LawInfo routh();          // routh.cpp: the exact impulse process
LawInfo routh_ode();      // routh_ode.cpp: the same by integration
LawInfo mirtich();        // routh_ode.cpp: … with Mirtich's clocks
LawInfo park();           // park.cpp: collision modes by algebraic equations
LawInfo anitescu_potra(); // anitescu_potra.cpp: two LCPs on a polygonal cone
LawInfo conventional();   // textbook.cpp: friction against the initial slip
LawInfo kane_levinson();  // textbook.cpp: friction against the final slip
LawInfo lzb();            // lzb.cpp: many contacts by stored energy (Liu, Zhao & Brogliato)
LawInfo sequential();     // sequential.cpp: one contact after the other
LawInfo moreau();         // moreau.cpp: Newton restitution as one cone complementarity problem
LawInfo rodriguez_bowling();  // rodriguez.cpp: simultaneous impacts by rigid-body constraints

}  // namespace carom::laws
