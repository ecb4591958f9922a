#pragma once
// A whole file as text.

#include <string>

namespace carom::io {

// The bytes of the file; "-" is standard input. An InputError says why it cannot be read.
std::string read_text_file(const std::string& path);

}  // namespace carom::io
