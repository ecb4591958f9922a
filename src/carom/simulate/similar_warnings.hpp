#pragma once
// Warnings that differ in their numbers only are told once, with how many there were.

#include <string>
#include <vector>

namespace carom {

class SimilarWarnings {
 public:
  void add(const std::string& text);
  // One line a kind, in the order in which they came first.
  void tell(std::vector<std::string>& warnings) const;

 private:
  struct Kind {
    std::string pattern, first;
    long count;
  };
  std::vector<Kind> kinds_;
};

}  // namespace carom
