#include "carom/io/run_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace carom::io {
namespace {

template <class Number>
hid_t stored_type();
template <>
hid_t stored_type<double>() { return H5T_NATIVE_DOUBLE; }
template <>
hid_t stored_type<std::int64_t>() { return H5T_NATIVE_INT64; }
template <>
hid_t stored_type<unsigned char>() { return H5T_NATIVE_UCHAR; }

void require(bool good, const std::string& what) {
  if (!good) throw std::runtime_error(fmt::format("the run file cannot be written ({}): is the disk full?", what));
}

// No times of making inside the file: the same run gives the same bytes.
Handle timeless(hid_t kind) {
  Handle plist(H5Pcreate(kind), H5Pclose);
  H5Pset_obj_track_times(plist, false);
  return plist;
}

void write_any(hid_t object, const std::string& name, hid_t type, hid_t space, const void* data) {
  const Handle attribute(H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  const Handle shape(H5Aget_space(attribute), H5Sclose);
  require(attribute >= 0 && (H5Sget_simple_extent_npoints(shape) == 0 || H5Awrite(attribute, type, data) >= 0), name);
}

Handle text_type(std::size_t length) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type, std::max<std::size_t>(length, 1));
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

}  // namespace

template <class Number>
Series<Number>::Series(hid_t file, const std::string& path, std::vector<hsize_t> shape) : path_(path), shape_(std::move(shape)) {
  for (const hsize_t n : shape_) width_ *= n;
  if (width_ == 0) return;  // nothing can ever be pushed
  std::vector<hsize_t> now{0}, most{H5S_UNLIMITED}, chunk{std::clamp<hsize_t>(8192 / width_, 1, 1024)};
  for (std::vector<hsize_t>* dims : {&now, &most, &chunk}) dims->insert(dims->end(), shape_.begin(), shape_.end());
  const int rank = static_cast<int>(now.size());
  const Handle space(H5Screate_simple(rank, now.data(), most.data()), H5Sclose);
  const Handle plist = timeless(H5P_DATASET_CREATE);
  H5Pset_chunk(plist, rank, chunk.data());
  set_ = Handle(H5Dcreate2(file, path.c_str(), stored_type<Number>(), space, H5P_DEFAULT, plist, H5P_DEFAULT), H5Dclose);
  require(set_ >= 0, path);
}

template <class Number>
void Series<Number>::write() {
  if (waiting_.empty()) return;
  const hsize_t rows = waiting_.size() / width_;
  std::vector<hsize_t> extent{written_ + rows}, start{written_}, count{rows};
  for (const hsize_t n : shape_) extent.push_back(n), start.push_back(0), count.push_back(n);
  require(H5Dset_extent(set_, extent.data()) >= 0, path_);
  const Handle in_file(H5Dget_space(set_), H5Sclose), in_memory(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr), H5Sclose);
  H5Sselect_hyperslab(in_file, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
  require(H5Dwrite(set_, stored_type<Number>(), in_memory, in_file, H5P_DEFAULT, waiting_.data()) >= 0, path_);
  written_ += rows;
  waiting_.clear();
}

template class Series<double>;
template class Series<std::int64_t>;
template class Series<unsigned char>;

std::size_t RunTables::waiting() const {
  std::size_t sum = 0;
  for (const Reals& series : reals_) sum += series.waiting();
  for (const Integers& series : integers_) sum += series.waiting();
  return sum;
}

void RunTables::write() {
  for (Bytes& series : bytes_) series.write();
  for (Reals& series : reals_) series.write();
  for (Integers& series : integers_) series.write();
}

void write_attribute(hid_t object, const std::string& name, double value) {
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  write_any(object, name, H5T_NATIVE_DOUBLE, space, &value);
}

void write_attribute(hid_t object, const std::string& name, std::int64_t value) {
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  write_any(object, name, H5T_NATIVE_INT64, space, &value);
}

void write_attribute(hid_t object, const std::string& name, const std::string& value) {
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose), type = text_type(value.size());
  write_any(object, name, type, space, value.empty() ? "" : value.data());
}

void write_attribute(hid_t object, const std::string& name, std::span<const double> values) {
  const hsize_t size = values.size();
  const Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose);
  write_any(object, name, H5T_NATIVE_DOUBLE, space, values.data());
}

void write_words(hid_t file, const std::string& path, const std::vector<std::string>& words) {
  std::size_t longest = 1;
  for (const std::string& word : words) longest = std::max(longest, word.size());
  std::string block(longest * std::max<std::size_t>(words.size(), 1), '\0');
  for (std::size_t i = 0; i < words.size(); ++i) std::copy(words[i].begin(), words[i].end(), block.begin() + static_cast<std::ptrdiff_t>(i * longest));
  const hsize_t size = words.size();
  const Handle type = text_type(longest), plist = timeless(H5P_DATASET_CREATE), space(H5Screate_simple(1, &size, nullptr), H5Sclose);
  const Handle set(H5Dcreate2(file, path.c_str(), type, space, H5P_DEFAULT, plist, H5P_DEFAULT), H5Dclose);
  require(set >= 0 && (words.empty() || H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, block.data()) >= 0), path);
}

void make_group(hid_t file, const std::string& path) {
  const Handle plist = timeless(H5P_GROUP_CREATE), group(H5Gcreate2(file, path.c_str(), H5P_DEFAULT, plist, H5P_DEFAULT), H5Gclose);
  require(group >= 0, path);
}

}  // namespace carom::io
