#include "carom/simulate/similar_warnings.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace carom {
namespace {

// The text with every number as "#".
std::string pattern_of(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const auto digit = [&](std::size_t at) { return at < text.size() && text[at] >= '0' && text[at] <= '9'; };
    if (!digit(i)) {
      out += text[i++];
      continue;
    }
    out += '#';
    while (digit(i) || (i < text.size() && (text[i] == '.' || text[i] == 'e' || text[i] == '-' || text[i] == '+') && (digit(i + 1) || digit(i + 2)))) ++i;
  }
  return out;
}

}  // namespace

void SimilarWarnings::add(const std::string& text) {
  std::string pattern = pattern_of(text);
  const auto kind = std::find_if(kinds_.begin(), kinds_.end(), [&](const Kind& k) { return k.pattern == pattern; });
  if (kind == kinds_.end()) kinds_.push_back({std::move(pattern), text, 1});
  else ++kind->count;
}

void SimilarWarnings::tell(std::vector<std::string>& warnings) const {
  for (const Kind& k : kinds_) warnings.push_back(k.count == 1 ? k.first : fmt::format("{} (the first of {} like it)", k.first, k.count));
}

}  // namespace carom
