#pragma once
// Owned HDF5 handles.

#include <hdf5.h>

#include <utility>

namespace carom::io {

class Handle {
 public:
  Handle() = default;
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  ~Handle() { reset(); }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    reset();
    id_ = std::exchange(other.id_, -1);
    close_ = other.close_;
    return *this;
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  operator hid_t() const { return id_; }
  void reset() {
    if (id_ >= 0) close_(std::exchange(id_, -1));
  }

 private:
  hid_t id_ = -1;
  herr_t (*close_)(hid_t) = nullptr;
};

// HDF5 prints its own stack of complaints unless told not to; ours names file and field instead.
class Quiet {
 public:
  // A damaged or full file leaves HDF5 something that it cannot close; at the program's end it would complain of that. Files are closed
  // by their handles, so nothing is left to do then.
  Quiet() {
    H5dont_atexit();
    H5Eget_auto2(H5E_DEFAULT, &handler_, &data_), H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Quiet() { H5Eset_auto2(H5E_DEFAULT, handler_, data_); }
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

 private:
  H5E_auto2_t handler_ = nullptr;
  void* data_ = nullptr;
};

}  // namespace carom::io
