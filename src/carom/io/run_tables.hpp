#pragma once
// The tables of a run file: groups of HDF5 datasets that grow by rows. Rows wait in memory until write(); readers of the file,
// even while it is written, then see them.

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <vector>

#include "carom/io/hdf5_handle.hpp"

namespace carom::io {

// One dataset: rows of `shape` numbers.
template <class Number>
class Series {
 public:
  Series(hid_t file, const std::string& path, std::vector<hsize_t> shape);

  void push(Number number) { waiting_.push_back(number); }
  template <class Numbers>
  void push_all(const Numbers& numbers) {
    waiting_.insert(waiting_.end(), numbers.begin(), numbers.end());
  }
  // Numbers in memory, and what write() has put into the file.
  std::size_t waiting() const { return waiting_.size(); }
  std::int64_t rows() const { return static_cast<std::int64_t>(written_ + waiting_.size() / width_); }
  void write();

 private:
  std::string path_;
  Handle set_;
  std::vector<hsize_t> shape_;
  std::size_t width_ = 1;
  std::size_t written_ = 0;  // rows
  std::vector<Number> waiting_;
};

using Reals = Series<double>;
using Integers = Series<std::int64_t>;
using Bytes = Series<unsigned char>;

// All datasets of a file, in the order in which they were asked for.
class RunTables {
 public:
  explicit RunTables(hid_t file) : file_(file) {}

  Reals& reals(const std::string& path, std::vector<hsize_t> shape = {}) { return reals_.emplace_back(file_, path, std::move(shape)); }
  Integers& integers(const std::string& path) { return integers_.emplace_back(file_, path, std::vector<hsize_t>{}); }
  Bytes& bytes(const std::string& path) { return bytes_.emplace_back(file_, path, std::vector<hsize_t>{}); }

  std::size_t waiting() const;  // numbers
  void write();

 private:
  hid_t file_;
  std::deque<Reals> reals_;
  std::deque<Integers> integers_;
  std::deque<Bytes> bytes_;
};

// Attributes and small datasets that do not grow.
void write_attribute(hid_t object, const std::string& name, double value);
void write_attribute(hid_t object, const std::string& name, std::int64_t value);
void write_attribute(hid_t object, const std::string& name, const std::string& value);
void write_attribute(hid_t object, const std::string& name, std::span<const double> values);
void write_words(hid_t file, const std::string& path, const std::vector<std::string>& words);
void make_group(hid_t file, const std::string& path);

}  // namespace carom::io
