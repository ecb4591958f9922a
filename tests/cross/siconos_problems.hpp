#pragma once
// The problems of data/siconos_problems, with what Siconos's solvers reached on them (siconos_baseline.csv).

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "carom/io/siconos_dat.hpp"

namespace carom_test {

struct SiconosProblem {
  std::string kind, file;
  int siconos_solvers = 0;  // how many of Siconos's reach 1e-8
};

inline std::string siconos_folder() { return CAROM_SOURCE_DIR "/data/siconos_problems/"; }

// Those of the baseline whose files are in the folder.
inline std::vector<SiconosProblem> siconos_problems() {
  std::vector<SiconosProblem> all;
  std::ifstream in(siconos_folder() + "siconos_baseline.csv");
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    std::istringstream fields(line);
    std::string kind, file, size, count;
    std::getline(fields, kind, ',');
    std::getline(fields, file, ',');
    std::getline(fields, size, ',');
    std::getline(fields, count, ',');
    if (std::filesystem::exists(siconos_folder() + file)) all.push_back({kind, file, std::stoi(count)});
  }
  return all;
}

}  // namespace carom_test
