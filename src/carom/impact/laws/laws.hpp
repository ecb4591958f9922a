#pragma once
// The laws of this folder, one entry each; law.cpp gathers them into the table.

#include "carom/impact/law.hpp"

namespace carom::laws {

LawInfo routh();          // routh.cpp: routh_planar.hpp, routh_spatial.hpp

}  // namespace carom::laws
