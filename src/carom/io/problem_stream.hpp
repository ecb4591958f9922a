#pragma once
// Problems from a file or standard input, one after the other, in little memory: a JSON object, a JSON array, JSON lines (one
// object per line) or YAML documents. A bad problem in a batch is an error for itself alone; the next one can still be read.

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "carom/io/problem_json.hpp"

namespace carom::io {

// The one problem or mechanism that stands in `text`; `file` is how errors name it.
ProblemItem read_text(std::string_view text, const std::string& file);

enum class Layout { single, array, lines };

class ProblemStream {
 public:
  // Opens `path`; "-" is standard input. An InputError says why it cannot.
  explicit ProblemStream(const std::string& path);

  // How the problems are written, and so how the answers should be.
  Layout layout() const { return layout_; }

  // Reads the next problem; false at the end. Throws an InputError with its place for a bad one; call again for the one after.
  bool next(ProblemItem& item);

  // An error that was found later in the current problem, with its place.
  InputError placed(const InputError& error) const { return source_.placed(error, root_); }

 private:
  enum class Mode { lines, array, documents };

  bool read_line();
  void read_all(bool json);
  bool next_line();
  bool next_element();
  bool next_document();

  struct Close {
    void operator()(std::FILE* file) const {
      if (file != stdin) std::fclose(file);
    }
  };
  std::unique_ptr<std::FILE, Close> file_;
  Layout layout_ = Layout::single;
  Mode mode_ = Mode::documents;
  std::string text_;              // the current line, or everything
  int line_ = 0;                  // number of the line where text_, or in an array the place `at_`, stands
  bool fresh_ = true;             // lines: text_ is not yet used
  std::size_t at_ = 0;            // array: where the next element is sought; documents: the next one
  std::vector<Value> documents_;
  Source source_;                 // of the current problem
  Value root_;                    // the current problem
};

}  // namespace carom::io
