// The layers hold: every #include of every layer names only what that layer may know (docs/design.md).

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>

#include "carom/impact/law.hpp"

namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string>;

// What each layer may include, directly.
const std::map<std::string, Names> kLayers = {
    {"core", {}},
    {"math", {"core"}},
    {"complementarity", {"core", "math"}},
    {"impact", {"core", "math", "complementarity"}},
    {"geometry", {"core", "math"}},
    {"model", {"core", "math", "geometry"}},
    {"dynamics", {"core", "math", "geometry", "model"}},
    {"simulate", {"core", "math", "complementarity", "impact", "geometry", "model", "dynamics"}},
    {"identify", {"core", "math", "complementarity", "impact", "geometry", "model", "dynamics", "simulate"}},
    {"lab", {"core", "math", "complementarity", "impact", "geometry", "model", "dynamics", "simulate"}},
    {"io", {"core", "math", "complementarity", "impact", "geometry", "model", "dynamics", "simulate"}},
};

// Outside libraries that stay at the rim: header prefix → the layers that may see it.
const std::map<std::string, Names> kRim = {
    {"boost/numeric/odeint", {"simulate", "impact"}}, {"btBullet", {"geometry"}}, {"bullet/", {"geometry"}},
    {"H5", {"io"}}, {"hdf5", {"io"}}, {"tinyxml2", {"io"}}, {"yaml-cpp", {"io"}}, {"nlohmann", {"io"}},
    {"ceres", {"identify"}}, {"nlopt", {"identify"}}, {"mpi", {"lab"}}, {"httplib", {}}, {"CLI/", {}},
};

TEST(Layers, NoIncludeReachesUp) {
  const fs::path root = fs::path(CAROM_SOURCE_DIR) / "src/carom";
  const std::regex include(R"(^\s*#\s*include\s*([<"])([^>"]+)[>"])");
  int checked = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root)) {
    const std::string extension = entry.path().extension();
    if (extension != ".hpp" && extension != ".cpp") continue;
    const std::string layer = fs::relative(entry.path(), root).begin()->string();
    ASSERT_TRUE(kLayers.contains(layer)) << entry.path() << ": no layer of that name";
    const bool is_test = entry.path().stem().string().ends_with("_test");
    std::ifstream file(entry.path());
    std::string line;
    for (int number = 1; std::getline(file, line); ++number) {
      std::smatch match;
      if (!std::regex_search(line, match, include)) continue;
      ++checked;
      const std::string header = match[2];
      if (header.starts_with("carom/")) {
        const std::string other = *std::next(fs::path(header).begin());
        EXPECT_TRUE(other == layer || kLayers.at(layer).contains(other)) << entry.path() << ":" << number << ": " << layer << " may not include " << header;
      } else if (match[1] == "\"" && !is_test) {
        ADD_FAILURE() << entry.path() << ":" << number << ": include carom headers by their full path, not \"" << header << "\"";
      }
      for (const auto& [prefix, allowed] : kRim)
        if (header.starts_with(prefix) && !is_test) {
          EXPECT_TRUE(allowed.contains(layer)) << entry.path() << ":" << number << ": " << header << " stays out of " << layer;
        }
    }
  }
  EXPECT_GT(checked, 50);
}

TEST(Layers, EveryLayerHasAReadme) {
  const fs::path root = fs::path(CAROM_SOURCE_DIR) / "src/carom";
  for (const fs::directory_entry& entry : fs::directory_iterator(root))
    if (entry.is_directory()) {
      EXPECT_TRUE(fs::exists(entry.path() / "README.md")) << entry.path();
    }
}

// Every key that a law cites stands in docs/references.bib.
TEST(References, EveryCitationOfALawIsListed) {
  std::ifstream file(fs::path(CAROM_SOURCE_DIR) / "docs/references.bib");
  const std::string bibliography((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const std::regex key(R"([A-Za-z0-9]+)");
  for (const carom::LawInfo& law : carom::all_laws())
    for (std::sregex_iterator it(law.citation.begin(), law.citation.end(), key), end; it != end; ++it)
      EXPECT_TRUE(std::regex_search(bibliography, std::regex(it->format("\\{$0,")))) << law.id << " cites " << it->str();
}

}  // namespace
