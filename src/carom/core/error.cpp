#include "carom/core/error.hpp"

#include <fmt/format.h>

#include <utility>

namespace carom {
namespace {

std::string message(const std::string& field, const std::string& value, const std::string& allowed,
                    const InputPlace& place) {
  std::string text;
  if (!place.file.empty()) {
    text += place.file + ":";
    if (place.line > 0) text += fmt::format("{}:", place.line);
    if (place.column > 0) text += fmt::format("{}:", place.column);
    text += " ";
  }
  if (place.item >= 0) text += fmt::format("problem {}: ", place.item);
  text += field;
  if (!value.empty()) text += " = " + value;
  return text + ": " + allowed;
}

}  // namespace

InputError::InputError(std::string field, std::string value, std::string allowed, InputPlace place)
    : std::runtime_error(message(field, value, allowed, place)),
      field_(std::move(field)),
      value_(std::move(value)),
      allowed_(std::move(allowed)),
      place_(std::move(place)) {}

InputError InputError::at(InputPlace place) const { return {field_, value_, allowed_, std::move(place)}; }

}  // namespace carom
