#pragma once
// Runs the built program as a user does, and gives back what it printed and its exit code.

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

namespace cli {

struct Result {
  int code = -1;
  std::string out, err;
  nlohmann::json json() const { return nlohmann::json::parse(out); }
};

inline std::string read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// A folder that lives as long as the object.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "carom_cli_XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string file(const std::string& name) const { return (path_ / name).string(); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(file(name), std::ios::binary) << text;
    return file(name);
  }

 private:
  std::filesystem::path path_;
};

inline Result carom(const std::string& arguments, const std::string& input = "") {
  const Folder folder;
  const std::string in = folder.write("in", input);
  const int status = std::system(fmt::format("'{}' {} <'{}' >'{}' 2>'{}'", CAROM_PROGRAM, arguments, in, folder.file("out"), folder.file("err")).c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read(folder.file("out")), read(folder.file("err"))};
}

}  // namespace cli
