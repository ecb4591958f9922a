#include "carom/io/text_file.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "carom/core/error.hpp"

namespace carom::io {

std::string read_text_file(const std::string& path) {
  const auto close = [](std::FILE* file) {
    if (file != stdin) std::fclose(file);
  };
  const std::unique_ptr<std::FILE, decltype(close)> file(path == "-" ? stdin : std::fopen(path.c_str(), "rb"), close);
  if (!file) throw InputError("file", path, fmt::format("cannot be opened: {}", std::strerror(errno)));
  std::string text;
  std::array<char, 65536> block;
  for (std::size_t got = 0; (got = std::fread(block.data(), 1, block.size(), file.get())) > 0;) text.append(block.data(), got);
  if (std::ferror(file.get())) throw InputError("file", path, fmt::format("cannot be read: {}", std::strerror(errno)));
  return text;
}

}  // namespace carom::io
