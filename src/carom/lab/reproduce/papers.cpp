#include "carom/lab/reproduce/papers.hpp"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "carom/core/error.hpp"

namespace carom::lab {

std::span<const Paper> all_papers() {
  static const std::array<Paper, 5> papers{
      Paper{"morgan", "Morgan 2011, an algebraic method for planar impacts", reproduce_morgan},
      Paper{"shen-townsend", "Shen & Townsend 1998, collisions of constrained rigid body systems with friction", reproduce_shen_townsend},
      Paper{"park", "Park, Chung & Youm, collision mode evolution for spatial impact with friction", reproduce_park},
      Paper{"rodriguez", "Rodriguez 2014, simultaneous, indeterminate impact with friction", reproduce_rodriguez},
      Paper{"trinkle", "Trinkle 2004, time-stepping as a mixed LCP (lecture notes)", reproduce_trinkle}};
  return papers;
}

const Paper& find_paper(std::string_view id) {
  std::vector<std::string_view> known;
  for (const Paper& paper : all_papers()) {
    if (paper.id == id) return paper;
    known.push_back(paper.id);
  }
  throw InputError("PAPER", std::string(id), fmt::format("must be all, {}", fmt::join(known, ", ")));
}

}  // namespace carom::lab
