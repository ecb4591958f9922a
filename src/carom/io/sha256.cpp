#include "carom/io/sha256.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace carom::io {
namespace {

using Word = std::uint32_t;

// The first 32 bits of the fractional parts of the square (cube) roots of the first primes (FIPS 180-4, 4.2.2 and 5.3.3).
struct Constants {
  std::array<Word, 8> start{};
  std::array<Word, 64> round{};

  Constants() {
    const auto fraction = [](long double root) { return static_cast<Word>((root - std::floor(root)) * 4294967296.0L); };
    std::size_t found = 0;
    for (int n = 2; found < round.size(); ++n) {
      bool prime = true;
      for (int k = 2; k * k <= n; ++k) prime = prime && n % k != 0;
      if (!prime) continue;
      if (found < start.size()) start[found] = fraction(std::sqrt(static_cast<long double>(n)));
      round[found++] = fraction(std::cbrt(static_cast<long double>(n)));
    }
  }
};

void mix(std::array<Word, 8>& state, const unsigned char* block, const Constants& constants) {
  std::array<Word, 64> w{};
  for (std::size_t i = 0; i < 16; ++i) w[i] = Word{block[4 * i]} << 24 | Word{block[4 * i + 1]} << 16 | Word{block[4 * i + 2]} << 8 | Word{block[4 * i + 3]};
  for (std::size_t i = 16; i < 64; ++i) {
    const Word s0 = std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ (w[i - 15] >> 3), s1 = std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ (w[i - 2] >> 10);
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  auto [a, b, c, d, e, f, g, h] = state;
  for (std::size_t i = 0; i < 64; ++i) {
    const Word t1 = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) + ((e & f) ^ (~e & g)) + constants.round[i] + w[i];
    const Word t2 = (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
  }
  const std::array<Word, 8> added{a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < 8; ++i) state[i] += added[i];
}

}  // namespace

std::string sha256(std::string_view bytes) {
  static const Constants constants;
  std::string padded(bytes);
  padded.push_back(static_cast<char>(0x80));
  while (padded.size() % 64 != 56) padded.push_back('\0');
  const std::uint64_t bits = 8 * static_cast<std::uint64_t>(bytes.size());
  for (int shift = 56; shift >= 0; shift -= 8) padded.push_back(static_cast<char>(bits >> shift & 0xff));
  std::array<Word, 8> state = constants.start;
  for (std::size_t at = 0; at < padded.size(); at += 64) mix(state, reinterpret_cast<const unsigned char*>(padded.data()) + at, constants);
  std::string text;
  for (const Word word : state) text += fmt::format("{:08x}", word);
  return text;
}

}  // namespace carom::io
