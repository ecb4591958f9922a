// Malformed files from outside: a message that names the file, and exit code 2. (src/carom/io/malformed_test.cpp has the corpus.)

#include <gtest/gtest.h>

#include "program.hpp"

namespace {

std::string good(const char* name) { return cli::read(std::string(CAROM_SOURCE_DIR) + "/tests/support/scenes/" + name); }

TEST(Malformed, EveryFileGivesAMessageAndExitCode2) {
  const cli::Folder folder;
  for (const auto& [file, ending] :
       {std::pair("full_planar.yaml", ".yaml"), std::pair("biped.urdf", ".urdf"), std::pair("pendulum_cart.xml", ".xml")}) {
    const std::string text = good(file);
    std::vector<std::string> bad{"", "\x7f\x45\x4c\x46\x02\x01", text + text, "{", "<", std::string(100'000, '['), std::string(100'000, '<')};
    for (std::size_t part = 1; part < 8; ++part) bad.push_back(text.substr(0, text.size() * part / 8 + 3));
    for (std::size_t i = 0; i < bad.size(); ++i) {
      if (ending == std::string(".yaml") && bad[i].size() > 7 && bad[i] != text + text && bad[i].find('[') != 0) bad[i] += "\nnonsense: [";
      const std::string path = folder.write("bad" + std::to_string(i) + ending, bad[i]);
      const cli::Result result = cli::carom("run '" + path + "'");
      EXPECT_EQ(result.code, 2) << path << "\n" << result.err;
      EXPECT_NE(result.err.find(path), std::string::npos) << result.err;
    }
  }
  for (const char* path : {"/", "/nowhere/scene.yaml", "''"}) EXPECT_NE(cli::carom(std::string("run ") + path).code, 1) << path;
}

}  // namespace
