#pragma once
// The papers whose numbers carom reproduces.

#include <span>
#include <string>
#include <string_view>

#include "carom/lab/reproduce/reproduction.hpp"

namespace carom::lab {

struct Paper {
  std::string id;
  std::string title;
  Reproduction (*reproduce)();
};

std::span<const Paper> all_papers();

// An InputError lists the known ones.
const Paper& find_paper(std::string_view id);

Reproduction reproduce_morgan();         // morgan.cpp
Reproduction reproduce_shen_townsend();  // shen_townsend.cpp
Reproduction reproduce_park();           // park.cpp
Reproduction reproduce_rodriguez();      // rodriguez.cpp
Reproduction reproduce_trinkle();        // trinkle.cpp

}  // namespace carom::lab
