#pragma once
// Bad input, told so that a user can mend it: where it stands, which field, what was found, what is allowed.

#include <stdexcept>
#include <string>

namespace carom {

// Where in a user's input something stands.
struct InputPlace {
  std::string file{};  // empty: not from a file
  int line = 0;        // 1-based; 0: unknown
  int column = 0;      // 1-based; 0: unknown
  int item = -1;       // 0-based position in a batch of problems; -1: not a batch
};

// The one exception of carom. Programmer's mistakes are asserts; numerical outcomes are statuses with residuals.
class InputError : public std::runtime_error {
 public:
  // `field` as the user wrote it ("friction.static"), `value` as found, `allowed` the range or choices in words.
  InputError(std::string field, std::string value, std::string allowed, InputPlace place = {});

  // The same complaint at a place that only the caller knows (a reader adds file and line to what a validator found).
  InputError at(InputPlace place) const;

  const std::string& field() const { return field_; }
  const std::string& value() const { return value_; }
  const std::string& allowed() const { return allowed_; }
  const InputPlace& place() const { return place_; }

 private:
  std::string field_, value_, allowed_;
  InputPlace place_;
};

}  // namespace carom
