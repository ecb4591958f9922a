#include "carom/io/fclib.hpp"

#include <fmt/format.h>

#include <vector>

#include "carom/core/error.hpp"
#include "carom/io/hdf5_handle.hpp"

namespace carom {
namespace {

using Eigen::VectorXd;
using Sparse = Eigen::SparseMatrix<double>;

using io::Handle;
using io::Quiet;

class Reader {
 public:
  explicit Reader(const std::string& path)
      : path_(path), file_(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose) {
    if (file_ < 0) throw InputError("file", path, "cannot be opened as HDF5");
  }

  bool has(const std::string& name) const {
    for (std::size_t slash = name.find('/', 1);; slash = name.find('/', slash + 1)) {
      if (H5Lexists(file_, name.substr(0, slash).c_str(), H5P_DEFAULT) <= 0) return false;
      if (slash == std::string::npos) return true;
    }
  }

  [[noreturn]] void fail(const std::string& field, const std::string& value, const std::string& allowed) const {
    throw InputError(field, value, allowed, {.file = path_});
  }

  template <class T>
  std::vector<T> numbers(const std::string& name, hid_t type) const {
    const Handle set(H5Dopen2(file_, name.c_str(), H5P_DEFAULT), H5Dclose);
    if (set < 0) fail(name, "missing", "must be a dataset");
    const Handle space(H5Dget_space(set), H5Sclose);
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    std::vector<T> values(static_cast<std::size_t>(std::max<hssize_t>(count, 0)));
    if (count > 0 && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
      fail(name, "unreadable", "must hold numbers");
    return values;
  }

  std::vector<int> integers(const std::string& name) const { return numbers<int>(name, H5T_NATIVE_INT); }

  int integer(const std::string& name) const {
    const auto v = integers(name);
    if (v.empty()) fail(name, "empty", "must hold one integer");
    return v.front();
  }

  VectorXd reals(const std::string& name) const {
    const auto v = numbers<double>(name, H5T_NATIVE_DOUBLE);
    return Eigen::Map<const VectorXd>(v.data(), static_cast<Eigen::Index>(v.size()));
  }

  Sparse matrix(const std::string& name) const {
    const int m = integer(name + "/m"), n = integer(name + "/n"), nz = integer(name + "/nz");
    const std::vector<int> p = integers(name + "/p"), i = integers(name + "/i");
    const VectorXd x = reals(name + "/x");
    std::vector<Eigen::Triplet<double>> entries;
    const auto add = [&](int row, int col, int k) {
      if (row < 0 || row >= m || col < 0 || col >= n || k < 0 || k >= x.size())
        fail(name, fmt::format("entry ({}, {})", row, col), fmt::format("must lie inside {} × {}", m, n));
      entries.emplace_back(row, col, x[k]);
    };
    const auto index = [&](const std::vector<int>& v, int k) {
      if (k < 0 || k >= static_cast<int>(v.size())) fail(name, fmt::format("index {}", k), "is beyond the stored indices");
      return v[k];
    };
    if (nz >= 0) {
      for (int k = 0; k < nz; ++k) add(index(i, k), index(p, k), k);
    } else {
      const int outer = nz == -2 ? m : n;
      for (int j = 0; j < outer; ++j)
        for (int k = index(p, j); k < index(p, j + 1); ++k) nz == -2 ? add(j, index(i, k), k) : add(index(i, k), j, k);
    }
    Sparse A(m, n);
    A.setFromTriplets(entries.begin(), entries.end());
    return A;
  }

 private:
  std::string path_;
  Handle file_;
};

int carom_index(int i, int d) { return i % d == 0 ? i + d - 1 : i - 1; }
int fclib_index(int i, int d) { return i % d == d - 1 ? i - d + 1 : i + 1; }

template <class Index>
VectorXd reorder(const VectorXd& x, int d, Index index) {
  VectorXd y(x.size());
  for (int i = 0; i < x.size(); ++i) y[index(i, d)] = x[i];
  return y;
}

template <class Index>
Sparse reorder(const Sparse& A, int d, bool rows, Index index) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int j = 0; j < A.outerSize(); ++j)
    for (Sparse::InnerIterator it(A, j); it; ++it) {
      const int r = static_cast<int>(it.row());
      entries.emplace_back(rows ? index(r, d) : r, index(j, d), it.value());
    }
  Sparse B(A.rows(), A.cols());
  B.setFromTriplets(entries.begin(), entries.end());
  return B;
}

int dimension(const Reader& in, const std::string& group) {
  const int d = in.integer(group + "/spacedim");
  if (d != 2 && d != 3) in.fail(group + "/spacedim", fmt::format("{}", d), "must be 2 or 3");
  return d;
}

AnyProblem read_local(const Reader& in) {
  const int d = dimension(in, "/fclib_local");
  if (in.has("/fclib_local/V")) in.fail("/fclib_local/V", "present", "bilateral rows in local form are not supported");
  FrictionContact p;
  p.dimension = d;
  p.q = reorder(in.reals("/fclib_local/vectors/q"), d, carom_index);
  p.mu = in.reals("/fclib_local/vectors/mu");
  const Sparse W = in.matrix("/fclib_local/W");
  if (W.rows() != p.q.size() || W.cols() != p.q.size() || W.rows() % d != 0)
    in.fail("/fclib_local/W", fmt::format("{} × {}", W.rows(), W.cols()), fmt::format("must be {0} × {0}", p.q.size()));
  p.W = BlockMatrix::from_sparse(reorder(W, d, true, carom_index), d);
  validate(p);
  return p;
}

AnyProblem read_global(const Reader& in) {
  GlobalFrictionContact p;
  p.dimension = dimension(in, "/fclib_global");
  p.M = in.matrix("/fclib_global/M");
  p.H = reorder(in.matrix("/fclib_global/H"), p.dimension, false, carom_index);
  p.f = in.reals("/fclib_global/vectors/f");
  p.w = reorder(in.reals("/fclib_global/vectors/w"), p.dimension, carom_index);
  p.mu = in.reals("/fclib_global/vectors/mu");
  if (in.has("/fclib_global/G")) {
    p.G = in.matrix("/fclib_global/G");
    p.b = in.reals("/fclib_global/vectors/b");
  }
  validate(p);
  return p;
}

class Writer {
 public:
  explicit Writer(const std::string& path)
      : path_(path), file_(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose) {
    if (file_ < 0) throw InputError("file", path, "cannot be created");
  }

  void group(const std::string& name) { check(Handle(H5Gcreate2(file_, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose), name); }

  void integers(const std::string& name, const std::vector<int>& v) { put(name, v.data(), v.size(), H5T_STD_I32LE, H5T_NATIVE_INT); }
  void reals(const std::string& name, const VectorXd& v) {
    put(name, v.data(), static_cast<std::size_t>(v.size()), H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE);
  }

  void text(const std::string& name, const std::string& value) {
    const Handle type(H5Tcopy(H5T_C_S1), H5Tclose), space(H5Screate(H5S_SCALAR), H5Sclose);
    H5Tset_size(type, value.size() + 1);
    const Handle set(H5Dcreate2(file_, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
    check(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, value.c_str()), name);
  }

  void matrix(const std::string& name, const Sparse& A) {
    group(name);
    std::vector<int> row, col;
    VectorXd x(A.nonZeros());
    for (int j = 0; j < A.outerSize(); ++j)
      for (Sparse::InnerIterator it(A, j); it; ++it) {
        x[static_cast<Eigen::Index>(row.size())] = it.value();
        row.push_back(static_cast<int>(it.row())), col.push_back(j);
      }
    const int count = static_cast<int>(row.size());
    integers(name + "/m", {static_cast<int>(A.rows())});
    integers(name + "/n", {static_cast<int>(A.cols())});
    integers(name + "/nz", {count});
    integers(name + "/nzmax", {count});
    integers(name + "/p", col);
    integers(name + "/i", row);
    reals(name + "/x", x);
  }

 private:
  void check(hid_t result, const std::string& name) const {
    if (result < 0) throw InputError(name, path_, "cannot be written");
  }

  void put(const std::string& name, const void* data, std::size_t count, hid_t stored, hid_t native) {
    const hsize_t size = count;
    const Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose);
    const Handle set(H5Dcreate2(file_, name.c_str(), stored, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
    check(set, name);
    if (count > 0) check(H5Dwrite(set, native, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), name);
  }

  std::string path_;
  Handle file_;
};

void write_header(Writer& out, const std::string& group, int d, const std::string& title) {
  out.group(group);
  out.group(group + "/vectors");
  out.group(group + "/info");
  out.text(group + "/info/title", title);
  out.text(group + "/info/description", "written by carom");
  out.text(group + "/info/math_info", "u = W r + q, Coulomb friction with De Saxce's term");
  out.integers(group + "/spacedim", {d});
}

}  // namespace

AnyProblem read_fclib(const std::string& path) {
  const Quiet quiet;
  const Reader in(path);
  if (in.has("/fclib_local")) return read_local(in);
  if (in.has("/fclib_global")) return read_global(in);
  const bool rolling = in.has("/fclib_global_rolling") || in.has("/fclib_local_rolling");
  in.fail("group", rolling ? "rolling friction" : "unknown", "must be fclib_local or fclib_global");
}

void write_fclib(const AnyProblem& problem, const std::string& path, const std::string& title) {
  const Quiet quiet;
  if (const auto* local = std::get_if<FrictionContact>(&problem)) {
    Writer out(path);
    const std::string g = "/fclib_local";
    const int d = local->dimension;
    write_header(out, g, d, title);
    out.matrix(g + "/W", reorder(local->W.sparse(), d, true, fclib_index));
    out.reals(g + "/vectors/q", reorder(local->q, d, fclib_index));
    out.reals(g + "/vectors/mu", local->mu);
  } else if (const auto* global = std::get_if<GlobalFrictionContact>(&problem)) {
    Writer out(path);
    const std::string g = "/fclib_global";
    const int d = global->dimension;
    write_header(out, g, d, title);
    out.matrix(g + "/M", global->M);
    out.matrix(g + "/H", reorder(global->H, d, false, fclib_index));
    out.reals(g + "/vectors/f", global->f);
    out.reals(g + "/vectors/w", reorder(global->w, d, fclib_index));
    out.reals(g + "/vectors/mu", global->mu);
    if (global->G.cols() > 0) out.matrix(g + "/G", global->G), out.reals(g + "/vectors/b", global->b);
  } else {
    throw InputError("problem", "LCP or MLCP", "FCLIB holds friction contact problems only");
  }
}

}  // namespace carom
