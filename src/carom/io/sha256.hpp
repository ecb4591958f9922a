#pragma once
// The SHA-256 digest of FIPS 180-4.

#include <string>
#include <string_view>

namespace carom::io {

// As 64 hexadecimal digits, what `sha256sum` prints.
std::string sha256(std::string_view bytes);

}  // namespace carom::io
